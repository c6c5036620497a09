//! Reflection, serialization: what the JDK uses of a class when it writes or reads an instance (Java Object Serialization
//! Specification; for records its section 1.13).

use planish_classfile::Flags;
use planish_classfile::attribute::{Body, Kind};
use planish_jvm_model::program::Class;

use crate::reach::Reach;
use crate::reach::cause::Cause;

impl Reach<'_, '_> {
    /// What the JDK uses of a class when it writes or reads an instance.
    pub(super) fn serialized(&mut self, class: Class) {
        let own = &self.program.classes[class];
        let hierarchy = self.program.hierarchy;
        let is = |name: &[u8]| own.supertypes.iter().any(|&above| hierarchy.name(above) == name);
        // Of a constant only the name is written, and of its class only `values()` is asked (section 1.12).
        if !is(b"java/io/Serializable") || is(b"java/lang/Enum") {
            return;
        }
        let cause = Cause::Class(class);
        let is_external = is(b"java/io/Externalizable");
        let mut chain = Vec::new();
        for above in hierarchy.ancestors(own.id) {
            let Some(above) = self.program.class(above) else { break };
            chain.push(above);
        }
        self.read_by_constructor(class, cause);
        for class in chain {
            let own = &self.program.classes[class];
            let is_serializable =
                own.supertypes.iter().any(|&above| hierarchy.name(above) == b"java/io/Serializable");
            for &method in &own.methods {
                let found = match self.program.text(self.program.methods[method].selector) {
                    b"writeObject(Ljava/io/ObjectOutputStream;)V"
                    | b"readObject(Ljava/io/ObjectInputStream;)V"
                    | b"readObjectNoData()V"
                    | b"writeReplace()Ljava/lang/Object;"
                    | b"readResolve()Ljava/lang/Object;" => is_serializable,
                    b"<init>()V" => !is_serializable || is_external,
                    _ => false,
                };
                if found {
                    self.keep_method(method, cause);
                }
            }
            if !is_serializable {
                break;
            }
            for &field in &own.fields {
                let info = self.program.fields[field];
                let name = self.program.member_name(info.selector);
                let special = matches!(name, b"serialVersionUID" | b"serialPersistentFields");
                if special || !info.flags.any(Flags::STATIC | Flags::TRANSIENT) {
                    self.use_field(field, cause);
                }
            }
        }
    }

    /// A record is read by its canonical constructor, with whatever values were written.
    fn read_by_constructor(&mut self, class: Class, cause: Cause) {
        let own = &self.program.classes[class];
        let pool = &own.file.pool;
        let Some(attribute) = own.file.attributes.iter().find(|it| it.kind(pool) == Ok(Some(Kind::Record)))
        else {
            return;
        };
        // What cannot be read is no record to a JVM, either.
        let Ok(Some(Body::Record(components))) = attribute.decode(pool) else { return };
        let mut canonical = b"<init>(".to_vec();
        for component in &components {
            canonical.extend_from_slice(pool.utf8(component.descriptor).unwrap_or_default());
        }
        canonical.extend_from_slice(b")V");
        for &method in &own.methods {
            if self.program.text(self.program.methods[method].selector) == canonical.as_slice() {
                self.keep_method(method, cause);
            }
        }
    }
}
