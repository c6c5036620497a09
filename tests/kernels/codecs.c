// Codecs: run lengths, base 64, variable-length numbers, serializers. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// run: 4096 16384 60
int rle_encode(const u8 *s, u8 *d, int n) {
    int o = 0, i = 0;
    while (i < n) {
        int run = 1;
        while (i + run < n && run < 255 && (s[i + run] & 3) == (s[i] & 3)) run++;
        d[o++] = run;
        d[o++] = s[i] & 3;
        i += run;
    }
    return o;
}

// run: 16384 4096 12
// ahead: a store of what was loaded from an address leaves it what it is; bytes are compared as bytes
int rle_decode(const u8 *s, u8 *d, int n) {
    int o = 0;
    for (int i = 0; i < n; i += 2)
        for (int c = s[i] & 15; c > 0; c--) d[o++] = s[i + 1];
    return o;
}

// run: 4096 40
int lz_longest_match(const u8 *p, int at) {
    int best = 0, where = -1;
    for (int c = 0; c < at; c++) {
        int l = 0;
        while (l < 16 && (p[c + l] & 1) == (p[at + l] & 1)) l++;
        if (l > best) {
            best = l;
            where = c;
        }
    }
    return best * 64 + where;
}

u8 lz_data[32] = {0, 'a', 0, 'b', 0, 'c', 3, 6, 0, 'x', 1, 9, 4, 7, 0xff};

// run: 4096
int lz_expand(u8 *d) {
    const u8 *s = lz_data;
    int o = 0;
    while (*s != 0xff) {
        if (s[0] == 0) d[o++] = s[1];
        else
            for (int k = 0; k < s[1]; k++, o++) d[o] = d[o - s[0]];
        s += 2;
    }
    return o;
}

struct bits {
    const u8 *p;
    int pos;
};
static u32 get_bits(struct bits *b, int n) {
    u32 v = 0;
    while (n-- > 0) {
        v = v << 1 | (b->p[b->pos >> 3] >> (7 - (b->pos & 7)) & 1);
        b->pos++;
    }
    return v;
}

// run: 4096 20
u32 exp_golomb(const u8 *p, int n) {
    struct bits b = {p, 0};
    u32 sum = 0;
    for (int i = 0; i < n; i++) {
        int z = 0;
        while (z < 8 && get_bits(&b, 1) == 0) z++;
        sum += (1u << z) - 1 + get_bits(&b, z);
    }
    return sum;
}

// run: 4096 16384 30
int pack12(const u16 *s, u8 *d, int n) {
    u32 acc = 0;
    int have = 0, o = 0;
    for (int i = 0; i < n; i++) {
        acc |= (u32)(s[i] & 0xfff) << have;
        have += 12;
        while (have >= 8) {
            d[o++] = acc & 0xff;
            acc >>= 8;
            have -= 8;
        }
    }
    if (have) d[o++] = acc;
    return o;
}

// run: 4096 40
int delta_zigzag(int *p, int n) {
    int prev = 0, bytes = 0;
    for (int i = 0; i < n; i++) {
        int d = p[i] - prev;
        prev = p[i];
        u32 z = (d << 1) ^ (d >> 31);
        do {
            bytes++;
            z >>= 7;
        } while (z);
    }
    return bytes;
}

// run: 4096 40
void move_to_front(u8 *p, int n) {
    u8 table[16];
    for (int i = 0; i < 16; i++) table[i] = i;
    for (int i = 0; i < n; i++) {
        u8 c = p[i] & 15;
        int j = 0;
        while (table[j] != c) j++;
        p[i] = j;
        for (; j > 0; j--) table[j] = table[j - 1];
        table[0] = c;
    }
}

// run: 4096 60
int huffman_lengths(const u8 *p, int n) {
    int freq[15], parent[15], nodes = 8, bits = 0;
    for (int i = 0; i < 8; i++) freq[i] = 1;
    for (int i = 0; i < n; i++) freq[p[i] & 7]++;
    int alive = 0xff;
    while (nodes < 15) {
        int a = -1, b = -1;
        for (int i = 0; i < nodes; i++)
            if (alive >> i & 1) {
                if (a < 0 || freq[i] < freq[a]) {
                    b = a;
                    a = i;
                } else if (b < 0 || freq[i] < freq[b]) b = i;
            }
        freq[nodes] = freq[a] + freq[b];
        parent[a] = parent[b] = nodes;
        alive &= ~(1 << a | 1 << b);
        alive |= 1 << nodes++;
    }
    parent[14] = -1;
    for (int i = 0; i < 8; i++) {
        int d = 0;
        for (int k = i; parent[k] >= 0; k = parent[k]) d++;
        bits += d * freq[i];
    }
    return bits;
}

// run: 4096 30
int utf8_decode(const u8 *s, int n) {
    int i = 0;
    u32 sum = 0;
    while (i < n) {
        u32 c = s[i++];
        if (c >= 0xf0) {
            c = (c & 7) << 18 | (s[i] & 63) << 12 | (s[i + 1] & 63) << 6 | (s[i + 2] & 63);
            i += 3;
        } else if (c >= 0xe0) {
            c = (c & 15) << 12 | (s[i] & 63) << 6 | (s[i + 1] & 63);
            i += 2;
        } else if (c >= 0xc0) {
            c = (c & 31) << 6 | (s[i] & 63);
            i++;
        }
        sum = sum * 33 + c;
    }
    return sum;
}

// run: 4096 8364 | 4096 65 | 4096 233 | 4096 128512
int utf8_encode(u8 *d, u32 c) {
    if (c < 0x80) {
        d[0] = c;
        return 1;
    }
    if (c < 0x800) {
        d[0] = 0xc0 | c >> 6;
        d[1] = 0x80 | (c & 63);
        return 2;
    }
    if (c < 0x10000) {
        d[0] = 0xe0 | c >> 12;
        d[1] = 0x80 | (c >> 6 & 63);
        d[2] = 0x80 | (c & 63);
        return 3;
    }
    d[0] = 0xf0 | c >> 18;
    d[1] = 0x80 | (c >> 12 & 63);
    d[2] = 0x80 | (c >> 6 & 63);
    d[3] = 0x80 | (c & 63);
    return 4;
}

static int b64(int c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : 63;
}

char coded[40] = "SGVsbG8sIHdvcmxkISBIb3cgYXJlIHlvdT8=";

// run: 4096
int base64_decode(u8 *d) {
    u32 acc = 0;
    int bits = 0, o = 0;
    for (const char *s = coded; *s && *s != '='; s++) {
        acc = acc << 6 | b64(*s);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            d[o++] = acc >> bits;
        }
    }
    return o;
}

static const short steps[16] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31};
static const signed char adjust[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

// run: 4096 16384 40
int adpcm(const u8 *s, short *d, int n) {
    int pred = 0, index = 0;
    for (int i = 0; i < n; i++) {
        int code = s[i] & 15, step = steps[index], diff = step >> 3;
        if (code & 4) diff += step;
        if (code & 2) diff += step >> 1;
        if (code & 1) diff += step >> 2;
        if (code & 8) pred -= diff;
        else pred += diff;
        if (pred > 32767) pred = 32767;
        else if (pred < -32768) pred = -32768;
        index += adjust[code & 7];
        if (index < 0) index = 0;
        if (index > 15) index = 15;
        d[i] = pred;
    }
    return pred;
}

// run: 1234 | -30000 | 5
u8 mulaw(short x) {
    int sign = x < 0 ? 0x80 : 0, v = x < 0 ? -x : x, e = 7;
    if (v > 32635) v = 32635;
    v += 0x84;
    for (int m = 0x4000; (v & m) == 0 && e > 0; e--, m >>= 1);
    return ~(sign | e << 4 | (v >> (e + 3) & 15));
}
