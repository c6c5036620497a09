//! How fast class files are read, in bytes per second.
//!
//! ```text
//! cargo bench -p planish-classfile
//! ```
//!
//! The input is `java.base` of the JDK that is found; without one, a class assembled in memory.

use divan::Bencher;
use divan::counter::BytesCount;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::check::Census;
use planish_classfile::jimage::{self, Image};
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Opcode};

fn main() {
    divan::main();
}

fn classes() -> Vec<Vec<u8>> {
    let Some(image) = jimage::find_image().and_then(|path| Image::open(&path).ok()) else {
        return vec![assembled(); 1000];
    };
    let resources = image.classes().expect("the tables of the image are whole");
    let base = resources.iter().filter(|resource| resource.module == b"java.base");
    base.map(|class| image.content(class).expect("no class is compressed").to_vec()).collect()
}

fn assembled() -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC, b"A", Some(b"java/lang/Object")).expect("it is small");
    let mut code = CodeBuilder::new();
    for _ in 0..100 {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 9).op(Opcode::Iadd).local(Opcode::Istore, 0);
    }
    code.op(Opcode::Return);
    let code = code.finish(1, &mut class.pool).expect("the stack is balanced");
    class.add_method(Flags::STATIC, b"m", b"(I)V", Some(&code)).expect("it is small");
    class.to_bytes().expect("it is small")
}

fn bench(bencher: Bencher<'_, '_>, work: impl Fn(&ClassFile<'_>) + Sync) {
    let classes = classes();
    bencher.counter(BytesCount::new(classes.iter().map(Vec::len).sum::<usize>())).bench(|| {
        for bytes in &classes {
            work(&ClassFile::read(bytes).expect("the class is whole"));
        }
    });
}

/// Constants, members and the places of attributes.
#[divan::bench(max_time = 3)]
fn read(bencher: Bencher<'_, '_>) {
    bench(bencher, |class| {
        divan::black_box(class);
    });
}

/// Every attribute and every instruction.
#[divan::bench(max_time = 3)]
fn decode_all(bencher: Bencher<'_, '_>) {
    bench(bencher, |class| class.decode_all(&mut Census::default()).expect("the class is whole"));
}

/// Reading and writing without change.
#[divan::bench(max_time = 3)]
fn copy(bencher: Bencher<'_, '_>) {
    bench(bencher, |class| {
        divan::black_box(class.to_bytes().expect("what was read can be written"));
    });
}

/// Taking every method body apart and putting it together.
#[divan::bench(max_time = 3)]
fn rewrite_bodies(bencher: Bencher<'_, '_>) {
    bench(bencher, |class| {
        let mut out = Vec::new();
        for method in &class.methods {
            let Some(attribute) = method.attribute(&class.pool, Kind::Code) else { continue };
            if let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) {
                out.clear();
                let code = Code::read(&bytes, &class.pool).expect("the body is whole");
                code.write(&mut out).expect("what was read can be written");
            }
        }
    });
}
