// Sorting networks, records, recursion with accumulators, state machines, narrow arithmetic. Behind `run:` stand the arguments of runs of the
// function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;

#define SWAP_IF(i, j) \
    if (a[i] > a[j]) { \
        int t = a[i]; \
        a[i] = a[j]; \
        a[j] = t; \
    }

// run: 16384
// ahead: what was loaded or stored on both ways into a block is kept over the blocks behind
int sort_network6(int *a) {
    SWAP_IF(1, 2) SWAP_IF(4, 5)
    SWAP_IF(0, 2) SWAP_IF(3, 5)
    SWAP_IF(0, 1) SWAP_IF(3, 4) SWAP_IF(2, 5)
    SWAP_IF(0, 3) SWAP_IF(1, 4)
    SWAP_IF(2, 4) SWAP_IF(1, 3)
    SWAP_IF(2, 3)
    return a[0] ^ a[5];
}

// run: 16384
// ahead: nine bytes are copied at once
u8 median9(const u8 *p) {
    u8 v[9];
    for (int i = 0; i < 9; i++) v[i] = p[i];
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[i]) {
                u8 t = v[i];
                v[i] = v[j];
                v[j] = t;
            }
    return v[4];
}

struct particle {
    int x, y, vx, vy;
};

// run: 4096 8 20
int bounce_all(struct particle *p, int n, int steps) {
    int hits = 0;
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < n; i++) {
            struct particle *q = &p[i];
            q->x += q->vx & 7;
            q->y += q->vy & 7;
            if ((unsigned)q->x >= 1000) {
                q->vx = -q->vx;
                hits++;
            }
            if ((unsigned)q->y >= 1000) {
                q->vy = -q->vy;
                hits++;
            }
        }
    return hits;
}

struct rec {
    u8 tag;
    u16 len;
    u32 val;
};

// run: 4096 20
u32 tagged_sum(const struct rec *r, int n) {
    u32 s = 0;
    for (int i = 0; i < n; i++) {
        switch (r[i].tag & 3) {
        case 0: s += r[i].val; break;
        case 1: s += r[i].len; break;
        case 2: s ^= r[i].val; break;
        default: s -= r[i].len * r[i].val;
        }
    }
    return s;
}

static int sumd(int n, int acc) {
    if (n == 0) return acc;
    return sumd(n / 10, acc + n % 10);
}

// run: 98765 | 7 | 0
int digit_sum_rec(int n) { return sumd(n < 0 ? -n : n, 0); }

static u64 powacc(u64 b, u32 e, u64 acc) {
    if (!e) return acc;
    return powacc(b * b, e >> 1, e & 1 ? acc * b : acc);
}

// run: 3 13 | 7 0 | 2 63
u64 pow_rec(u64 b, u32 e) { return powacc(b, e, 1); }

// run: 5 3 | 10 4 | 9 9
u32 choose_rec(u32 n, u32 k) {
    if (k == 0 || k == n) return 1;
    return choose_rec(n - 1, k - 1) + choose_rec(n - 1, k);
}

// run: 4096 0 20
// ahead: one of two calls is a round of a loop, with an accumulator
int tree_sum(const u8 *p, int i, int n) {
    if (i >= n) return 0;
    return p[i] + tree_sum(p, 2 * i + 1, n) + tree_sum(p, 2 * i + 2, n);
}

// run: 4096 60
// ahead: an arm that only goes on is part of the choice
int state_comments(const u8 *p, int n) {
    enum { CODE, SLASH, LINE, BLOCK, STAR } s = CODE;
    int c = 0;
    for (int i = 0; i < n; i++) {
        int k = p[i] & 3;
        switch (s) {
        case CODE:
            if (k == 0) s = SLASH;
            else c++;
            break;
        case SLASH: s = k == 0 ? LINE : k == 1 ? BLOCK : CODE; break;
        case LINE:
            if (k == 2) s = CODE;
            break;
        case BLOCK:
            if (k == 1) s = STAR;
            break;
        case STAR:
            if (k == 0) s = CODE;
            else if (k != 1) s = BLOCK;
            break;
        }
    }
    return c * 8 + s;
}

// run: 4096 50
int debounce(const u8 *p, int n) {
    int state = 0, cnt = 0, edges = 0;
    for (int i = 0; i < n; i++) {
        int raw = p[i] >> 7;
        if (raw != state) {
            if (++cnt >= 2) {
                state = raw;
                cnt = 0;
                edges++;
            }
        } else cnt = 0;
    }
    return edges;
}

// run: 4096 50
// ahead: a remainder of a byte is made of bytes
int vending(const u8 *p, int n) {
    int credit = 0, sold = 0;
    for (int i = 0; i < n; i++) {
        switch (p[i] % 5) {
        case 0: credit += 5; break;
        case 1: credit += 10; break;
        case 2: credit += 25; break;
        case 3:
            if (credit >= 30) {
                credit -= 30;
                sold++;
            }
            break;
        case 4: credit = 0; break;
        }
        if (credit > 100) credit = 100;
    }
    return sold * 1000 + credit;
}

// run: 4096 8 | 16384 8
int find_in_matrix(const u8 *m, int n) {
    int r = -1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (m[i * n + j] == 77) {
                r = i * 100 + j;
                goto out;
            }
            if (m[i * n + j] == 0) break;
        }
    }
out:
    return r;
}

// run: 20 | 50
int first_triple(int n) {
    for (int a = 1; a < n; a++)
        for (int b = a; b < n; b++)
            for (int c = b; c < n; c++) {
                if (a * a + b * b < c * c) break;
                if (a * a + b * b == c * c && a + b + c == n) return a * 10000 + b * 100 + c;
            }
    return -1;
}

// run: 4096 40 16384
int gamma8(const u8 *p, int n, u8 *o) {
    int clip = 0;
    for (int i = 0; i < n; i++) {
        u16 v = p[i];
        v = (u16)(v * v) >> 7;
        if (v > 255) {
            v = 255;
            clip++;
        }
        o[i] = (u8)v;
    }
    return clip;
}

// run: 4096 30 16384
// ahead: a choice of a word is made in its own width
int delta_u16(const u16 *p, int n, u16 *o) {
    u16 prev = 0;
    int big = 0;
    for (int i = 0; i < n; i++) {
        u16 d = p[i] - prev;
        prev = p[i];
        if (d & 0x8000) d = ~d;
        if (d > 1000) big++;
        o[i] = d;
    }
    return big;
}

// run: 4096 6 16384
int mat_power_trace(const u8 *m, int n, u32 *o) {
    u32 t = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            u32 s = 0;
            for (int k = 0; k < n; k++) s += (u32)m[i * n + k] * m[k * n + j];
            o[i * n + j] = s;
            if (i == j) t += s;
        }
    return t;
}

// run: 4096 8 16384
int transpose_add(const u16 *a, int n, u16 *o) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) o[j * n + i] = a[i * n + j] + a[j * n + i];
    return o[3];
}

// run: 4096 40
u32 jhash_like(const u32 *k, int n) {
    u32 a = 0xdeadbeef, b = a + n, c = a;
    while (n > 3) {
        a += k[0];
        b += k[1];
        c += k[2];
        a -= c;
        a ^= (c << 4) | (c >> 28);
        c += b;
        b -= a;
        b ^= (a << 6) | (a >> 26);
        a += c;
        n -= 3;
        k += 3;
    }
    switch (n) {
    case 3: c += k[2];
    case 2: b += k[1];
    case 1: a += k[0];
    }
    return a ^ b ^ c;
}

// run: 4096 40
u32 fnv1a_fold(const u8 *p, int n) {
    u32 h = 2166136261u;
    for (int i = 0; i < n; i++) {
        h ^= p[i];
        h *= 16777619u;
    }
    return (h >> 24) ^ (h & 0xffffff);
}

// run: 4096 40
u32 poly_roll(const u8 *p, int n) {
    u32 h = 0, hits = 0, pw = 1;
    for (int i = 0; i < 7; i++) pw = pw * 31;
    for (int i = 0; i < n; i++) {
        if (i >= 8) h -= pw * p[i - 8];
        h = h * 31 + p[i];
        if ((h & 15) == 0) hits++;
    }
    return hits;
}

// run: 4096 30
int zigzag_levels(const s8 *p, int n) {
    int up = 0, down = 0;
    for (int i = 1; i < n; i++) {
        if (p[i] > p[i - 1]) up = down + 1;
        else if (p[i] < p[i - 1]) down = up + 1;
    }
    return up > down ? up : down;
}

// run: 4096 40
// ahead: a sum that stays in its range is a sum with an overflow bit, and a choice
int sum_saturated(const s8 *p, int n) {
    s8 a = 0;
    for (int i = 0; i < n; i++) {
        int t = a + p[i];
        a = t > 127 ? 127 : t < -128 ? -128 : t;
    }
    return a;
}

// run: 4096 16384 30
int ring_copy(const u8 *p, u8 *o, int n) {
    unsigned h = 0, t = 0;
    u8 buf[8];
    int k = 0;
    for (int i = 0; i < n; i++) {
        if (((h + 1) & 7) != (t & 7)) {
            buf[h & 7] = p[i];
            h = (h + 1) & 7;
        }
        if (p[i] & 1) {
            if (t != h) {
                o[k++] = buf[t];
                t = (t + 1) & 7;
            }
        }
    }
    return k;
}

// run: 4096 40
int calc_rpn8(const u8 *p, int n) {
    u8 st[16];
    int sp = 0;
    for (int i = 0; i < n; i++) {
        u8 c = p[i];
        if (c < 128 || sp < 2) {
            if (sp < 16) st[sp++] = c;
        } else {
            u8 b = st[--sp], a = st[--sp];
            switch (c & 3) {
            case 0: a += b; break;
            case 1: a -= b; break;
            case 2: a *= b; break;
            default: a ^= b;
            }
            st[sp++] = a;
        }
    }
    return sp ? st[sp - 1] : -1;
}

// run: 4096 16
long long cross_sum(const int *p, int n) {
    long long s = 0;
    for (int i = 0; i < n; i++) {
        int j = i + 1 == n ? 0 : i + 1;
        s += (long long)p[2 * i] * p[2 * j + 1] - (long long)p[2 * j] * p[2 * i + 1];
    }
    return s;
}
