//! Receiver type refinement: which class a call may name, by what is known of its receiver.
//!
//! The class has to be one that a verifier sees the receiver to be of, whichever way it came, since naming it is a claim
//! that the verifier checks: the class of a fresh object, of a cast, of a parameter, a field or a result. It has to be
//! visible, and looking the method up there has to find the one method to which the call leads, so that nothing that the
//! call may throw changes.

use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::pool::MemberKind;
use planish_classfile::{Flags, Opcode};
use planish_domain::{Class as Bound, RefFact};
use planish_ir::{Def, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Selector};
use planish_jvm_model::visibility::is_linked;

use crate::infer::fact::{Fact, class as class_of};
use crate::infer::incoming::Incoming;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::{Analysis, Body};

impl Analysis<'_, '_, '_> {
    /// The one method to which a virtual call leads on a receiver of which this much is known, and the class of that, exactly
    /// or at most; nothing if the call, which `caller` makes, may throw for another reason than that the receiver is null.
    pub(super) fn target_on_object(
        &mut self,
        caller: Class,
        callee: &Callee,
        receiver: RefFact,
    ) -> Option<(Method, ClassId)> {
        let program = self.program;
        let (Some(named), Some(selector)) = (callee.class, callee.selector) else { return None };
        let through_interface = match callee.op {
            Opcode::Invokevirtual => false,
            Opcode::Invokeinterface => true,
            _ => return None,
        };
        // The JVM throws where a call is of the wrong kind.
        let is_fit = match callee.found? {
            Found::Program(resolved) => !program.methods[resolved].flags.any(Flags::STATIC | Flags::PRIVATE),
            Found::Library => self.library_lets_override(named, selector),
            Found::Unknown => false,
        };
        if !is_fit || program.hierarchy.is_interface(named) != Some(through_interface) {
            return None;
        }
        let says = if through_interface { MemberKind::InterfaceMethod } else { MemberKind::Method };
        if let (Some(class), Some(found)) = (program.class(named), callee.found)
            && !is_linked(program, caller, (callee.op, says), (class, found))
        {
            return None;
        }
        let bound = match receiver.object()? {
            Bound::Exactly(class) | Bound::AtMost(class) => class_of(class),
            // What the verifier sees to be of a class is.
            Bound::Any if !through_interface => named,
            Bound::Any => return None,
        };
        // An object that does not implement the interface which is named makes the call throw.
        program.class(bound).filter(|_| program.hierarchy.is_subtype(bound, named) == Some(true))?;
        let only = self.only_target(callee, receiver)?;
        let is_called = !through_interface || program.methods[only].flags.has(Flags::PUBLIC);
        is_called.then_some((only, bound))
    }

    /// The same, if it is found under the class of the receiver, and what the instruction names does not say as much.
    pub(super) fn single_target(
        &mut self,
        callee: &Callee,
        receiver: RefFact,
        (only, bound): (Method, ClassId),
    ) -> Option<(Method, ClassId)> {
        let (Some(named), Some(selector)) = (callee.class, callee.selector) else { return None };
        let is_more = match receiver.object()? {
            Bound::Exactly(_) => true,
            Bound::AtMost(class) => class_of(class) != named,
            Bound::Any => false,
        };
        let is_more = is_more
            && self.finds(bound, selector, only)
            && (callee.op == Opcode::Invokeinterface || !self.leads_to(named, selector, only));
        is_more.then_some((only, bound))
    }

    /// The class that a call from another one is to name instead of what it names, if it leads to one method that its receiver
    /// inherits or has; nothing if none will do. `sees` says whether a verifier sees that the receiver is of a class.
    pub(super) fn precise_class(
        &mut self,
        caller: Class,
        selector: Selector,
        (only, bound): (Method, ClassId),
        sees: impl Fn(&Self, ClassId) -> bool,
    ) -> Option<Class> {
        let program = self.program;
        let mut best = None;
        for class in program.hierarchy.ancestors(bound) {
            let Some(own) = program.class(class).filter(|_| self.finds(class, selector, only)) else { break };
            let is_precise = program.hierarchy.is_interface(class) == Some(false)
                && self.may_name(caller, own)
                && self.may_call(caller, only)
                && self.leads_to(class, selector, only)
                && sees(self, class);
            if is_precise {
                best = Some(own);
            }
        }
        best
    }

    /// The one method to which a call leads on a receiver of which this much is known.
    fn only_target(&mut self, callee: &Callee, receiver: RefFact) -> Option<Method> {
        let targets = self.leads(callee, receiver);
        match (&targets.methods[..], targets.outside) {
            (&[only], false) => Some(only),
            _ => None,
        }
    }

    /// Whether a method that a class or interface outside of the program has or inherits is there to be overridden.
    fn library_lets_override(&self, named: ClassId, selector: Selector) -> bool {
        let program = self.program;
        let wanted = program.text(selector);
        let mut above = program.hierarchy.supertypes(named).into_iter();
        let class = above.find(|&above| program.library.has_method(program.hierarchy.name(above), wanted));
        let mut lets = false;
        if let Some(class) = class {
            program.library.overridable(program.hierarchy.name(class), |text| lets |= text == wanted);
        }
        lets
    }

    /// Whether all calls of a method on a class lead to one method.
    fn leads_to(&mut self, class: ClassId, selector: Selector, only: Method) -> bool {
        let targets = self.dispatch.targets(class, false, selector, true);
        !targets.outside && targets.methods == [only]
    }

    /// Whether looking a method up on a class finds this one, and nothing else could be meant.
    fn finds(&self, class: ClassId, selector: Selector, only: Method) -> bool {
        let program = self.program;
        let home = program.methods[only].class;
        if program.resolve_method(class, selector) != Found::Program(only) {
            return false;
        }
        // Of several interfaces that have it one may take it away again.
        let is_interface = |class: Class| program.classes[class].file.flags.has(Flags::INTERFACE);
        let also_has = |&above: &ClassId| {
            program.class(above).is_some_and(|above| {
                above != home && is_interface(above) && program.declared_method(above, selector).is_some()
            })
        };
        !is_interface(home) || !program.hierarchy.supertypes(class).iter().any(also_has)
    }

    fn is_near(&self, one: Class, other: Class) -> bool {
        package(self.program.name(one)) == package(self.program.name(other))
    }

    /// Whether a class may name another one.
    pub(super) fn may_name(&self, caller: Class, class: Class) -> bool {
        self.program.classes[class].file.flags.has(Flags::PUBLIC) || self.is_near(caller, class)
    }

    /// Whether a class may name a method by the class that has it.
    pub(super) fn may_name_of(&self, caller: Class, method: Method) -> bool {
        let home = self.program.methods[method].class;
        caller == home || self.may_name(caller, home) && self.may_call(caller, method)
    }

    /// Whether a class may call a method on any object that has it.
    fn may_call(&self, caller: Class, method: Method) -> bool {
        let info = &self.program.methods[method];
        info.flags.has(Flags::PUBLIC) || !info.flags.has(Flags::PRIVATE) && self.is_near(caller, info.class)
    }

    /// Whether a verifier sees that a value is null or an object of a class, which is no interface, whichever way it came.
    pub(super) fn sees(&self, method: Method, body: &Body, value: Value, class: ClassId) -> bool {
        let f = &body.function;
        let mut work = vec![value];
        let mut seen: Vec<Value> = Vec::new();
        while let Some(value) = work.pop() {
            if seen.contains(&value) {
                continue;
            }
            if seen.len() == self.precision.followed {
                return false;
            }
            seen.push(value);
            let declared = match f.def(value) {
                Def::Const(_) if self.progress[method.index()].values[value.index()].constant().is_some() => {
                    continue;
                }
                Def::Const(_) => None,
                Def::Param(block, place) if block == f.entry() => self.parameter(method, place as usize),
                Def::Param(block, place) => {
                    let incoming = body.incoming.get_or_init(|| Incoming::of(f));
                    if !incoming.arguments(f, block, place as usize, &mut work) {
                        return false;
                    }
                    continue;
                }
                Def::Result(inst, 0) => {
                    let data = f.inst(inst);
                    data.descr.and_then(|descr| self.declared(&self.sites[body.class.index()][descr.index()]))
                }
                Def::Result(..) => None,
            };
            let is_of_class = |declared| self.program.hierarchy.extends(declared, class) == Some(true);
            if !declared.is_some_and(is_of_class) {
                return false;
            }
        }
        true
    }

    /// The class, no array, that a descriptor names.
    fn declared_class(&self, ty: Option<JavaType<'_>>) -> Option<ClassId> {
        match ty? {
            JavaType::Object(name) => self.program.hierarchy.lookup(name),
            _ => None,
        }
    }

    /// The declared class of a parameter.
    pub(super) fn parameter(&self, method: Method, place: usize) -> Option<ClassId> {
        let info = &self.program.methods[method];
        let receiver = usize::from(!info.flags.has(Flags::STATIC));
        let Some(place) = place.checked_sub(receiver) else {
            return Some(self.program.classes[info.class].id);
        };
        let ty = MethodType::parse(self.program.descriptor(info.selector))?;
        self.declared_class(ty.parameters().nth(place))
    }

    /// The class of which a verifier sees that an instruction gives an object.
    fn declared(&self, site: &Site) -> Option<ClassId> {
        let program = self.program;
        match site {
            Site::New(Fact::Ref(made)) => made.exact_class().map(class_of),
            Site::Cast(class) => Some(*class),
            Site::Field(field) => {
                self.declared_class(JavaType::parse(program.descriptor(program.fields[*field].selector)))
            }
            Site::Call(callee) => {
                let ty = MethodType::parse(program.descriptor(callee.selector?))?;
                self.declared_class(ty.result())
            }
            _ => None,
        }
    }
}
