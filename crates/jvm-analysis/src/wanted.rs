//! The variants of methods that calls of a program want, and those that were made.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use crate::copied::{Copied, CopyOf};
use crate::variant::{Variant, VariantCall};

/// The variants that were made, by class, name and descriptor.
#[derive(Default)]
pub struct Made {
    /// In any round: a method of such a name is the variant, and nothing of the program. Variants of two methods may have
    /// one name; then only the first is made.
    ever: HashMap<Box<[u8]>, Variant, FxBuildHasher>,
    /// Those that count as methods of the program by now.
    settled: HashSet<Box<[u8]>, FxBuildHasher>,
    /// In this round, or before it and still wanted.
    now: HashSet<Variant, FxBuildHasher>,
    /// No more are made.
    is_closed: bool,
    /// The copies that were paid for.
    pub copied: Copied,
}

impl Made {
    /// Whether a variant was made, in any round, under the name that it has, and calls may still come to lead to it.
    pub fn has(&self, variant: &Variant) -> bool {
        let name = variant.full_name();
        self.ever.get(&name) == Some(variant) && !self.settled.contains(&name)
    }

    /// The variants so far are methods like others from now on: no other call comes to lead to one, so what their calls have in
    /// common holds of them. Whether there are any of which that was not said before.
    pub fn settle(&mut self) -> bool {
        let before = self.settled.len();
        self.settled.extend(self.ever.keys().cloned());
        self.settled.len() > before
    }

    /// A variant that was made before is wanted in this round, too.
    pub fn stays(&mut self, variant: &Variant) {
        self.now.insert(variant.clone());
    }

    /// A variant is made.
    pub fn add(&mut self, variant: &Variant) {
        self.ever.insert(variant.full_name(), variant.clone());
        self.now.insert(variant.clone());
    }

    /// Whether none was ever made.
    pub fn is_empty(&self) -> bool {
        self.ever.is_empty()
    }

    /// From now on none is made: those that are called stay.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Whether none is made any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The variants to which calls may yet come to lead, by class, name and descriptor, in no order.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &Variant)> {
        let open = self.ever.iter().filter(|(full_name, _)| !self.settled.contains(&full_name[..]));
        open.map(|(full_name, variant)| (&full_name[..], variant))
    }

    /// Whether a method of a class, by name and descriptor, is a variant that was made.
    pub fn is_variant(&self, class: &[u8], method: &[u8]) -> bool {
        self.original(class, method).is_some()
    }

    /// The name and descriptor of the method of which a method of a class, by name and descriptor, is a variant.
    pub fn original(&self, class: &[u8], method: &[u8]) -> Option<Vec<u8>> {
        let variant = self.ever.get(&[class, b".", method].concat()[..])?;
        Some([&variant.of[..], &variant.of_descriptor].concat())
    }

    /// The variant that a method of a class, by name and descriptor, is, if calls may yet come to lead to it.
    pub fn variant(&self, class: &[u8], method: &[u8]) -> Option<&Variant> {
        let name = [class, b".", method].concat();
        self.ever.get(&name[..]).filter(|_| !self.settled.contains(&name[..]))
    }

    /// Another round begins, in which variants that nobody calls may have gone.
    pub fn next_round(&mut self) {
        self.now.clear();
    }
}

/// Positions of calls, in ascending order, and where they lead.
type Calls = Vec<(u32, VariantCall)>;

/// The calls of a program that lead to variants.
#[derive(Default)]
pub struct Variants {
    /// By class, name and descriptor of the caller: the position of the call, and where it leads.
    calls: HashMap<Box<[u8]>, Calls, FxBuildHasher>,
}

impl Variants {
    /// The calls of a method that lead to variants, in ascending order.
    pub fn of(&self, method: &[u8]) -> &[(u32, VariantCall)] {
        self.calls.get(method).map_or(&[], Vec::as_slice)
    }

    /// A call of a method leads to a variant.
    fn add(&mut self, method: &[u8], at: u32, call: VariantCall) {
        match self.calls.get_mut(method) {
            Some(calls) => calls.push((at, call)),
            None => _ = self.calls.insert(method.into(), vec![(at, call)]),
        }
    }

    /// Puts the calls of each method in order.
    fn sort(&mut self) {
        self.calls.values_mut().for_each(|list| list.sort_unstable_by_key(|(at, _)| *at));
    }

    /// The number of calls.
    pub fn len(&self) -> usize {
        self.calls.values().map(Vec::len).sum()
    }

    /// Whether there is no such call.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

/// A call that wants a variant.
struct WantedCall {
    /// The caller: class, name and descriptor.
    method: Box<[u8]>,
    at: u32,
    call: VariantCall,
    /// Which variants have to be made together with this one.
    family: Option<usize>,
}

/// Calls that want variants.
#[derive(Default)]
pub struct Wanted {
    calls: Vec<WantedCall>,
    /// Variants that are made together or not at all.
    families: Vec<Vec<Variant>>,
    /// The methods, by class, name and descriptor, in which a call cannot lose its receiver.
    keep_receivers: Vec<Box<[u8]>>,
    /// The copies for constants and classes that calls want, each once, and whether there are to be.
    pub copies: Vec<(CopyOf, bool)>,
    /// How many instructions the program has.
    pub instructions: usize,
}

impl Wanted {
    /// The call of `method` at a position is to lead to a variant, which may be one of a family.
    pub fn add(&mut self, method: Box<[u8]>, at: u32, call: VariantCall, family: Option<usize>) {
        self.calls.push(WantedCall { method, at, call, family });
    }

    /// Variants that are to be made together. Gives the number of that family.
    pub fn add_family(&mut self, variants: Vec<Variant>) -> usize {
        self.families.push(variants);
        self.families.len() - 1
    }

    /// A call in a method, by class, name and descriptor, cannot lose its receiver, so that the method needs its own for it.
    pub fn keep_receiver(&mut self, method: Box<[u8]>) {
        self.keep_receivers.push(method);
    }

    /// No call loses its receiver: calls of variants without one stay as they are.
    pub fn keep_all_receivers(&mut self) {
        self.calls.retain(|call| !call.call.variant.drops_receiver);
    }

    /// The variants that are wanted, by class, each once. O(calls).
    pub fn by_class(&self) -> BTreeMap<Box<[u8]>, Vec<Variant>> {
        let mut classes: BTreeMap<Box<[u8]>, Vec<Variant>> = BTreeMap::new();
        let mut known: HashSet<&Variant, FxBuildHasher> = HashSet::default();
        let alone = self.calls.iter().filter(|call| call.family.is_none()).map(|call| &*call.call.variant);
        for variant in alone.chain(self.families.iter().flatten()) {
            if known.insert(variant) {
                classes.entry(variant.class.clone()).or_default().push(variant.clone());
            }
        }
        classes
    }

    /// The methods, by class, name and descriptor, of which variants for classes of arguments are wanted, with repetitions.
    pub fn copied(&self) -> impl Iterator<Item = Box<[u8]>> + '_ {
        let copies = self.calls.iter().map(|call| &call.call.variant).filter(|variant| variant.classes() > 0);
        copies.map(|variant| variant.method())
    }

    /// The calls that are to lose their receivers. A variant without a receiver has nothing to call them on, so they are changed
    /// in it as it is made.
    pub fn without_receivers(&self) -> Variants {
        let mut variants = Variants::default();
        for WantedCall { method, at, call, .. } in &self.calls {
            if call.variant.drops_receiver {
                variants.add(method, *at, call.clone());
            }
        }
        variants.sort();
        variants
    }

    /// The methods, by class, name and descriptor, whose variants without receivers are not what they should be: a call in them
    /// would lead to one that was not made, or to one of those. O(calls).
    fn held(&self, made: &Made) -> HashSet<Box<[u8]>, FxBuildHasher> {
        let mut work: Vec<Box<[u8]>> = self.keep_receivers.clone();
        let mut callers: HashMap<Box<[u8]>, Vec<&[u8]>, FxBuildHasher> = HashMap::default();
        let loses = |wanted: &&WantedCall| wanted.call.variant.drops_receiver;
        for WantedCall { method, call: VariantCall { variant, .. }, .. } in self.calls.iter().filter(loses) {
            match made.now.contains(&**variant) {
                true => callers.entry(variant.method()).or_default().push(method),
                false => work.push(method.clone()),
            }
        }
        let mut held = HashSet::default();
        while let Some(method) = work.pop() {
            work.extend(callers.remove(&method).unwrap_or_default().into_iter().map(Into::into));
            held.insert(method);
        }
        held
    }

    /// The calls whose variants were made, and are what they should be.
    pub fn granted(self, made: &Made) -> Variants {
        let mut variants = Variants::default();
        let mut shared: HashSet<Arc<Variant>, FxBuildHasher> = HashSet::default();
        let is_made = |family: &Vec<Variant>| family.iter().all(|variant| made.now.contains(variant));
        let families: Vec<bool> = self.families.iter().map(is_made).collect();
        let held = self.held(made);
        for WantedCall { method, at, mut call, family } in self.calls {
            let variant = &*call.variant;
            let is_held = !held.is_empty() && variant.drops_receiver && held.contains(&variant.method());
            let is_made = || family.map_or_else(|| made.now.contains(variant), |family| families[family]);
            if !is_held && is_made() {
                call.variant = Arc::clone(shared.get_or_insert_with(&call.variant, Arc::clone));
                variants.add(&method, at, call);
            }
        }
        variants.sort();
        variants
    }
}
