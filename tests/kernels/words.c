// Words: counts, rotations, saturation, checksums bit by bit. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;

// run: 305419896 | 0 | 4294967295 | 128
u32 has_zero_byte(u32 x) { return (x - 0x01010101u) & ~x & 0x80808080u ? 1 : 0; }

// run: 305419896 3 | 7 31 | 4000000000 17
u32 rotate_mix(u32 x, u32 k) {
    u32 a = (x << (k & 31)) | (x >> ((32 - k) & 31));
    u32 b = (x >> (k & 31)) | (x << ((32 - k) & 31));
    return a ^ b * 5;
}

// run: 12345 | 0 | 255
u32 interleave3(u32 x) {
    u32 r = 0;
    for (int i = 0; i < 10; i++) r |= ((x >> i) & 1) << (3 * i);
    return r;
}

// run: 4096 20
u32 parity_of_array(const u32 *p, int n) {
    u32 x = 0;
    for (int i = 0; i < n; i++) x ^= p[i];
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return (0x6996 >> (x & 15)) & 1;
}

// run: 100 | 4096 | 7 | 0
int floor_log10(u32 v) {
    return v >= 1000000000  ? 9
           : v >= 100000000 ? 8
           : v >= 10000000  ? 7
           : v >= 1000000   ? 6
           : v >= 100000    ? 5
           : v >= 10000     ? 4
           : v >= 1000      ? 3
           : v >= 100       ? 2
           : v >= 10        ? 1
                            : 0;
}

// run: 4096 32
int bitset_intersect(const u64 *p, int n) {
    int c = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        u64 x = p[i] & p[i + 1];
        while (x) {
            x &= x - 1;
            c++;
        }
    }
    return c;
}

// run: 4096 200 | 4096 77
int bitset_count_upto(const u8 *p, int n) {
    int c = 0;
    for (int i = 0; i < n; i++)
        if (p[i >> 3] >> (i & 7) & 1) c++;
    return c;
}

// run: 11 5 | 1000 3 | 77777 13
u32 pext(u32 x, u32 m) {
    u32 r = 0, k = 0;
    while (m) {
        u32 b = m & -m;
        if (x & b) r |= 1u << k;
        k++;
        m ^= b;
    }
    return r;
}

// run: 100 200 | 250 10 | 128 128
u8 avg_u8(u8 a, u8 b) { return (u8)((a & b) + ((u8)(a ^ b) >> 1)); }

// run: 120 100 | -120 -100 | 5 6
// ahead: a sum that stays in its range is a sum with an overflow bit, and a choice
s8 sat_add_s8(s8 a, s8 b) {
    int s = a + b;
    if (s > 127) s = 127;
    if (s < -128) s = -128;
    return (s8)s;
}

// run: 60000 10000 | 1 2
u16 sat_add_u16(u16 a, u16 b) {
    u16 s = a + b;
    if (s < a) s = 0xffff;
    return s;
}

// run: 4096 40
// ahead: the word and the checksum are two words of one map: a table is found
u8 crc_dallas(const u8 *p, int n) {
    u8 c = 0;
    for (int i = 0; i < n; i++) {
        u8 b = p[i];
        for (int j = 0; j < 8; j++) {
            u8 m = (c ^ b) & 1;
            c >>= 1;
            if (m) c ^= 0x8c;
            b >>= 1;
        }
    }
    return c;
}

// run: 2147483647 1 | -2147483648 -1 | 4 5
int add_overflows(int a, int b) {
    int s = (int)((unsigned)a + (unsigned)b);
    return ((a ^ s) & (b ^ s)) < 0;
}

// run: 123456 789 | 4000000000 4000000000
u64 mul_parts(u32 a, u32 b) {
    u64 al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
    return al * bl + ((al * bh + ah * bl) << 16) + ((ah * bh) << 32);
}

// run: 4096 40 16384
// ahead: one choice is made of the other
int nibble_sort(const u8 *p, int n, u8 *o) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        u8 a = p[i] >> 4, b = p[i] & 15;
        if (a > b) {
            u8 t = a;
            a = b;
            b = t;
            k++;
        }
        o[i] = a << 4 | b;
    }
    return k;
}
