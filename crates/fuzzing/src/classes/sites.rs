//! Call sites of `invokedynamic` that make lambdas, and the table of a class that says what they are.
//!
//! A site names an interface, its only method, what of the stack it captures, and a method handle: what the lambda does is
//! call that with what was captured and what it gets. The method has two descriptors: the one that the interface declares,
//! and the one with the types that callers keep to, which differ if the interface is generic.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::class::Attribute;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, ClassFile, Constant, MemberRef};

use super::assemble::Pool;

/// The rows of a class, by which its sites are linked.
pub(super) type Rows = Vec<BootstrapMethod>;

/// Kinds of method handles.
pub(super) mod kind {
    pub const VIRTUAL: u8 = 5;
    pub const STATIC: u8 = 6;
    pub const SPECIAL: u8 = 7;
    pub const NEW: u8 = 8;
    pub const INTERFACE: u8 = 9;
}

/// The method that links all sites.
const METAFACTORY: MemberRef<'_> = MemberRef {
    kind: MemberKind::Method,
    class: b"java/lang/invoke/LambdaMetafactory",
    name: b"metafactory",
    descriptor: b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
        Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)\
        Ljava/lang/invoke/CallSite;",
};

/// What a lambda is.
pub(super) struct Lambda<'l> {
    /// The interface, its method, and the descriptor that it declares.
    pub of: [&'l [u8]; 3],
    /// The descriptor with the types that callers keep to, if it is another one.
    pub actual: Option<&'l str>,
    /// The types that it captures, as in a descriptor.
    pub captures: &'l str,
    /// What it calls: the kind of the handle, class, name and descriptor.
    pub calls: (u8, [&'l [u8]; 3]),
    /// Whether what it calls is of an interface.
    pub calls_interface: bool,
}

impl<'l> Lambda<'l> {
    /// One that calls a static method of a class.
    pub fn of_static(of: [&'l [u8]; 3], captures: &'l str, calls: [&'l [u8]; 3]) -> Self {
        Lambda { of, actual: None, captures, calls: (kind::STATIC, calls), calls_interface: false }
    }

    /// Appends the site, which takes what it captures from the stack.
    pub fn make(&self, code: &mut CodeBuilder, rows: &mut Rows, pool: &mut Pool) {
        let (kind, [class, name, descriptor]) = self.calls;
        let member = if self.calls_interface { MemberKind::InterfaceMethod } else { MemberKind::Method };
        let calls = MemberRef { kind: member, class, name, descriptor };
        let [maker, calls] = [METAFACTORY, calls].map(|member| pool.add_member(member).expect("room"));
        let [interface, method, erased] = self.of;
        let actual = self.actual.map_or(erased, str::as_bytes);
        let [erased, actual] = [erased, actual].map(|text| pool.add_method_type(text).expect("room"));
        let mut handle = |kind, of| pool.add(Constant::MethodHandle(kind, of)).expect("room");
        let row = BootstrapMethod {
            handle: handle(kind::STATIC, maker),
            arguments: vec![erased, handle(kind, calls), actual],
        };
        let number = rows.iter().position(|other| *other == row).unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        });
        let made = format!("({})L{};", self.captures, String::from_utf8_lossy(interface));
        code.dynamic(number as u16, method, made.as_bytes(), pool).expect("room");
    }
}

/// Gives a class its rows.
pub(super) fn finish(class: &mut ClassFile<'static>, rows: Rows) {
    if !rows.is_empty() {
        let table = Attribute::new(&mut class.pool, &Body::BootstrapMethods(rows)).expect("they fit");
        class.attributes.push(table);
    }
}
