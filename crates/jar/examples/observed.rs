//! What the outside hears of a program of classes when it is run as `planish validate` runs it, to be held against what a
//! JVM prints: `cargo run -p planish-jar --example observed -- app.jar [SEED]`.

use planish_jar::classes::{Hierarchy, INFLATED_LIMIT, Image, Origin, Source, add_classes, find_image};
use planish_jar::execution::Beginnings;
use planish_jar::execution::programs::observed;
use planish_jar::inputs::{Classpath, Platform};

fn main() {
    let mut words = std::env::args().skip(1);
    let path = words.next().expect("the path of a jar");
    let seed = words.next().map_or(0, |word| word.parse().expect("a number"));
    let archive = Source::read(path.as_ref()).expect("a jar").archive;
    let platform = match find_image() {
        Some(path) => Platform::Image(Image::open(&path).expect("an image")),
        None => Platform::heads(),
    };
    let classpath = Classpath { platform, ..Classpath::default() };
    let (mut hierarchy, mut warnings) = (Hierarchy::new(), Vec::new());
    let mut budget = planish_base::Budget::new("inflated bytes", INFLATED_LIMIT);
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut warnings).expect("classes");
    classpath.platform.add_to(&mut hierarchy, 2, &mut warnings).expect("the classes of a JDK");
    planish_base::threads::on_large_stack(|| {
        for line in observed(&archive, (&classpath, &hierarchy), &Beginnings::of(&archive), seed) {
            println!("{line}");
        }
    });
}
