//! Static methods that do with the number of a constant what methods of `Enum` did with the constant. Of null they throw.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Constant, Flags, MemberRef, Opcode, Result};

use super::constants::Constants;

/// A method of `Enum` that numbers have, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Helper {
    /// `ordinal()`
    Ordinal,
    /// `name()`, and `toString()` where the enum has none of its own.
    Name,
    /// `compareTo(E)`
    Compare,
}

impl Helper {
    /// All there are.
    pub const ALL: [Helper; 3] = [Helper::Ordinal, Helper::Name, Helper::Compare];

    /// The one that does what a method does that the enum itself does not have.
    pub fn of(member: &MemberRef<'_>) -> Option<Helper> {
        Some(match (member.name, member.descriptor) {
            (b"ordinal", b"()I") => Helper::Ordinal,
            (b"name" | b"toString", b"()Ljava/lang/String;") => Helper::Name,
            (b"compareTo", b"(Ljava/lang/Enum;)I") => Helper::Compare,
            _ => return None,
        })
    }

    /// The name and type of what it stands for.
    pub fn original(self) -> &'static [u8] {
        match self {
            Helper::Ordinal => b"ordinal()I",
            Helper::Name => b"name()Ljava/lang/String;",
            Helper::Compare => b"compareTo(Ljava/lang/Enum;)I",
        }
    }

    /// What it is called, where nothing else is, and its type.
    pub fn selector(self) -> (&'static str, &'static str) {
        match self {
            Helper::Ordinal => ("ordinal", "(I)I"),
            Helper::Name => ("name", "(I)Ljava/lang/String;"),
            Helper::Compare => ("compareTo", "(II)I"),
        }
    }

    /// Adds it to a class.
    pub fn add(self, file: &mut ClassFile<'_>, name: &[u8], constants: &Constants) -> Result<()> {
        use Opcode::*;
        let mut code = CodeBuilder::new();
        let null = code.label();
        let slots = match self {
            Helper::Ordinal => {
                code.local(Iload, 0).jump(Ifeq, null).local(Iload, 0).op(Iconst1).op(Isub).op(Ireturn);
                1
            }
            Helper::Compare => {
                code.local(Iload, 0).jump(Ifeq, null).local(Iload, 1).jump(Ifeq, null);
                code.local(Iload, 0).local(Iload, 1).op(Isub).op(Ireturn);
                2
            }
            Helper::Name => {
                let cases: Vec<_> = constants
                    .names
                    .iter()
                    .map(|(ordinal, name)| (*ordinal as i32 + 1, name, code.label()))
                    .collect();
                let keys: Vec<_> = cases.iter().map(|(key, _, label)| (*key, *label)).collect();
                code.local(Iload, 0).switch(null, &keys);
                for (_, name, label) in cases {
                    let text = file.pool.add_utf8(name)?;
                    code.bind(label)
                        .frame(Form::Same)
                        .load(Constant::String(text), &mut file.pool)?
                        .op(Areturn);
                }
                1
            }
        };
        code.bind(null).frame(Form::Same).op(AconstNull).op(Athrow);
        let code = code.finish(slots, &mut file.pool)?;
        file.add_method(Flags::PUBLIC | Flags::STATIC, name, self.selector().1.as_bytes(), Some(&code))
            .map(drop)
    }
}
