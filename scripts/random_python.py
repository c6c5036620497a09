#!/usr/bin/env python3
"""Writes random Python programs with hot loops: `random_python.py SEED [THEME...]`.

The program of a seed is always the same. It has functions with one loop each, called often enough that PyPy makes machine code
of them, and prints what they come to. A loop takes its statements from two or three themes, or those that are named:

""" + "  integers longs floats strings bytes lists dicts sets objects closures generators exceptions packing recursion"
import random
import sys

EDGES = ["0", "1", "-1", "7", "255", "65537", "0x7fffffff", "-0x80000000", "0x7fffffffffffffff", "-0x8000000000000000", "1 << 40"]


class Theme:
    """What a theme adds to a program: imports and definitions, variables of a loop, statements of its body."""

    def __init__(self, head, variables, statements):
        self.head, self.variables, self.statements = head, variables, statements


INTEGERS = Theme(
    "",
    ["a = {k}", "b = {e}", "c = n"],
    [
        "a = (a * {k} + b) & 0x{m}",
        "b = (b ^ (a >> {s})) + i",
        "c = a - b if a > b else a + {k}",
        "a += i // {p} - i % {p}",
        "b = (b + {e}) % {p}1",
        "c = min(a, c) + max(b, {k})",
        "a, b = b, (a + b) & 0x{m}",
        "if i & {m2} == 0:\n    c = abs(b) - {k}",
        "a = (a << {s}) & 0xffffffff",
        "c += (a < b) + (b == {k}) - (not a)",
        "q, r = divmod(a, {p})\nc ^= q + r",
        "c = (a & {e}) | (i & {m2})",
        "a = -a if a < 0 else ~a",
        "c += a.bit_length()",
        "c = hash(a) & 0x{m}",
        "b = int(a > {k}) * {k} + b % {p}",
        "if {k} <= i < {k}00 and a != b:\n    c -= 1\nelse:\n    c += 2",
    ],
)
LONGS = Theme(
    "",
    ["big = {k} << 70", "wide = {e}"],
    [
        "big = (big * {p} + i) % (1 << 90)",
        "wide += 0x7fffffffffffff00 + i",
        "big ^= wide << {s}",
        "wide = wide * {p} & ((1 << 66) - 1)",
        "if big > wide:\n    big >>= {s}",
        "big = big // {p} + (1 << 65)",
        "wide = -wide % (1 << 64)",
        "big += pow(i, {p}, 1000003)",
    ],
)
FLOATS = Theme(
    "import math",
    ["x = {f}", "y = n * {f}", "z = 1.0"],
    [
        "x = x * {f} - y",
        "y = x / (1.0 + abs(z))",
        "z = math.sqrt(abs(x)) + i",
        "x, y = y + {f}, x * 0.5",
        "if x > 1e30 or x != x:\n    x = {f}",
        "z = float(i) * {f} if z < y else z - 1.5",
        "y += int(z) % {p}",
        "z = max(x, y) - min(z, {f})",
        "x = math.floor(y / {p}.0) * 1.0",
        "y = (x ** 2 + z) % 97.0",
        "z = math.sin(x % 9.0) + math.cos(y % 9.0)",
        "x = round(z, 2)",
        "y = -x if x < 0.0 else x / 4.0",
        "z = math.fmod(x % 50.0, {f}) + math.pow(abs(y) % 3.0, 2.0)",
    ],
)
STRINGS = Theme(
    "",
    ["s = 'start{k}'", "t = ''", "found = 0"],
    [
        "s = s[1:] + chr(65 + i % 26)",
        "t = '%d:%s' % (i, s[:2])",
        "t = f'{{i}}-{{len(s)}}'",
        "found += s.find('{l}')",
        "if '{l}' in s:\n    found += 1",
        "t = s.upper() if i % {p} else s.lower()",
        "found ^= ord(s[i % len(s)])",
        "t = '-'.join([s, t[:3], 'x'])",
        "for c in s:\n    found += c == '{l}'",
        "t = s.replace('{l}', '{l}{l}')[:9]",
        "found += len(t.split('{l}'))",
        "t += '{l}'\nif len(t) > 20:\n    t = t[10:]",
        "found += t.startswith(s[:1]) + t.endswith('{l}')",
        "found += int(str(i)) - hash(s) % {p}",
        "if s == t or s < t:\n    found += 1",
        "found += s.isdigit() + s.count('{l}')",
    ],
)
BYTES = Theme(
    "",
    ["data = bytearray(b'planish{k}')", "seen = b'ab'", "sum_ = 0"],
    [
        "data[i % len(data)] = i & 255",
        "sum_ += data[i % len(data)]",
        "seen = bytes(data[:4])",
        "sum_ += seen[0] ^ seen[-1]",
        "data.append(i % 256)\nif len(data) > 40:\n    del data[:20]",
        "sum_ += len(seen + b'{l}')",
        "sum_ += int.from_bytes(seen[:2], 'little')",
        "for byte in seen:\n    sum_ += byte",
        "seen = (i & 0xffff).to_bytes(2, 'big') + seen[:3]",
    ],
)
LISTS = Theme(
    "",
    [
        "ints = [{k}, 2, 3, 5]",
        "reals = [0.5, {f}]",
        "words = ['a', 'b{k}']",
        "mixed = [1, 'x', None, 2.5]",
        "some = list(range({p}))",
        "count = 0",
    ],
    [
        "ints.append(i)\nif len(ints) > 50:\n    ints = ints[25:]",
        "if ints:\n    ints[i % len(ints)] += {k}",
        "if ints:\n    count += ints[-1] - ints[0]",
        "reals.append(i * {f})\nif len(reals) > 30:\n    del reals[:]",
        "count += len(reals)",
        "words[i % 2] = words[1 - i % 2] + '{l}'\nif len(words[0]) > 8:\n    words = ['a', 'b']",
        "mixed[i % 4] = i if i % 3 else str(i)",
        "count += sum(some)",
        "for k, value in enumerate(ints):\n    count += k * value & 15",
        "for u, v in zip(ints, some):\n    count ^= u + v",
        "count += len([v for v in some if v % 2 == 0])",
        "if ints:\n    count += ints.pop()",
        "ints.insert(0, i & 7)",
        "some = sorted(some, reverse=bool(i & 1))",
        "count += {k} in some",
        "some[1:2] = [i % 9, count % 5]\nif len(some) > 20:\n    some = [1, 2, 3]",
        "for v in reversed(some):\n    count += v",
        "if not isinstance(mixed[i % 4], str):\n    count += 1",
        "pair = (i, count & 3)\ncount += pair[0] - pair[1]",
        "count += max(some) + min(ints + [1])",
        "grid = [[0] * 3 for _ in range(2)]\ngrid[i % 2][i % 3] = i\ncount += grid[0][i % 3]",
    ],
)
DICTS = Theme(
    "",
    ["by_int = {{}}", "by_word = {{'a': 1, 'b': {k}}}", "by_pair = {{}}", "hits = 0"],
    [
        "by_int[i % {p}] = i",
        "hits += by_int.get(i % {p}1, -1)",
        "by_word['k%d' % (i % 5)] = hits & 7",
        "hits += by_word['a']",
        "by_pair[i % 3, i % 2] = i",
        "if (1, 1) in by_pair:\n    hits += by_pair[1, 1]",
        "for key in by_int:\n    hits ^= key",
        "for key, value in by_word.items():\n    hits += value & len(key)",
        "by_word.setdefault('z', 0)",
        "by_word['b'] += 1",
        "hits += len(by_int) - sum(by_word.values()) % {p}",
        "if len(by_int) > 4:\n    del by_int[min(by_int)]",
        "hits += len({{v: v for v in range(i % 4)}})",
        "by_word = dict(by_word, c=i)",
    ],
)
SETS = Theme(
    "",
    ["group = {{1, {k}}}", "size = 0"],
    [
        "group.add(i % {p})",
        "size += (i % 7) in group",
        "group.discard(i % 5)",
        "size += len(group | {{i & 3}})",
        "for member in group:\n    size ^= member",
    ],
)
OBJECTS = Theme(
    """class Point:
    total = 0
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def moved(self, by):
        return Point(self.x + by, self.y - by)
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)
    @property
    def length(self):
        return self.x * self.x + self.y * self.y
class Slotted:
    __slots__ = ('value', 'next')
    def __init__(self, value, next=None):
        self.value = value
        self.next = next
    def weight(self):
        return self.value & 15
class Heavy(Slotted):
    __slots__ = ()
    def weight(self):
        return self.value & 63
class Counter:
    def __init__(self):
        self.n = 0
        self.last = None
    def __call__(self, what):
        self.n += 1
        self.last = what
        return self.n""",
    ["p = Point({k}, 2)", "chain = Slotted(0)", "counter = Counter()", "got = 0"],
    [
        "p = p.moved(i & 3)",
        "p = p + Point(1, {k})",
        "got += p.x - p.y",
        "p.x = p.y % {p}",
        "got ^= int(p.length) & 0xff",
        "chain = Slotted(i, chain) if i % 6 else Heavy(i)",
        "got += chain.weight()",
        "node = chain\nwhile node is not None and got & 3:\n    got += node.value & 1\n    node = node.next",
        "got += counter(i)",
        "counter.last = p",
        "Point.total += 1",
        "if isinstance(chain, Heavy):\n    got += 2",
        "got += counter.n + Point.total % {p}",
        "setattr(p, 'extra', i)\ngot += p.extra & 1",
        "q = Point(int(p.x) & 255, i)\ngot += q.y",
        "got += getattr(p, 'x') is p.x",
        "if p is counter.last or chain == None:\n    got += 1",
        "p = Point(float(i), 1) if i % {p} == 0 else Point(i & 0xff, 2)",
    ],
)
CLOSURES = Theme(
    """def adder(k):
    def add(v):
        return v + k
    return add
def counting():
    n = 0
    def step(by=1, *rest, **named):
        nonlocal n
        n += by + len(rest)
        return n
    return step
def folded(function, values):
    result = 0
    for value in values:
        result = function(result, value)
    return result""",
    ["add = adder({k})", "step = counting()", "w = 0"],
    [
        "w = add(w) & 0xffff",
        "w += step()",
        "w += step(i & 3)",
        "w += step(1, 2, 3)",
        "w ^= folded(lambda u, v: u + v, (1, i, 3))",
        "f = lambda v, k=i: v ^ k\nw = f(w)",
        "add = adder(i & 7)",
        "w += sum(map(add, (1, 2)))",
        "w += step(by=2, other=i) & 7",
    ],
)
GENERATORS = Theme(
    """def counted(n):
    for k in range(n):
        yield k * 2
def through(inner):
    for value in inner:
        if value & 2:
            yield value
def both(n):
    yield from counted(n)
    yield n""",
    ["g = 0"],
    [
        "g += sum(counted(i % 5))",
        "for value in through(counted(4)):\n    g ^= value",
        "g += sum(v & 1 for v in range(i % 6))",
        "g += len(list(both(i % 3)))",
        "it = counted(3)\ng += next(it) + next(it)",
        "g += any(v > 3 for v in (1, i, 2))",
        "a_, *rest_ = counted(3)\ng += len(rest_)",
    ],
)
EXCEPTIONS = Theme(
    """class Odd(Exception):
    def __init__(self, what):
        self.what = what
def checked(v):
    if v % 3 == 0:
        raise Odd(v)
    return v""",
    ["e = 0", "table = {{1: 2}}"],
    [
        "try:\n    e += checked(i)\nexcept Odd as odd:\n    e -= odd.what & 3",
        "try:\n    e += table[i & 3]\nexcept KeyError:\n    e += 1",
        "try:\n    e += 10 // (i % {p})\nexcept ZeroDivisionError:\n    e ^= 1\nfinally:\n    e &= 0xffffff",
        "try:\n    e += int('{l}' if i % 9 == 0 else '5')\nexcept ValueError:\n    e += 3",
        "try:\n    e += (1, 2, 3)[i % 4]\nexcept IndexError:\n    pass",
        "for k in range(3):\n    if k == i % 4:\n        break\nelse:\n    e += 5",
        "with open('/dev/null') if i % 500 == 0 else Quiet() as q_:\n    e += 1",
    ],
)
EXCEPTIONS.head += """
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *why):
        return False"""
PACKING = Theme(
    "import array\nimport struct",
    ["nums = array.array('i', [1, 2, {k}])", "dbls = array.array('d', [0.5, 1.5])", "small = array.array('B', [1] * 8)", "h = 0"],
    [
        "h += struct.unpack('<i', struct.pack('<i', i & 0xffff))[0]",
        "nums[i % 3] = i & 0xffff",
        "h += nums[i % 3] - nums[0]",
        "dbls[i % 2] = dbls[1 - i % 2] * 0.5 + i",
        "h += int(dbls[0]) & 255",
        "small[i % 8] = (small[(i + 1) % 8] + i) & 255",
        "for byte in small:\n    h ^= byte",
        "h += len(struct.pack('>hBd', i & 0x7fff, 1, 2.0))",
        "u, v = struct.unpack('>HH', b'\\x01\\x02\\x03\\x04')\nh += u ^ v",
    ],
)
RECURSION = Theme(
    """def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def depth(tree):
    return 0 if tree is None else 1 + max(depth(tree[0]), depth(tree[1]))
def grown(n):
    return None if n == 0 else (grown(n - 1), None if n & 1 else grown(n - 2))
def gcd(u, v):
    return u if v == 0 else gcd(v, u % v)""",
    ["r = 0"],
    ["r += fib(i % 7)", "r += depth(grown(i % 5))", "r ^= gcd(i, {p}4)", "r = (r + fib(3)) & 0xffff"],
)

THEMES = {
    "integers": INTEGERS,
    "longs": LONGS,
    "floats": FLOATS,
    "strings": STRINGS,
    "bytes": BYTES,
    "lists": LISTS,
    "dicts": DICTS,
    "sets": SETS,
    "objects": OBJECTS,
    "closures": CLOSURES,
    "generators": GENERATORS,
    "exceptions": EXCEPTIONS,
    "packing": PACKING,
    "recursion": RECURSION,
}


def filled(rng, text):
    """A statement with constants in its gaps."""
    return text.format(
        k=rng.randrange(1, 40),
        e="(%s)" % rng.choice(EDGES),
        f=rng.choice(["0.25", "1.5", "3.0", "-0.75", "1e-3"]),
        l=rng.choice("aeXz17"),
        m="f" * rng.randrange(3, 16),
        m2=rng.choice([1, 3, 7, 15]),
        p=rng.choice([2, 3, 5, 7, 10, 16]),
        s=rng.randrange(1, 12),
    )


def indented(text, by):
    return ["    " * by + line for line in text.split("\n")]


def program(seed, names=()):
    """The program of a seed, as text."""
    rng = random.Random(seed)
    heads, functions, calls = [], [], []
    for number in range(rng.randrange(1, 4)):
        chosen = list(names) or rng.sample(sorted(THEMES), rng.randrange(1, 4))
        themes = [THEMES[name] for name in chosen]
        heads += [theme.head for theme in themes if theme.head and theme.head not in heads]
        variables = [filled(rng, text) for theme in themes for text in theme.variables]
        statements = []
        for theme in themes:
            some = rng.sample(theme.statements, min(len(theme.statements), rng.randrange(2, 5)))
            statements += [filled(rng, text) for text in some]
        rng.shuffle(statements)
        if rng.random() < 0.3:
            at = rng.randrange(len(statements) + 1)
            guarded = rng.sample(statements, 1)[0]
            statements.insert(at, "if i %% %d == 0:\n%s" % (rng.randrange(2, 9), "\n".join(indented(guarded, 1))))
        lines = ["def run%d(n):" % number]
        lines += indented("\n".join(variables), 1)
        if rng.random() < 0.6:
            lines += ["    for i in range(n):"] + indented("\n".join(statements), 2)
        else:
            lines += ["    i = 0", "    while i < n:"] + indented("\n".join(statements), 2) + ["        i += 1"]
        shown = [text.split(" = ")[0] for text in variables]
        lines.append("    return [%s]" % ", ".join("shown(%s)" % name for name in shown))
        functions.append("\n".join(lines))
        calls.append("print(run%d(%d))" % (number, rng.choice([1800, 3000])))
    shown = "def shown(value):\n    return repr(value)[:60] if not hasattr(value, '__dict__') else type(value).__name__"
    return "\n".join(heads + [shown] + functions + calls) + "\n"


def main():
    if len(sys.argv) < 2 or not sys.argv[1].isdigit() or any(name not in THEMES for name in sys.argv[2:]):
        sys.exit(__doc__.splitlines()[0] + "\n\n" + "themes: " + " ".join(THEMES))
    sys.stdout.write(program(int(sys.argv[1]), sys.argv[2:]))


if __name__ == "__main__":
    main()
