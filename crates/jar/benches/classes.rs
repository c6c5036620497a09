//! What each step from class files to optimized class files costs: `cargo bench -p planish-driver`.
//!
//! Reading, lifting, optimizing, lowering, verifying and writing for themselves, then all of them for each class, then
//! whole programs of more and more classes. Classes and bytes of class files a second. The input are classes of
//! `java.base` from `java.util` on, of the JDK that is found; without one, those in `examples/`.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use planish_base::Budget;
use planish_classfile::zip::DosTime;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind};
use planish_driver::Settings;
use planish_ir::redundant_phis::remove_redundant_phis;
use planish_ir::{Form, Function};
use planish_jar::classes::{
    Archive, Entry, Hierarchy, Image, Known, Method, Origin, Source, add_classes, find_image, optimize_bodies,
};
use planish_jar::inputs::{Classpath, Platform};
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;
use planish_jvm_ir::lift::lift_named;
use planish_jvm_ir::lower::{Target, lower};
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::variables::Variables;
use planish_jvm_model::verify::verify;
use planish_jvm_model::vtype::TypeContext;
use planish_opt::{Optimizer, Options, Pipeline, Record};

/// As many classes as the steps for themselves are measured on.
const CLASSES: usize = 300;

fn main() {
    divan::main();
}

/// Class files, and the classes around them.
struct Input {
    files: Vec<Vec<u8>>,
    hierarchy: Hierarchy,
    classpath: Classpath,
}

impl Input {
    fn new(count: usize) -> Input {
        let mut hierarchy = Hierarchy::new();
        let mut classpath = Classpath::default();
        let mut files = Vec::new();
        match find_image().and_then(|path| Image::open(&path).ok()) {
            Some(image) => {
                let resources = image.classes().expect("the tables of the image are whole");
                let mut base: Vec<_> =
                    resources.iter().filter(|class| class.module == b"java.base").collect();
                base.sort_by_key(|class| (class.parent < &b"java/util"[..], class.parent, class.base));
                let content = |class| image.content(class).expect("no class is compressed").to_vec();
                files.extend(base.into_iter().take(count).map(content));
                hierarchy.add_image(&image, 1).expect("the classes of the image are whole");
                classpath.platform = Platform::Image(image);
            }
            None => {
                let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
                let archive = Source::read(examples.as_ref()).expect("the examples can be read").archive;
                let (mut budget, mut warnings) = (Budget::new("bytes", u64::MAX), Vec::new());
                add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut warnings)
                    .expect("the examples are whole");
                let classes = archive.entries.iter().filter(|entry| entry.name.ends_with(b".class"));
                files.extend(
                    classes.take(count).map(|entry| {
                        entry.content(&mut budget).expect("the examples are whole").into_owned()
                    }),
                );
            }
        }
        Input { files, hierarchy, classpath }
    }

    fn bytes(&self) -> usize {
        self.files.iter().map(Vec::len).sum()
    }

    /// The files as a jar that is not compressed.
    fn archive(&self) -> Archive {
        let entry = |file: &Vec<u8>| {
            let class = ClassFile::read(file).expect("the class is whole");
            let name = [class.name().expect("it has a name"), b".class"].concat();
            Entry::new(&name, DosTime::EPOCH, file, Method::Stored)
        };
        Archive { entries: self.files.iter().map(entry).collect(), ..Archive::default() }
    }
}

/// A body between two steps.
struct Between {
    method: usize,
    code: Code,
    lifted: Option<(Function, Variables)>,
    lowered: Option<Code>,
}

/// A class between two steps.
struct Class<'f> {
    file: ClassFile<'f>,
    names: Names,
    bodies: Vec<Between>,
}

impl<'f> Class<'f> {
    /// Its constants, members, and every instruction of its methods.
    fn read(bytes: &'f [u8]) -> Class<'f> {
        let file = ClassFile::read(bytes).expect("the class is whole");
        let mut bodies = Vec::new();
        for (method, info) in file.methods.iter().enumerate() {
            let Some(attribute) = info.attribute(&file.pool, Kind::Code) else { continue };
            if let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) {
                let code = Code::read(&bytes, &file.pool).expect("the body is whole");
                bodies.push(Between { method, code, lifted: None, lowered: None });
            }
        }
        Class { names: Names::new(&file), file, bodies }
    }

    /// Shows each body with what a step needs.
    fn each(
        &mut self,
        context: &mut TypeContext<'_>,
        mut step: impl FnMut(&mut Between, &Target<'_>, &mut ClassFile<'f>, &mut Names, &mut TypeContext<'_>),
    ) {
        context.begin_class(&self.file.pool);
        let class = self.file.name().expect("it has a name").to_vec();
        let super_class = self.file.super_name().expect("it has a super class").map(<[u8]>::to_vec);
        for body in &mut self.bodies {
            let method = &self.file.methods[body.method];
            let text = |index| self.file.pool.utf8(index).expect("the class is whole").to_vec();
            let (name, descriptor) = (text(method.name), text(method.descriptor));
            let is_static = method.flags.has(Flags::STATIC);
            let target = Target {
                class: &class,
                super_class: super_class.as_deref(),
                name: &name,
                descriptor: &descriptor,
                is_static,
            };
            step(body, &target, &mut self.file, &mut self.names, context);
        }
    }

    fn lift(&mut self, context: &mut TypeContext<'_>) {
        self.each(context, |body, target, file, names, context| {
            body.lifted = lift_named(&body.code, &target.info(&file.pool), names, context).ok();
        });
    }

    fn optimize(&mut self, tools: &mut Tools) {
        let Tools { pipeline, optimizer, record } = tools;
        for body in &mut self.bodies {
            if let Some((function, _)) = &mut body.lifted {
                optimizer.run(pipeline, function, self.names.world(), record, Options::QUIET, &mut ());
                remove_redundant_phis(function);
            }
        }
    }

    fn lower(&mut self, context: &mut TypeContext<'_>) {
        self.each(context, |body, target, file, names, context| {
            if let Some((function, variables)) = &body.lifted {
                let original = (&body.code, variables);
                body.lowered = lower(function, names, original, target, &mut file.pool, context).ok();
            }
        });
    }

    fn verify(&mut self, context: &mut TypeContext<'_>) {
        self.each(context, |body, target, file, _, context| {
            if let Some(code) = &body.lowered {
                verify(code, &target.info(&file.pool), context).expect("what was written verifies");
            }
        });
    }

    fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for body in &self.bodies {
            if let Some(code) = &body.lowered {
                black_box(code.write(&mut out)).ok();
                out.clear();
            }
        }
        self.file.to_bytes().expect("what was read can be written")
    }
}

/// What optimizes.
struct Tools {
    pipeline: Pipeline,
    optimizer: Optimizer,
    record: Record,
}

impl Tools {
    fn new() -> Tools {
        let pipeline = Pipeline::parse(Pipeline::BYTECODE, Form::Cfg).expect("the names of passes");
        Tools { pipeline, optimizer: Optimizer::new(), record: Record::new() }
    }
}

/// Measures one step over all classes, which `before` brings to where it begins.
fn bench_step(
    bencher: Bencher<'_, '_>,
    before: impl Fn(&mut Class<'_>, &mut TypeContext<'_>, &mut Tools),
    step: impl Fn(&mut Class<'_>, &mut TypeContext<'_>, &mut Tools),
) {
    let input = Input::new(CLASSES);
    let mut tools = Tools::new();
    let prepare = |file| {
        let mut class = Class::read(file);
        before(&mut class, &mut TypeContext::new(&input.hierarchy), &mut Tools::new());
        class
    };
    bencher
        .counter(ItemsCount::new(input.files.len()))
        .counter(BytesCount::new(input.bytes()))
        .with_inputs(|| input.files.iter().map(|file| prepare(file)).collect::<Vec<_>>())
        .bench_local_refs(|classes| {
            for class in classes {
                step(class, &mut TypeContext::new(&input.hierarchy), &mut tools);
            }
        });
}

#[divan::bench(sample_count = 10)]
fn a_read(bencher: Bencher<'_, '_>) {
    let input = Input::new(CLASSES);
    bencher.counter(ItemsCount::new(input.files.len())).counter(BytesCount::new(input.bytes())).bench_local(
        || {
            for file in &input.files {
                black_box(Class::read(file));
            }
        },
    );
}

#[divan::bench(sample_count = 10)]
fn b_lift(bencher: Bencher<'_, '_>) {
    bench_step(bencher, |_, _, _| {}, |class, context, _| class.lift(context));
}

#[divan::bench(sample_count = 10)]
fn c_optimize(bencher: Bencher<'_, '_>) {
    bench_step(bencher, |class, context, _| class.lift(context), |class, _, tools| class.optimize(tools));
}

/// An optimized class.
fn optimized(class: &mut Class<'_>, context: &mut TypeContext<'_>, tools: &mut Tools) {
    class.lift(context);
    class.optimize(tools);
}

/// Frames included, which are found by verifying.
#[divan::bench(sample_count = 10)]
fn d_lower(bencher: Bencher<'_, '_>) {
    bench_step(bencher, optimized, |class, context, _| class.lower(context));
}

/// A class whose bodies were written anew.
fn lowered(class: &mut Class<'_>, context: &mut TypeContext<'_>, tools: &mut Tools) {
    optimized(class, context, tools);
    class.lower(context);
}

#[divan::bench(sample_count = 10)]
fn e_verify(bencher: Bencher<'_, '_>) {
    bench_step(bencher, lowered, |class, context, _| class.verify(context));
}

#[divan::bench(sample_count = 10)]
fn f_write(bencher: Bencher<'_, '_>) {
    bench_step(bencher, lowered, |class, _, _| {
        black_box(class.write());
    });
}

/// All steps of every body, one class after the other, as `--mode bodies` does them on one thread.
#[divan::bench(args = [10, 100, 1_000], sample_count = 5)]
fn g_bodies(bencher: Bencher<'_, '_>, count: usize) {
    let input = Input::new(count);
    bencher
        .counter(ItemsCount::new(input.files.len()))
        .counter(BytesCount::new(input.bytes()))
        .with_inputs(|| input.archive())
        .bench_local_values(|mut archive| {
            optimize_bodies(
                &mut archive,
                &input.hierarchy,
                &Known::default(),
                &Settings::default(),
                (1, None),
            )
            .expect("the classes are whole");
            archive
        });
}

/// All rounds of a whole library, on one thread.
#[divan::bench(args = [10, 100, 1_000], sample_count = 2)]
fn h_program(bencher: Bencher<'_, '_>, count: usize) {
    let input = Input::new(count);
    let roots = Roots { library: true, ..Roots::default() };
    bencher
        .counter(ItemsCount::new(input.files.len()))
        .counter(BytesCount::new(input.bytes()))
        .with_inputs(|| input.archive())
        .bench_local_values(|mut archive| {
            let around = Surroundings::quiet(&input.hierarchy, &input.classpath, &roots);
            optimize_program(&mut archive, around, &Settings::default()).expect("the classes are whole");
            archive
        });
}
