//! Module descriptors: what a module requires, exports, opens, uses and provides.

use crate::bytes::{Cursor, Put, put_indices, put_list};
use crate::error::Result;
use crate::flags::Flags;

/// The content of a `Module` attribute. Names are indices into the constant pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The name of the module.
    pub name: u16,
    /// Open, synthetic or mandated.
    pub flags: Flags,
    /// The version; 0 if there is none.
    pub version: u16,
    /// Modules that it reads.
    pub requires: Vec<Requires>,
    /// Packages that others may use.
    pub exports: Vec<Access>,
    /// Packages that others may use by reflection.
    pub opens: Vec<Access>,
    /// Services that it looks for.
    pub uses: Vec<u16>,
    /// Services that it offers, and the classes that implement them.
    pub provides: Vec<(u16, Vec<u16>)>,
}

/// A module that another reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requires {
    /// The module.
    pub module: u16,
    /// Transitive, static, synthetic or mandated.
    pub flags: Flags,
    /// The version it was compiled against; 0 if unknown.
    pub version: u16,
}

/// A package that a module exports or opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The package.
    pub package: u16,
    /// Synthetic or mandated.
    pub flags: Flags,
    /// The modules that may use it; none means all.
    pub to: Vec<u16>,
}

impl Module {
    /// Reads the content of the attribute.
    pub fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(Module {
            name: c.u16()?,
            flags: Flags(c.u16()?),
            version: c.u16()?,
            requires: c
                .list(6, |c| Ok(Requires { module: c.u16()?, flags: Flags(c.u16()?), version: c.u16()? }))?,
            exports: c.list(6, Access::read)?,
            opens: c.list(6, Access::read)?,
            uses: c.indices()?,
            provides: c.list(4, |c| Ok((c.u16()?, c.indices()?)))?,
        })
    }

    /// Writes the content of the attribute.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.put_u16(self.name);
        out.put_u16(self.flags.0);
        out.put_u16(self.version);
        put_list(out, "a number of required modules", &self.requires, |out, requires| {
            out.put_u16(requires.module);
            out.put_u16(requires.flags.0);
            out.put_u16(requires.version);
            Ok(())
        })?;
        put_list(out, "a number of exported packages", &self.exports, Access::put)?;
        put_list(out, "a number of opened packages", &self.opens, Access::put)?;
        put_indices(out, "a number of used services", &self.uses)?;
        put_list(out, "a number of provided services", &self.provides, |out, (service, classes)| {
            out.put_u16(*service);
            put_indices(out, "a number of service classes", classes)
        })
    }
}

impl Access {
    fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(Access { package: c.u16()?, flags: Flags(c.u16()?), to: c.indices()? })
    }

    fn put(out: &mut Vec<u8>, access: &Self) -> Result<()> {
        out.put_u16(access.package);
        out.put_u16(access.flags.0);
        put_indices(out, "a number of modules", &access.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_survives() {
        let access = |package| Access { package, flags: Flags::SYNTHETIC, to: vec![1, 2] };
        let module = Module {
            name: 1,
            flags: Flags::OPEN,
            version: 0,
            requires: vec![Requires { module: 3, flags: Flags::MANDATED, version: 4 }],
            exports: vec![access(5)],
            opens: vec![access(6), access(7)],
            uses: vec![8],
            provides: vec![(9, vec![10, 11])],
        };
        let mut bytes = Vec::new();
        module.write(&mut bytes).unwrap();
        let mut cursor = Cursor::new(&bytes, 0);
        assert_eq!(Module::read(&mut cursor).unwrap(), module);
        cursor.end("the module").unwrap();
    }
}
