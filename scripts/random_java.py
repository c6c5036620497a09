#!/usr/bin/env python3
"""Writes random Java programs: `random_java.py FOLDER SEED COUNT LEVEL`.

Program N is the class `pN.P` with the method `run`, of the seed SEED + N, in the language of that level of javac. It says what
it did as text: results, exceptions in their order, and a trace to which effects go. What each program has of: nested try,
catch and finally with returns and jumps out of them; initializers of classes and objects, whose order can be seen; floats with
-0.0, NaN and infinities; concatenation of every type and of null; monitors; switches over numbers, texts and enums; labelled
loops; arrays; boxes; lambdas; inner classes that capture; virtual, interface and default methods; and where the level has them
`var`, switch expressions, records, patterns. The signs of NaNs are not looked at: the language leaves them open.
"""
import random
import sys
from pathlib import Path

TYPES = ["int", "long", "double", "float", "String", "boolean", "char", "byte", "Object", "int[]", "Shape"]
NUMBERS = ["int", "long", "double", "float", "char", "byte"]
LITERALS = {
    "int": ["0", "1", "-1", "7", "31", "Integer.MIN_VALUE", "Integer.MAX_VALUE", "65536"],
    "long": ["0L", "1L", "-1L", "63L", "Long.MIN_VALUE", "Long.MAX_VALUE", "4294967296L"],
    "double": ["0.0", "-0.0", "1.5", "Double.NaN", "Double.POSITIVE_INFINITY", "Double.MIN_VALUE", "1e300", "-3.25"],
    "float": ["0.0f", "-0.0f", "1.5f", "Float.NaN", "Float.NEGATIVE_INFINITY", "1e38f", "0.1f"],
    "String": ['""', '"a"', '"bc"', '"Aa"', '"BB"', "((String) null)", '"\\u00e9"', '"\\u0001x"'],
    "boolean": ["true", "false"],
    "char": ["'a'", "'\\0'", "'\\uffff'", "'7'"],
    "byte": ["(byte) 0", "(byte) -128", "(byte) 127"],
    "Object": [f"((Object) {it})" for it in ("null", '"o"', "Integer.valueOf(5)", "Integer.valueOf(1000)", "Double.valueOf(-0.0)", "Kind.TWO")],
    "int[]": [f"((int[]) {it})" for it in ("new int[0]", "new int[] {3, 1, 2}", "new int[4]", "null")],
    "Shape": [f"((Shape) {it})" for it in ("null", "new Round(2)", "new Square(3, 4)", "new Odd()")],
}
ERRORS = ["ArithmeticException", "IndexOutOfBoundsException", "NullPointerException", "ClassCastException", "Mine", "Yours",
          "RuntimeException", "NegativeArraySizeException", "IllegalStateException", "Exception", "Throwable"]

FRAME = """package {package};
import java.util.function.*;
public class P {{
  static StringBuilder trace = new StringBuilder();
  static int budget = 3000;
  static void see(Object it) {{ if (trace.length() < 4000) trace.append(it).append(';'); if (--budget < 0) throw new Error("long"); }}
  static int sees(int it) {{ see(it); return it; }}
  static String text(Object it) {{
    if (it instanceof int[]) return java.util.Arrays.toString((int[]) it);
    if (it instanceof Shape) return it.getClass().getName() + ((Shape) it).size();
    return String.valueOf(it);
  }}
  static class Mine extends RuntimeException {{ final int code; Mine(int code) {{ super("mine" + code); this.code = code; see("mine" + code); }} }}
  static class Yours extends Mine {{ Yours(int code) {{ super(code + 1); }} }}
  enum Kind {{ ONE, TWO, THREE {{ int weight() {{ return 9; }} }}; int weight() {{ return ordinal(); }} }}
  interface Sized {{ int size(); default int twice() {{ return 2 * size(); }} }}
  static abstract class Shape implements Sized {{ int edges; {{ see("shape"); edges = start(); }} int start() {{ return 1; }} abstract double area(double by); }}
  static class Round extends Shape {{ final int radius; Round(int radius) {{ this.radius = radius; see("round" + edges); }}
    public int size() {{ return radius; }} int start() {{ return radius + 5; }} double area(double by) {{ return radius * by - 0.0; }} }}
  static class Square extends Shape {{ int a, b; Square(int a, int b) {{ super(); this.a = a; this.b = b; }}
    public int size() {{ return a * b; }} public int twice() {{ see("twice"); return a + b; }} double area(double by) {{ return a / by; }} }}
  static class Odd extends Square {{ static int made = sees({first}); Odd() {{ super(made++, 2); }} double area(double by) {{ return -super.area(by); }} }}
  static class Late {{ static {{ see("late"); }} static int value = sees({second}); static final int CONSTANT = 12; static final Integer BOXED = 77; static int next() {{ return ++value; }} }}
  static class Broken {{ static int value = {third} / (Late.next() * 0); }}
  static final Object LOCK = new Object();
{more}
{fields}
{methods}
  public static String run() {{
    StringBuilder out = new StringBuilder();
{calls}
    return out.append(trace).toString();
  }}
}}
"""

MORE = {
    16: '  record Pair(int left, String right) {{ Pair {{ see("pair" + left); }} int sum() {{ return left + (right == null ? 0 : right.length()); }} }}\n',
    17: "  sealed interface Tree permits Leaf, Node {{}}\n  record Leaf(int value) implements Tree {{}}\n  record Node(Tree left, Tree right) implements Tree {{}}\n",
    21: "  static int total(Tree tree) {{ return switch (tree) {{ case Leaf(int value) when value > 3 -> value; case Leaf leaf -> -leaf.value(); "
        "case Node(Leaf(var one), Tree other) -> one * 2 + total(other); case Node node -> total(node.left()) - total(node.right()); }}; }}\n",
}


class Method:
    """Writes the body of one method."""

    def __init__(self, chance, number, methods, fields, level):
        self.chance, self.number, self.methods, self.fields, self.level = chance, number, methods, fields, level
        self.lines, self.scope, self.depth, self.names, self.loops, self.left = [], [], 2, 0, [], 26

    def pick(self, items):
        return self.chance.choice(items)

    def say(self, line):
        self.lines.append("  " * self.depth + line)

    def fresh(self):
        self.names += 1
        return f"v{self.names}"

    def known(self, type, written=False):
        names = [name for name, of, fixed in self.scope if of == type and not (written and fixed)]
        return names + [name for name, of in self.fields if of == type]

    def value(self, type, deep=3):
        """An expression of a type."""
        known = self.known(type)
        if known and self.chance.random() < 0.35:
            return self.pick(known)
        if deep == 0 or self.chance.random() < 0.15:
            return self.pick(known + LITERALS[type])
        of = lambda other: self.value(other, deep - 1)
        forms = [lambda: f"({of('boolean')} ? {of(type)} : {of(type)})"]
        calls = [(number, result) for number, (result, _) in enumerate(self.methods) if number > self.number and result == type]
        if calls:
            forms += [lambda: self.call(self.pick(calls)[0], deep - 1)] * 3
        if type in ("int", "long"):
            forms += [lambda: f"({of(type)} {self.pick('+-*/%&|^')} {of(type)})"] * 4
            forms += [lambda: f"({of(type)} {self.pick(['<<', '>>', '>>>'])} {of('int')})"] * 2
        if type == "int":
            forms += [
                lambda: f"sees({of('int')})", lambda: f"((int) {of(self.pick(NUMBERS))})", lambda: f"{of('String')}.length()",
                lambda: f"({of('String')} + \"\").hashCode()", lambda: f"{of('int[]')}[{of('int')}]", lambda: f"{of('int[]')}.length",
                lambda: f"{of('Shape')}.{self.pick(['size()', 'twice()', 'edges'])}", lambda: "Late.next()", lambda: "Late.CONSTANT",
                lambda: "(Late.BOXED + 0)", lambda: "Broken.value", lambda: f"((int) (Integer) {of('Object')})", lambda: f"Math.abs({of('int')})",
                lambda: f"Double.compare({of('double')}, {of('double')})", lambda: f"(~{of('int')})", lambda: self.applied(deep - 1),
                lambda: f"((Square) {of('Shape')}).a", lambda: f"Math.floorMod({of('int')}, {of('int')})",
            ]
            if self.level >= 14:
                forms.append(lambda: self.switch_value(deep - 1))
            if self.level >= 16:
                forms.append(lambda: f"new Pair({of('int')}, {of('String')}).sum()")
                forms.append(lambda: f"new Pair({of('int')}, {of('String')}).hashCode()")
            if self.level >= 21:
                forms.append(lambda: f"total(new Node(new Leaf({of('int')}), new Node(new Node(new Leaf(1), new Leaf(5)), new Leaf({of('int')}))))")
        elif type == "long":
            forms += [lambda: f"((long) {of(self.pick(NUMBERS))})", lambda: f"Long.rotateLeft({of('long')}, {of('int')})"]
        elif type in ("double", "float"):
            forms += [lambda: f"({of(type)} {self.pick('+-*/%')} {of(type)})"] * 4
            forms += [lambda: f"(({type}) {of(self.pick(NUMBERS))})", lambda: f"(- {of(type)})", lambda: f"Math.max({of(type)}, {of(type)})",
                      lambda: f"Math.min({of(type)}, {of(type)})"]
            if type == "double":
                forms += [lambda: f"{of('Shape')}.area({of('double')})", lambda: f"Math.sqrt({of('double')})", lambda: f"Math.floor({of('double')})"]
        elif type == "String":
            forms += [lambda: "(" + ' + "-" + '.join(self.seen(deep - 1) for _ in range(self.chance.randint(2, 4))) + ")"] * 4
            forms += [lambda: f"text({of('Object')})", lambda: f"{of('String')}.substring({of('int')})", lambda: f"String.valueOf({of('char')})",
                      lambda: f"{of('String')}.replace('a', {of('char')})"]
        elif type == "boolean":
            numbers = self.pick(["int", "long", "double", "float", "char"])
            forms += [lambda: f"({of(numbers)} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {of(numbers)})"] * 4
            forms += [lambda: f"({of('boolean')} {self.pick(['&&', '||', '^', '&', '|'])} {of('boolean')})", lambda: f"(!{of('boolean')})",
                      lambda: f"({of('Object')} == {of('Object')})", lambda: f"({of('Object')} instanceof {self.pick(['String', 'Integer', 'Square'])})",
                      lambda: f"\"a\".equals({of('Object')})", lambda: f"({of('Shape')} instanceof Odd)"]
        elif type == "char":
            forms += [lambda: f"((char) {of('int')})", lambda: f"{of('String')}.charAt({of('int')})"]
        elif type == "byte":
            forms += [lambda: f"((byte) {of(self.pick(['int', 'long']))})"]
        elif type == "Object":
            forms += [lambda: f"((Object) ({of(self.pick(TYPES[:8] + ['Shape']))}))"] * 3
        elif type == "int[]":
            forms += [lambda: f"((int[]) new int[{of('int')} & 7])", lambda: f"((int[]) new int[] {{{of('int')}, {of('int')}}})", lambda: f"{of('int[]')}.clone()"]
        elif type == "Shape":
            forms += [lambda: f"((Shape) new Square({of('int')}, {of('int')}))", lambda: f"((Shape) {of('Object')})",
                      lambda: f"((Shape) new Round({of('int')}))"]
        return self.pick(forms)()

    def seen(self, deep):
        """A value whose text says what it is."""
        type = self.pick(TYPES)
        value = self.value(type, deep)
        return f"text({value})" if type in ("int[]", "Shape", "Object") else value

    def call(self, number, deep):
        values = ", ".join(self.value(type, min(deep, 1)) for type in self.methods[number][1])
        return f"m{number}({values})"

    def applied(self, deep):
        """A lambda that captures a parameter, applied at once."""
        taken = self.pick([name for name, type, fixed in self.scope if fixed and type == "int"] or ["3"])
        argument = self.value("int", deep)
        return self.pick([
            f"((IntUnaryOperator) it -> it {self.pick('+-*^')} {taken}).applyAsInt({argument})",
            f"((int) ((Supplier<Integer>) () -> sees({taken})).get())",
            f"((IntBinaryOperator) Math::max).applyAsInt({taken}, {argument})",
            f"new Object() {{ int kept = {taken}; int get() {{ return kept-- + {taken}; }} }}.get()",
        ])

    def switch_value(self, deep):
        arms = " ".join(f"case {name} -> {self.value('int', deep)};" for name in ("ONE", "TWO"))
        return f"(switch (Kind.values()[{self.value('int', deep)} & 1]) {{ {arms} default -> {{ see(\"arm\"); yield {self.value('int', deep)}; }} }})"

    def block(self, statements):
        """Statements in braces that were opened. Whether what stands behind them can be reached."""
        self.depth += 1
        kept, ends = len(self.scope), False
        for _ in range(statements):
            if self.left <= 0:
                break
            if not self.statement():
                ends = True
                break
        del self.scope[kept:]
        self.depth -= 1
        return not ends

    def statement(self):
        """One statement. Whether what stands behind it can be reached."""
        self.left -= 1
        kind = self.chance.random()
        if kind < 0.2:
            type = self.pick(TYPES)
            # Made before it is in scope.
            value, name = self.value(type), self.fresh()
            inferred = self.level >= 10 and type not in ("Object",) and value != "null" and self.chance.random() < 0.2
            typed = f"({type}) ({value})" if inferred else value
            self.say(f"{'var' if inferred else type} {name} = {typed};")
            self.scope.append((name, type, False))
        elif kind < 0.38:
            type = self.pick(TYPES)
            known = self.known(type, written=True)
            if known:
                self.say(f"{self.pick(known)} = {self.value(type)};")
        elif kind < 0.46:
            type = self.pick(["int", "long", "double", "float", "char", "byte"])
            known = self.known(type, written=True)
            if known:
                name = self.pick(known)
                self.say(self.pick([f"{name}++;", f"{name} += {self.value('int', 2)};", f"{name} *= {self.value('double', 1)};", f"--{name};"]))
        elif kind < 0.55:
            self.say(f"see({self.seen(2)});")
        elif kind < 0.6:
            self.say(f"{self.value('int[]', 1)}[{self.value('int', 2)}] {self.pick(['=', '+=', '^='])} {self.value('int', 2)};")
        elif kind < 0.7:
            self.say(f"if ({self.value('boolean')}) {{")
            first = self.block(3)
            self.say("} else {")
            second = self.block(2)
            self.say("}")
            return first or second
        elif kind < 0.79:
            return self.loop()
        elif kind < 0.9:
            return self.guarded()
        elif kind < 0.95:
            return self.switch()
        elif kind < 0.97:
            self.say("synchronized (LOCK) {")
            goes_on = self.block(3)
            self.say("}")
            return goes_on
        else:
            return self.leave()
        return True

    def leave(self):
        choices = ["return", "throw"] + ["jump"] * len(self.loops)
        match self.pick(choices):
            case "return":
                self.say(f"return {self.value(self.methods[self.number][0])};")
            case "throw":
                self.say(f"throw new {self.pick(['Mine', 'Yours'])}({self.value('int', 1)});")
            case "jump":
                self.say(f"{self.pick(['break', 'continue'])} {self.pick(self.loops)};")
        return False

    def loop(self):
        name, label = self.fresh(), f"l{self.names}"
        self.loops.append(label)
        bound = self.chance.randint(1, 6)
        counts = self.pick([f"for (int {name} = 0; {name} < {bound}; {name}++)", f"for (int {name} = {bound}; {name} > 0; {name} -= 2)",
                            f"for (int {name} : new int[] {{{self.value('int', 1)}, 4}})"])
        self.say(f"{label}: {counts} {{")
        self.scope.append((name, "int", ":" in counts))
        # It may go round for longer than it seems, as what it counts with may be written: everything seen is counted.
        self.say("  if (--budget < 0) throw new Error(\"long\");")
        self.block(3)
        self.scope.pop()
        self.say("}")
        self.loops.pop()
        return True

    def guarded(self):
        self.say("try {")
        goes_on = self.block(3)
        caught = self.pick([0, 1, 1, 2])
        for error in sorted(self.chance.sample(ERRORS, caught), key=ORDER.index):
            name = self.fresh()
            self.say(f"}} catch ({error} {name}) {{")
            self.say(f"  see({name}.getClass().getName());")
            if error in ("Mine", "Yours"):
                self.say(f"  see({name}.code);")
            goes_on |= self.block(2)
        if caught == 0 or self.chance.random() < 0.5:
            self.say("} finally {")
            goes_on &= self.block(2)
        self.say("}")
        return goes_on

    def switch(self):
        on, cases = self.pick([
            (f"{self.value('int', 2)} & 3", ["0", "1", "3"]), (f"{self.value('String', 2)} + \"\"", ['"Aa"', '"BB"', '"a"']),
            (f"Kind.values()[{self.value('int', 1)} & 1]", ["ONE", "TWO", "THREE"]), (self.value("char", 2), ["'a'", "'b'", "'7'"]),
        ])
        label = f"s{self.fresh()}"
        self.say(f"{label}: switch ({on}) {{")
        for case in cases:
            self.say(f"  case {case}: {{")
            if self.block(2) and self.chance.random() < 0.6:
                self.say(f"  }} break {label};")
            else:
                self.say("  }")
        self.say("  default: {")
        self.block(1)
        self.say("  }")
        self.say("}")
        return True


ORDER = ["Yours", "Mine", "ArithmeticException", "IndexOutOfBoundsException", "NullPointerException", "ClassCastException",
         "NegativeArraySizeException", "IllegalStateException", "RuntimeException", "Exception", "Throwable"]


def program(seed, package, level):
    chance = random.Random(seed)
    count = chance.randint(2, 6)
    methods = [(chance.choice(TYPES), [chance.choice(TYPES) for _ in range(chance.randint(0, 4))]) for _ in range(count)]
    fields = [(f"f{number}", type) for number, type in enumerate(chance.choices(TYPES, k=chance.randint(1, 6)))]
    bodies = []
    for number, (result, parameters) in enumerate(methods):
        method = Method(chance, number, methods, fields, level)
        method.scope = [(f"a{at}", type, True) for at, type in enumerate(parameters)]
        ends = not method.block(chance.randint(3, 9))
        if not ends:
            method.say(f"  return {method.value(result)};")
        heads = ", ".join(f"{type} a{at}" for at, type in enumerate(parameters))
        monitor = "synchronized " if chance.random() < 0.1 else ""
        bodies.append(f"  static {monitor}{result} m{number}({heads}) {{\n" + "\n".join(method.lines) + "\n  }\n")
    calls = []
    for number in range(count):
        for _ in range(2):
            caller = Method(chance, count, methods, fields, level)
            values = ", ".join(caller.pick(LITERALS[type]) for type in methods[number][1])
            calls.append(f"    budget = 3000;\n    try {{ out.append(text(m{number}({values}))); }} catch (Throwable it) {{ out.append(it.getClass().getName()); }}\n"
                         f"    out.append('|');")
    initial = Method(chance, count, methods, [], level)
    made = "".join(f"  static {type} {name} = {initial.pick(LITERALS[type])};\n" for name, type in fields)
    more = "".join(text.replace("{{", "{").replace("}}", "}") for since, text in MORE.items() if level >= since)
    return FRAME.format(package=package, fields=made, methods="".join(bodies), calls="\n".join(calls), more=more,
                        first=chance.randint(0, 5), second=chance.randint(-2, 9), third=chance.randint(1, 9))


def main():
    folder, seed, count, level = Path(sys.argv[1]), *map(int, sys.argv[2:])
    for number in range(count):
        path = folder / f"p{number}" / "P.java"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(program(seed + number, f"p{number}", level))


if __name__ == "__main__":
    main()
