//! Tree shaking under fuel: what nothing reaches and may not go is one more root.

use planish_classfile::{Flags, Kind};
use planish_jvm_model::program::{Class, Field, Method};

use crate::passes::TREE_SHAKING;
use crate::reach::Reach;
use crate::record::ProgramRecord;

/// Something that nothing reaches.
enum Unreached {
    Class(Class),
    Field(Field),
    Method(Method),
    /// The body of a method that is named and cannot run.
    Body(Method),
}

impl Reach<'_, '_> {
    /// Asks of each class, field, method and body that nothing reaches whether it may go, in the order of the program. What may
    /// not go is kept, with everything that it speaks of; so less may go in the end than was allowed. The work before
    /// must be [finished](Reach::finish), and is so again.
    pub fn limit(&mut self, record: &mut ProgramRecord) {
        let unreached = self.unreached();
        let may_go = |of: &&Unreached| record.rewrite(&TREE_SHAKING, || self.say(of));
        let allowed = unreached.iter().take_while(may_go).count();
        let stays = &unreached[allowed..];
        if stays.is_empty() {
            return;
        }
        let cause = self.root("rewrites are limited".to_owned());
        for unreached in stays {
            match *unreached {
                // What is wrong with a class that cannot be looked into was said when it was read.
                Unreached::Class(class) => _ = self.keep_as_it_is(class, cause),
                Unreached::Field(field) => self.use_field(field, cause),
                Unreached::Method(method) | Unreached::Body(method) => self.keep_body(method, cause),
            }
        }
        self.finish();
    }

    fn unreached(&self) -> Vec<Unreached> {
        let program = self.program;
        let mut unreached = Vec::new();
        for class in program.classes.ids() {
            let own = &program.classes[class];
            if !self.is_needed(class) {
                unreached.push(Unreached::Class(class));
                continue;
            }
            let fields = own.fields.iter().filter(|&&field| !self.is_field_needed(field));
            unreached.extend(fields.map(|&field| Unreached::Field(field)));
            for &method in own.methods.iter().filter(|&&method| !self.is_live(method)) {
                if !self.is_declared(method) {
                    unreached.push(Unreached::Method(method));
                } else if self.has_body(method) {
                    unreached.push(Unreached::Body(method));
                }
            }
        }
        unreached
    }

    /// Whether a method has a body.
    fn has_body(&self, method: Method) -> bool {
        let info = &self.program.methods[method];
        let file = &self.program.classes[info.class].file;
        let member = &file.methods[usize::from(info.place)];
        !member.flags.any(Flags::ABSTRACT | Flags::NATIVE)
            && member.attribute(&file.pool, Kind::Code).is_some()
    }

    fn say(&self, unreached: &Unreached) -> String {
        let program = self.program;
        match *unreached {
            Unreached::Class(class) => format!("class {} goes", program.show_class(class)),
            Unreached::Field(field) => format!("field {} goes", program.show_field(field)),
            Unreached::Method(method) => format!("method {} goes", program.show_method(method)),
            Unreached::Body(method) => format!("the body of {} goes", program.show_method(method)),
        }
    }
}
