// Loops up to and with a bound, searches that leave early, pointers that meet, tests of characters and saturation.
// Behind `run:` stand the arguments of runs of the function below it.

// run: 4096 20 7 | 4096 30 200
int find_byte(const unsigned char *p, int n, int c) {
    for (int i = 0; i <= n; i++)
        if (p[i] == c) return i;
    return -1;
}

// run: 4096 20 | 4096 1
long sum_upto(const int *a, int n) {
    long s = 0;
    for (int i = 1; i <= n; i++) s += a[i];
    return s;
}

// run: 4096 16384 40 | 4096 4100 20
void copy_ints(int *d, const int *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i];
}

// run: 4096 16384 40 | 4096 4097 20
void copy_upto(unsigned char *d, const unsigned char *s, int n) {
    for (int i = 0; i <= n; i++) d[i] = s[i];
}

// run: 97 | 48 | 95 | 35 | 46
// ahead: the tests for digits and letters are one without a branch
int is_url_char(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '~';
}

// run: 97 | 101 | 120 | 117
int is_vowel(int c) {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

// run: 43 | 42 | 97 | 37
int is_operator(unsigned char c) {
    switch (c) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '&':
    case '|':
        return 1;
    default:
        return 0;
    }
}

// run: 8 | 9 | 0
int one_bit(unsigned x) {
    return x && !(x & (x - 1));
}

// run: 8 | 9 | 1000
int ilog2_exact(unsigned x) {
    if (x == 0 || (x & (x - 1)) != 0) return -1;
    int n = 0;
    while (x > 1) {
        x >>= 1;
        n++;
    }
    return n;
}

// run: 200 100 | 3 4
unsigned char sat_sub_u8(unsigned char a, unsigned char b) {
    return a > b ? a - b : 0;
}

// run: 4096 30
int min_of(const int *a, int n) {
    int m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] < m) m = a[i];
    return m;
}

// run: 4096 30
int range_of(const int *a, int n) {
    int lo = a[0], hi = a[0];
    for (int i = 1; i < n; i++) {
        if (a[i] < lo) lo = a[i];
        if (a[i] > hi) hi = a[i];
    }
    return hi - lo;
}

// run: 4096 30
int arg_max(const int *a, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (a[i] > a[best]) best = i;
    return best;
}

// run: 4096 20
void prefix_sums(int *a, int n) {
    for (int i = 1; i < n; i++) a[i] += a[i - 1];
}

// run: 4096 16384 20
void prefix_sums_to(const int *a, long *out, int n) {
    out[0] = 0;
    for (int i = 0; i < n; i++) out[i + 1] = out[i] + a[i];
}

// run: 4096 30 500
int two_sum(const int *a, int n, int target) {
    int i = 0, j = n - 1;
    while (i < j) {
        int s = a[i] + a[j];
        if (s == target) return i * 100 + j;
        if (s < target) i++;
        else j--;
    }
    return -1;
}

// run: 4096 20
void reverse_bytes(char *s, int n) {
    int i = 0, j = n - 1;
    while (i < j) {
        char t = s[i];
        s[i] = s[j];
        s[j] = t;
        i++;
        j--;
    }
}

// run: 4096 32 | 4100 32
int str_nlen(const char *s, int n) {
    int i = 0;
    while (i < n && s[i]) i++;
    return i;
}

// run: 4096 16384 | 4096 4096
int str_cmp(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

// run: 4096 16384 20
int str_ncmp(const char *a, const char *b, int n) {
    for (int i = 0; i < n; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
        if (!a[i]) break;
    }
    return 0;
}

// run: 16384 4096
char *str_cpy(char *d, const char *s) {
    char *r = d;
    while ((*d++ = *s++));
    return r;
}

// run: 4096 47
const char *str_rchr(const char *s, int c) {
    const char *r = 0;
    for (; *s; s++)
        if (*s == c) r = s;
    return r;
}

// run: 4096 16384 32768 4
void mat_mul(const int *a, const int *b, int *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

// run: 4096 6
int trace_of(const int *a, int n) {
    int t = 0;
    for (int i = 0; i < n; i++) t += a[i * n + i];
    return t;
}

// run: 4096 6
int is_symmetric(const int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (a[i * n + j] != a[j * n + i]) return 0;
    return 1;
}

struct point {
    int x, y;
};
// run: 4096 10
long area2(const struct point *p, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        s += (long)p[i].x * p[j].y - (long)p[j].x * p[i].y;
    }
    return s;
}

struct box {
    int left, top, right, bottom;
};
// run: 4096 16384 | 4096 4096
// ahead: the last two tests are one without a branch
int overlaps(const struct box *a, const struct box *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

// run: 4096 16384 32768
void join_box(const struct box *a, const struct box *b, struct box *c) {
    c->left = a->left < b->left ? a->left : b->left;
    c->top = a->top < b->top ? a->top : b->top;
    c->right = a->right > b->right ? a->right : b->right;
    c->bottom = a->bottom > b->bottom ? a->bottom : b->bottom;
}

// run: 3 4 5 | 1 1 3 | 2 2 2 | 5 5 3
int triangle_kind(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return -1;
    if (a + b <= c || a + c <= b || b + c <= a) return 0;
    if (a == b && b == c) return 3;
    if (a == b || b == c || a == c) return 2;
    return 1;
}

// run: 1 5 3 | 2 5 3 | 4 7 0 | 9 1 1
int apply_op(int op, int a, int b) {
    switch (op) {
    case 1:
        return a + b;
    case 2:
        return a - b;
    case 3:
        return a * b;
    case 4:
        return b ? a / b : 0;
    default:
        return -1;
    }
}

// run: 4096 24
unsigned crc16_bits(const unsigned char *p, int n) {
    unsigned short crc = 0xffff;
    for (int i = 0; i < n; i++) {
        crc ^= (unsigned short)(p[i] << 8);
        for (int k = 0; k < 8; k++)
            crc = crc & 0x8000 ? (unsigned short)((crc << 1) ^ 0x1021) : (unsigned short)(crc << 1);
    }
    return crc;
}

// run: 16384
void make_crc_table(unsigned *t) {
    for (unsigned i = 0; i < 64; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
        t[i] = c;
    }
}

// run: 4096 30 | 4096 1
int is_sorted(const int *a, int n) {
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i]) return 0;
    return 1;
}

// run: 4096 30
int remove_zeros(int *a, int n) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] != 0) a[k++] = a[i];
    return k;
}

// run: 4096 30
int unique(int *a, int n) {
    if (n == 0) return 0;
    int k = 1;
    for (int i = 1; i < n; i++)
        if (a[i] != a[k - 1]) a[k++] = a[i];
    return k;
}

// run: 4096 16384 32768 10 12
int merge(const int *a, const int *b, int *c, int n, int m) {
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) c[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < n) c[k++] = a[i++];
    while (j < m) c[k++] = b[j++];
    return k;
}

// run: 4096 20
int palindrome(const char *s, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--)
        if (s[i] != s[j]) return 0;
    return 1;
}

// run: 4096 30
int count_lower(const unsigned char *s, int n) {
    int k = 0;
    for (int i = 0; i < n; i++)
        if (s[i] >= 'a' && s[i] <= 'z') k++;
    return k;
}

// run: 4096 30
void to_upper(unsigned char *s, int n) {
    for (int i = 0; i < n; i++)
        if (s[i] >= 'a' && s[i] <= 'z') s[i] -= 32;
}

// run: 4096 30
int longest_run(const unsigned char *s, int n) {
    int best = 0, run = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && s[i] == s[i - 1]) run++;
        else run = 1;
        if (run > best) best = run;
    }
    return best;
}

// run: 4096 40 8
void moving_sum(int *a, int n, int w) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i];
        if (i >= w) s -= a[i - w];
        a[i + 100] = s;
    }
}

// run: 10 | 20
int primes_below(int n) {
    int k = 0;
    for (int i = 2; i <= n; i++) {
        int p = 1;
        for (int j = 2; j * j <= i; j++)
            if (i % j == 0) {
                p = 0;
                break;
            }
        k += p;
    }
    return k;
}

// run: 4096 40
void sieve(unsigned char *s, int n) {
    for (int i = 0; i <= n; i++) s[i] = 1;
    for (int i = 2; i * i <= n; i++)
        if (s[i])
            for (int j = i * i; j <= n; j += i) s[j] = 0;
}

// run: 4096 16384 20
int dot_i16(const short *a, const short *b, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

// run: 4096 20 3
void scale_clamp(short *a, int n, int k) {
    for (int i = 0; i < n; i++) {
        int v = a[i] * k;
        if (v > 32767) v = 32767;
        if (v < -32768) v = -32768;
        a[i] = (short)v;
    }
}

// run: 12345 | 7 | -321
int reverse_digits(int n) {
    int r = 0;
    while (n != 0) {
        r = r * 10 + n % 10;
        n /= 10;
    }
    return r;
}

// run: 4096 | 4104
int parse_hex(const char *s) {
    int v = 0;
    for (;;) {
        char c = *s++;
        int d;
        if (c >= '0' && c <= '9') d = c - '0';
        else if (c >= 'a' && c <= 'f') d = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F') d = c - 'A' + 10;
        else return v;
        v = v * 16 + d;
    }
}

// run: 4096 5
int ring_read(const int *buf, int n) {
    int s = 0;
    for (int i = 0; i < 40; i++) {
        s += buf[i % n];
        if (s > 1000000000) s -= 1000000000;
    }
    return s;
}

// run: 4096 30 25
int lower_bound2(const int *a, int n, int key) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}
