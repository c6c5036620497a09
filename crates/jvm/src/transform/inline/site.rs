//! Bootstrap methods of `invokedynamic` (JVMS 4.7.23), portable: a call site without the class file in which it stands.
//!
//! In a class file a site is the number of a row in a table that belongs to the class, and what goes from the class
//! moves both. So a body that may stand elsewhere carries what the row says: the method that links the site, what that
//! gets, and which name and type the site has. Rows that say the same are one in the class that gets the body.
//!
//! What links a site is told which class asks, may do anything, and does it once for each site. Of a few methods of the
//! JDK is known what they do: where their sites may stand, and whether there may be more of them.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Constant, ConstantPool, Error, Kind, Result};
use planish_jvm_model::bootstraps::Bootstraps;

use crate::transform::inline::portable::{Portable, Site};

impl Site {
    /// The site at an index of a pool that belongs to a table of bootstrap methods. Nothing if one of its parts is
    /// malformed, or means nothing anywhere else: a dynamic constant is made once for each class.
    pub(super) fn of(index: u16, pool: &ConstantPool<'_>, rows: &[BootstrapMethod]) -> Option<Site> {
        let (number, name, descriptor) = pool.dynamic(index).ok()?;
        let row = rows.get(usize::from(number))?;
        let part = |&index: &u16| match pool.get(index).ok()? {
            Constant::Dynamic(..) | Constant::InvokeDynamic(..) => None,
            _ => Portable::of(index, pool, rows).filter(|part| !matches!(part, Portable::Own(_))),
        };
        Some(Site {
            maker: part(&row.handle)?,
            arguments: row.arguments.iter().map(part).collect::<Option<_>>()?,
            name: name.into(),
            descriptor: descriptor.into(),
        })
    }

    /// Its index in a class, to which it is added with its row.
    pub(super) fn add(&self, pool: &mut ConstantPool<'_>, bootstraps: &mut Bootstraps) -> Result<u16> {
        let handle = self.maker.add(pool, bootstraps)?;
        let arguments =
            self.arguments.iter().map(|part| part.add(pool, bootstraps)).collect::<Result<_>>()?;
        // The class may have no table so far. Later there may be no room for its name.
        pool.add_utf8(Kind::BootstrapMethods.name())?;
        let number = bootstraps.add(BootstrapMethod { handle, arguments });
        let number = number.ok_or_else(|| Error::unwritable("fewer than 65,535 bootstrap methods"))?;
        let name_and_type = pool.add_name_and_type(&self.name, &self.descriptor)?;
        pool.add(Constant::InvokeDynamic(number, name_and_type))
    }

    /// What the method that links it gets besides who asks, the name and the type.
    pub(super) fn arguments(&self) -> &[Portable] {
        &self.arguments
    }

    /// The types of what it takes and gives.
    pub(super) fn descriptor(&self) -> &[u8] {
        &self.descriptor
    }

    /// The method that links it.
    fn maker(&self) -> Option<(&[u8], &[u8])> {
        match &self.maker {
            Portable::Handle(6, member) => match &**member {
                Portable::Member(_, class, name, _) => Some((class, name)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it makes texts: each time a new one.
    pub(crate) fn makes_texts(&self) -> bool {
        self.maker().is_some_and(|(class, _)| class == b"java/lang/invoke/StringConcatFactory")
    }

    /// Whether it does the same in any class that may see what it names. Lambdas that can be written know the class
    /// that makes them; the others only look as if they were of it.
    pub(super) fn may_move(&self) -> bool {
        let plain_lambda = (&b"java/lang/invoke/LambdaMetafactory"[..], &b"metafactory"[..]);
        self.makes_texts() || self.maker() == Some(plain_lambda)
    }

    /// Whether two of it do what one does. JVMs make the lambda of a site only once if it captures nothing, so two sites
    /// give two objects; and what nobody knows may count how often it is asked.
    pub(super) fn may_be_copied(&self) -> bool {
        let captures = || MethodType::parse(&self.descriptor).is_some_and(|ty| ty.parameters().count() > 0);
        match self.maker() {
            Some((b"java/lang/invoke/LambdaMetafactory", _)) => captures(),
            Some((b"java/lang/invoke/StringConcatFactory" | b"java/lang/runtime/ObjectMethods", _)) => true,
            Some((b"java/lang/runtime/SwitchBootstraps", _)) => true,
            _ => false,
        }
    }
}
