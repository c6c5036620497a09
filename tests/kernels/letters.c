// Text: words, cases, digests of letters. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;

// run: 4096 60 | 16384 33
int count_vowels(const u8 *p, int n) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        u8 x = p[i] | 0x20;
        if (x == 'a' || x == 'e' || x == 'i' || x == 'o' || x == 'u') c++;
    }
    return c;
}

// run: 4096 50 16384
// ahead: letters are computed as bytes
int caesar(const u8 *p, int n, u8 *o) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        u8 c = p[i];
        if (c >= 'a' && c <= 'z') c = 'a' + (c - 'a' + 13) % 26;
        else if (c >= 'A' && c <= 'Z') c = 'A' + (c - 'A' + 13) % 26;
        else k++;
        o[i] = c;
    }
    return k;
}

// run: 4096 40 16384 40
int is_anagram(const u8 *a, int n, const u8 *b, int m) {
    int cnt[16];
    for (int i = 0; i < 16; i++) cnt[i] = 0;
    if (n != m) return 0;
    for (int i = 0; i < n; i++) {
        cnt[a[i] & 15]++;
        cnt[b[i] & 15]--;
    }
    for (int i = 0; i < 16; i++)
        if (cnt[i]) return i + 2;
    return 1;
}

// run: 4096 40 16384
// ahead: digits are compared and computed as bytes
int hex_dump(const u8 *p, int n, u8 *o) {
    u8 *q = o;
    for (int i = 0; i < n; i++) {
        u8 h = p[i] >> 4, l = p[i] & 15;
        *q++ = h < 10 ? '0' + h : 'a' + h - 10;
        *q++ = l < 10 ? '0' + l : 'a' + l - 10;
        if ((i & 3) == 3) *q++ = ' ';
    }
    return q - o;
}

// run: 4096 64
int longest_word(const u8 *p, int n) {
    int best = 0, cur = 0;
    for (int i = 0; i < n; i++) {
        u8 c = p[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            cur++;
            if (cur > best) best = cur;
        } else cur = 0;
    }
    return best;
}

// run: 4096 64 16384
int escape(const u8 *p, int n, u8 *o) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        u8 c = p[i];
        switch (c) {
        case '\n':
            o[k++] = '\\';
            o[k++] = 'n';
            break;
        case '\t':
            o[k++] = '\\';
            o[k++] = 't';
            break;
        case '"':
        case '\\':
            o[k++] = '\\';
            o[k++] = c;
            break;
        default:
            if (c < 32) {
                o[k++] = '?';
            } else o[k++] = c;
        }
    }
    return k;
}

// run: 4096 16384 | 4096 4096 | 16384 4100
int str_common_prefix(const u8 *a, const u8 *b) {
    int i = 0;
    while (a[i] && a[i] == b[i] && i < 30) i++;
    return i;
}

// run: 4096 64
// ahead: a part that is a byte is compared as one
unsigned parse_ip(const u8 *p, int n) {
    unsigned ip = 0, part = 0;
    int dots = 0;
    for (int i = 0; i < n; i++) {
        unsigned d = (u8)(p[i] - '0');
        if (d < 10) {
            part = part * 10 + d;
            if (part > 255) return 1;
        } else if (d == 254) {
            ip = ip << 8 | part;
            part = 0;
            if (++dots > 3) return 2;
        } else part ^= d & 127;
    }
    return ip << 8 | part;
}

// run: 4096 40 16384
// ahead: a byte that is masked is compared as one
int collapse_spaces(const u8 *p, int n, u8 *o) {
    int k = 0, sp = 0;
    for (int i = 0; i < n; i++) {
        u8 c = p[i] & 0x7f;
        if (c < ' ' + 16) {
            if (!sp) o[k++] = ' ';
            sp = 1;
        } else {
            o[k++] = c;
            sp = 0;
        }
    }
    return k;
}

// run: 4096 60
int soundex(const u8 *p, int n) {
    int code = 0, last = -1, len = 0;
    for (int i = 0; i < n && len < 12; i++) {
        int d;
        switch ((p[i] & 31) + 'a') {
        case 'b':
        case 'f':
        case 'p':
        case 'v': d = 1; break;
        case 'c':
        case 'g':
        case 'j':
        case 'k':
        case 'q':
        case 's':
        case 'x':
        case 'z': d = 2; break;
        case 'd':
        case 't': d = 3; break;
        case 'l': d = 4; break;
        case 'm':
        case 'n': d = 5; break;
        case 'r': d = 6; break;
        default: d = 0;
        }
        if (d && d != last) {
            code = code * 7 + d;
            len++;
        }
        last = d;
    }
    return code;
}
