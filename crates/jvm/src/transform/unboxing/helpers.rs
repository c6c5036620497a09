//! Static methods that do with the number of a constant what methods of `Enum` did with the constant, and give what its fields held.
//! Of null they throw, but for the one that makes a text of it.

use planish_classfile::builder::{CodeBuilder, Label};
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Constant, Flags, MemberRef, Opcode, Result};

use super::constants::{Constants, Held};

/// A name and a type.
pub(super) type Called = (Box<[u8]>, Box<[u8]>);

/// What numbers have of what constants had.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    /// `ordinal()`
    Ordinal,
    /// `name()`, and `toString()` where the enum has none of its own.
    Name,
    /// `compareTo(E)`
    Compare,
    /// `equals(Object)`, of another constant.
    Equals,
    /// `String.valueOf(Object)`
    Text,
    /// What a field holds, by its place among those of constants.
    Field(usize),
}

impl Helper {
    /// All that an enum may want.
    pub fn of_enum(constants: &Constants) -> impl Iterator<Item = Helper> {
        let all = [Helper::Ordinal, Helper::Name, Helper::Compare, Helper::Equals, Helper::Text];
        all.into_iter().chain((0..constants.fields.len()).map(Helper::Field))
    }

    /// The one that does what a method does that the enum itself does not have.
    pub fn of(member: &MemberRef<'_>) -> Option<Helper> {
        Some(match (member.name, member.descriptor) {
            (b"ordinal", b"()I") => Helper::Ordinal,
            (b"name" | b"toString", b"()Ljava/lang/String;") => Helper::Name,
            (b"compareTo", b"(Ljava/lang/Enum;)I") => Helper::Compare,
            (b"equals", b"(Ljava/lang/Object;)Z") => Helper::Equals,
            _ => return None,
        })
    }

    /// The name and type of the method that it stands for, if it is one.
    pub fn original(self) -> Option<&'static [u8]> {
        Some(match self {
            Helper::Ordinal => b"ordinal()I",
            Helper::Name => b"name()Ljava/lang/String;",
            Helper::Compare => b"compareTo(Ljava/lang/Enum;)I",
            Helper::Equals => b"equals(Ljava/lang/Object;)Z",
            Helper::Text => b"toString()Ljava/lang/String;",
            Helper::Field(_) => return None,
        })
    }

    /// What it is called, where nothing else is, and its type.
    pub fn selector(self, constants: &Constants) -> Called {
        let (name, ty): (&[u8], &[u8]) = match self {
            Helper::Ordinal => (b"ordinal", b"(I)I"),
            Helper::Name => (b"name", b"(I)Ljava/lang/String;"),
            Helper::Compare => (b"compareTo", b"(II)I"),
            Helper::Equals => (b"equals", b"(II)Z"),
            Helper::Text => (b"valueOf", b"(I)Ljava/lang/String;"),
            Helper::Field(place) => {
                let field = &constants.fields[place];
                return (field.name.clone(), [b"(I)", &field.descriptor[..]].concat().into());
            }
        };
        (name.into(), ty.into())
    }

    /// Adds it to a class, under this name and type. `text` is the name and the type of what `toString()` of the enum became, if it has
    /// its own.
    pub fn add(
        self,
        file: &mut ClassFile<'_>,
        (name, ty): &Called,
        (constants, text): (&Constants, Option<&Called>),
    ) -> Result<()> {
        use Opcode::*;
        let mut code = CodeBuilder::new();
        let null = code.label();
        code.local(Iload, 0);
        let mut slots = 1;
        match (self, text) {
            (Helper::Ordinal, _) => {
                code.jump(Ifeq, null).local(Iload, 0).op(Iconst1).op(Isub).op(Ireturn);
            }
            (Helper::Compare, _) => {
                code.jump(Ifeq, null).local(Iload, 1).jump(Ifeq, null);
                code.local(Iload, 0).local(Iload, 1).op(Isub).op(Ireturn);
                slots = 2;
            }
            (Helper::Equals, _) => {
                let differ = code.label();
                code.jump(Ifeq, null).local(Iload, 0).local(Iload, 1).jump(IfIcmpne, differ);
                code.op(Iconst1).op(Ireturn).bind(differ).frame(Form::Same).op(Iconst0).op(Ireturn);
                slots = 2;
            }
            (Helper::Text, Some((method, ty))) => {
                let class = file.name()?.to_vec();
                code.jump(Ifeq, null).local(Iload, 0);
                code.call(Invokestatic, [&class, method, ty], &mut file.pool)?.op(Areturn);
            }
            (Helper::Name | Helper::Text, _) => {
                let names =
                    constants.names.iter().map(|(ordinal, name)| (*ordinal, Held::Text(name.clone())));
                cases(names, &mut code, (null, file))?;
            }
            (Helper::Field(place), _) => {
                let field = &constants.fields[place];
                let held = constants.names.keys().map(|&ordinal| (ordinal, field.of(ordinal)));
                cases(held, &mut code, (null, file))?;
            }
        }
        code.bind(null).frame(Form::Same);
        match self {
            Helper::Text => gives(&Held::Text((*b"null").into()), &mut code, file)?,
            _ => drop(code.op(AconstNull).op(Athrow)),
        }
        let code = code.finish(slots, &mut file.pool)?;
        file.add_method(Flags::PUBLIC | Flags::STATIC, name, ty, Some(&code)).map(drop)
    }
}

/// Gives of each constant, whose number is there already, what it has; those that are none go to the label.
fn cases(
    held: impl Iterator<Item = (u32, Held)>,
    code: &mut CodeBuilder,
    (null, file): (Label, &mut ClassFile<'_>),
) -> Result<()> {
    let cases: Vec<_> = held.map(|(ordinal, held)| (ordinal as i32 + 1, held, code.label())).collect();
    let keys: Vec<_> = cases.iter().map(|(key, _, label)| (*key, *label)).collect();
    code.switch(null, &keys);
    for (_, held, label) in cases {
        code.bind(label).frame(Form::Same);
        gives(&held, code, file)?;
    }
    Ok(())
}

/// Returns a number or a text.
fn gives(held: &Held, code: &mut CodeBuilder, file: &mut ClassFile<'_>) -> Result<()> {
    match held {
        Held::Number(number) => drop(code.int(*number, &mut file.pool)?.op(Opcode::Ireturn)),
        Held::Text(text) => {
            let text = file.pool.add_utf8(text)?;
            code.load(Constant::String(text), &mut file.pool)?.op(Opcode::Areturn);
        }
        Held::Nothing => drop(code.op(Opcode::AconstNull).op(Opcode::Areturn)),
    }
    Ok(())
}
