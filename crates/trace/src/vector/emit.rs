//! A pack becomes one operation on vectors.
//!
//! Its operands are vectors whose lanes are those of the pack, in order. Where they are not at hand like that,
//! lanes are gathered from several vectors, taken from the middle of one, narrowed or widened, or a scalar is
//! put into every lane: before the loop where it does not change, once for all operations that need it.
//! What still needs a scalar takes it out of its lane. All of this costs; what is gained is an operation for each
//! lane but the first.

use super::graph::stores;
use super::instr::{Instr, renamed};
use super::lanes::Expanded;
use super::packs::Pack;
use super::schedule::Scheduler;
use super::shape::{self, Shape, Wants, on_vectors};
use super::{Refused, refused};
use crate::opcode::Kind;
use crate::text::{Arg, Var};

impl Scheduler<'_> {
    /// What vectors save, in operations.
    pub fn savings(&self) -> isize {
        self.lanes.savings
    }

    /// Writes the operation on vectors that a pack is.
    pub(super) fn write_pack(&mut self, pack: &Pack) -> Result<(), Refused> {
        let members: Vec<Instr> = pack.nodes.iter().map(|&node| self.loop_.ops[node].clone()).collect();
        let left = members[0].clone();
        let Some(opcode) = on_vectors(left.opcode) else {
            return refused(format!("`{}` has no form on vectors", left.name()));
        };
        let item = left.descr.and_then(self.item);
        let cast = shape::cast(&left, &self.loop_.shapes);
        let lanes = pack.nodes.len() as u8;
        let shape = match (left.result.and_then(|result| self.loop_.shapes[result]), cast) {
            (Some(shape), Some((_, to))) => Some(Shape { bytes: to, lanes, ..shape }),
            (shape, _) => shape.map(|shape| Shape { lanes, ..shape }),
        };
        if let Some((from, to)) = cast {
            self.allow_width(from, to)?;
        }
        if left.name() == "int_mul" && shape.is_some_and(|shape| matches!(shape.bytes, 1 | 8)) {
            return refused("there is no product of lanes of 1 or 8 bytes");
        }
        self.check_widths(&left)?;
        self.lanes.savings += gain(&left, cast, members.len());
        let mut args: Vec<Arg> = left.args.iter().map(|&arg| renamed(arg, &self.renaming)).collect();
        for (position, wants) in shape::wants(&left, item).into_iter().enumerate() {
            if let Some(wants) = wants
                && position < args.len()
            {
                let scalars: Vec<Arg> =
                    members.iter().map(|op| renamed(op.args[position], &self.renaming)).collect();
                args[position] = Arg::Var(self.operand(pack, &left, position, &scalars, wants)?);
            }
        }
        if let Some(access) = shape::access(left.opcode) {
            let scale = if access.by_bytes { 1 } else { item.map_or(1, |item| i64::from(item.bytes)) };
            args.extend([Arg::Int(scale), Arg::Int(0)]);
        }
        let mut op = Instr { opcode, args, result: None, ..left };
        if let Some(fail) = &mut op.fail {
            for arg in fail {
                *arg = self.scalar(renamed(*arg, &self.renaming))?;
            }
        }
        if let Some(shape) = shape {
            let vector = self.loop_.fresh_vector(shape, self.texts);
            op.result = Some(vector);
            for (lane, member) in members.iter().enumerate() {
                let Some(result) = member.result else { continue };
                self.lanes.of.insert(result, (lane as u8, vector));
                if pack.sums.is_some() {
                    self.renaming.insert(result, Arg::Var(vector));
                }
            }
            self.there.insert(vector);
        }
        if op.fail.is_some() || stores(op.opcode) || shape.is_none() {
            self.need(&op)?;
        }
        self.out.push(op);
        Ok(())
    }

    /// Operands of different widths have no common operation.
    fn check_widths(&self, op: &Instr) -> Result<(), Refused> {
        if !shape::wants_equal_widths(op) {
            return Ok(());
        }
        let shape = |arg: &Arg| match arg {
            Arg::Var(var) => Some(
                self.loop_.shapes[*var].unwrap_or(Shape::word(self.loop_.vars[*var].kind == Kind::Float)),
            ),
            _ => None,
        };
        match (shape(&op.args[0]), shape(&op.args[1])) {
            (Some(a), Some(b)) if a.bytes != b.bytes || a.float != b.float => {
                refused(format!("the operands of `{}` are not equally wide", op.name()))
            }
            _ => Ok(()),
        }
    }

    fn allow_width(&self, from: u8, to: u8) -> Result<(), Refused> {
        if from != to && from.min(to) < 4 && !self.lanes.narrow {
            return refused("lanes of less than four bytes do not change their width");
        }
        Ok(())
    }

    fn shape_of(&self, vector: Var) -> Shape {
        self.loop_.shapes[vector].expect("vectors have shapes")
    }

    /// The vector that is an operand of a pack.
    fn operand(
        &mut self,
        pack: &Pack,
        left: &Instr,
        position: usize,
        scalars: &[Arg],
        wants: Wants,
    ) -> Result<Var, Refused> {
        // What a sum goes on from is the vector of sums.
        if pack.sums == Some(position) {
            return match scalars[0] {
                Arg::Var(var) if self.loop_.vars[var].kind == Kind::Vector => Ok(var),
                _ => refused("a sum over the iterations goes through several vectors"),
            };
        }
        let Some((lane, vector)) = self.lane(scalars[0]) else {
            return self.expand(left, scalars);
        };
        let mut vector = self.gather(scalars, vector, lane)?;
        let mut lane = lane;
        let gathered = self.lane(scalars[0]).is_some_and(|(_, of)| of == vector);
        if !gathered {
            lane = 0;
            self.remember(scalars, vector);
        }
        let found = self.shape_of(vector);
        if let Some(bytes) = wants.bytes.filter(|&bytes| bytes != found.bytes) {
            vector = self.widen(vector, bytes)?;
        }
        if lane != 0 {
            let lanes = wants.lanes.unwrap_or(scalars.len() as u8);
            vector = self.take(vector, lane, lanes)?;
            self.remember(scalars, vector);
        }
        let found = self.shape_of(vector);
        let enough = usize::from(found.lanes) >= scalars.len();
        if !enough || wants.float.is_some_and(|float| float != found.float) {
            return refused(format!("an operand of `{}` is no vector of its kind", left.name()));
        }
        Ok(vector)
    }

    fn lane(&self, arg: Arg) -> Option<(u8, Var)> {
        if let Arg::Var(var) = arg { self.lanes.of.get(&var).copied() } else { None }
    }

    /// From now on scalars are the first lanes of a vector.
    fn remember(&mut self, scalars: &[Arg], vector: Var) {
        let lanes = self.shape_of(vector).lanes;
        for (lane, &scalar) in (0..lanes).zip(scalars) {
            if let Arg::Var(var) = scalar {
                self.lanes.of.insert(var, (lane, vector));
            }
        }
    }

    /// One vector that has all scalars, in order from the lane of the first.
    fn gather(&mut self, scalars: &[Arg], first: Var, lane: u8) -> Result<Var, Refused> {
        let mut sources: Vec<(u8, u8, Var)> = vec![(lane, 1, first)];
        for &scalar in &scalars[1..] {
            let Some((lane, vector)) = self.lane(scalar) else {
                return refused("the operands of a pack are partly vectors and partly scalars");
            };
            match sources.last_mut() {
                Some((from, lanes, source)) if *source == vector && *from + *lanes == lane => *lanes += 1,
                _ => sources.push((lane, 1, vector)),
            }
        }
        if sources.len() == 1 {
            return Ok(first);
        }
        let whole =
            |&(from, lanes, vector): &(u8, u8, Var)| from == 0 && lanes == self.shape_of(vector).lanes;
        if !sources.iter().all(whole) {
            return refused("lanes are not in the order in which they are needed");
        }
        let mut gathered = first;
        for (_, lanes, source) in sources.into_iter().skip(1) {
            gathered = self.put(gathered, Arg::Var(source), lanes, false)?;
        }
        Ok(gathered)
    }

    /// A vector with more lanes behind those that it has.
    fn put(&mut self, vector: Var, source: Arg, lanes: u8, before_loop: bool) -> Result<Var, Refused> {
        let shape = self.shape_of(vector);
        let at = shape.lanes;
        let name = if shape.float { "vec_pack_f" } else { "vec_pack_i" };
        if !before_loop {
            self.lanes.savings -= price(shape.float, at, lanes);
        }
        let shape = Shape { lanes: at + lanes, ..shape };
        let args = vec![Arg::Var(vector), source, Arg::Int(at.into()), Arg::Int(lanes.into())];
        Ok(self.make(name, args, shape, before_loop))
    }

    /// Lanes from the middle of a vector.
    fn take(&mut self, vector: Var, lane: u8, lanes: u8) -> Result<Var, Refused> {
        let shape = self.shape_of(vector);
        if lane + lanes > shape.lanes {
            return refused("a vector has not enough lanes");
        }
        self.lanes.savings -= price(shape.float, lane, lanes);
        let name = if shape.float { "vec_unpack_f" } else { "vec_unpack_i" };
        let args = vec![Arg::Var(vector), Arg::Int(lane.into()), Arg::Int(lanes.into())];
        Ok(self.make(name, args, Shape { lanes, ..shape }, false))
    }

    /// The same numbers in lanes of another width.
    fn widen(&mut self, vector: Var, bytes: u8) -> Result<Var, Refused> {
        let shape = self.shape_of(vector);
        if shape.float {
            return refused("floats of different widths meet");
        }
        self.allow_width(shape.bytes, bytes)?;
        self.lanes.savings -=
            if (shape.bytes, bytes, shape.lanes) == (8, 4, 2) { 1 } else { shape.lanes.into() };
        let args = vec![Arg::Var(vector), Arg::Int(bytes.into())];
        Ok(self.make("vec_int_signext", args, Shape { bytes, ..shape }, false))
    }

    /// Writes an operation that makes a vector.
    fn make(&mut self, name: &str, args: Vec<Arg>, shape: Shape, before_loop: bool) -> Var {
        let vector = self.loop_.fresh_vector(shape, self.texts);
        let op = Instr::new(name, args, Some(vector), self.loop_.jump.span);
        self.there.insert(vector);
        if before_loop {
            self.lanes.prefix.push(op)
        } else {
            self.out.push(op)
        };
        vector
    }

    /// A vector of scalars that are in none: before the loop, if they are there.
    fn expand(&mut self, left: &Instr, scalars: &[Arg]) -> Result<Var, Refused> {
        let label = &self.loop_.label;
        let before_loop = scalars.iter().all(|arg| !matches!(arg, Arg::Var(_)) || label.contains(arg));
        let same = scalars.iter().all(|scalar| *scalar == scalars[0]);
        let own = left.result.and_then(|result| self.loop_.shapes[result]);
        let float = match scalars[0] {
            Arg::Var(var) => self.loop_.vars[var].kind == Kind::Float,
            arg => matches!(arg, Arg::Float(_)),
        };
        let width = match (own, left.descr.and_then(self.item)) {
            (_, Some(item)) => item.bytes,
            (Some(own), None) => own.bytes,
            (None, None) => 8,
        };
        let shape = Shape { float, bytes: width, signed: !float, lanes: scalars.len() as u8 };
        let key = if same { &scalars[..1] } else { scalars };
        // To PyPy the constants of two operations are two.
        let constant = same && !matches!(scalars[0], Arg::Var(_));
        let place = constant.then_some(left.span);
        let known =
            self.lanes.made.iter().find(|made| made.of == key && made.shape == shape && made.place == place);
        if let Some(known) = known {
            return Ok(known.vector);
        }
        let vector = if same {
            let scalar = if before_loop { scalars[0] } else { self.ready_scalar(scalars[0])? };
            let name = if float { "vec_expand_f" } else { "vec_expand_i" };
            self.make(name, vec![scalar], shape, before_loop)
        } else {
            let name = if float { "vec_f" } else { "vec_i" };
            let mut vector = self.make(name, Vec::new(), Shape { lanes: 0, ..shape }, before_loop);
            for &scalar in scalars {
                let scalar = if before_loop { scalar } else { self.ready_scalar(scalar)? };
                vector = self.put(vector, scalar, 1, before_loop)?;
            }
            vector
        };
        if before_loop {
            self.lanes.carried.push(Arg::Var(vector));
        }
        self.lanes.made.push(Expanded { of: key.to_vec(), shape, place, vector });
        Ok(vector)
    }

    /// A scalar that is there, computed if it was waiting.
    fn ready_scalar(&mut self, arg: Arg) -> Result<Arg, Refused> {
        let op = Instr::new("vec_expand_i", vec![arg], None, self.loop_.jump.span);
        self.need(&op)?;
        self.scalar(renamed(arg, &self.renaming))
    }

    /// An argument as a scalar: what is in a lane is taken out.
    pub(super) fn scalar(&mut self, arg: Arg) -> Result<Arg, Refused> {
        let Arg::Var(var) = arg else { return Ok(arg) };
        if self.there.contains(&var) {
            return Ok(arg);
        }
        let Some(&(lane, vector)) = self.lanes.of.get(&var) else { return Ok(arg) };
        let shape = self.shape_of(vector);
        self.lanes.savings -= price(shape.float, lane, 1);
        // Comparisons of floats make lanes of floats.
        let compares = self.loop_.vars[var].kind == Kind::Int && self.made_by_floats(vector);
        let name = if shape.float || compares { "vec_unpack_f" } else { "vec_unpack_i" };
        let taken = self.loop_.fresh_like(var);
        let args = vec![Arg::Var(vector), Arg::Int(lane.into()), Arg::Int(1)];
        self.out.push(Instr::new(name, args, Some(taken), self.loop_.jump.span));
        self.there.insert(taken);
        self.renaming.insert(var, Arg::Var(taken));
        Ok(Arg::Var(taken))
    }

    fn made_by_floats(&self, vector: Var) -> bool {
        let maker = self.out.iter().rev().find(|op| op.result == Some(vector));
        maker.is_some_and(|op| matches!(op.name(), "vec_float_eq" | "vec_float_ne"))
    }

    /// Makes the vectors that sums over the iterations begin with: the sum so far, and nothing in the other lanes.
    pub(super) fn prepare_sums(&mut self) -> Result<(), Refused> {
        for pack in self.packs.clone() {
            let Some(position) = pack.sums else { continue };
            let left = self.loop_.ops[pack.nodes[0]].clone();
            let Arg::Var(seed) = left.args[position] else {
                return refused("a sum over the iterations begins with a constant");
            };
            if !self.loop_.label.contains(&Arg::Var(seed)) {
                return refused("a sum over the iterations goes through several vectors");
            }
            let inside = |node: usize| pack.nodes.contains(&node);
            let sums: Vec<Var> = pack.nodes.iter().filter_map(|&node| self.loop_.ops[node].result).collect();
            let mut others = self.loop_.ops.iter().enumerate().filter(|&(node, _)| !inside(node));
            let used = |op: &Instr| {
                op.args.iter().any(|arg| matches!(arg, Arg::Var(var) if *var == seed || sums.contains(var)))
            };
            if others.any(|(_, op)| used(op)) {
                return refused("a sum over the iterations is used before its end");
            }
            let float = self.loop_.vars[seed].kind == Kind::Float;
            let shape = Shape { lanes: pack.nodes.len() as u8, ..Shape::word(float) };
            let nothing = match (left.name(), float) {
                ("float_mul", _) => {
                    let one = Arg::Float(self.texts.intern_str("1.0"));
                    self.make("vec_expand_f", vec![one], shape, true)
                }
                (_, true) => {
                    let empty = self.make("vec_f", Vec::new(), shape, true);
                    self.make("vec_float_xor", vec![Arg::Var(empty); 2], shape, true)
                }
                (_, false) => {
                    let empty = self.make("vec_i", Vec::new(), shape, true);
                    self.make("vec_int_xor", vec![Arg::Var(empty); 2], shape, true)
                }
            };
            let args = vec![Arg::Var(nothing), Arg::Var(seed), Arg::Int(0), Arg::Int(1)];
            let vector = self.make(if float { "vec_pack_f" } else { "vec_pack_i" }, args, shape, true);
            self.renaming.insert(seed, Arg::Var(vector));
            self.lanes.seeds.push((seed, vector));
        }
        Ok(())
    }
}

/// What a pack saves: all its operations but one. Extending a sign takes many instructions.
fn gain(left: &Instr, cast: Option<(u8, u8)>, members: usize) -> isize {
    match (left.name(), cast) {
        ("int_signext", Some((from, to))) if from == to => 0,
        ("int_signext", _) => -1,
        _ => members as isize - 1,
    }
}

/// What it costs to bring lanes to or from a place in a vector.
fn price(float: bool, lane: u8, lanes: u8) -> isize {
    if float && lane == 1 && lanes == 1 { 2 } else { lanes.into() }
}
