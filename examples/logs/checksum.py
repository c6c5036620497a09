"""A checksum over numbers drawn from a small generator: the program behind checksum.log.

Record the log again with PyPy 3:

    PYPYLOG=jit-log-noopt,jit-log-opt,jit-tracing,jit-summary,jit-backend-counts:checksum.log \\
        pypy3 -c "exec(compile(open('checksum.py').read(), 'checksum.py', 'exec'))"
"""


class Generator:
    """The linear congruential generator of the C standard's example."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return self.state >> 16


def adler(values):
    """Adler-32 over the low bytes of `values`."""
    a, b = 1, 0
    for value in values:
        a = (a + (value & 0xFF)) % 65521
        b = (b + a) % 65521
    return (b << 16) | a


def main():
    generator = Generator(42)
    values = []
    for _ in range(3000):
        values.append(generator.next())
    odd = 0
    for value in values:
        if value & 1:
            odd += 1
    print(adler(values), odd)


main()
