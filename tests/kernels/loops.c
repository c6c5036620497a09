// Loops on integers. Behind `run:` stand the arguments of runs of the function below it.

// run: 0 | 10 | 1000
long sum_to(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += i;
    return s;
}

// run: 0 | 10 | 300
unsigned long sum_of_cubes(unsigned long n) {
    unsigned long s = 0;
    for (unsigned long i = 1; i <= n; i++) s += i * i * i;
    return s;
}

// run: 10 7 | 100 -3
int sum_of_products(int n, int k) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i * k;
    return s;
}

// run: 10 7 | 100 -3
unsigned mixed_products(int n, int k) {
    unsigned h = 0;
    for (int i = 0; i < n; i++) h = (h << 5 ^ h >> 3) + (unsigned)(i * k);
    return h;
}

// run: 10 | 50
int triangle(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) s += j;
    return s;
}

// run: 10 3 | 60 5
int nest_invariant(int n, int k) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) s ^= (i * k + k * k) * 5 + j;
    return s;
}

// run: 10 | 100
int checked_counter(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i < 0 || (unsigned)i >= (unsigned)n) return -1;
        s = s * 3 + i;
    }
    return s;
}

// run: 10 | 100
int checked_next(int n) {
    int s = 1;
    for (int i = 0; i < n; i++) {
        if (i + 1 <= 0) return -1;
        if (i + 1 > n) return -2;
        s = s * 5 ^ i;
    }
    return s;
}

// run: 100 | 1000
int checked_mask(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        int k = i & 15;
        if (k > 15 || k < 0) return -1;
        s = s * 7 + k;
    }
    return s;
}

// run: 100 20 | 50 70
int checked_limit(int n, int limit) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i >= limit) break;
        s = (s << 1) ^ i;
    }
    return s;
}

// run: 10 | 200
int two_counters(int n) {
    int s = 0, j = 0;
    for (int i = 0; i < n; i++) {
        s = (s << 1) ^ (i + j);
        j++;
    }
    return s;
}

// run: 10 | 200
long widened(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s = s * 3 + (long)i * 8;
    return s;
}

// run: 10 | -6
unsigned byte_counter(unsigned char n) {
    unsigned s = 1;
    for (unsigned char i = 0; i < n; i++) s = s * 3 + i;
    return s;
}

// run: 10 | 200
int last_counter(int n) {
    int h = 1, i;
    for (i = 0; i < n; i += 3) h = h * 31 + 7;
    return h + i;
}

// run: 12 18 | 1071 462 | 270 192
unsigned gcd(unsigned a, unsigned b) {
    while (b != 0) { unsigned t = a % b; a = b; b = t; }
    return a;
}

// run: 27 | 97 | 1
int collatz(unsigned n) {
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

// run: 1234567 | 9 | 0
int digit_sum(unsigned n) {
    int s = 0;
    while (n != 0) { s += n % 10; n /= 10; }
    return s;
}

// run: 12321 | 1234
unsigned reversed(unsigned n) {
    unsigned r = 0;
    while (n) { r = r * 10 + n % 10; n /= 10; }
    return r;
}

// run: 3 100 1007 | 7 12345 998
unsigned power_mod(unsigned base, unsigned exponent, unsigned m) {
    unsigned r = 1;
    base %= m;
    while (exponent) {
        if (exponent & 1) r = r * base % m;
        base = base * base % m;
        exponent >>= 1;
    }
    return r;
}

// run: 305419896 | -1 | 0
int count_ones(unsigned x) {
    int n = 0;
    while (x) { x &= x - 1; n++; }
    return n;
}

// run: 305419896 | 255 | 1
int bits_one_by_one(unsigned x) {
    int n = 0;
    for (int i = 0; i < 32; i++) n += x >> i & 1;
    return n;
}

// run: 305419896 | 4096 | 1
int trailing(unsigned x) {
    int n = 0;
    while ((x & 1) == 0 && n < 32) { x >>= 1; n++; }
    return n;
}

// run: 10 3 1 | 100 5 0
int unswitched(int n, int k, int which) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (which) s = s * 3 + k; else s = s * 5 - i;
    }
    return s;
}

// run: 97 | 91 | 7919
int is_prime(unsigned n) {
    if (n < 2) return 0;
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0) return 0;
    return 1;
}

// run: 144 | 1000000 | 17
unsigned integer_root(unsigned n) {
    unsigned r = 0;
    for (unsigned bit = 1u << 30; bit; bit >>= 2) {
        if (n >= r + bit) { n -= r + bit; r = (r >> 1) + bit; } else r >>= 1;
    }
    return r;
}

// run: 30 | 90
unsigned long fibonacci(int n) {
    unsigned long a = 0, b = 1;
    for (int i = 0; i < n; i++) { unsigned long t = a + b; a = b; b = t; }
    return a;
}

// run: 50 | 500
int extremes(int n) {
    int low = 1000, high = -1000;
    unsigned x = 12345;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245u + 12345u;
        int v = (int)(x >> 16 & 1023) - 512;
        if (v < low) low = v;
        if (v > high) high = v;
    }
    return high - low;
}

// run: 40 | 400
int counted_if(int n) {
    int hits = 0;
    unsigned x = 99;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 24) > 128) hits++;
    }
    return hits;
}

// run: 5 | 37
int empty_loop(int n) {
    int i = 0;
    while (i < n) i++;
    return i < 0 ? 0 : n;
}

// run: 7 | 23
int small_trip(int x) {
    int s = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) s += x * i + j;
    return s;
}

// run: 100 | 1000
unsigned random_walk(int n) {
    unsigned x = 1;
    for (int i = 0; i < n; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
    return x;
}

// run: 20 10 | 100 33
int countdown(int n, int k) {
    int s = 0;
    for (int i = n; i > 0; i--) {
        if (i > n) return -1;
        s = s * 3 + k % 7;
    }
    return s;
}

// run: 1000 | 77
unsigned divided(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) s += i / 8 + i % 8;
    return s;
}

// run: 60 | 600
unsigned masked_state(unsigned n) {
    unsigned a = 1, b = 7;
    for (unsigned i = 0; i < n; i++) {
        a = (a + b) & 0xff;
        b = (b * 5 + a) & 0xff;
    }
    return (a ^ b) & 0x0f;
}

// run: 40 3 | 1 5 | 0 2
unsigned neighbours(unsigned n, unsigned k) {
    unsigned s = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned here = i * k % 13 * k, next = (i + 1) * k % 13 * k;
        s += here ^ next;
    }
    return s;
}
