// Hash functions and checksums. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// run: 4096 40
u32 djb2(const u8 *p, int n) {
    u32 h = 5381;
    while (n--) h = (h << 5) + h + *p++;
    return h;
}

// run: 4096 40
u32 sdbm(const u8 *p, int n) {
    u32 h = 0;
    for (const u8 *e = p + n; p != e; p++) h = *p + (h << 6) + (h << 16) - h;
    return h;
}

// run: 4096 40
// ahead: `x + (x << 10)` is one product, at three times the price of a sum
u32 jenkins(const u8 *key, u32 len) {
    u32 h = 0;
    for (u32 i = 0; i < len; ++i) {
        h += key[i];
        h += h << 10;
        h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    h += h << 15;
    return h;
}

// run: 4096 30
u32 elf_hash(const u8 *s, int n) {
    u32 h = 0, g;
    for (int i = 0; i < n; i++) {
        h = (h << 4) + s[i];
        if ((g = h & 0xf0000000u) != 0) h ^= g >> 24;
        h &= ~g;
    }
    return h;
}

u32 crc_table[256];

// run: 4096 40
u32 crc32_table(const u8 *p, int n) {
    for (u32 i = 0; i < 256; i++) {
        u32 c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        crc_table[i] = c;
    }
    u32 c = 0xffffffffu;
    for (int i = 0; i < n; i++) c = crc_table[(c ^ p[i]) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}

// run: 4096 20
u8 crc8(const u8 *p, int n) {
    u8 crc = 0;
    while (n-- > 0) {
        crc ^= *p++;
        for (int b = 0; b < 8; b++) {
            if (crc & 0x80) crc = (crc << 1) ^ 0x07;
            else crc <<= 1;
        }
    }
    return crc;
}

// run: 4096 41 | 4096 40
u16 internet_checksum(const u8 *p, int n) {
    u32 sum = 0;
    while (n > 1) {
        sum += p[0] << 8 | p[1];
        p += 2;
        n -= 2;
    }
    if (n) sum += p[0] << 8;
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return ~sum;
}

// run: 4096 8
void tea_encrypt(u32 *v, int rounds) {
    u32 v0 = v[0], v1 = v[1], sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += 0x9E3779B9;
        v0 += ((v1 << 4) + v[2]) ^ (v1 + sum) ^ ((v1 >> 5) + v[3]);
        v1 += ((v0 << 4) + v[4]) ^ (v0 + sum) ^ ((v0 >> 5) + v[5]);
    }
    v[0] = v0;
    v[1] = v1;
}

static u32 rotl(u32 x, int k) { return x << k | x >> (32 - k); }
static void quarter(u32 *s, int a, int b, int c, int d) {
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 7);
}

// run: 4096 2
void chacha_rounds(u32 *s, int n) {
    for (int i = 0; i < n; i++) {
        quarter(s, 0, 4, 8, 12);
        quarter(s, 1, 5, 9, 13);
        quarter(s, 2, 6, 10, 14);
        quarter(s, 3, 7, 11, 15);
        quarter(s, 0, 5, 10, 15);
        quarter(s, 1, 6, 11, 12);
        quarter(s, 2, 7, 8, 13);
        quarter(s, 3, 4, 9, 14);
    }
}

// run: 4096 30
int rc4(u8 *s, int n) {
    int i, j = 0, out = 0;
    for (i = 0; i < 128; i++) s[i] = i;
    for (i = 0; i < 128; i++) {
        j = (j + s[i] + i * 7) & 127;
        u8 t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
    i = j = 0;
    while (n--) {
        i = (i + 1) & 127;
        j = (j + s[i]) & 127;
        u8 t = s[i];
        s[i] = s[j];
        s[j] = t;
        out = out * 31 + s[(s[i] + s[j]) & 127];
    }
    return out;
}

// run: 12345 20
u64 splitmix(u64 x, int n) {
    u64 r = 0;
    while (n-- > 0) {
        u64 z = (x += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        r ^= z ^ (z >> 31);
    }
    return r;
}

static u32 ror(u32 x, int n) { return x >> n | x << (32 - n); }

// run: 4096 16384
u32 sha_schedule(u32 *w, const u8 *p) {
    for (int t = 0; t < 16; t++)
        w[t] = (u32)p[4 * t] << 24 | (u32)p[4 * t + 1] << 16 | (u32)p[4 * t + 2] << 8 | p[4 * t + 3];
    for (int t = 16; t < 64; t++) {
        u32 s0 = ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ (w[t - 15] >> 3),
            s1 = ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    u32 a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (int t = 0; t < 64; t++) {
        u32 t1 = h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & g)) + w[t];
        u32 t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    return a ^ h;
}

// run: 4096 16
u32 luhn(const u8 *d, int n) {
    int sum = 0, alt = 0;
    for (int i = n - 1; i >= 0; i--) {
        int x = d[i] % 10;
        if (alt) {
            x *= 2;
            if (x > 9) x -= 9;
        }
        sum += x;
        alt = !alt;
    }
    return sum % 10 == 0;
}

// run: 4096 5
u64 siphash_rounds(u64 *m, int n) {
    u64 v0 = 0x736f6d6570736575ull, v1 = 0x646f72616e646f6dull, v2 = 0x6c7967656e657261ull, v3 = 0x7465646279746573ull;
    for (int i = 0; i < n; i++) {
        v3 ^= m[i];
        for (int r = 0; r < 2; r++) {
            v0 += v1;
            v1 = v1 << 13 | v1 >> 51;
            v1 ^= v0;
            v0 = v0 << 32 | v0 >> 32;
            v2 += v3;
            v3 = v3 << 16 | v3 >> 48;
            v3 ^= v2;
            v0 += v3;
            v3 = v3 << 21 | v3 >> 43;
            v3 ^= v0;
            v2 += v1;
            v1 = v1 << 17 | v1 >> 47;
            v1 ^= v2;
            v2 = v2 << 32 | v2 >> 32;
        }
        v0 ^= m[i];
    }
    return v0 ^ v1 ^ v2 ^ v3;
}

// run: 4096 25
u32 table_probe(u32 *t, int n) {
    u32 probes = 0;
    for (int i = 0; i < 32; i++) t[i] = 0;
    for (int i = 1; i <= n; i++) {
        u32 key = i * 2654435761u, at = key >> 27;
        while (t[at] != 0 && t[at] != key) {
            at = (at + 1) % 32;
            probes++;
        }
        t[at] = key;
    }
    return probes;
}
