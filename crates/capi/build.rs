//! The name under which programs look for the shared library: it changes with the binary interface.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
        // While the first number is 0, the second one changes with the interface.
        let version = if major == "0" { format!("0.{minor}") } else { major.to_owned() };
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libplanish.so.{version}");
    }
}
