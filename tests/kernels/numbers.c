// Numbers: digits, dates, primes, bases, big numbers. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

// run: 4096 16384 12
u32 big_add(u32 *a, const u32 *b, int n) {
    u64 carry = 0;
    for (int i = 0; i < n; i++) {
        u64 t = (u64)a[i] + b[i] + carry;
        a[i] = (u32)t;
        carry = t >> 32;
    }
    return carry;
}

// run: 4096 16384 12
u32 big_sub(u32 *a, const u32 *b, int n) {
    u32 borrow = 0;
    for (int i = 0; i < n; i++) {
        u32 t = a[i] - borrow, c = t > a[i];
        a[i] = t - b[i];
        borrow = c | (a[i] > t);
    }
    return borrow;
}

// run: 4096 16384 32768 6
void big_mul(const u32 *a, const u32 *b, u32 *r, int n) {
    for (int i = 0; i < 2 * n; i++) r[i] = 0;
    for (int i = 0; i < n; i++) {
        u64 c = 0;
        for (int j = 0; j < n; j++) {
            c += (u64)a[i] * b[j] + r[i + j];
            r[i + j] = (u32)c;
            c >>= 32;
        }
        r[i + n] = (u32)c;
    }
}

// run: 4096 12 10
u32 big_div_small(u32 *a, int n, u32 d) {
    u64 rem = 0;
    for (int i = n - 1; i >= 0; i--) {
        rem = rem << 32 | a[i];
        a[i] = rem / d;
        rem %= d;
    }
    return rem;
}

// run: 4096 16384 10
int big_cmp(const u32 *a, const u32 *b, int n) {
    for (int i = n; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

// run: 4096 12 5
void big_shl(u32 *a, int n, int s) {
    u32 c = 0;
    for (int i = 0; i < n; i++) {
        u32 t = a[i];
        a[i] = t << s | c;
        c = t >> (32 - s);
    }
}

// run: 4096 20
int factorial_digits(u8 *d, int n) {
    int len = 1;
    d[0] = 1;
    for (int k = 2; k <= n; k++) {
        int c = 0;
        for (int i = 0; i < len; i++) {
            c += d[i] * k;
            d[i] = c % 10;
            c /= 10;
        }
        while (c) {
            d[len++] = c % 10;
            c /= 10;
        }
    }
    return len;
}

// run: 2024 11 26 | 1900 2 28 | 2000 1 1
int day_of_week(int y, int m, int d) {
    static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    if (m < 3) y--;
    return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + d) % 7;
}

// run: 19000 | 0 | -1000
int civil_from_days(int z) {
    z += 719468;
    int era = (z >= 0 ? z : z - 146096) / 146097;
    unsigned doe = z - era * 146097;
    unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365, doy = doe - (365 * yoe + yoe / 4 - yoe / 100),
             mp = (5 * doy + 2) / 153;
    unsigned d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
    return (int)(yoe + era * 400 + (m <= 2)) * 10000 + m * 100 + d;
}

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

// run: 2024 366 | 2023 60
int month_of_day(int y, int doy) {
    static const u8 len[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int m = 0;
    while (m < 12) {
        int l = len[m] + (m == 1 && leap(y));
        if (doy <= l) break;
        doy -= l;
        m++;
    }
    return m * 100 + doy;
}

// run: 2024 | 1999
int easter(int y) {
    int a = y % 19, b = y / 100, c = y % 100, d = b / 4, e = b % 4, f = (b + 8) / 25, g = (b - f + 1) / 3,
        h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7,
        m = (a + 11 * h + 22 * l) / 451;
    return (h + l - 7 * m + 114);
}

// run: 1994 4096 | 49 4096
int to_roman(int n, char *d) {
    static const int val[] = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    static const char sym[][3] = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    int o = 0;
    for (int i = 0; i < 13; i++)
        while (n >= val[i]) {
            n -= val[i];
            for (const char *s = sym[i]; *s; s++) d[o++] = *s;
        }
    return o;
}

// run: 1071 462
int ext_gcd(int a, int b) {
    int x0 = 1, x1 = 0;
    while (b) {
        int q = a / b, t = a % b;
        a = b;
        b = t;
        t = x0 - q * x1;
        x0 = x1;
        x1 = t;
    }
    return a * 1000 + x0;
}

// run: 1048576 3528
u32 binary_gcd(u32 a, u32 b) {
    int s = 0;
    if (!a || !b) return a | b;
    while (!((a | b) & 1)) {
        a >>= 1;
        b >>= 1;
        s++;
    }
    while (!(a & 1)) a >>= 1;
    do {
        while (!(b & 1)) b >>= 1;
        if (a > b) {
            u32 t = a;
            a = b;
            b = t;
        }
        b -= a;
    } while (b);
    return a << s;
}

// run: 4096 200
int linear_sieve(u8 *comp, int n) {
    int primes[64], k = 0;
    for (int i = 0; i <= n; i++) comp[i] = 0;
    for (int i = 2; i <= n; i++) {
        if (!comp[i]) primes[k++] = i;
        for (int j = 0; j < k && i * primes[j] <= n; j++) {
            comp[i * primes[j]] = 1;
            if (i % primes[j] == 0) break;
        }
    }
    return k;
}

// run: 360 | 9973
int totient(int n) {
    int r = n;
    for (int p = 2; p * p <= n; p++)
        if (n % p == 0) {
            while (n % p == 0) n /= p;
            r -= r / p;
        }
    if (n > 1) r -= r / n;
    return r;
}

// run: 1000
int perfect_numbers(int n) {
    int c = 0;
    for (int i = 2; i < n; i += 7) {
        int s = 1;
        for (int d = 2; d * d <= i; d++)
            if (i % d == 0) {
                s += d;
                if (d != i / d) s += i / d;
            }
        c += s == i;
    }
    return c;
}

static u64 mulmod(u64 a, u64 b, u64 m) {
    u64 r = 0;
    while (b) {
        if (b & 1) {
            r += a;
            if (r >= m) r -= m;
        }
        a += a;
        if (a >= m) a -= m;
        b >>= 1;
    }
    return r;
}

// run: 1000003 | 561
int miller_rabin(u64 n) {
    u64 d = n - 1, x = 1, b = 2;
    int s = 0;
    while (!(d & 1)) {
        d >>= 1;
        s++;
    }
    for (; d; d >>= 1) {
        if (d & 1) x = mulmod(x, b, n);
        b = mulmod(b, b, n);
    }
    if (x == 1 || x == n - 1) return 1;
    while (--s > 0) {
        x = mulmod(x, x, n);
        if (x == n - 1) return 1;
    }
    return 0;
}

// run: 30
u64 fib_matrix(int n) {
    u64 a = 1, b = 1, c = 0, ra = 1, rb = 0, rc = 1;
    while (n) {
        if (n & 1) {
            u64 t = ra * a + rb * b;
            rc = rb * b + rc * c;
            rb = ra * b + rb * c;
            ra = t;
        }
        u64 bb = b * b;
        b = a * b + b * c;
        a = a * a + bb;
        c = bb + c * c;
        n >>= 1;
    }
    return rb;
}

// run: 12321 | 1221 | 12345
int is_palindrome(int n) {
    int r = 0, t = n;
    while (t > 0) {
        r = r * 10 + t % 10;
        t /= 10;
    }
    return r == n;
}

// run: 153 | 9474
int armstrong(int n) {
    int k = 0, s = 0;
    for (int t = n; t; t /= 10) k++;
    for (int t = n; t; t /= 10) {
        int d = t % 10, p = 1;
        for (int i = 0; i < k; i++) p *= d;
        s += p;
    }
    return s == n;
}

// run: 255 2 4096 | 123456 7 4096
int to_base(u32 n, u32 base, char *d) {
    int k = 0;
    do {
        u32 r = n % base;
        d[k++] = r < 10 ? '0' + r : 'a' + r - 10;
        n /= base;
    } while (n);
    for (int i = 0; i < k / 2; i++) {
        char t = d[i];
        d[i] = d[k - 1 - i];
        d[k - 1 - i] = t;
    }
    return k;
}

// run: 5000 | 17
long sum_multiples(int n) {
    long s = 0;
    for (int i = 0; i < n; i++)
        if (i % 3 == 0 || i % 5 == 0) s += i;
    return s;
}

// run: 12
long pascal_row_sum(int n) {
    long row[16] = {1}, s = 0;
    for (int i = 1; i <= n; i++)
        for (int j = i; j > 0; j--) row[j] += row[j - 1];
    for (int j = 0; j <= n; j++) s += row[j] * row[j];
    return s;
}

// run: 30
int pythagorean(int n) {
    int c = 0;
    for (int a = 1; a < n; a++)
        for (int b = a; b < n; b++)
            for (int k = b + 1; k < n; k++)
                if (a * a + b * b == k * k) {
                    c++;
                    break;
                }
    return c;
}

// run: 200 50
int cordic_like(int x, int y) {
    static const int at[8] = {11520, 6801, 3593, 1824, 916, 458, 229, 115};
    int z = 0;
    for (int i = 0; i < 8; i++) {
        int nx;
        if (y > 0) {
            nx = x + (y >> i);
            y -= x >> i;
            z += at[i];
        } else {
            nx = x - (y >> i);
            y += x >> i;
            z -= at[i];
        }
        x = nx;
    }
    return z;
}
