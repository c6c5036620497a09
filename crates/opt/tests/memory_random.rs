//! Random traces with objects, arrays, calls and guards: what the memory stage makes of them behaves as
//! they do.

use planish_base::SideTable;
use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Builder, ExitTarget, Form, Function, Module, Terminator, Value, text, verify};
use planish_ops::Type;
use planish_ops::world::Fresh;
use planish_opt::{Optimizer, Options, Pipeline, Record, Stream, Tape};

const DECLARED: &str = "\
location @value: i64 signed class 1
location @next: ref class 2
location @item: i64 signed class 3
location @other: i64 signed class 4
class @node
class @array
callee @any forces raises invalidates reads * writes *
callee @writes_next reads (2) writes (2)
callee @reads_value reads (1, 2) writes ()
callee @quiet reads (2) writes ()
";

/// Both walks, one after the other.
const AGAIN: &str = "virtualize, then all";

/// All passes, one operation at a time.
const STREAM: &str = "while recording";

/// The same, but part of the trace only is looked at.
const STREAM_A_PART: &str = "while recording a part";

/// All passes on part of the trace.
const A_PART: &str = "a part";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % limit as u64) as usize
    }

    fn of<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// A random trace of about `length` operations.
fn trace(seed: u64, length: usize) -> String {
    let mut making = Making {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        lines: Vec::new(),
        ints: vec!["v3".into(), "v4".into(), "7".into(), "0".into()],
        objects: ["v0", "v1", "v2"].map(String::from).to_vec(),
        maybe: vec!["null".into()],
        arrays: Vec::new(),
        next: 5,
        exits: 1,
    };
    for object in &making.objects {
        making.lines.push(format!("guard_nonnull({object}) else leave 0"));
    }
    for _ in 0..length {
        making.operation();
    }
    let Making { mut random, mut lines, ints, objects, .. } = making;
    let (a, b, c) = (random.of(&objects), random.of(&objects), random.of(&ints));
    lines.push(format!("return {a}, {b}, {c}"));
    let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "{DECLARED}\nfunc t(v0: ref, v1: ref, v2: ref, v3: i64, v4: i64) -> ref, ref, i64 {{\nentry:\n{body}}}\n"
    )
}

/// A random trace in the making.
struct Making {
    random: Random,
    lines: Vec<String>,
    ints: Vec<String>,
    /// Objects that are not null.
    objects: Vec<String>,
    /// Objects that may be.
    maybe: Vec<String>,
    /// Arrays of four items.
    arrays: Vec<String>,
    /// The number of the next value, and of the next exit.
    next: usize,
    exits: usize,
}

impl Making {
    /// The name of a value that the next line makes.
    fn result(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next - 1)
    }

    fn number(&mut self, line: &str) {
        let result = self.result();
        self.lines.push(format!("{result}{line}"));
        self.ints.push(result);
    }

    fn operation(&mut self) {
        let (object, int) = (self.random.of(&self.objects), self.random.of(&self.ints));
        match self.random.below(16) {
            0 => {
                let result = self.result();
                self.lines.push(format!("{result} = new() @node"));
                self.objects.push(result);
            }
            1 => {
                let result = self.result();
                self.lines.push(format!("{result} = new_array(4) @array"));
                self.arrays.push(result);
            }
            2 | 3 => {
                let field = self.random.of(&["value", "other"]);
                self.number(&format!(" = get_field({object}) @{field}"));
            }
            4 => {
                let result = self.result();
                self.lines.push(format!("{result}: ref = get_field({object}) @next"));
                self.maybe.push(result);
            }
            5 => {
                let reference = self.random.of(&self.maybe);
                if reference != "null" {
                    self.guard(&format!("guard_nonnull({reference})"), &format!("{object}, {int}"));
                    self.objects.push(reference);
                }
            }
            6..=8 => {
                let field = self.random.of(&["value", "other"]);
                self.lines.push(format!("set_field({object}, {int}) @{field}"));
            }
            9 => {
                let of = if self.random.below(4) == 0 { &self.maybe } else { &self.objects };
                let stored = self.random.of(of);
                self.lines.push(format!("set_field({object}, {stored}) @next"));
            }
            10 | 11 if !self.arrays.is_empty() => self.item(&int),
            12 => {
                let callee = self.random.of(&["any", "writes_next", "reads_value", "quiet"]);
                let passed = if self.random.below(2) == 0 { format!("{object}, {int}") } else { int };
                self.lines.push(format!("call({passed}) @{callee}"));
            }
            13 => {
                let also = self.random.of(&self.objects);
                self.guard(&format!("guard_true({int})"), &format!("{object}, {also}, {int}"));
            }
            14 => {
                let also = self.random.of(&self.objects);
                self.number(&format!(": i64 = ref_eq({object}, {also})"));
            }
            _ => {
                let other = self.random.of(&self.ints);
                self.number(&format!(" = add({int}, {other})"));
            }
        }
    }

    fn guard(&mut self, guard: &str, carries: &str) {
        self.lines.push(format!("{guard} else leave {} ({carries})", self.exits));
        self.exits += 1;
    }

    /// Reads or writes an item of an array, at a constant or at an index that is within it.
    fn item(&mut self, int: &str) {
        let array = self.random.of(&self.arrays);
        let constant = self.random.below(4);
        match self.random.below(4) {
            0 => self.lines.push(format!("set_item({array}, {constant}, {int}) @item")),
            1 => self.number(&format!(" = get_item({array}, {constant}) @item")),
            kind => {
                let index = self.result();
                self.lines.push(format!("{index} = and({int}, 3)"));
                if kind == 2 {
                    self.number(&format!(" = get_item({array}, {index}) @item"));
                } else {
                    let stored = self.random.of(&self.ints);
                    self.lines.push(format!("set_item({array}, {index}, {stored}) @item"));
                }
                self.ints.push(index);
            }
        }
    }
}

fn read(source: &str) -> Module {
    let (mut module, diagnostics) = text::read(source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{source}");
    for name in ["node", "array"] {
        let descr = module.descriptors.lookup(name).unwrap();
        module.descriptors.set_fresh(descr, Fresh { class: None, cleared: true });
    }
    module
}

fn optimized(before: &Function, module: &Module, passes: &str) -> Function {
    let mut after = before.clone();
    let options = Options::QUIET;
    let pipeline = Pipeline::parse(passes, Form::Trace).unwrap();
    let (mut optimizer, mut record) = (Optimizer::new(), Record::new());
    optimizer.run(&pipeline, &mut after, &module.descriptors, &mut record, options, &mut ());
    after
}

/// Looks at so many operations only.
fn partly_optimized(before: &Function, module: &Module, work: u64) -> Function {
    let mut after = before.clone();
    let options = Options { work, ..Options::QUIET };
    let pipeline = Pipeline::parse(Pipeline::TRACE, Form::Trace).unwrap();
    let (mut optimizer, mut record) = (Optimizer::new(), Record::new());
    optimizer.run(&pipeline, &mut after, &module.descriptors, &mut record, options, &mut ());
    after
}

/// A straight line recorded anew, with a stream that looks at so many operations.
fn recorded(stream: &mut Stream, before: &Function, module: &Module, work: Option<u64>) -> Function {
    let mut builder = Builder::new(&before.name, before.result_types());
    let (entry, _) = (builder.block("entry"), builder.block("loop"));
    let mut values: SideTable<Value, Option<Value>> = SideTable::new();
    for &param in before.params() {
        values[param] = Some(builder.param(entry, before.ty(param)));
    }
    let mut f = builder.finish();
    let mut record = Record::new();
    stream.limit_work(work);
    stream.begin(Tape { f: &mut f, world: &module.descriptors, record: &mut record });
    let map = |f: &mut Function, values: &SideTable<Value, Option<Value>>, list: &[Value]| -> Vec<Value> {
        let value = |&value: &Value| match before.constant(value) {
            Some(constant) => f.make_constant(constant),
            None => values[value].expect("it was recorded before"),
        };
        list.iter().map(value).collect()
    };
    for &inst in before.block_insts(before.entry()) {
        let data = before.inst(inst);
        let args = map(&mut f, &values, before.args(inst));
        let exit = data.exit.map(|exit| {
            let live = map(&mut f, &values, before.exit_args(exit));
            let ExitTarget::Leave(number) = before.exit(exit).target else { panic!("a trace leaves") };
            f.make_exit(ExitTarget::Leave(number), &live, None)
        });
        let types: Vec<Type> = before.results(inst).map(|result| before.ty(result)).collect();
        let new = f.make_inst(data.op, &args, &types, data.descr, exit, data.location);
        before.results(inst).zip(f.results(new)).for_each(|(old, new)| values[old] = Some(new));
        stream.record(Tape { f: &mut f, world: &module.descriptors, record: &mut record }, new);
    }
    let Terminator::Return(results) = before.terminator(before.entry()) else { panic!("a line returns") };
    let results = map(&mut f, &values, before.list(*results));
    let end = Terminator::Return(f.make_list(&results));
    stream.end(Tape { f: &mut f, world: &module.descriptors, record: &mut record }, end);
    assert_eq!(verify(&f, Form::Trace), []);
    f
}

#[test]
fn random_traces_behave_as_before() {
    let (mut compared, mut recipes, mut shorter) = (0, 0, 0);
    let mut stream = Stream::new(&Pipeline::parse(Pipeline::TRACE, Form::Trace).unwrap()).unwrap();
    for seed in 1..=1500 {
        let source = trace(seed, 10 + (seed as usize % 120));
        let module = read(&source);
        let before = module.functions.values().next().unwrap();
        for passes in ["heap", "virtualize", Pipeline::TRACE, AGAIN, STREAM, STREAM_A_PART, A_PART] {
            let part = seed * 7 % (before.live_insts().count() as u64 + 1);
            let after = match passes {
                // What one walk leaves to exits the next one finds there.
                AGAIN => optimized(&optimized(before, &module, "virtualize"), &module, Pipeline::TRACE),
                STREAM => {
                    let after = recorded(&mut stream, before, &module, None);
                    let afterwards = optimized(before, &module, Pipeline::TRACE).live_insts().count();
                    shorter += i64::from(after.live_insts().count() > afterwards);
                    after
                }
                STREAM_A_PART => recorded(&mut stream, before, &module, Some(part)),
                A_PART => partly_optimized(before, &module, part),
                _ => optimized(before, &module, passes),
            };
            recipes += with_recipe(&after);
            let program = Program::bare(&module.descriptors);
            let limits = Limits { fuel: 10_000, ..Limits::default() };
            let subject = |function| Subject { program: &program, function };
            match validate(subject(before), subject(&after), seed, 12, limits) {
                Validation::Tested { compared: agreed, .. } => compared += agreed,
                Validation::Signature => panic!("seed {seed}: another signature"),
                Validation::Different(found) => {
                    let mut changed = module.clone();
                    *changed.functions.values_mut().next().unwrap() = after;
                    let after = text::write(&changed, text::Options::default());
                    let args: Vec<String> = found.args.iter().map(|&arg| found.source.show(arg)).collect();
                    panic!(
                        "seed {seed}, {passes}, on {}: {}\n{source}\n{after}",
                        args.join(", "),
                        found.difference
                    );
                }
            }
        }
    }
    assert!(compared > 10_000, "only {compared} runs were compared");
    assert!(recipes > 5_000, "only {recipes} exits make anything");
    // How often a value is used is not known before the end, and no walk is done again.
    assert!(shorter < 100, "{shorter} traces are shorter when they are optimized afterwards");
}

/// How many exits make objects.
fn with_recipe(f: &Function) -> usize {
    let exits = f.live_insts().filter_map(|(_, inst)| f.inst(inst).exit);
    exits.filter(|&exit| f.recipe(exit).is_some()).count()
}

/// The verifier is content with what comes out.
#[test]
fn random_traces_stay_traces() {
    for seed in 1..=100 {
        let mut module = read(&trace(seed, 60));
        let after = optimized(module.functions.values().next().unwrap(), &module, Pipeline::TRACE);
        *module.functions.values_mut().next().unwrap() = after;
        assert_eq!(verify::verify_module(&module, Form::Trace), Vec::<String>::new(), "seed {seed}");
    }
}
