//! What random bodies do with lambdas and references to methods: they make them, of their own interfaces and those of the
//! JDK, call them, hand them to other methods, keep them in variables, fields and arrays, and join them.
//!
//! A lambda captures nothing, numbers, an object that may be null, an array, another function. References are to static methods
//! of the program and of the JDK, to methods of an object that is captured or given, and to constructors. Lambdas that
//! make lambdas, interfaces that are generic, so that numbers are boxed, and results that are made wider are among them.
//!
//! Some static methods of `T` are there to be lambdas of other methods of `T`; those may call what methods may call that they
//! are given to, so functions are kept in fields only if they call nothing else (`functions`).

use arbitrary::{Result, Unstructured};
use planish_classfile::Opcode;

use super::assemble::Pool;
use super::body::Body;
use super::control::D;
use super::exceptions::{OF_NUMBER, THROWING};
use super::functions::{ASK, MAKE, method_of_f};
use super::names::{LEAVES, a_descriptor};
use super::platform::INTEGER;
use super::signature::Ty;
use super::sites::{Lambda, kind};

/// Functional interfaces of numbers of the JDK: the types of the method, its name, that of the interface.
const OF_NUMBERS: [(&str, &str, &str); 15] = [
    ("()I", "getAsInt", "IntSupplier"),
    ("()J", "getAsLong", "LongSupplier"),
    ("()D", "getAsDouble", "DoubleSupplier"),
    ("(I)I", "applyAsInt", "IntUnaryOperator"),
    ("(I)J", "applyAsLong", "IntToLongFunction"),
    ("(I)D", "applyAsDouble", "IntToDoubleFunction"),
    ("(J)I", "applyAsInt", "LongToIntFunction"),
    ("(J)J", "applyAsLong", "LongUnaryOperator"),
    ("(J)D", "applyAsDouble", "LongToDoubleFunction"),
    ("(D)I", "applyAsInt", "DoubleToIntFunction"),
    ("(D)J", "applyAsLong", "DoubleToLongFunction"),
    ("(D)D", "applyAsDouble", "DoubleUnaryOperator"),
    ("(II)I", "applyAsInt", "IntBinaryOperator"),
    ("(JJ)J", "applyAsLong", "LongBinaryOperator"),
    ("(DD)D", "applyAsDouble", "DoubleBinaryOperator"),
];

/// The generic ones, by the number of arguments.
const GENERIC: [[&str; 3]; 3] = [
    ["java/util/function/Supplier", "get", "()Ljava/lang/Object;"],
    ["java/util/function/Function", "apply", "(Ljava/lang/Object;)Ljava/lang/Object;"],
    ["java/util/function/BiFunction", "apply", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"],
];

/// The class whose objects are numbers of a type, and its method that gives the number.
fn boxed(ty: Ty) -> (&'static str, &'static str) {
    match ty {
        Ty::Int => ("java/lang/Integer", "intValue"),
        Ty::Long => ("java/lang/Long", "longValue"),
        Ty::Float => ("java/lang/Float", "floatValue"),
        Ty::Double => ("java/lang/Double", "doubleValue"),
    }
}

/// The interface of the JDK with a method of these types, as constants take it.
fn of_numbers(types: &str) -> Option<[Vec<u8>; 3]> {
    let (types, method, name) = OF_NUMBERS.iter().find(|(of, ..)| *of == types)?;
    Some([
        format!("java/util/function/{name}").into_bytes(),
        method.as_bytes().to_vec(),
        types.as_bytes().to_vec(),
    ])
}

impl Body<'_> {
    /// Appends a call site.
    fn lambda(&mut self, lambda: &Lambda<'_>, pool: &mut Pool) {
        lambda.make(&mut self.code, self.rows, pool);
    }

    /// Puts an object of `A` on the stack, which may be null.
    fn some_object(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        self.code.local(Opcode::Aload, if u.ratio(2, 3)? { self.object } else { self.other });
        Ok(())
    }

    /// Has the JVM throw here if what is on the stack is null, as compilers do before they capture a receiver.
    fn checked(&mut self, pool: &mut Pool) {
        let check = [&b"java/util/Objects"[..], b"requireNonNull", b"(Ljava/lang/Object;)Ljava/lang/Object;"];
        self.code.op(Opcode::Dup).call(Opcode::Invokestatic, check, pool).expect("room").op(Opcode::Pop);
    }

    /// Puts a lambda on the stack that calls a method of `Lambdas`, as an object of an interface with a method of types
    /// that the method allows.
    fn leaf(
        &mut self,
        u: &mut Unstructured<'_>,
        number: usize,
        (of, actual): ([&[u8]; 3], Option<&str>),
        pool: &mut Pool,
    ) -> Result<()> {
        let functions = &self.names.functions;
        match number {
            0 => {}
            1 => self.expression(u, Ty::Int, 1, pool)?,
            2 => self.expression(u, Ty::Long, 1, pool)?,
            3 => self.some_object(u)?,
            4 => {
                self.code.local(Opcode::Aload, self.array);
            }
            5 => self.function(u, 0, true, pool)?,
            _ => {
                self.expression(u, Ty::Double, 1, pool)?;
                self.expression(u, Ty::Long, 0, pool)?;
                self.some_object(u)?;
                self.code.local(Opcode::Aload, self.array);
            }
        }
        let (name, descriptor) = functions.leaf(number);
        let calls = [&functions.lambdas[..], name.as_bytes(), descriptor.as_bytes()];
        let lambda = Lambda { actual, ..Lambda::of_static(of, &functions.captures[number], calls) };
        self.lambda(&lambda, pool);
        Ok(())
    }

    /// Puts a reference to a method of an object on the stack that is captured.
    fn bound(
        &mut self,
        u: &mut Unstructured<'_>,
        of: [&[u8]; 3],
        method: (&str, &str),
        pool: &mut Pool,
    ) -> Result<()> {
        let names = self.names;
        self.some_object(u)?;
        if u.ratio(2, 3)? {
            self.checked(pool);
        }
        let is_interface = u.arbitrary()?;
        let (kind, class) =
            if is_interface { (kind::INTERFACE, &names.i) } else { (kind::VIRTUAL, &names.a) };
        let calls = (kind, [&class[..], method.0.as_bytes(), method.1.as_bytes()]);
        let captures = a_descriptor(class);
        self.lambda(
            &Lambda { of, actual: None, captures: &captures, calls, calls_interface: is_interface },
            pool,
        );
        Ok(())
    }

    /// Puts an `F` on the stack. One that is `kept` calls nothing that may call what makes it.
    fn function(&mut self, u: &mut Unstructured<'_>, depth: u32, kept: bool, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let names = self.names;
        let functions = &names.functions;
        let of = functions.call();
        match u.int_in_range(0..=if kept || depth == 0 { 10 } else { 17 })? {
            number @ 0..=4 => self.leaf(u, number as usize, (of, None), pool)?,
            5 => self.leaf(u, LEAVES - 1, (of, None), pool)?,
            6 => self.bound(u, of, (THROWING, OF_NUMBER), pool)?,
            7 => {
                self.expression(u, Ty::Int, 1, pool)?;
                let of = functions.descriptor("(I)F");
                self.code.member(Invokestatic, method_of_f(names, "of", &of), pool).expect("room");
            }
            8 => {
                // A lambda that makes a lambda.
                let make = functions.descriptor("(I)F");
                let of = [&functions.m[..], MAKE.as_bytes(), make.as_bytes()];
                let calls = [&functions.lambdas[..], b"curried", make.as_bytes()];
                self.lambda(&Lambda::of_static(of, "", calls), pool);
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.call(Invokeinterface, of, pool).expect("room");
            }
            9 => {
                let own = &functions.own;
                self.code.class(New, own, pool).expect("room").op(Dup);
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.call(Invokespecial, [own, b"<init>", b"(I)V"], pool).expect("room");
            }
            10 => {
                let calls: [&[u8]; 3] =
                    *u.choose(&[[&b"java/lang/Math"[..], b"abs", b"(I)I"], [INTEGER, b"bitCount", b"(I)I"]])?;
                self.lambda(&Lambda::of_static(of, "", calls), pool);
            }
            11 => self.field_of_functions(u, pool)?,
            12 => self.leaf(u, 5, (of, None), pool)?,
            13 => {
                self.function(u, depth - 1, false, pool)?;
                self.function(u, depth - 1, false, pool)?;
                let then = functions.descriptor("(F)F");
                self.code.member(Invokeinterface, method_of_f(names, "then", &then), pool).expect("room");
            }
            14 => {
                self.function(u, depth - 1, false, pool)?;
                self.function(u, depth - 1, false, pool)?;
                self.expression(u, Ty::Int, 1, pool)?;
                functions.helper("pick", "(FFI)F", &mut self.code, pool);
            }
            15 => {
                let [other, end] = [(); 2].map(|()| self.code.label());
                self.unless(u, 1, other, pool)?;
                self.function(u, depth - 1, false, pool)?;
                self.code.jump(Goto, end).bind(other);
                self.function(u, depth - 1, false, pool)?;
                self.code.bind(end);
            }
            _ => {
                if !self.lambda_of_t(u, pool)? {
                    self.code.op(AconstNull);
                }
            }
        }
        Ok(())
    }

    /// Puts an `F` on the stack that calls a method of `T` which is there for that, if there is one that may be called.
    fn lambda_of_t(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<bool> {
        let names = self.names;
        let callable = self.callable;
        let lambdas: Vec<_> = callable.iter().filter(|callee| callee.name.starts_with("lambda")).collect();
        if lambdas.is_empty() {
            return Ok(false);
        }
        let callee = *u.choose(&lambdas)?;
        let (_, captured) = callee.params.split_last().expect("it has a number");
        self.shared(callee);
        for &ty in captured {
            self.expression(u, ty, 1, pool)?;
        }
        let descriptor = callee.descriptor(names);
        let captures = &descriptor[1..descriptor.len() - "I)I".len()];
        let calls = [&names.t[..], callee.name.as_bytes(), descriptor.as_bytes()];
        self.lambda(&Lambda::of_static(names.functions.call(), captures, calls), pool);
        Ok(true)
    }

    /// Puts what a field holds on the stack.
    fn field_of_functions(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let functions = &self.names.functions;
        let own = &functions.lambdas[..];
        let [one, many] = ["F", "[F"].map(|text| functions.descriptor(text));
        if u.arbitrary()? {
            self.code.field(Getstatic, [own, b"one", one.as_bytes()], pool).expect("room");
        } else {
            self.code.field(Getstatic, [own, b"many", many.as_bytes()], pool).expect("room");
            self.code.int(u.int_in_range(0..=1)?, pool).expect("room").op(Aaload);
        }
        Ok(())
    }

    /// Calls the function on the stack somehow, which leaves a number.
    fn call_of_function(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let names = self.names;
        let functions = &names.functions;
        match u.int_in_range(0..=7)? {
            0..=2 => {
                self.expression(u, Ty::Int, 1, pool)?;
                functions.invoke(&mut self.code, pool);
            }
            3 => {
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.member(Invokeinterface, method_of_f(names, "two", "(I)I"), pool).expect("room");
            }
            4 => {
                self.expression(u, Ty::Int, 1, pool)?;
                functions.helper("call", "(FI)I", &mut self.code, pool);
            }
            5 => {
                self.expression(u, Ty::Int, 1, pool)?;
                self.expression(u, Ty::Int, 1, pool)?;
                functions.helper("calls", "(FII)I", &mut self.code, pool);
            }
            6 => {
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.op(Swap);
                functions.helper("guarded", "(IF)I", &mut self.code, pool);
            }
            _ => {
                // Through an interface of the JDK, whose method has a body that joins two.
                let [interface, method, types] = of_numbers("(I)I").expect("it is one of them");
                let of = [&interface[..], &method, &types];
                let captures = functions.descriptor("F");
                let calls = (kind::INTERFACE, functions.call());
                self.lambda(
                    &Lambda { of, actual: None, captures: &captures, calls, calls_interface: true },
                    pool,
                );
                match u.int_in_range(0..=2)? {
                    0 => {
                        self.leaf(u, 1, (of, None), pool)?;
                        let joined =
                            b"(Ljava/util/function/IntUnaryOperator;)Ljava/util/function/IntUnaryOperator;";
                        let name: &[u8] = if u.arbitrary()? { b"andThen" } else { b"compose" };
                        self.code.call(Invokeinterface, [of[0], name, joined], pool).expect("room");
                    }
                    1 => {
                        let all = [
                            &b"java/util/Arrays"[..],
                            b"setAll",
                            b"([ILjava/util/function/IntUnaryOperator;)V",
                        ];
                        self.code.op(Dup).local(Aload, self.array).op(Swap);
                        self.code.call(Invokestatic, all, pool).expect("room");
                    }
                    _ => {}
                }
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.call(Invokeinterface, of, pool).expect("room");
            }
        }
        Ok(())
    }

    /// Puts a number on the stack that a lambda or a reference gives.
    pub(super) fn int_of_lambda(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        match u.int_in_range(0..=13)? {
            0..=4 => {
                self.function(u, 2, false, pool)?;
                self.call_of_function(u, pool)
            }
            5 => self.int_of_two(u, pool),
            6 => self.int_of_given_object(u, pool),
            7 => self.int_of_constructor(u, pool),
            8 => self.int_for_nobody(u, pool),
            9 => self.widened_result(u, pool),
            10 => self.widened_argument(u, pool),
            11 => self.int_of_boxes(u, pool),
            _ => {
                if let Some(ty) = self.call_as_interface(u, pool)? {
                    self.convert(ty, Ty::Int);
                    return Ok(());
                }
                self.function(u, 1, false, pool)?;
                self.call_of_function(u, pool)
            }
        }
    }

    /// A number that a function of two numbers gives.
    fn int_of_two(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let functions = &self.names.functions;
        let [interface, method, types] = of_numbers("(II)I").expect("it is one of them");
        let of = [&interface[..], &method, &types];
        match u.int_in_range(0..=2)? {
            0 => self.bound(u, of, D, pool)?,
            1 => self.lambda(&Lambda::of_static(of, "", [INTEGER, b"sum", b"(II)I"]), pool),
            _ => {
                let (name, descriptor) = functions.leaf(1);
                let calls = [&functions.lambdas[..], name.as_bytes(), descriptor.as_bytes()];
                self.lambda(&Lambda::of_static(of, "", calls), pool);
            }
        }
        self.expression(u, Ty::Int, 1, pool)?;
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.call(Opcode::Invokeinterface, of, pool).expect("room");
        Ok(())
    }

    /// A number that a method of an object gives, as a function of that object.
    fn int_of_given_object(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let names = self.names;
        let (a, functions) = (&names.a[..], &names.functions);
        let object = a_descriptor(a);
        let ask = format!("({object}I)I");
        let of = [&functions.h[..], ASK.as_bytes(), ask.as_bytes()];
        let calls = (kind::VIRTUAL, [a, THROWING.as_bytes(), OF_NUMBER.as_bytes()]);
        self.lambda(&Lambda { of, actual: None, captures: "", calls, calls_interface: false }, pool);
        self.some_object(u)?;
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.call(Opcode::Invokeinterface, of, pool).expect("room");
        Ok(())
    }

    /// The number of an object that a constructor makes of a number, given or captured.
    fn int_of_constructor(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let names = self.names;
        let a = &names.a[..];
        let object = a_descriptor(a);
        let captured = u.arbitrary()?;
        let class = if u.arbitrary()? { a } else { &names.b };
        let calls = (kind::NEW, [class, &b"<init>"[..], b"(I)V"]);
        let of: [&[u8]; 3] = match captured {
            true => GENERIC[0].map(str::as_bytes),
            false => [b"java/util/function/IntFunction", b"apply", b"(I)Ljava/lang/Object;"],
        };
        let (captures, given) = if captured { ("I", "") } else { ("", "I") };
        let actual = format!("({given}){object}");
        let lambda = Lambda { of, actual: Some(&actual), captures, calls, calls_interface: false };
        if captured {
            self.expression(u, Ty::Int, 1, pool)?;
        }
        self.lambda(&lambda, pool);
        if !captured {
            self.expression(u, Ty::Int, 1, pool)?;
        }
        self.code.call(Invokeinterface, of, pool).expect("room");
        self.code.class(Checkcast, a, pool).expect("room");
        self.code.field(Getfield, [a, b"f", b"I"], pool).expect("room");
        Ok(())
    }

    /// A constant, behind a call of a lambda whose result nobody gets.
    fn int_for_nobody(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let functions = &self.names.functions;
        let of: [&[u8]; 3] = [b"java/lang/Runnable", b"run", b"()V"];
        self.expression(u, Ty::Int, 1, pool)?;
        let (name, descriptor) = functions.leaf(0);
        let calls = [&functions.lambdas[..], name.as_bytes(), descriptor.as_bytes()];
        self.lambda(&Lambda::of_static(of, "I", calls), pool);
        self.code.call(Invokeinterface, of, pool).expect("room").op(Iconst1);
        Ok(())
    }

    /// A number that becomes wider on its way out of a function.
    fn widened_result(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let [interface, method, types] = of_numbers("(I)J").expect("it is one of them");
        let of = [&interface[..], &method, &types];
        let number = u.int_in_range(0..=4)?;
        self.leaf(u, number, (of, None), pool)?;
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.call(Invokeinterface, of, pool).expect("room").op(L2i);
        Ok(())
    }

    /// A number that becomes wider on its way into a function.
    fn widened_argument(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let [interface, method, types] = of_numbers("(I)J").expect("it is one of them");
        let of = [&interface[..], &method, &types];
        let calls: [&[u8]; 3] = *u
            .choose(&[[&b"java/lang/Math"[..], b"abs", b"(J)J"], [b"java/lang/Long", b"reverse", b"(J)J"]])?;
        self.lambda(&Lambda::of_static(of, "", calls), pool);
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.call(Invokeinterface, of, pool).expect("room").op(L2i);
        Ok(())
    }

    /// A number that a function of boxes gives.
    fn int_of_boxes(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let of = GENERIC[1].map(str::as_bytes);
        let number = u.int_in_range(0..=4)?;
        let actual = "(Ljava/lang/Integer;)Ljava/lang/Integer;";
        self.leaf(u, number, (of, Some(actual)), pool)?;
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.call(Invokestatic, [INTEGER, b"valueOf", b"(I)Ljava/lang/Integer;"], pool).expect("room");
        self.code.call(Invokeinterface, of, pool).expect("room");
        self.code.class(Checkcast, INTEGER, pool).expect("room");
        self.code.call(Invokevirtual, [INTEGER, b"intValue", b"()I"], pool).expect("room");
        Ok(())
    }

    /// Calls a method of `T` as an object of an interface of the JDK with the last of its parameters, others captured.
    fn call_as_interface(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<Option<Ty>> {
        use Opcode::*;
        let names = self.names;
        if self.callable.is_empty() {
            return Ok(None);
        }
        let callee = u.choose(self.callable)?;
        let given = u.int_in_range(0..=callee.params.len().min(2))?;
        let (captured, given) = callee.params.split_at(callee.params.len() - given);
        self.shared(callee);
        for &ty in captured {
            self.expression(u, ty, 1, pool)?;
        }
        let letters = |types: &[Ty]| types.iter().map(|ty| ty.letter()).collect::<String>();
        let descriptor = callee.descriptor(names);
        let types = format!("({}){}", letters(given), callee.result.letter());
        let captures = &descriptor[1..descriptor.len() - (types.len() - 1)];
        let calls = [&names.t[..], callee.name.as_bytes(), descriptor.as_bytes()];
        if let Some(of) = of_numbers(&types).filter(|_| u.ratio(1, 2) == Ok(true)) {
            let of = [&of[0][..], &of[1], &of[2]];
            self.lambda(&Lambda::of_static(of, captures, calls), pool);
            for &ty in given {
                self.expression(u, ty, 1, pool)?;
            }
            self.code.call(Invokeinterface, of, pool).expect("room");
            return Ok(Some(callee.result));
        }
        let of = GENERIC[given.len()].map(str::as_bytes);
        let class = |ty: Ty| format!("L{};", boxed(ty).0);
        let parameters: String = given.iter().map(|&ty| class(ty)).collect();
        let actual = format!("({parameters}){}", class(callee.result));
        self.lambda(&Lambda { actual: Some(&actual), ..Lambda::of_static(of, captures, calls) }, pool);
        for &ty in given {
            self.expression(u, ty, 1, pool)?;
            let descriptor = format!("({}){}", ty.letter(), class(ty));
            let method = [boxed(ty).0.as_bytes(), b"valueOf", descriptor.as_bytes()];
            self.code.call(Invokestatic, method, pool).expect("room");
        }
        self.code.call(Invokeinterface, of, pool).expect("room");
        let (class, method) = boxed(callee.result);
        self.code.class(Checkcast, class.as_bytes(), pool).expect("room");
        let value = format!("(){}", callee.result.letter());
        self.code.call(Invokevirtual, [class, method, &value].map(str::as_bytes), pool).expect("room");
        Ok(Some(callee.result))
    }

    /// A statement that keeps functions and calls them, maybe in a loop.
    pub(super) fn lambdas(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let names = self.names;
        let functions = &names.functions;
        let own = &functions.lambdas[..];
        let [one, many] = ["F", "[F"].map(|text| functions.descriptor(text));
        match u.int_in_range(0..=4)? {
            0 => {
                self.function(u, 1, true, pool)?;
                self.code.field(Putstatic, [own, b"one", one.as_bytes()], pool).expect("room");
            }
            1 => {
                self.code.op(Iconst2).class(Anewarray, &functions.f, pool).expect("room");
                for place in [Iconst0, Iconst1] {
                    self.code.op(Dup).op(place);
                    self.function(u, 1, true, pool)?;
                    self.code.op(Aastore);
                }
                self.code.field(Putstatic, [own, b"many", many.as_bytes()], pool).expect("room");
            }
            _ => {
                let variable = self.slot(1);
                self.function(u, 2, false, pool)?;
                self.code.local(Astore, variable);
                if self.loops < 2 && u.ratio(2, 3)? {
                    self.loops += 1;
                    let counter = self.slot(1);
                    let end = self.code.label();
                    self.code.op(Iconst0).local(Istore, counter);
                    let top = self.code.here();
                    self.code.local(Iload, counter).int(u.int_in_range(0..=5)?, pool).expect("room");
                    self.code.jump(IfIcmpge, end);
                    self.kept_function(u, variable, pool)?;
                    if u.arbitrary()? {
                        self.statement(u, depth, pool)?;
                    }
                    match u.int_in_range(0..=5)? {
                        0 => {
                            self.code.local(Aload, variable);
                            self.leaf(u, 1, (functions.call(), None), pool)?;
                            let then = functions.descriptor("(F)F");
                            self.code
                                .member(Invokeinterface, method_of_f(names, "then", &then), pool)
                                .expect("room");
                            self.code.local(Astore, variable);
                        }
                        1 => {
                            self.function(u, 1, false, pool)?;
                            self.code.local(Astore, variable);
                        }
                        _ => {}
                    }
                    self.code.increment(counter, 1).jump(Goto, top).bind(end);
                    self.loops -= 1;
                }
                self.kept_function(u, variable, pool)?;
            }
        }
        Ok(())
    }

    /// Calls the function that a variable holds, sometimes only under a condition.
    fn kept_function(&mut self, u: &mut Unstructured<'_>, variable: u16, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let end = self.code.label();
        if u.ratio(1, 3)? {
            self.unless(u, 1, end, pool)?;
        }
        if u.ratio(1, 4)? {
            self.code.local(Aload, variable).jump(Ifnull, end);
        }
        self.code.local(Aload, variable);
        self.call_of_function(u, pool)?;
        let slot = self.local(u, Ty::Int)?;
        self.code.local(Istore, slot).bind(end);
        Ok(())
    }
}
