//! A class with a call site that makes a lambda.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::class::Attribute;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, ClassFile, Constant, MemberRef};

/// The method that links the site.
const METAFACTORY: MemberRef<'_> = MemberRef {
    kind: MemberKind::Method,
    class: b"java/lang/invoke/LambdaMetafactory",
    name: b"metafactory",
    descriptor: b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
        Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)\
        Ljava/lang/invoke/CallSite;",
};

/// A class whose bootstrap method 0 makes lambdas that do what a method handle of this kind does, by the erased and the
/// actual type.
pub fn with_lambda(class: &[u8], (kind, calls): (u8, MemberRef<'_>), [erased, actual]: [&str; 2]) -> Vec<u8> {
    let mut file = ClassFile::read(class).unwrap();
    let pool = &mut file.pool;
    let [maker, calls] = [METAFACTORY, calls].map(|member| pool.add_member(member).unwrap());
    let [erased, actual] = [erased, actual].map(|text| {
        let text = pool.add_utf8(text.as_bytes()).unwrap();
        pool.add(Constant::MethodType(text)).unwrap()
    });
    let arguments = vec![erased, pool.add(Constant::MethodHandle(kind, calls)).unwrap(), actual];
    let handle = pool.add(Constant::MethodHandle(6, maker)).unwrap();
    let table = Body::BootstrapMethods(vec![BootstrapMethod { handle, arguments }]);
    let table = Attribute::new(&mut file.pool, &table).unwrap();
    file.attributes.push(table);
    file.to_bytes().unwrap()
}
