//! Facts as operations and remarks in front of a bridge.

use planish_base::SideTable;
use planish_domain::IntFact;
use planish_ir::bridge::{FactCounts, FactKind, FactKinds};
use planish_ir::{Const, Function, Inst, Location, Value};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Type};

use super::promises::Promises;
use super::terms::{Fact, Term, TermData, Terms, Told};

/// Writes what holds in front of a bridge. O(facts and terms).
pub(super) fn write(
    bridge: &mut Function,
    terms: &Terms,
    facts: &[Told],
    ranges: &[Option<IntFact>],
    (promises, kinds): (Promises, FactKinds),
) -> FactCounts {
    let inputs = bridge.params().to_vec();
    let counts = FactCounts::default();
    let mut writer = Writer { bridge, terms, promises, values: SideTable::new(), insts: Vec::new(), counts };
    for (kind, fact) in facts {
        writer.fact(*kind, fact);
    }
    for (&input, fact) in inputs.iter().zip(ranges) {
        if let Some(fact) = *fact {
            writer.range(input, fact, kinds);
        }
    }
    let Writer { mut insts, counts, .. } = writer;
    let entry = bridge.entry();
    insts.extend_from_slice(bridge.block_insts(entry));
    bridge.replace_insts(entry, insts);
    counts
}

struct Writer<'w> {
    bridge: &'w mut Function,
    terms: &'w Terms,
    promises: Promises,
    values: SideTable<Term, Option<Value>>,
    insts: Vec<Inst>,
    counts: FactCounts,
}

impl Writer<'_> {
    fn fact(&mut self, kind: FactKind, fact: &Fact) {
        self.counts.count(kind);
        match fact {
            Fact::Nonnull(object) => {
                let object = self.value(*object);
                self.promise(self.promises.nonnull, &[object]);
            }
            Fact::Class(object, class) => {
                let args = [self.value(*object), self.value(*class)];
                self.promise(self.promises.class, &args);
            }
            Fact::Is(term, value) => {
                let args = [self.value(*term), self.value(*value)];
                self.promise(self.promises.value, &args);
            }
            Fact::Gives(operands, result) => {
                let args: Vec<Value> =
                    std::iter::once(result).chain(operands).map(|&term| self.value(term)).collect();
                self.promise(self.promises.result, &args);
            }
        }
    }

    /// What an integer can be that is handed over.
    fn range(&mut self, input: Value, fact: IntFact, kinds: FactKinds) {
        let words = fact.to_words();
        let (ones, zeros) = (words.ones.unsigned(), words.zeros.unsigned());
        let ty = self.bridge.ty(input);
        let Type::Int(bits) = ty else { return };
        if let Some(number) = fact.as_constant() {
            if kinds.has(FactKind::Ranges) {
                let number = self.int(ty, number.unsigned());
                self.counts.count(FactKind::Ranges);
                self.promise(self.promises.value, &[input, number]);
            }
            return;
        }
        let (least, greatest) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
        if bits > 1 && fact.lo() > least {
            self.bound(Op::Ge, input, fact.lo(), (FactKind::Ranges, kinds));
        }
        if bits > 1 && fact.hi() < greatest {
            self.bound(Op::Le, input, fact.hi(), (FactKind::Ranges, kinds));
        }
        if ones | zeros != 0 && kinds.has(FactKind::Bits) {
            let known = self.int(ty, ones | zeros);
            let masked = self.operation(Op::And, None, &[input, known], &[]);
            let masked = self.bridge.result(masked);
            let ones = self.int(ty, ones);
            self.counts.count(FactKind::Bits);
            self.promise(self.promises.value, &[masked, ones]);
        }
    }

    fn bound(&mut self, op: Op, input: Value, bound: i64, (kind, kinds): (FactKind, FactKinds)) {
        if !kinds.has(kind) {
            return;
        }
        let bound = self.int(self.bridge.ty(input), bound as u64);
        let compared = self.operation(op, None, &[input, bound], &[Type::I64]);
        let args = [self.bridge.result(compared), self.int(Type::I64, 1)];
        self.counts.count(kind);
        self.promise(self.promises.value, &args);
    }

    fn int(&mut self, ty: Type, bits: u64) -> Value {
        let width = ty.int_width().unwrap_or(64);
        self.bridge.make_constant(Const::Int(Int::new(width, bits)))
    }

    fn promise(&mut self, remark: Descr, args: &[Value]) {
        self.operation(Op::Marker, Some(remark), args, &[]);
    }

    /// An operation that has no place in the source.
    fn operation(&mut self, op: Op, descr: Option<Descr>, args: &[Value], named: &[Type]) -> Inst {
        let inst = self.bridge.make_inst(op, args, named, descr, None, Location::default());
        self.insts.push(inst);
        inst
    }

    /// The value of a term.
    fn value(&mut self, term: Term) -> Value {
        if let Some(value) = self.values[term] {
            return value;
        }
        let terms = self.terms;
        let value = match terms.get(term) {
            TermData::Input(number) => self.bridge.params()[*number as usize],
            TermData::Const(constant) => self.bridge.make_constant(*constant),
            TermData::Op { op, descr, ty, args } => {
                let args: Vec<Value> = args.iter().map(|&arg| self.value(arg)).collect();
                let inst = self.operation(*op, *descr, &args, &[*ty]);
                self.bridge.result(inst)
            }
        };
        self.values[term] = Some(value);
        value
    }
}
