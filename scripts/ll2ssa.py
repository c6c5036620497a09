"""LLVM IR in .ssa: what scripts/check-llvm counts both sides by.

Integers of up to 64 bits, floats, pointers as i64, raw memory with base and offset, calls of functions of the same module. An
address is computed where an access wants more than a base and an offset. Words of more than 64 bits are a low and a high
half where a closed form makes one. `Untranslated` says what cannot be said.
"""

import re
import struct

BINARY = {
    'add': 'add', 'sub': 'sub', 'mul': 'mul', 'and': 'and', 'or': 'or', 'xor': 'xor', 'shl': 'lshift', 'lshr': 'urshift',
    'ashr': 'rshift', 'udiv': 'udiv', 'urem': 'urem', 'sdiv': 'sdiv', 'srem': 'srem',
}
COMPARISON = {
    'eq': 'eq', 'ne': 'ne', 'slt': 'lt', 'sle': 'le', 'sgt': 'gt', 'sge': 'ge', 'ult': 'ult', 'ule': 'ule', 'ugt': 'ugt',
    'uge': 'uge',
}
INTRINSIC = {
    'smax': 'max', 'smin': 'min', 'umax': 'umax', 'umin': 'umin', 'ctpop': 'popcount', 'bswap': 'bswap', 'ctlz': 'clz', 'cttz': 'ctz',
    'abs': 'abs',
}
WITH_OVERFLOW = {'sadd': 'add_ovf', 'ssub': 'sub_ovf', 'smul': 'mul_ovf', 'uadd': 'uadd_ovf', 'usub': 'usub_ovf',
                 'umul': 'umul_ovf'}
FLOATS = {'double': 'f64', 'float': 'f32'}
FLOAT_BINARY = ('fadd', 'fsub', 'fmul', 'fdiv')
CONVERSIONS = {'sitofp': 'signed_to_float', 'uitofp': 'unsigned_to_float', 'fptosi': 'float_to_signed', 'fpext': 'float_convert',
               'fptrunc': 'float_convert'}
# What holds of numbers that do not compare, too, is what the opposite does not hold of.
NOT_FLOAT = {'ult': 'fge', 'ule': 'fgt', 'ugt': 'fle', 'uge': 'flt'}
FAST = r'(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*'
IGNORED = {'lifetime.start', 'lifetime.end', 'assume', 'experimental.noalias.scope.decl', 'dbg.value'}
LOCATIONS = ''.join(f'location @m{ty.removeprefix("i")}: {ty} class 1\n' for ty in ('i8', 'i16', 'i32', 'i64', 'f32', 'f64'))

class Untranslated(Exception):
    """What .ssa has no words for."""


def float_value(text):
    """The number that a constant of LLVM's is."""
    return struct.unpack('>d', bytes.fromhex(text[2:].rjust(16, '0')))[0] if text.startswith('0x') else float(text)


class Layout:
    """Sizes and places of types by their text."""

    def __init__(self, module_text):
        self.named = dict(re.findall(r'^(%[\w.]+) = type (.*)$', module_text, re.M))

    def members(self, text):
        """The types between the outer braces."""
        text = text[1:-1] if text.startswith('<{') else text
        depth, start, inner = 0, 0, text[1:-1]
        for at, letter in enumerate(inner):
            depth += letter in '[{<'
            depth -= letter in ']}>'
            if letter == ',' and depth == 0:
                yield inner[start:at].strip()
                start = at + 1
        if inner.strip():
            yield inner[start:].strip()

    def align(self, text):
        text = self.named.get(text, text)
        if text.startswith('<{'):
            return 1
        if text.startswith('['):
            return self.align(re.match(r'\[\d+ x (.*)\]$', text)[1])
        if text.startswith('{'):
            return max([self.align(member) for member in self.members(text)], default=1)
        return min(self.size(text), 8)

    def size(self, text):
        text = self.named.get(text, text)
        if text == 'ptr':
            return 8
        if text in FLOATS:
            return 8 if text == 'double' else 4
        if word := re.match(r'i(\d+)$', text):
            return 1 << max(0, (int(word[1]) + 7) // 8 - 1).bit_length()
        if array := re.match(r'\[(\d+) x (.*)\]$', text):
            return int(array[1]) * self.size(array[2])
        if text.startswith(('{', '<{')):
            end = self.place(text, None)
            return -(-end // self.align(text)) * self.align(text)
        raise Untranslated(f'type {text}')

    def place(self, text, number):
        """Where a member of a structure begins, or where the last one ends."""
        at = 0
        for index, member in enumerate(self.members(text)):
            if not text.startswith('<{'):
                at = -(-at // self.align(member)) * self.align(member)
            if index == number:
                return at
            at += self.size(member)
        return at

    def inside(self, text, index):
        """The type of an element, and where it lies, if the index is a number."""
        text = self.named.get(text, text)
        if text.startswith(('{', '<{')):
            return list(self.members(text))[index], self.place(text, index)
        array = re.match(r'\[\d+ x (.*)\]$', text)
        return array[1], index * self.size(array[1]) if isinstance(index, int) else None


class Globals:
    """Where variables lie, and what is in them at first."""

    def __init__(self, module, layout, start):
        self.at, self.initial, self.layout, free = {}, [], layout, start
        for variable in module.global_variables:
            text = str(variable).split(' = ', 1)[1]
            found = re.match(r'(?:\w+(?:\(\w+\))? )*?(?:global|constant) (.*)$', text)
            ty, rest = split_type(found[1])
            self.at[variable.name] = free
            self.fill(free, ty, rest.split(', align')[0].strip())
            free += -(-layout.size(ty) // 64) * 64
        self.free = free

    def fill(self, at, ty, value):
        if value.startswith(('zeroinitializer', 'undef', 'null', 'poison')):
            self.initial += [(at + byte, 8, 0) for byte in range(self.layout.size(ty))]
        elif value.startswith('c"'):
            text = value[2:value.rindex('"')].encode()
            byte = lambda found: b'\\' if found[1] == b'\\' else bytes([int(found[1], 16)])
            data = re.sub(rb'\\(\\|[0-9A-Fa-f]{2})', byte, text)
            self.initial += [(at + number, 8, byte) for number, byte in enumerate(data)]
        elif value.startswith(('[', '{', '<{')):
            for number, element in enumerate(self.layout.members(value)):
                inner, rest = split_type(element)
                self.fill(at + self.layout.inside(ty, number)[1], inner, rest)
        elif ty in FLOATS:
            number, bits = ('>d', '>q') if ty == 'double' else ('>f', '>i')
            word = struct.unpack(bits, struct.pack(number, float_value(value)))[0]
            self.initial.append((at, struct.calcsize(bits) * 8, word))
        elif ty == 'ptr':
            self.initial.append((at, 64, self.at[value.lstrip('@')]))
        else:
            self.initial.append((at, 8 * self.layout.size(ty), int({'true': '1', 'false': '0'}.get(value, value))))


def split_type(text):
    """A type, and what stands behind it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += letter in '[{<('
        depth -= letter in ']}>)'
        if depth == 0 and letter in ' ,':
            return text[:at], text[at:].strip()
    return text, ''


class Translation:
    """One function."""

    def __init__(self, function, layout, variables):
        self.function, self.layout, self.variables = function, layout, variables
        self.lines, self.names, self.halves, self.addresses = [], {}, {}, {}
        self.count = 0

    def fresh(self):
        self.count += 1
        return f'v{self.count - 1}'

    def ty(self, value):
        text = str(value.type)
        word = re.match(r'i(\d+)$', text)
        if text == 'ptr':
            return 'i64'
        if text in FLOATS:
            return FLOATS[text]
        if not word or int(word[1]) > 64:
            raise Untranslated(f'type {text}')
        return text

    def emit(self, ty, what):
        name = self.fresh()
        self.lines.append(f'    {name}: {ty} = {what}')
        return name

    def result(self, inst, what):
        name = self.names[inst.name]
        self.lines.append(f'    {name}: {self.ty(inst)} = {what}')

    def use(self, operand):
        """A value as an operand."""
        if operand.name in self.addresses:
            return self.address(operand.name)
        if operand.name in self.names and not operand.is_constant:
            return self.names[operand.name]
        return self.constant(str(operand))

    def constant(self, text):
        if text.startswith('@') or ' = ' in text.split('"')[0]:
            name = text.split(' = ')[0].lstrip('@')
            return str(self.variables.at[name])
        ty, value = split_type(text)
        if value.startswith('getelementptr'):
            return str(self.constant_address(value))
        if value.startswith('ptrtoint'):
            return self.constant(value[value.index('(') + 1:value.rindex(' to ')])
        if value.startswith('@'):
            return str(self.variables.at[value[1:]])
        if ty in FLOATS and value in ('undef', 'poison'):
            return '0.0'
        if value in ('undef', 'poison', 'null', 'false'):
            return '0'
        if value == 'true':
            return '1'
        if ty in FLOATS:
            value = repr(float_value(value))
            return value if '.' in value or 'e' in value else value + '.0'
        if not re.match(r'-?\d+$', value):
            raise Untranslated(f'operand {text}')
        return str(int(value) & 1) if ty == 'i1' else value

    def constant_address(self, text):
        inner = text[text.index('(') + 1:text.rindex(')')]
        ty, rest = split_type(inner)
        parts = [part.strip().split(' ') for part in rest.lstrip(', ').split(', ')]
        at = self.variables.at[parts[0][1].lstrip('@')]
        at += int(parts[1][1]) * self.layout.size(ty)
        for part in parts[2:]:
            ty, place = self.layout.inside(ty, int(part[1]))
            at += place
        return at

    def typed(self, operand):
        """An operand where nothing else tells its type."""
        text = self.use(operand)
        return text if text.startswith('v') else f'{text}: {self.ty(operand)}'

    def wide(self, operand):
        """The two halves of a word of more than 64 bits."""
        if operand.name in self.halves:
            if None in self.halves[operand.name]:
                raise Untranslated('more than the low half of a shifted word')
            return self.halves[operand.name]
        value = int(str(operand).split(' ')[1])
        signed = lambda word: word - (1 << 64) if word >> 63 else word
        return str(signed(value & (1 << 64) - 1)), str(signed(value >> 64 & (1 << 64) - 1))

    def address(self, name):
        """The address that was kept as a base and an offset, as one word; where it was computed."""
        base, offset, at = self.addresses[name]
        if offset == '0':
            return base
        known = self.names[name]
        if at is not None:
            line = f'    {known}: i64 = add({base}, {offset})'
            if not base.startswith('v') and not offset.startswith('v'):
                line = f'    {known}: i64 = add({base}: i64, {offset})'
            self.lines[at] = line
            self.addresses[name] = (base, offset, None)
        return known

    def place(self, pointer):
        """Base and offset of an access."""
        if pointer.name in self.addresses:
            base, offset, _ = self.addresses[pointer.name]
            return base, offset
        base = self.use(pointer)
        return (base, '0') if base.startswith('v') else ('0', base)

    def element(self, inst, text):
        """An address inside of something: base and offset, an addition when somebody wants one word."""
        ty, _ = split_type(re.sub(r'^.*?getelementptr (?:(?:inbounds|nuw|nusw|nneg)\s)*', '', text))
        pointer, *indices = list(inst.operands)
        base, offset = self.place(pointer)
        steps, fixed = [], 0
        for number, index in enumerate(indices):
            known = re.match(r'i\d+ (-?\d+)$', str(index)) if index.is_constant else None
            known = int(known[1]) if known else None
            if number == 0:
                size = self.layout.size(ty)
                place = None if known is None else known * size
            else:
                ty, place = self.layout.inside(ty, index if known is None else known)
                size = self.layout.size(ty)
            if place is None:
                steps.append((self.use(index), size))
            else:
                fixed += place
        for index, size in steps:
            if size & size - 1 == 0:
                scaled = index if size == 1 else self.emit('i64', f'lshift({index}, {size.bit_length() - 1})')
            else:
                scaled = self.emit('i64', f'mul({index}, {size})')
            offset = scaled if offset == '0' else self.sum(offset, scaled)
        if fixed:
            offset = str(fixed) if offset == '0' else self.sum(offset, str(fixed))
        self.lines.append('')
        self.addresses[inst.name] = (base, offset, len(self.lines) - 1)

    def sum(self, x, y):
        if not x.startswith('v') and not y.startswith('v'):
            return str(int(x) + int(y))
        return self.emit('i64', f'add({x}, {y})')

    def ordered(self):
        """The blocks in reverse postorder: what is made comes before what uses it, whatever order LLVM left."""
        blocks = {block.name: block for block in self.function.blocks}
        first = next(iter(blocks))
        seen, done, open_ = {first}, [], [(first, self.ways(blocks[first]))]
        while open_:
            name, ways = open_[-1]
            way = next((way for way in ways if way not in seen), None)
            if way is None:
                done.append(blocks[open_.pop()[0]])
            else:
                seen.add(way)
                open_.append((way, self.ways(blocks[way])))
        return done[::-1]

    def ways(self, block):
        """Where a block goes."""
        *_, last = block.instructions
        return iter([name.strip('"') for name in re.findall(r'label %("[^"]+"|[\w.\-$]+)', str(last))])

    def text(self):
        blocks = self.ordered()
        phis = {}
        params = []
        for argument in self.function.arguments:
            self.names[argument.name] = self.fresh()
            params.append(f'{self.names[argument.name]}: {self.ty(argument)}')
        for block in blocks:
            phis[block.name] = []
            for inst in block.instructions:
                if inst.name:
                    self.names[inst.name] = self.fresh()
                if inst.opcode == 'phi':
                    came = [name.strip('"') for name in re.findall(r',\s*%("[^"]+"|[\w.\-$]+)\s*\]', str(inst))]
                    phis[block.name].append((inst, dict(zip(came, inst.operands))))
        self.phis = phis
        self.labels = {block.name: f'b{number}' for number, block in enumerate(blocks)}
        for number, block in enumerate(blocks):
            own = ', '.join(f'{self.names[inst.name]}: {self.ty(inst)}' for inst, _ in phis[block.name])
            self.lines.append(f'b{number}' + (f'({own})' if own else '') + ':')
            for inst in block.instructions:
                self.instruction(inst, block)
        results = str(self.function.global_value_type).split(' (')[0].strip()
        results = 'i64' if results == 'ptr' else FLOATS.get(results, results)
        head = f'func {self.function.name}({", ".join(params)})' + ('' if results == 'void' else f' -> {results}')
        return head + ' {\n' + '\n'.join(line for line in self.lines if line) + '\n}\n'

    def target(self, to, of):
        args = ', '.join(self.use(came[of]) for _, came in self.phis[to])
        return self.labels[to] + (f'({args})' if args else '')

    def instruction(self, inst, block):
        op, text, operands = inst.opcode, str(inst).strip(), list(inst.operands)
        if op == 'phi':
            return
        if op in ('br', 'switch', 'ret', 'unreachable'):
            self.terminator(op, text, operands, block.name)
        elif op in ('load', 'store'):
            self.access(inst, op, operands)
        elif op == 'getelementptr':
            self.element(inst, text)
        elif op == 'alloca':
            ty, _ = split_type(text.split('alloca ', 1)[1])
            self.addresses[inst.name] = (str(self.variables.free), '0', None)
            self.variables.free += -(-self.layout.size(ty) // 64) * 64
        elif op == 'call':
            self.call(inst, operands)
        elif self.is_wide(inst, operands):
            self.wide_operation(inst, op, operands)
        else:
            self.plain(inst, op, text, operands)

    def plain(self, inst, op, text, operands):
        if op in BINARY:
            self.result(inst, f'{BINARY[op]}({self.use(operands[0])}, {self.use(operands[1])})')
        elif op in FLOAT_BINARY:
            self.result(inst, f'{op}({self.typed(operands[0])}, {self.use(operands[1])})')
        elif op == 'fneg':
            self.result(inst, f'fneg({self.typed(operands[0])})')
        elif op in CONVERSIONS:
            self.result(inst, f'{CONVERSIONS[op]}({self.typed(operands[0])})')
        elif op == 'fcmp':
            name = re.search(rf'fcmp {FAST}(\w+)', text)[1]
            x, y = self.typed(operands[0]), self.use(operands[1])
            if name in ('oeq', 'olt', 'ole', 'ogt', 'oge', 'une'):
                self.result(inst, f'f{name[1:]}({x}, {y})')
            elif name in NOT_FLOAT:
                no = self.emit('i1', f'{NOT_FLOAT[name]}({x}, {y})')
                self.result(inst, f'xor({no}, 1)')
            else:
                raise Untranslated(text)
        elif op == 'icmp':
            name = re.search(r'icmp (?:samesign )?(\w+)', text)[1]
            self.result(inst, f'{COMPARISON[name]}({self.typed(operands[0])}, {self.use(operands[1])})')
        elif op in ('zext', 'sext', 'trunc'):
            self.result(inst, f'{op}({self.typed(operands[0])})')
        elif op in ('freeze', 'ptrtoint', 'inttoptr', 'bitcast'):
            self.names[inst.name] = self.use(operands[0])
        elif op == 'select':
            condition, x, y = map(self.use, operands)
            self.result(inst, f'select({condition}, {x}, {y})')
        elif op == 'extractvalue' and operands[0].name in self.halves:
            self.names[inst.name] = self.halves[operands[0].name][int(text.rsplit(', ', 1)[1])]
        else:
            raise Untranslated(f'`{text}`')

    def access(self, inst, op, operands):
        base, offset = self.place(operands[-1])
        base = base if base.startswith('v') else f'{base}: i64'
        of = inst if op == 'load' else operands[0]
        ty = self.ty(of)
        if ty not in ('i8', 'i16', 'i32', 'i64', 'f64', 'f32'):
            raise Untranslated(f'access of {ty}')
        if op == 'load':
            self.result(inst, f'raw_load({base}, {offset}) @m{ty.removeprefix("i")}')
        else:
            self.lines.append(f'    raw_store({base}, {offset}, {self.typed(of)}) @m{ty.removeprefix("i")}')

    def terminator(self, op, text, operands, of):
        to = [name.strip('"') for name in re.findall(r'label %("[^"]+"|[\w.\-$]+)', text)]
        if op == 'br' and len(to) == 1:
            line = f'jump {self.target(to[0], of)}'
        elif op == 'br':
            line = f'branch {self.use(operands[0])}, {self.target(to[0], of)}, {self.target(to[1], of)}'
        elif op == 'switch':
            keys = re.findall(r'i\d+ (-?\d+), label', text)
            cases = ', '.join(f'{key}: {self.target(name, of)}' for key, name in zip(keys, to[1:]))
            line = f'switch {self.use(operands[0])} [{cases}], {self.target(to[0], of)}'
        elif op == 'ret':
            line = 'return ' + (self.use(operands[0]) if operands else '')
        else:
            line = op
        self.lines.append('    ' + line)

    def call(self, inst, operands):
        name, args = operands[-1].name, operands[:-1]
        if not name.startswith('llvm.'):
            if not re.match(r'[A-Za-z_]', name):
                raise Untranslated('an indirect call')
            given = ', '.join(map(self.typed, args))
            if str(inst.type) == 'void':
                self.lines.append(f'    call({given}) @{name}')
            else:
                self.result(inst, f'call({given}) @{name}')
            return
        base = re.sub(r'(\.[ip]\d+)+$', '', name.removeprefix('llvm.'))
        if base in IGNORED:
            return
        if base in INTRINSIC:
            taken = args[:1] if base in ('abs', 'ctlz', 'cttz', 'ctpop') else args
            self.result(inst, f'{INTRINSIC[base]}({", ".join(map(self.use, taken))})')
        elif base.startswith(('fabs', 'sqrt')):
            self.result(inst, f'f{base[:4].removeprefix("f")}({self.typed(args[0])})')
        elif base in ('fshl', 'fshr'):
            self.funnel(inst, base, args)
        elif base.endswith('.with.overflow') and base[:4] in WITH_OVERFLOW:
            low, flag, ty = self.fresh(), self.fresh(), self.ty(args[0])
            given = ', '.join(map(self.use, args))
            self.lines.append(f'    {low}: {ty}, {flag} = {WITH_OVERFLOW[base[:4]]}({given})')
            self.halves[inst.name] = (low, flag)
        elif base in ('usub.sat', 'uadd.sat', 'ssub.sat', 'sadd.sat'):
            self.saturated(inst, base, args)
        elif base in ('scmp', 'ucmp'):
            x, y = self.typed(args[0]), self.use(args[1])
            above, below = ('gt', 'lt') if base == 'scmp' else ('ugt', 'ult')
            more, less = (self.emit(self.ty(inst), f'{op}({x}, {y})') for op in (above, below))
            self.result(inst, f'sub({more}, {less})')
        elif base == 'memset':
            to, byte, size = self.use(args[0]), self.typed(args[1]), self.use(args[2])
            self.lines.append(f'    raw_fill({to}, 0, {size}, {byte}) @m8')
        elif base in ('memcpy', 'memmove'):
            to, of, size = map(self.use, args[:3])
            self.lines.append(f'    raw_copy({to}, 0, {of}, 0, {size}) @m8')
        else:
            raise Untranslated(name)

    def funnel(self, inst, base, args):
        """Both halves of a funnel shift; a rotation where they are one."""
        x, y, by = map(self.use, args)
        ty, left = self.ty(inst), base == 'fshl'
        if str(args[0]) == str(args[1]):
            return self.result(inst, f'{"rotl" if left else "rotr"}({x}, {by})')
        if by.startswith('v'):
            raise Untranslated('a funnel shift by a variable')
        width = int(ty[1:])
        up = int(by) % width if left else width - int(by) % width
        high, low = self.emit(ty, f'lshift({x}, {up})'), self.emit(ty, f'urshift({y}, {width - up})')
        self.result(inst, f'or({high}, {low})')

    def saturated(self, inst, base, args):
        x, y = map(self.use, args)
        ty = self.ty(inst)
        if base == 'usub.sat':
            most = self.emit(ty, f'umax({x}, {y})')
            return self.result(inst, f'sub({most}, {y})')
        low, flag, bound = self.fresh(), self.fresh(), '-1'
        self.lines.append(f'    {low}: {ty}, {flag} = {WITH_OVERFLOW[base[:4]]}({x}, {y})')
        if base[0] == 's':
            width = int(ty[1:])
            sign = self.emit(ty, f'rshift({x}, {width - 1})')
            bound = self.emit(ty, f'xor({sign}, {2 ** (width - 1) - 1})')
        self.result(inst, f'select({flag}, {bound}, {low})')

    def is_wide(self, inst, operands):
        wide = lambda value: (word := re.match(r'i(\d+)$', str(value.type))) is not None and int(word[1]) > 64
        return wide(inst) or any(map(wide, operands))

    def wide_operation(self, inst, op, operands):
        """On words of more than 64 bits: what closed forms need, which drop what is above."""
        if op == 'zext':
            self.halves[inst.name] = (self.use(operands[0]), '0')
        elif op == 'trunc':
            self.narrow(inst, operands[0])
        elif op == 'mul':
            (a, b), (c, d) = map(self.wide, operands)
            low = self.emit('i64', f'mul({a}, {c})')
            high = self.emit('i64', f'umulh({a}, {c})')
            for x, y in ((a, d), (b, c)):
                if '0' not in (x, y):
                    product = self.emit('i64', f'mul({x}, {y})')
                    high = self.emit('i64', f'add({high}, {product})')
            self.halves[inst.name] = (low, high)
        elif op == 'lshr':
            by = int(str(operands[1]).split(' ')[1])
            low, high = self.wide(operands[0])
            if not 0 < by < 64:
                raise Untranslated(f'`{inst}`')
            down, up = self.emit('i64', f'urshift({low}, {by})'), self.emit('i64', f'lshift({high}, {64 - by})')
            self.halves[inst.name] = (self.emit('i64', f'or({down}, {up})'), None)
        else:
            raise Untranslated(f'`{inst}`')

    def narrow(self, inst, operand):
        low, _ = self.halves[operand.name]
        if self.ty(inst) == 'i64':
            self.names[inst.name] = low
        else:
            self.result(inst, f'trunc({low})')


def translate(module, start):
    """The module in .ssa, the reasons why functions are not in it, and what memory holds at first."""
    layout = Layout(str(module))
    variables = Globals(module, layout, start)
    texts, refused = [], {}
    for function in module.functions:
        if function.is_declaration:
            continue
        translation = Translation(function, layout, variables)
        try:
            texts.append(translation.text())
        except Untranslated as reason:
            refused[function.name] = str(reason)
    return LOCATIONS + '\n' + '\n'.join(texts), refused, variables.initial
