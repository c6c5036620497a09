// Straight lines and branches on integers. Behind `run:` stand the arguments of runs of the function below it.

// run: 0 | 77 | 100 | -1
unsigned char mix_bytes(unsigned char x) {
    unsigned char a = (unsigned char)(x * 7 + 13);
    unsigned char b = (unsigned char)((a << 3) | (a >> 5));
    unsigned char c = (unsigned char)(b ^ (x & 0x3f));
    return (unsigned char)((c + a) & 0x7f);
}

// run: 305419896 | 0 | -1 | 255
unsigned swap_bytes(unsigned x) {
    return (x >> 24) | ((x >> 8) & 0xff00) | ((x << 8) & 0xff0000) | (x << 24);
}

// run: 5 9 | -7 3 | 2147483647 1
int average(int a, int b) {
    return (a & b) + ((a ^ b) >> 1);
}

// run: 15 | -300 | 77 | 256
int clamp_to_byte(int x) {
    if (x < 0) return 0;
    if (x > 255) return 255;
    return x;
}

// run: 10 20 30 | 30 20 10 | 20 30 10 | 5 5 5
int middle(int a, int b, int c) {
    if (a > b) { int t = a; a = b; b = t; }
    if (b > c) { int t = b; b = c; c = t; }
    if (a > b) { int t = a; a = b; b = t; }
    return b;
}

// run: 2024 | 1900 | 2000 | 2023
int leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// run: 3661 | 86399 | 0
int clock_digits(unsigned seconds) {
    unsigned h = seconds / 3600, m = seconds / 60 % 60, s = seconds % 60;
    return (int)(h * 10000 + m * 100 + s);
}

// run: 1000 | -1000 | 7
int div_and_mod(int x) {
    return x / 10 * 3 + x % 10;
}

// run: 65 | 97 | 48 | 33
int hex_digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// run: 0 | 1 | 4 | 6 | 9
int days_before(int month) {
    switch (month) {
    case 0: return 0;
    case 1: return 31;
    case 2: return 59;
    case 3: return 90;
    case 4: return 120;
    case 5: return 151;
    case 6: return 181;
    default: return -1;
    }
}

// run: 1 | 2 | 4 | 11 | 13
int days_of(int month) {
    switch (month) {
    case 2: return 28;
    case 4: case 6: case 9: case 11: return 30;
    case 1: case 3: case 5: case 7: case 8: case 10: case 12: return 31;
    default: return 0;
    }
}

// run: 97 | 98 | 113 | 32
int is_vowel(int c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
    default: return 0;
    }
}

// run: 305419896 | 0 | -1
unsigned gray(unsigned x) {
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    return x & 1;
}

// run: 305419896 | 0 | -1
unsigned ones(unsigned x) {
    x = x - ((x >> 1) & 0x55555555u);
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return (x * 0x01010101u) >> 24;
}

// run: 305419896 7 | 1 31 | -1 0
unsigned spread(unsigned x, unsigned k) {
    unsigned a = (x & 0xffff) * 3 + k;
    unsigned b = (x >> 16) * 3 + k;
    return ((a & 0xff) | ((b & 0xff) << 8)) & 0xffff;
}

// run: 255 128 64 | 0 0 0 | 31 63 31
unsigned pack565(unsigned r, unsigned g, unsigned b) {
    return ((r & 0xf8) << 8) | ((g & 0xfc) << 3) | ((b & 0xff) >> 3);
}

// run: 65535 | 1234 | 0
unsigned unpack565(unsigned p) {
    unsigned r = (p >> 11) & 31, g = (p >> 5) & 63, b = p & 31;
    r = (r << 3) | (r >> 2);
    g = (g << 2) | (g >> 4);
    b = (b << 3) | (b >> 2);
    return (r << 16 | g << 8 | b) & 0xffffff;
}

// run: 5 | -5 | 0 | 2147483647
int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
    return 0;
}

// run: 7 3 | -7 3 | 7 -3
int floor_div(int a, int b) {
    int q = a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) q--;
    return q;
}

// run: 12 5 | -12 5 | 100 100
int narrow_sum(short a, short b) {
    short c = (short)(a + b);
    short d = (short)(c * 2 - a);
    return (signed char)(c ^ d);
}

// run: 3 4 | -3 4 | 1000 -1000
int distance(int x, int y) {
    int a = x < 0 ? -x : x, b = y < 0 ? -y : y;
    return a > b ? a + (b >> 1) : b + (a >> 1);
}

// run: 0 9 7 5 | 1 9 7 5 | 2 9 7 5 | 3 9 7 5
int by_kind(int kind, int a, int b, int c) {
    int r;
    switch (kind) {
    case 0: r = a * b * c; break;
    case 1: r = (a * b ^ c) % 11; break;
    case 2: r = a * b / (c | 1); break;
    default: r = a - b; break;
    }
    return r * 31 + a * b;
}
