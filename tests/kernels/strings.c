// Strings, as a C library and its users have them. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
char text1[64] = "  The quick brown fox, jumps over 13 lazy dogs; 42 times.";
char text2[64] = "The quick brown fox; jumps over 13 lazy cats.";
char num1[16] = "-48213";
char num2[16] = "0x1fA7";
char path1[64] = "/usr/local/../share/./doc/readme.txt";

// run: 0 | 4
int str_len(int from) {
    const char *s = text1 + from;
    int n = 0;
    while (s[n] != '\0') n++;
    return n;
}

// run: 32 | 120 | 46
int str_chr(int c) {
    const char *s = text1;
    for (; *s; s++)
        if (*s == (char)c) return s - text1;
    return -1;
}

// run: 111 | 90
int str_rchr(int c) {
    const char *s = text1, *last = 0;
    do {
        if (*s == c) last = s;
    } while (*s++);
    return last ? last - text1 : -1;
}

// run: 2 30 | 0 5
int str_ncmp(int off, int n) {
    const u8 *a = (const u8 *)text1 + off, *b = (const u8 *)text2;
    while (n && *a && *a == *b) {
        a++;
        b++;
        n--;
    }
    return n ? *a - *b : 0;
}

// run: 4096 12 | 4096 60
void str_ncpy(char *d, int n) {
    const char *s = text2;
    int i;
    for (i = 0; i < n && s[i]; i++) d[i] = s[i];
    for (; i < n; i++) d[i] = 0;
}

// run: 0 | 5
int str_str(int off) {
    const char *hay = text1, *needle = text2 + off;
    for (; *hay; hay++) {
        int k = 0;
        while (k < 9 && needle[k] && hay[k] == needle[k]) k++;
        if (k == 9) return hay - text1;
    }
    return -1;
}

static int to_lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

// run: 2
int str_casecmp(int off) {
    const u8 *a = (const u8 *)text1 + off, *b = (const u8 *)text2;
    int d;
    do {
        d = to_lower(*a) - to_lower(*b);
        if (d) return d;
    } while (*a++ && *b++);
    return 0;
}

// run: 4096
int to_upper_string(char *d) {
    int n = 0;
    for (const char *s = text1; *s; s++) {
        char c = *s;
        if (c >= 'a' && c <= 'z') c -= 'a' - 'A';
        d[n++] = c;
    }
    d[n] = 0;
    return n;
}

// run: 0 | 5
int str_spn(int from) {
    const char *accept = "Tehquick ", *s = text2 + from;
    int n = 0;
    for (; s[n]; n++) {
        const char *a = accept;
        while (*a && *a != s[n]) a++;
        if (!*a) break;
    }
    return n;
}

// run: 0
// ahead: the test for the end is part of the choice, over a loop tested at its top
int count_words(int dummy) {
    int in = 0, words = 0;
    for (int i = 0; text1[i]; i++) {
        int space = text1[i] == ' ' || text1[i] == ',' || text1[i] == ';' || text1[i] == '.';
        if (space) in = 0;
        else if (!in) {
            in = 1;
            words++;
        }
    }
    return words;
}

// run: 10 | 16
long parse_int(int base) {
    const char *s = base == 16 ? num2 + 2 : num1;
    int neg = 0;
    long v = 0;
    if (*s == '-') {
        neg = 1;
        s++;
    } else if (*s == '+') s++;
    for (;; s++) {
        int d;
        if (*s >= '0' && *s <= '9') d = *s - '0';
        else if (*s >= 'a' && *s <= 'z') d = *s - 'a' + 10;
        else if (*s >= 'A' && *s <= 'Z') d = *s - 'A' + 10;
        else break;
        if (d >= base) break;
        v = v * base + d;
    }
    return neg ? -v : v;
}

// run: 4096 123456 | 4096 -907 | 4096 0
int format_int(char *out, int v) {
    char tmp[12];
    int n = 0, len = 0;
    unsigned u = v < 0 ? 0u - v : v;
    do {
        tmp[n++] = '0' + u % 10;
        u /= 10;
    } while (u);
    if (v < 0) out[len++] = '-';
    while (n > 0) out[len++] = tmp[--n];
    out[len] = 0;
    return len;
}

// run: 4096 3735928559
void format_hex(char *out, unsigned v) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 7; i >= 0; i--) {
        out[i] = digits[v & 15];
        v >>= 4;
    }
    out[8] = 0;
}

// run: 4096
void reverse_words(char *d) {
    int n = 0;
    while (text2[n]) {
        d[n] = text2[n];
        n++;
    }
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        char t = d[i];
        d[i] = d[j];
        d[j] = t;
    }
    int start = 0;
    for (int i = 0; i <= n; i++)
        if (i == n || d[i] == ' ') {
            for (int a = start, b = i - 1; a < b; a++, b--) {
                char t = d[a];
                d[a] = d[b];
                d[b] = t;
            }
            start = i + 1;
        }
}

// run: 4096
int trim(char *d) {
    const char *s = text1;
    while (*s == ' ' || *s == '\t') s++;
    int n = 0;
    while (s[n]) n++;
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '.')) n--;
    for (int i = 0; i < n; i++) d[i] = s[i];
    d[n] = '\0';
    return n;
}

static int match(const char *p, const char *s) {
    for (; *p; p++, s++) {
        if (*p == '*') {
            while (*s)
                if (match(p + 1, s)) return 1;
                else s++;
            return p[1] == 0;
        }
        if (*p != '?' && *p != *s) return 0;
        if (!*s) return 0;
    }
    return *s == 0;
}

// run: 0 | 1 | 2
int glob(int which) { return match(which == 0 ? "The*fox*cats." : which == 1 ? "T?e *13*" : "*dogs", text2); }

// run: 0
int palindrome_score(int x) {
    int best = 0, n = 44;
    for (int c = 0; c < n; c++) {
        int l = c, r = c;
        while (l >= 0 && r < n && text2[l] == text2[r]) {
            l--;
            r++;
        }
        if (r - l - 1 > best) best = r - l - 1;
    }
    return best;
}

// run: 4096
int basename_at(char *d) {
    const char *b = path1;
    for (const char *p = path1; *p; p++)
        if (*p == '/') b = p + 1;
    int n = 0, dot = -1;
    while ((d[n] = b[n])) {
        if (d[n] == '.') dot = n;
        n++;
    }
    return dot;
}

static int hexval(int c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }
char url[64] = "name=J%C3%B8rgen+X%26Y&z=%7e1";

// run: 4096
int url_decode(char *d) {
    int n = 0;
    for (const char *s = url; *s; s++) {
        if (*s == '+') d[n++] = ' ';
        else if (*s == '%' && s[1] && s[2]) {
            d[n++] = hexval(s[1]) << 4 | hexval(s[2]);
            s += 2;
        } else d[n++] = *s;
    }
    return n;
}
