// Bit tricks, fields of words, saturating arithmetic. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// run: 12 | 1000000 | 1
int is_power_of_two(u32 x) { return x && !(x & (x - 1)); }

// run: 305419896
u32 swap_nibbles(u32 x) { return (x & 0x0f0f0f0f) << 4 | (x & 0xf0f0f0f0) >> 4; }

// run: 305419896 3 7
u32 extract_field(u32 x, int lo, int len) {
    u32 mask = (1u << len) - 1;
    return (x >> lo) & mask;
}

// run: 305419896 5 4 9
u32 insert_field(u32 x, u32 v, int lo, int len) {
    u32 mask = ((1u << len) - 1) << lo;
    return (x & ~mask) | ((v << lo) & mask);
}

// run: 13 | 4000000000
int leading_zeros(u32 x) {
    int n = 0;
    if (x == 0) return 32;
    if (!(x & 0xffff0000)) {
        n += 16;
        x <<= 16;
    }
    if (!(x & 0xff000000)) {
        n += 8;
        x <<= 8;
    }
    if (!(x & 0xf0000000)) {
        n += 4;
        x <<= 4;
    }
    if (!(x & 0xc0000000)) {
        n += 2;
        x <<= 2;
    }
    if (!(x & 0x80000000)) n++;
    return n;
}

// run: 255 | 7
int parity(u32 x) {
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    x &= 15;
    return 0x6996 >> x & 1;
}

// run: 43981 4660
u32 morton(u16 x, u16 y) {
    u32 r = 0;
    for (int i = 0; i < 16; i++) r |= (x >> i & 1u) << (2 * i) | (y >> i & 1u) << (2 * i + 1);
    return r;
}

// run: 187 | 1
u32 from_gray(u32 g) {
    u32 b = 0;
    for (; g; g >>= 1) b ^= g;
    return b;
}

// run: 200 100 | 10 20
u8 add_saturated(u8 a, u8 b) {
    u16 s = a + b;
    return s > 255 ? 255 : s;
}

// run: 100 250 | 250 100
u8 avg_up(u8 a, u8 b) { return (a + b + 1) >> 1; }

// run: 7 -9 | -100 3
int opposite_signs(int a, int b) { return (a ^ b) < 0; }

// run: -5 | 5
int abs_branchless(int x) {
    int m = x >> 31;
    return (x + m) ^ m;
}

// run: 5 9 | 9 5
int min_xor(int a, int b) { return b ^ ((a ^ b) & -(a < b)); }

// run: 37 | 0
int count_runs_of_ones(u32 x) {
    int n = 0;
    while (x) {
        while (!(x & 1)) x >>= 1;
        n++;
        while (x & 1) x >>= 1;
    }
    return n;
}

// run: 11 | 44
u32 next_same_bits(u32 x) {
    u32 c = x & -x, r = x + c;
    return (((r ^ x) >> 2) / c) | r;
}

// run: 4096 20
int bitmap_first_free(u32 *map, int words) {
    for (int i = 0; i < words; i++)
        if (~map[i]) {
            int b = 0;
            while (map[i] >> b & 1) b++;
            map[i] |= 1u << b;
            return i * 32 + b;
        }
    return -1;
}

// run: 4096 77 | 4096 300
int bitmap_ops(u8 *map, int bit) {
    int was = map[bit / 8] >> (bit % 8) & 1;
    if (was) map[bit >> 3] &= ~(1 << (bit & 7));
    else map[bit >> 3] |= 1 << (bit & 7);
    return was;
}

// run: 100 3 | 103 4
u64 align_up(u64 x, int log2) {
    u64 a = 1ull << log2;
    return (x + a - 1) & ~(a - 1);
}

// run: 1103515245
u32 float_exponent(u32 bits) {
    int e = (bits >> 23 & 0xff) - 127;
    u32 m = (bits & 0x7fffff) | 0x800000;
    if (e < 0) return 0;
    return e >= 23 ? m << (e - 23) : m >> (23 - e);
}

// run: 1067030938 | 0 | 2139095040
u16 half_from_float(u32 f) {
    u32 sign = f >> 16 & 0x8000;
    int e = (int)(f >> 23 & 255) - 127 + 15;
    u32 m = f & 0x7fffff;
    if (e <= 0) {
        if (e < -10) return sign;
        m |= 0x800000;
        return sign | m >> (14 - e);
    }
    if (e >= 31) return sign | 0x7c00;
    return sign | e << 10 | m >> 13;
}

// run: 98765 43210
int fixed_mul(int a, int b) { return (int)((long long)a * b >> 16); }

// run: 98765 43210 | 5 -3
int fixed_div(int a, int b) { return (int)(((long long)a << 16) / b); }

// run: 1000000 | 65536 | 3
u32 isqrt_bits(u32 n) {
    u32 root = 0, bit = 1u << 30;
    while (bit > n) bit >>= 2;
    while (bit) {
        if (n >= root + bit) {
            n -= root + bit;
            root = (root >> 1) + bit;
        } else root >>= 1;
        bit >>= 2;
    }
    return root;
}

// run: 2863311530 1431655765
int hamming(u32 a, u32 b) {
    int d = 0;
    for (u32 v = a ^ b; v; v >>= 1) d += v & 1;
    return d;
}

// run: 11259375
u32 rgb_to_gray(u32 c) { return ((c >> 16 & 255) * 77 + (c >> 8 & 255) * 150 + (c & 255) * 29) >> 8; }

// run: 4096 16
void endian_swap_array(u16 *p, int n) {
    for (int i = 0; i < n; i++) p[i] = (u16)(p[i] << 8 | p[i] >> 8);
}

// run: 4096
void store_be64(u8 *p) {
    u64 v = 0;
    for (int i = 0; i < 8; i++) v = v << 8 | p[i];
    v += 12345;
    for (int i = 0; i < 8; i++) p[8 + i] = v >> (56 - 8 * i);
}

// run: 4096 123456789
void store_le32(u8 *p, u32 v) {
    p[0] = v;
    p[1] = v >> 8;
    p[2] = v >> 16;
    p[3] = v >> 24;
}

// run: 3000000000 7 | 10 3
u32 mod_mersenne(u32 x, int s) {
    u32 m = (1u << s) - 1, r = x;
    while (r > m) r = (r & m) + (r >> s);
    return r == m ? 0 : r;
}

// run: 12345678 | -12345678
int zigzag(int x) {
    u32 z = (u32)x << 1 ^ (u32)(x >> 31);
    return (int)(z >> 1 ^ -(z & 1)) == x;
}
