// What every program has: searches, parsers, dates, sorts, lists. Behind `run:` stand the arguments of runs of the function
// below it.

// run: 4096 7 | 4096 0
int lower_bound(int *p, int key) {
    int lo = 0, hi = 40;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (p[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

// run: 4096
int length(const char *s) {
    const char *p = s;
    while (*p && *p != 44) p++;
    return p - s;
}

// run: 4096 16384
int compare(const unsigned char *a, const unsigned char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}

// run: 4096 16384 30
void copy_bytes(char *d, const char *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i];
}

// run: 4096 30
int atoi_like(const char *s, int n) {
    int v = 0, neg = 0;
    for (int i = 0; i < n; i++) {
        char c = s[i];
        if (c == '-') neg = 1;
        else if (c >= '0' && c <= '9') v = v * 10 + (c - '0');
        else if (c == ' ' || c == '\t' || c == '\n') continue;
    }
    return neg ? -v : v;
}

// run: 97 | 65 | 48 | 95 | 200
int is_ident(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// run: 32 | 9 | 13 | 65
// ahead: a choice is one operation, a look-up and its extension are two
int is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

// run: 97 | 70 | 49 | 3
int hex_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// run: 4 1900 | 2 2000 | 2 1999
int days_in_month(int m, int y) {
    switch (m) {
    case 2: return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0 ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11: return 30;
    default: return 31;
    }
}

// run: 1 | 5 | 9
int grade(int x) {
    if (x == 1) return 10;
    if (x == 2) return 20;
    if (x == 3) return 25;
    if (x == 5) return 11;
    if (x == 7) return 6;
    return 0;
}

// run: 2024 11 26 | 1970 1 1
int day_number(int y, int m, int d) {
    int a = (14 - m) / 12, yy = y + 4800 - a, mm = m + 12 * a - 3;
    return d + (153 * mm + 2) / 5 + 365 * yy + yy / 4 - yy / 100 + yy / 400 - 32045;
}

// run: 12345 | 7 | 1000000
int digits(unsigned n) {
    int c = 1;
    while (n >= 10) {
        n /= 10;
        c++;
    }
    return c;
}

// run: 12345678 | 0
unsigned bcd(unsigned n) {
    unsigned r = 0, s = 0;
    while (n) {
        r |= (n % 10) << s;
        s += 4;
        n /= 10;
    }
    return r;
}

// run: 20 | 35
long catalan(int n) {
    long c = 1;
    for (int i = 0; i < n; i++) c = c * 2 * (2 * i + 1) / (i + 2);
    return c;
}

// run: 10 3 | 20 7
long binomial(int n, int k) {
    long r = 1;
    for (int i = 1; i <= k; i++) r = r * (n - k + i) / i;
    return r;
}

// run: 1000003 | 91 | 1
int smallest_factor(int n) {
    if (n % 2 == 0) return 2;
    for (int d = 3; d * d <= n; d += 2)
        if (n % d == 0) return d;
    return n;
}

// run: 3 100 1000007 | 2 1000 97
unsigned long pow_mod(unsigned long b, unsigned e, unsigned long m) {
    unsigned long r = 1;
    b %= m;
    while (e) {
        if (e & 1) r = r * b % m;
        b = b * b % m;
        e >>= 1;
    }
    return r;
}

// run: 4096 24
void selection_sort(int *p, int n) {
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (p[j] < p[best]) best = j;
        int t = p[i];
        p[i] = p[best];
        p[best] = t;
    }
}

// run: 4096 32
void shell_sort(int *p, int n) {
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            int v = p[i], j = i;
            for (; j >= gap && p[j - gap] > v; j -= gap) p[j] = p[j - gap];
            p[j] = v;
        }
}

static int partition(int *p, int lo, int hi) {
    int x = p[hi], i = lo;
    for (int j = lo; j < hi; j++)
        if (p[j] < x) {
            int t = p[i];
            p[i] = p[j];
            p[j] = t;
            i++;
        }
    int t = p[i];
    p[i] = p[hi];
    p[hi] = t;
    return i;
}

// run: 4096 0 20
void quick_sort(int *p, int lo, int hi) {
    if (lo >= hi) return;
    int m = partition(p, lo, hi);
    quick_sort(p, lo, m - 1);
    quick_sort(p, m + 1, hi);
}

// run: 4096 20
void heapify(int *p, int n) {
    for (int s = n / 2 - 1; s >= 0; s--) {
        int r = s;
        while (2 * r + 1 < n) {
            int c = 2 * r + 1;
            if (c + 1 < n && p[c] < p[c + 1]) c++;
            if (p[r] >= p[c]) break;
            int t = p[r];
            p[r] = p[c];
            p[c] = t;
            r = c;
        }
    }
}

// run: 4096 16384 8
void transpose(int *d, const int *s, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) d[j * n + i] = s[i * n + j];
}

// run: 4096 16384 32768 6
void mat_vec(long *d, const int *a, const int *x, int n) {
    for (int i = 0; i < n; i++) {
        d[i] = 0;
        for (int j = 0; j < n; j++) d[i] += (long)a[i * n + j] * x[j];
    }
}

// run: 4096 16384 12
int edit_distance(const unsigned char *a, int *row, int n) {
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diag = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int up = row[j], cost = diag + (a[i - 1] != a[n + j - 1]);
            int best = up + 1 < row[j - 1] + 1 ? up + 1 : row[j - 1] + 1;
            row[j] = cost < best ? cost : best;
            diag = up;
        }
    }
    return row[n];
}

// run: 4096 50
int max_subarray(int *p, int n) {
    int best = p[0], cur = p[0];
    for (int i = 1; i < n; i++) {
        cur = cur > 0 ? cur + p[i] : p[i];
        if (cur > best) best = cur;
    }
    return best;
}

// run: 4096 40 3
int count_equal(const int *p, int n, int key) {
    int c = 0;
    for (int i = 0; i < n; i++)
        if (p[i] == key) c++;
    return c;
}

// run: 4096 40
int all_zero(const int *p, int n) {
    for (int i = 0; i < n; i++)
        if (p[i]) return 0;
    return 1;
}

// run: 4096 40
unsigned adler(const unsigned char *p, int n) {
    unsigned a = 1, b = 0;
    for (int i = 0; i < n; i++) {
        a = (a + p[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

// run: 4096 40
unsigned fletcher(const unsigned char *p, int n) {
    unsigned s1 = 0xff, s2 = 0xff;
    for (int i = 0; i < n; i++) {
        s1 += p[i];
        s2 += s1;
        s1 = (s1 & 0xff) + (s1 >> 8);
        s2 = (s2 & 0xff) + (s2 >> 8);
    }
    return s2 << 8 | s1;
}

// run: 4096 32
unsigned murmur(const unsigned *p, int n) {
    unsigned h = 42;
    for (int i = 0; i < n; i++) {
        unsigned k = p[i] * 0xcc9e2d51u;
        k = k << 15 | k >> 17;
        k *= 0x1b873593u;
        h ^= k;
        h = h << 13 | h >> 19;
        h = h * 5 + 0xe6546b64u;
    }
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

// run: 1 100 | 99 3
unsigned long xorshift(unsigned long x, int n) {
    for (int i = 0; i < n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

// run: 4096 30
int rle(const unsigned char *p, int n) {
    int runs = 0, prev = -1;
    for (int i = 0; i < n; i++) {
        if (p[i] != prev) {
            runs++;
            prev = p[i];
        }
    }
    return runs;
}

// run: 4096 16384 9
int base64(const unsigned char *s, unsigned char *d, int n) {
    int o = 0;
    for (int i = 0; i + 2 < n; i += 3) {
        unsigned v = s[i] << 16 | s[i + 1] << 8 | s[i + 2];
        for (int k = 18; k >= 0; k -= 6) {
            unsigned c = v >> k & 63;
            d[o++] = c < 26 ? 'A' + c : c < 52 ? 'a' + c - 26 : c < 62 ? '0' + c - 52 : c == 62 ? '+' : '/';
        }
    }
    return o;
}

// run: 4096 20
int utf8_length(const unsigned char *p, int n) {
    int c = 0;
    for (int i = 0; i < n; i++) c += (p[i] & 0xc0) != 0x80;
    return c;
}

// run: 5 | 100 | 0
int popcount_loop(unsigned x) {
    int c = 0;
    while (x) {
        x &= x - 1;
        c++;
    }
    return c;
}

// run: 5 | 1000 | 70000
int log2_floor(unsigned x) {
    int r = 0;
    while (x >>= 1) r++;
    return r;
}

// run: 5 | 1000 | 70000
unsigned next_power(unsigned v) {
    v--;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    return v + 1;
}

// run: 305419896 | 1
unsigned reverse_bits(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) {
        r = r << 1 | (x & 1);
        x >>= 1;
    }
    return r;
}

// run: 3 5 7 | 9 2 4 | 1 1 1
int median(int a, int b, int c) {
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (b > c) {
        int t = b;
        b = c;
        c = t;
    }
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    return b;
}

// run: 300 | -4 | 77
int clamp_byte(int x) {
    if (x < 0) return 0;
    if (x > 255) return 255;
    return x;
}

// run: 10 20 30 | 250 3 9
unsigned blend(unsigned a, unsigned b, unsigned t) {
    unsigned r = ((a & 0xff) * (256 - t) + (b & 0xff) * t) >> 8;
    unsigned g = ((a >> 8 & 0xff) * (256 - t) + (b >> 8 & 0xff) * t) >> 8;
    return (r & 0xff) | (g & 0xff) << 8;
}

// run: 10 | 18
int hanoi(int n) { return n == 0 ? 0 : hanoi(n - 1) + 1 + hanoi(n - 1); }

// run: 8
int fib_rec(int n) { return n < 2 ? n : fib_rec(n - 1) + fib_rec(n - 2); }
static int even_odd(int n, int odd) { return n == 0 ? !odd : even_odd(n - 1, !odd); }

// run: 30
int even_call(int n) { return even_odd(n, 0); }
struct pair {
    int a, b;
};
static struct pair swap_pair(struct pair p) {
    struct pair q = {p.b, p.a};
    return q;
}

// run: 3 4
int pairs(int a, int b) {
    struct pair p = {a, b};
    for (int i = 0; i < 5; i++) {
        p = swap_pair(p);
        p.a += i;
    }
    return p.a * 100 + p.b;
}

struct node {
    struct node *next;
    long v;
};

// run: 4096 20
long list_sum(struct node *n, int k) {
    for (int i = 0; i < k; i++) {
        n[i].next = i + 1 < k ? &n[i + 1] : 0;
        n[i].v = i * i;
    }
    long s = 0;
    for (struct node *p = n; p; p = p->next) s += p->v;
    return s;
}

// run: 4096 20
void list_reverse(struct node *n, int k) {
    for (int i = 0; i < k; i++) {
        n[i].next = i + 1 < k ? &n[i + 1] : 0;
        n[i].v = i;
    }
    struct node *prev = 0, *p = n;
    while (p) {
        struct node *t = p->next;
        p->next = prev;
        prev = p;
        p = t;
    }
}

// run: 4096 30
int tokens(const unsigned char *p, int n) {
    int state = 0, count = 0;
    for (int i = 0; i < n; i++) {
        int c = p[i] & 7;
        switch (state) {
        case 0:
            if (c == 1) state = 1;
            else if (c == 2) state = 2;
            break;
        case 1:
            if (c == 0) {
                state = 0;
                count++;
            }
            break;
        case 2:
            if (c == 3) state = 0;
            else if (c == 4) state = 1;
            break;
        }
    }
    return count;
}

// run: 4096 16384 24
// ahead: C says that loops end, so the bound of `i <= n` with which one does not is not asked for
int knapsack(const int *w, int *best, int cap) {
    for (int i = 0; i <= cap; i++) best[i] = 0;
    for (int k = 0; k < 5; k++) {
        int x = (w[k] & 7) + 1;
        for (int c = cap; c >= x; c--) {
            int v = best[c - x] + x * 3;
            if (v > best[c]) best[c] = v;
        }
    }
    return best[cap];
}

// run: 4096 100
int sieve(unsigned char *p, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) p[i] = 1;
    for (int i = 2; i < n; i++)
        if (p[i]) {
            count++;
            for (int j = i * 2; j < n; j += i) p[j] = 0;
        }
    return count;
}

// run: 4096 16
void convolve(int *p, int n) {
    for (int i = 1; i < n - 1; i++) p[i + 64] = (p[i - 1] + 2 * p[i] + p[i + 1]) / 4;
}

// run: 4096 8
void game_of_life_row(unsigned char *p, int w) {
    for (int y = 1; y < 4; y++)
        for (int x = 1; x < w - 1; x++) {
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy) n += p[(y + dy) * w + x + dx] & 1;
            p[128 + y * w + x] = n == 3 || (n == 2 && (p[y * w + x] & 1));
        }
}

// run: 1000 7 | 33 0
int safe_div(int a, int b) {
    if (b == 0) return 0;
    return a / b + a % b;
}

// run: 1000000 50 | 3 4
long isqrt_newton(long n, int k) {
    long x = n;
    for (int i = 0; i < k && x > 1; i++) {
        long y = (x + n / x) / 2;
        if (y >= x) break;
        x = y;
    }
    return x;
}

// run: 100
long two_dims(int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if ((i ^ j) & 1) s += i * j;
    return s;
}

// run: 60
long triple(int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) s += j - i;
    return s;
}

// run: 4096 40 | 4096 41
// ahead: C says that loops end, so a counter of steps of two does not wrap
void interleave(int *p, int n) {
    for (int i = 0; i < n; i += 2) {
        int a = p[i], b = p[i + 1];
        p[i] = a + b;
        p[i + 1] = a - b;
    }
}

// run: 4096
void fixed_small(int *p) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) p[i * 4 + j] = i == j;
}

// run: 4096 25
int second_largest(const int *p, int n) {
    int a = -1 << 30, b = -1 << 30;
    for (int i = 0; i < n; i++) {
        if (p[i] > a) {
            b = a;
            a = p[i];
        } else if (p[i] > b) b = p[i];
    }
    return b;
}

// run: 4096 16384 32768 20 20
int merge(int *p, int *q, int *out, int n, int m) {
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) out[k++] = p[i] <= q[j] ? p[i++] : q[j++];
    while (i < n) out[k++] = p[i++];
    while (j < m) out[k++] = q[j++];
    return k;
}

// run: 3 0 5 | 3 1 5 | 3 2 5 | 3 3 5 | 8 7 2
int calc(int a, int op, int b) {
    switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b ? a / b : 0;
    case 4: return a & b;
    case 5: return a | b;
    }
    return -1;
}

// run: 4096 60
long var_int(const unsigned char *p, int n) {
    long sum = 0;
    int i = 0;
    while (i < n) {
        unsigned long v = 0;
        int s = 0;
        do {
            v |= (unsigned long)(p[i] & 127) << s;
            s += 7;
        } while (p[i++] & 128 && i < n && s < 63);
        sum += v;
    }
    return sum;
}
