//! Every option of ProGuard's manual (7.x) and of R8's configuration files: how it is written, and what becomes of it.
//!
//! The reader of configurations asks this table, and the page about jars shows it. An option that is refused is read over
//! with a warning that says why: whoever gives it wants something that does not happen.

/// How an option is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A keep rule.
    Keep,
    /// A class specification, with a value behind members perhaps.
    Classes,
    /// Nothing behind it.
    Flag,
    /// A list of names, or nothing.
    Names,
    /// An argument, or nothing.
    Setting,
    /// A file that is written, or nothing for standard output.
    Written,
    /// A path.
    Path,
}

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// It does what the manual says.
    Done,
    /// What it is for comes about in another way, or needs nothing done.
    Otherwise,
    /// It does nothing, for a reason.
    Refused,
}

/// Whose option it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// ProGuard's alone.
    ProGuard,
    /// R8's alone.
    R8,
    /// Both have it.
    Both,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its name, without the hyphen.
    pub name: &'static str,
    /// Whose it is.
    pub of: Of,
    /// How it is written.
    pub form: Form,
    /// What becomes of it.
    pub support: Support,
    /// What it does, what is done in its place, or why it is refused.
    pub what: &'static str,
}

const fn known(name: &'static str, of: Of, form: Form, support: Support, what: &'static str) -> Known {
    Known { name, of, form, support, what }
}

use Form::{Classes, Flag, Keep, Names, Path, Setting, Written};
use Of::{Both, ProGuard, R8};
use Support::{Done, Otherwise, Refused};

/// Every option, in the order of the manual.
pub const OPTIONS: [Known; 82] = [
    known(
        "include",
        Both,
        Path,
        Done,
        "reads another file, from beside the one that names it or from the last `-basedirectory`; `@` does the same",
    ),
    known("basedirectory", Both, Path, Done, "where relative paths behind it begin"),
    known(
        "injars",
        Both,
        Path,
        Done,
        "the program, if the command line names none; of it, what the filter in parentheses lets in",
    ),
    known(
        "outjars",
        ProGuard,
        Path,
        Done,
        "where the result goes, if the command line does not say; a filter behind it is ignored with a warning",
    ),
    known("libraryjars", Both, Path, Done, "what is on the class path only; the JDK is found by itself"),
    known("resourcejars", ProGuard, Path, Refused, "give the jar to -injars, or leave it on the class path"),
    known("skipnonpubliclibraryclasses", ProGuard, Flag, Otherwise, "all classes of libraries are looked at"),
    known("dontskipnonpubliclibraryclasses", Both, Flag, Done, "always so"),
    known("dontskipnonpubliclibraryclassmembers", Both, Flag, Done, "always so"),
    known("keepdirectories", Both, Names, Done, "directories of the jar that stay"),
    known(
        "target",
        Both,
        Setting,
        Refused,
        "classes keep their version: what a newer one says (nests, records) does not go into an older one",
    ),
    known("forceprocessing", Both, Flag, Done, "always so; with it nothing is taken from `--cache`"),
    known(
        "keep",
        Both,
        Keep,
        Done,
        "roots: classes and the members that are named; a member that is named and inherited is kept above",
    ),
    known("keepclassmembers", Both, Keep, Done, "members of classes that are kept anyway"),
    known("keepclasseswithmembers", Both, Keep, Done, "classes that have all of the members, and those"),
    known(
        "keepnames",
        Both,
        Keep,
        Done,
        "names of classes and members that are needed anyway stay; so do they by any keep rule without `allowobfuscation`",
    ),
    known("keepclassmembernames", Both, Keep, Done, "names of members stay"),
    known(
        "keepclasseswithmembernames",
        Both,
        Keep,
        Done,
        "names of classes that have all of the members stay, and those of the members",
    ),
    known(
        "if",
        Both,
        Classes,
        Done,
        "the keep rule behind it holds for each class that matches and is needed, and the members that it names with it; `<1>` in the rule is what the first wildcard matched",
    ),
    known("printseeds", Both, Written, Done, "what rules name"),
    known("dontshrink", Both, Flag, Done, "nothing goes"),
    known("printusage", Both, Written, Done, "what went; `--removed FILE` does the same"),
    known(
        "whyareyoukeeping",
        Both,
        Classes,
        Done,
        "the chain from a class to a root; `--why-kept CLASS` does the same",
    ),
    known("dontoptimize", Both, Flag, Done, "bodies stay"),
    known(
        "optimizations",
        ProGuard,
        Setting,
        Done,
        "a step whose counterpart is forbidden is left out: `method/inlining/short`, `/unique` and `/tailrecursion`, `method/removal/parameter`, `field/removal/writeonly`, `class/marking/final`, `class/unboxing/enum`, `class/merging/vertical` and `/horizontal`; forbidding one of `field/propagation/value`, `method/propagation/parameter` and `/returnvalue` forbids constants by what the whole program says; `code/merging` equal ends. A filter that names no optimization is a warning",
    ),
    known(
        "optimizationpasses",
        Both,
        Setting,
        Otherwise,
        "rounds end when nothing or little changes, after as many as `--precision` says at the latest (six; 24 where the program is small), or as are asked for if that is more",
    ),
    known(
        "assumenosideeffects",
        Both,
        Classes,
        Done,
        "calls go whose results nobody takes, unless dropping their arguments makes the method too long; a value behind a method is taken for what it gives",
    ),
    known(
        "assumenoexternalsideeffects",
        ProGuard,
        Classes,
        Refused,
        "such calls stay: what they do to their own object is not followed",
    ),
    known(
        "assumenoescapingparameters",
        ProGuard,
        Classes,
        Refused,
        "objects that go to unknown methods are taken to escape",
    ),
    known(
        "assumenoexternalreturnvalues",
        ProGuard,
        Classes,
        Refused,
        "what unknown methods give is taken to be known elsewhere",
    ),
    known(
        "assumevalues",
        Both,
        Classes,
        Done,
        "branches on fields and results are decided by the number, or the range of numbers, that the rule says",
    ),
    known(
        "allowaccessmodification",
        Both,
        Flag,
        Done,
        "classes and members become public where a body moves to another package that speaks of them; not with `--mode library`",
    ),
    known(
        "mergeinterfacesaggressively",
        Both,
        Flag,
        Otherwise,
        "interfaces that only stand in lists of what classes implement go",
    ),
    known("optimizeaggressively", ProGuard, Flag, Otherwise, "`--precision 3` does more"),
    known(
        "alwaysinline",
        Both,
        Classes,
        Refused,
        "what is shorter in the place of calls is measured, not said",
    ),
    known("dontobfuscate", Both, Flag, Done, "names stay, `--obfuscate` or not, and so do all attributes"),
    known(
        "printmapping",
        Both,
        Written,
        Done,
        "the list by which `planish retrace` turns stack traces back, new names and frames of inlined methods included; their lines get numbers of their own then",
    ),
    known(
        "applymapping",
        Both,
        Setting,
        Done,
        "names are those of an earlier run, as far as they still fit; a warning says where one does not. Copies of methods that the optimizer made get new ones",
    ),
    known(
        "obfuscationdictionary",
        Both,
        Setting,
        Done,
        "names for fields and methods, before `a`, `b` and on",
    ),
    known("classobfuscationdictionary", Both, Setting, Done, "names for classes"),
    known("packageobfuscationdictionary", Both, Setting, Done, "names for packages"),
    known(
        "overloadaggressively",
        Both,
        Flag,
        Refused,
        "members that differ in nothing but what they give are ambiguous for reflection and for tools",
    ),
    known(
        "useuniqueclassmembernames",
        Both,
        Flag,
        Done,
        "members that are called alike, with equal types, get one name, and others another, in the whole program",
    ),
    known("dontusemixedcaseclassnames", Both, Flag, Done, "no two classes differ in nothing but capitals"),
    known("keeppackagenames", Both, Names, Done, "packages that keep their names; without a filter all"),
    known("flattenpackagehierarchy", Both, Setting, Done, "packages that get names go below this one"),
    known(
        "repackageclasses",
        Both,
        Setting,
        Done,
        "classes of packages that get names go to this one; a package with a class that keeps its name stays, whether `-allowaccessmodification` is given or not",
    ),
    known("defaultpackage", ProGuard, Setting, Done, "the same as `-repackageclasses`"),
    known(
        "keepattributes",
        Both,
        Names,
        Done,
        "which [attributes](#attributes) stay; a name that no attribute has is a warning",
    ),
    known("keepparameternames", Both, Flag, Done, "names of parameters stay"),
    known(
        "renamesourcefileattribute",
        Both,
        Setting,
        Done,
        "what `SourceFile` says where `-keepattributes` keeps it, nothing without a name; `-printmapping` says the true names",
    ),
    known(
        "keepkotlinmetadata",
        Both,
        Flag,
        Otherwise,
        "`-keepattributes *Annotation*` keeps it; with this option the classes that have it keep all names, so it stays right",
    ),
    known("dontprocesskotlinmetadata", ProGuard, Flag, Otherwise, "always so"),
    known(
        "adaptclassstrings",
        Both,
        Names,
        Done,
        "strings that are the whole name of a class change with it, in classes that the filter names; elsewhere such a class keeps its name",
    ),
    known(
        "adaptresourcefilenames",
        Both,
        Setting,
        Done,
        "resources that are called after a class, as in `a/B.properties` and `a/B_de.properties`, are called after its new name; those of packages that stay where they are hold them",
    ),
    known(
        "adaptresourcefilecontents",
        Both,
        Setting,
        Done,
        "names of classes in resources change with them, with dots or with slashes; other resources hold the classes that they name. Lists of services always follow",
    ),
    known(
        "dontpreverify",
        Both,
        Flag,
        Otherwise,
        "classes from version 50 on have stack maps, without which they do not load",
    ),
    known("microedition", ProGuard, Flag, Refused, "stack maps are those of Java SE"),
    known("android", Both, Flag, Refused, "the result is a jar for a JVM"),
    known("verbose", Both, Flag, Otherwise, "`--stats` says what was done"),
    known("dontnote", Both, Names, Done, "classes about which there are no [notes](#notes)"),
    known("dontwarn", Both, Names, Done, "classes that may be missing"),
    known("ignorewarnings", Both, Flag, Otherwise, "a class that is missing is a warning"),
    known(
        "printconfiguration",
        Both,
        Written,
        Refused,
        "the files are as they are; nothing is added to them",
    ),
    known(
        "dump",
        Both,
        Written,
        Refused,
        "`javap` shows classes, `--explain=a.B.run` what was done to a method",
    ),
    known(
        "addconfigurationdebugging",
        Both,
        Flag,
        Refused,
        "`--notes FILE` and `--check-run` say without changing the program which rules are missing",
    ),
    known(
        "checkdiscard",
        R8,
        Classes,
        Done,
        "an error if a class that it names is still there, or one of the members that it names",
    ),
    known(
        "identifiernamestring",
        R8,
        Classes,
        Otherwise,
        "a class whose name is a string keeps it, or `-adaptclassstrings` changes both",
    ),
    known(
        "isclassnamestring",
        R8,
        Classes,
        Otherwise,
        "a class whose name is a string keeps it, or `-adaptclassstrings` changes both",
    ),
    known(
        "maximumremovedandroidloglevel",
        R8,
        Setting,
        Refused,
        "calls of `android.util.Log` go by `-assumenosideeffects`",
    ),
    known(
        "convertchecknotnull",
        R8,
        Classes,
        Done,
        "a call of such a static method that gives nothing, or its first argument back, becomes a check of that, which throws with no message but the JVM's own",
    ),
    known(
        "processkotlinnullchecks",
        R8,
        Setting,
        Done,
        "`keep`, `remove_message` or `remove`: the two options for the methods of `kotlin.jvm.internal.Intrinsics`",
    ),
    known("keepedges", R8, Keep, Refused, "it is about the analysis of R8"),
    known("neverinline", R8, Classes, Refused, "`-keep,includecode` keeps what a method calls"),
    known(
        "nevermerge",
        R8,
        Classes,
        Done,
        "classes that are not merged; `-optimizations !class/merging/*` says so of all",
    ),
    known("neverclassinline", R8, Classes, Refused, "it is about the tests of R8"),
    known(
        "neverpropagatevalue",
        R8,
        Classes,
        Refused,
        "`-optimizations !method/propagation/*` does so for the program",
    ),
    known("keepconstantarguments", R8, Classes, Refused, "it is about the tests of R8"),
    known(
        "keepunusedarguments",
        R8,
        Classes,
        Refused,
        "`-optimizations !method/removal/parameter` does so for the program",
    ),
    known(
        "whyareyounotinlining",
        R8,
        Classes,
        Refused,
        "`--explain=a.B.run` shows what was done to a method",
    ),
    known("protomapping", R8, Setting, Refused, "it is about protocol buffers for Android"),
    known("shrinkunusedprotofields", R8, Flag, Refused, "it is about protocol buffers for Android"),
];

/// The option of a name.
pub fn named(name: &str) -> Option<&'static Known> {
    OPTIONS.iter().find(|known| known.name == name)
}

impl Known {
    /// What is said where the option is given, if something should be.
    pub fn warning(&self) -> Option<String> {
        let what = self.what.replace('`', "");
        (self.support == Refused).then(|| format!("`-{}` does nothing: {what}", self.name))
    }
}

/// The table of all options, as Markdown.
pub fn table() -> String {
    let mut text = String::from("| option | of | | |\n|---|---|---|---|\n");
    for known in &OPTIONS {
        let of = match known.of {
            ProGuard => "ProGuard",
            R8 => "R8",
            Both => "both",
        };
        let support = match known.support {
            Done => "done",
            Otherwise => "other way",
            Refused => "refused",
        };
        text += &format!("| `-{}` | {of} | {support} | {} |\n", known.name, known.what);
    }
    text
}
