//! Stack traces turned back by mapping files of ProGuard, of R8 and of this project.

use planish_jar::retrace::mapping::Mapping;
use planish_jar::retrace::retrace;

fn turned_back(mapping: &str, trace: &str) -> String {
    retrace(&Mapping::parse(mapping).unwrap(), trace)
}

/// Names, lines and overloads as ProGuard writes them.
const SHOP: &str = "\
# compiler: ProGuard
shop.Till -> a.a:
    int total -> a
    11:13:void add(int):11:13 -> a
    20:21:void add(java.lang.String):20:21 -> a
    void close() -> b
    1:1:void <init>():5:5 -> <init>
shop.goods.Fruit$Peel -> a.b:
    3:9:int weigh():103:109 -> c
shop.NoChange -> a.c:
shop.Broken -> a.d:
";

#[test]
fn names_and_lines_of_frames_and_exceptions() {
    assert_eq!(
        turned_back(
            SHOP,
            "Exception in thread \"main\" a.d: no a.a here\n\
             \tat a.a.a(SourceFile:12)\n\
             \tat a.a.a(SourceFile:20)\n\
             12:30 ERROR [look at it] at a.a.a(SourceFile:20)\n\
             \tat app//a.b.c(Unknown Source:4)\n\
             \tat a.a.<init>(SourceFile:1) ~[shop.jar:1.0]\n\
             \tat java.base@17.0.1/java.util.List.of(List.java:3)\n\
             Caused by: a.d\n\
             \tat a.a.b(Unknown Source)\n\
             \t... 3 more\n"
        ),
        "Exception in thread \"main\" shop.Broken: no a.a here\n\
         \tat shop.Till.add(Till.java:12)\n\
         \tat shop.Till.add(Till.java:20)\n\
         12:30 ERROR [look at it] at shop.Till.add(Till.java:20)\n\
         \tat app//shop.goods.Fruit$Peel.weigh(Fruit.java:104)\n\
         \tat shop.Till.<init>(Till.java:5) ~[shop.jar:1.0]\n\
         \tat java.base@17.0.1/java.util.List.of(List.java:3)\n\
         Caused by: shop.Broken\n\
         \tat shop.Till.close(Till.java)\n\
         \t... 3 more\n"
    );
}

/// `a` stands for `inner` in `middle` on line 5, and for `other` in the same on line 6; `c` for `run` in `main`.
const NESTED: &str = "\
p.A -> a:
    5:5:void inner():15:15 -> a
    5:5:void middle():20 -> a
    6:6:void other():16:16 -> a
    6:6:void middle():20 -> a
    1:4:void plain():31:34 -> b
    7:7:void run():40:40 -> c
    7:7:void main():50 -> c
p.E -> e:
";

/// Frames that a trace shares with the one around it are counted as what they stand for, and so are those of one frame of the
/// result that are the same.
#[test]
fn common_frames_are_counted_anew() {
    assert_eq!(
        turned_back(
            NESTED,
            "e: first\n\tat a.a(S:5)\n\tat a.c(S:7)\n\tSuppressed: e: closing\n\t\tat a.b(S:2)\n\t\t... 1 more\n\
             \tCaused by: e\n\t\tat a.b(S:3)\n\t\t... 2 more\nCaused by: e: two\nlines\n\tat a.a(S:6)\n\t... 1 more\n\
             Caused by: e\n\tat a.b(S:4)\n\t... 2 more\ne: another\n\tat a.b(S:1)\n\t... 9 more\n"
        ),
        "p.E: first\n\tat p.A.inner(A.java:15)\n\tat p.A.middle(A.java:20)\n\tat p.A.run(A.java:40)\n\tat p.A.main(A.java:50)\n\
         \tSuppressed: p.E: closing\n\t\tat p.A.plain(A.java:32)\n\t\t... 2 more\n\
         \tCaused by: p.E\n\t\tat p.A.plain(A.java:33)\n\t\t... 3 more\n\
         Caused by: p.E: two\nlines\n\tat p.A.other(A.java:16)\n\t... 3 more\n\
         Caused by: p.E\n\tat p.A.plain(A.java:34)\n\t... 4 more\n\
         p.E: another\n\tat p.A.plain(A.java:31)\n\t... 9 more\n"
    );
}

#[test]
fn a_line_that_nobody_knows_may_be_of_several_methods() {
    let mapping = "p.A -> a:\n    1:2:void run():7:8 -> a\n    3:3:int walk(int):9:9 -> a\n";
    assert_eq!(
        turned_back(mapping, "    at a.a(Unknown Source)"),
        "    at p.A.run(A.java)\n    <OR> at p.A.walk(A.java)"
    );
    // Several lines of one method are one method.
    let lines = "p.A -> a:\n    1:2:void run():7:8 -> a\n    3:3:void run():12:12 -> a\n";
    assert_eq!(turned_back(lines, "\tat a.a(Unknown Source)"), "\tat p.A.run(A.java)");
    let fixed = "p.A -> a:\n    void run():7 -> a\n";
    assert_eq!(turned_back(fixed, "\tat a.a(Unknown Source)"), "\tat p.A.run(A.java:7)");
    assert_eq!(
        turned_back(mapping, "    at a.zz(X:1)\n    at b.a(X:1)\n"),
        "    at p.A.zz(A.java:1)\n    at b.a(X:1)\n"
    );
}

/// Two methods of one name that stand on one line: neither called the other.
#[test]
fn methods_on_one_line_are_no_frames_of_each_other() {
    let mapping = "p.A -> a:\n    4:4:int one():4:4 -> a\n    4:4:int two(int):4:4 -> a\n    \
                   9:9:int p.B.three():7:7 -> a\n    9:9:int one():4 -> a\n    9:9:int two(int):4:4 -> a\n";
    assert_eq!(
        turned_back(mapping, "\tat a.a(SourceFile:4)\n\tat a.a(SourceFile:9)\n"),
        "\tat p.A.one(A.java:4)\n\t<OR> at p.A.two(A.java:4)\n\
         \tat p.B.three(B.java:7)\n\tat p.A.one(A.java:4)\n\t<OR> at p.A.two(A.java:4)\n"
    );
}

/// The innermost frame of inlined code comes first; frames of other classes have files of their own.
#[test]
fn inlined_frames() {
    let mapping = "\
p.Main -> p.Main:
    4:9:void main(java.lang.String[]):4:9 -> main
    1001:1001:int p.util.Sums.add(int,int):33:33 -> main
    1001:1001:int twice(int):12 -> main
    1001:1001:void main(java.lang.String[]):7 -> main
";
    assert_eq!(
        turned_back(mapping, "\tat p.Main.main(Main.kt:1001)\n\tat p.Main.main(Main.kt:5)\n"),
        "\tat p.util.Sums.add(Sums.kt:33)\n\tat p.Main.twice(Main.kt:12)\n\tat p.Main.main(Main.kt:7)\n\
         \tat p.Main.main(Main.kt:5)\n"
    );
}

/// What R8 adds in version 2 of the format.
#[test]
fn comments_of_r8() {
    let mapping = r#"
# {"id":"com.android.tools.r8.mapping","version":"2.0"}
p.Main -> a:
# {"id":"sourceFile","fileName":"All.kt"}
    1:1:void p.Lambda$$X.run():0:0 -> a
      # {"id":"com.android.tools.r8.synthesized"}
    1:1:void real():40:40 -> a
    2:2:void check(java.lang.Object):8:8 -> b
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
    2:2:void use():20 -> b
    1:4:void shared():1:4 -> o
      # {"id":"com.android.tools.r8.outline"}
    5:5:void caller():50:50 -> c
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"3":7},"outline":"La;o()V"}
    7:7:void caller():52:52 -> c
"#;
    assert_eq!(turned_back(mapping, "  at a.a(SourceFile:1)\n"), "  at p.Main.real(All.kt:40)\n");
    let frames = "\tat a.b(SourceFile:2)\n";
    assert_eq!(
        turned_back(mapping, &format!("java.lang.NullPointerException\n{frames}")),
        "java.lang.NullPointerException\n\tat p.Main.use(All.kt:20)\n"
    );
    assert_eq!(
        turned_back(mapping, &format!("java.lang.Error: x\n{frames}")),
        "java.lang.Error: x\n\tat p.Main.check(All.kt:8)\n\tat p.Main.use(All.kt:20)\n"
    );
    assert_eq!(
        turned_back(mapping, "\tat a.o(SourceFile:3)\n\tat a.c(SourceFile:5)\n"),
        "\tat p.Main.caller(All.kt:52)\n"
    );
}

#[test]
fn a_file_that_is_no_mapping_says_where() {
    for (text, wanted) in [
        ("p.A -> a:\n    run\n", "line 2: `ORIGINAL -> NAME` is expected: `run`"),
        ("    void run() -> a\n", "line 1: there is no class above this member: `void run() -> a`"),
        ("p.A -> a:\n    1:x:void run() -> a\n", "line 2: no method: `1:x:void run() -> a`"),
        ("p.A -> a:\n    1:2:void run(:3 -> a\n", "line 2: no method"),
        ("p.A -> a:\n    1:2:void run():99999999999 -> a\n", "line 2: no method"),
    ] {
        let error = Mapping::parse(text).unwrap_err();
        assert!(error.starts_with(wanted), "{error}");
    }
    assert_eq!(
        turned_back("", "\tat a.b(C.java:1)\nno frame at (all\n"),
        "\tat a.b(C.java:1)\nno frame at (all\n"
    );
    assert_eq!(turned_back(SHOP, ""), "");
    // Windows ends lines in its own way.
    assert_eq!(turned_back(SHOP, "\tat a.a.b(X:1)\r\nend"), "\tat shop.Till.close(Till.java:1)\r\nend");
}
