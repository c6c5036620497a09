//! What an archive says of itself beside its classes: services, in files and in module descriptors, and what of a
//! descriptor is left when classes went.

use std::borrow::Cow;
use std::collections::BTreeMap;

use planish_classfile::attribute::{Body, Kind};
use planish_classfile::jar::{self, Role};
use planish_classfile::zip::Archive;
use planish_classfile::{ClassFile, Flags};
use planish_jvm_analysis::reach::{Reach, Service};

/// The services of an archive: those of service files and of module descriptors.
pub fn services(archive: &Archive, contents: &[(usize, Cow<'_, [u8]>)]) -> Result<Vec<Service>, String> {
    let slashes = |name: &[u8]| name.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect::<Vec<u8>>();
    let mut services = Vec::new();
    for (place, content) in contents {
        match Role::of(&archive.entries[*place].name) {
            Role::Service(name) => services.push(Service {
                name: slashes(name),
                providers: jar::service_classes(content).map(slashes).collect(),
            }),
            Role::ModuleInfo(_) => {
                // One that cannot be read is reported where it would be changed.
                let Ok(file) = ClassFile::read(content) else { continue };
                let Some(attribute) = file.attribute(Kind::Module) else { continue };
                if let Ok(Some(Body::Module(module))) = attribute.decode(&file.pool) {
                    for (service, providers) in module.provides {
                        let class = |index| file.pool.class(index).map(<[u8]>::to_vec);
                        let providers = providers.into_iter().map(class).collect::<Result<_, _>>();
                        services.push(Service {
                            name: class(service).map_err(|error| error.to_string())?,
                            providers: providers.map_err(|error| error.to_string())?,
                        });
                    }
                }
            }
            _ => {}
        }
    }
    Ok(services)
}

/// The descriptor of a module without packages that became empty; `None` if it stays as it is.
pub fn module_without(reach: &Reach<'_, '_>, content: &[u8]) -> planish_classfile::Result<Option<Vec<u8>>> {
    let mut file = ClassFile::read(content)?;
    if !file.flags.has(Flags::MODULE) {
        return Ok(None);
    }
    let mut had: BTreeMap<&[u8], bool> = BTreeMap::new();
    for class in reach.program.classes.ids() {
        let name = reach.program.name(class);
        let package = name.iter().rposition(|byte| *byte == b'/').map_or(&b""[..], |end| &name[..end]);
        *had.entry(package).or_default() |= reach.is_needed(class);
    }
    let Some(place) =
        file.attributes.iter().position(|attribute| attribute.kind(&file.pool) == Ok(Some(Kind::Module)))
    else {
        return Ok(None);
    };
    let Some(Body::Module(mut module)) = file.attributes[place].decode(&file.pool)? else { return Ok(None) };
    let before = (module.exports.len(), module.opens.len(), module.provides.len());
    let is_there =
        |package: u16| file.pool.package(package).map_or(true, |name| had.get(name) != Some(&false));
    module.exports.retain(|access| is_there(access.package));
    module.opens.retain(|access| is_there(access.package));
    let is_needed = |index: u16| {
        let name = file.pool.class(index).unwrap_or_default();
        reach.program.class_named(name).is_none_or(|class| reach.is_needed(class))
    };
    module.provides.retain(|(service, _)| is_needed(*service));
    module.uses.retain(|&service| is_needed(service));
    if before == (module.exports.len(), module.opens.len(), module.provides.len()) {
        return Ok(None);
    }
    let body = Body::Module(module);
    let mut bytes = Vec::new();
    body.write(&mut bytes)?;
    file.attributes[place].content = bytes.into();
    file.to_bytes().map(Some)
}
