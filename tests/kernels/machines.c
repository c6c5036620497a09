// State machines, parsers, small interpreters, memory functions. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
enum { PUSH, ADD, SUB, MUL, DUP, SWAP, JNZ, JMP, LOAD, STORE, LT, HALT };
u8 prog1[] = {PUSH, 10,   STORE, 0,    PUSH, 1,   STORE, 1,     LOAD, 0,   LOAD, 1,    MUL, STORE,
              1,    LOAD, 0,     PUSH, 1,    SUB, DUP,   STORE, 0,    JNZ, 8,    LOAD, 1,   HALT};

// run: 4096
int stack_vm(int *st) {
    int vars[4] = {0}, sp = 0, pc = 0;
    for (;;) switch (prog1[pc++]) {
        case PUSH: st[sp++] = prog1[pc++]; break;
        case ADD:
            sp--;
            st[sp - 1] += st[sp];
            break;
        case SUB:
            sp--;
            st[sp - 1] -= st[sp];
            break;
        case MUL:
            sp--;
            st[sp - 1] *= st[sp];
            break;
        case DUP:
            st[sp] = st[sp - 1];
            sp++;
            break;
        case SWAP: {
            int t = st[sp - 1];
            st[sp - 1] = st[sp - 2];
            st[sp - 2] = t;
            break;
        }
        case JNZ:
            if (st[--sp]) pc = prog1[pc];
            else pc++;
            break;
        case JMP: pc = prog1[pc]; break;
        case LOAD: st[sp++] = vars[prog1[pc++]]; break;
        case STORE: vars[prog1[pc++]] = st[--sp]; break;
        case LT:
            sp--;
            st[sp - 1] = st[sp - 1] < st[sp];
            break;
        case HALT: return st[sp - 1];
        }
}

u32 prog2[] = {0x01000064, 0x01010000, 0x01020001, 0x02010100, 0x04000002, 0x05000003, 0x00000000};

// run: 4096
int register_vm(u32 *r) {
    int pc = 0, steps = 0;
    while (1) {
        u32 in = prog2[pc++];
        u32 op = in >> 24, a = in >> 16 & 255, b = in >> 8 & 255, c = in & 255;
        steps++;
        switch (op) {
        case 0: return r[1] + steps;
        case 1: r[a] = in & 0xffff; break;
        case 2: r[a] = r[b] + r[c]; break;
        case 3: r[a] = r[b] * r[c]; break;
        case 4: r[a] -= r[c]; break;
        case 5:
            if (r[a]) pc = c;
            break;
        case 6: r[a] = r[b] >> (r[c] & 31); break;
        default: return -1;
        }
    }
}

char bf[] = "++++[>+++<-]>[<+>-]<.";

// run: 4096
int brainfuck(u8 *tape) {
    int p = 0, out = 0;
    for (int i = 0; i < 16; i++) tape[i] = 0;
    for (int pc = 0; bf[pc]; pc++) {
        switch (bf[pc]) {
        case '>': p++; break;
        case '<': p--; break;
        case '+': tape[p]++; break;
        case '-': tape[p]--; break;
        case '.': out = out * 256 + tape[p]; break;
        case '[':
            if (!tape[p]) {
                int d = 1;
                while (d) {
                    pc++;
                    if (bf[pc] == '[') d++;
                    else if (bf[pc] == ']') d--;
                }
            }
            break;
        case ']':
            if (tape[p]) {
                int d = 1;
                while (d) {
                    pc--;
                    if (bf[pc] == ']') d++;
                    else if (bf[pc] == '[') d--;
                }
            }
            break;
        }
    }
    return out;
}

char expr[40] = "2*(3+4)-18/(1+2)+7*5";
static const char *pos;
static int sum(void);
static int atom(void) {
    if (*pos == '(') {
        pos++;
        int v = sum();
        pos++;
        return v;
    }
    int v = 0;
    while (*pos >= '0' && *pos <= '9') v = v * 10 + *pos++ - '0';
    return v;
}

static int product(void) {
    int v = atom();
    while (*pos == '*' || *pos == '/') {
        if (*pos++ == '*') v *= atom();
        else v /= atom();
    }
    return v;
}

static int sum(void) {
    int v = product();
    while (*pos == '+' || *pos == '-') {
        if (*pos++ == '+') v += product();
        else v -= product();
    }
    return v;
}

// run: 0
// ahead: functions that call each other are one; a cursor in memory is a register
int calculator(int x) {
    pos = expr;
    return sum();
}

char csv[64] = "id,\"name, x\",3\n7,\"a \"\"b\"\"\",,9\n";

// run: 0
int csv_fields(int x) {
    enum { START, PLAIN, QUOTED, AFTER } st = START;
    int fields = 0, chars = 0;
    for (const char *s = csv; *s; s++) {
        char c = *s;
        switch (st) {
        case START:
            if (c == '"') {
                st = QUOTED;
                break;
            }
            st = PLAIN; /* fall through */
        case PLAIN:
            if (c == ',' || c == '\n') {
                fields++;
                st = START;
            } else chars++;
            break;
        case QUOTED:
            if (c == '"') st = AFTER;
            else chars++;
            break;
        case AFTER:
            if (c == '"') {
                chars++;
                st = QUOTED;
            } else if (c == ',' || c == '\n') {
                fields++;
                st = START;
            }
            break;
        }
    }
    return fields * 100 + chars;
}

char json[64] = "{\"a\":[1,2,{\"b\":null}],\"c\":\"x\\\"y\",\"d\":-1.5e3}";

// run: 0
int json_depth(int x) {
    int depth = 0, max = 0, in = 0, i = 0;
    while (json[i] != 0) {
        char c = json[i++];
        if (in) {
            if (c == '\\') i++;
            else if (c == '"') in = 0;
            continue;
        }
        if (c == '"') in = 1;
        else if (c == '{' || c == '[') {
            if (++depth > max) max = depth;
        } else if (c == '}' || c == ']') {
            if (--depth < 0) return -1;
        }
    }
    return in || depth ? -1 : max;
}

char src[64] = "int x1 = 0x1F + foo(3.5, \"s\"); // end";

// run: 0
int lexer(int x) {
    const char *p = src;
    int kinds = 0;
    for (;;) {
        while (*p == ' ' || *p == '\t' || *p == '\n') p++;
        if (!*p) return kinds;
        if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_') {
            while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' || (*p >= '0' && *p <= '9')) p++;
            kinds = kinds * 5 + 1;
        } else if (*p >= '0' && *p <= '9') {
            while ((*p >= '0' && *p <= '9') || *p == '.' || *p == 'x' || (*p >= 'A' && *p <= 'F')) p++;
            kinds = kinds * 5 + 2;
        } else if (*p == '"') {
            p++;
            while (*p && *p != '"') p++;
            if (*p) p++;
            kinds = kinds * 5 + 3;
        } else if (*p == '/' && p[1] == '/') {
            while (*p && *p != '\n') p++;
        } else {
            p++;
            kinds = kinds * 5 + 4;
        }
    }
}

// run: 1 | 2 | 5 | 11 | 13 | 40
int http_class(int code) {
    switch (code) {
    case 1:
    case 2:
    case 3: return 100;
    case 4: return 104;
    case 5:
    case 6: return 200 + code;
    case 11:
    case 12: return 300;
    case 13: return code * 3;
    default: return code > 20 ? -2 : -1;
    }
}

// run: 4096 60
int traffic_light(const u8 *ev, int n) {
    int state = 0, t = 0, changes = 0;
    for (int i = 0; i < n; i++) {
        t++;
        switch (state) {
        case 0:
            if (ev[i] & 1 || t > 5) {
                state = 1;
                t = 0;
                changes++;
            }
            break;
        case 1:
            if (t >= 2) {
                state = 2;
                t = 0;
                changes++;
            }
            break;
        case 2:
            if (!(ev[i] & 2) && t > 3) {
                state = 3;
                t = 0;
                changes++;
            }
            break;
        case 3:
            state = 0;
            t = 0;
            changes++;
            break;
        }
    }
    return changes * 4 + state;
}

// run: 4096 64
int utf_validate(const u8 *s, int n) {
    int need = 0, bad = 0;
    for (int i = 0; i < n; i++) {
        u8 c = s[i];
        if (need) {
            if ((c & 0xc0) == 0x80) need--;
            else {
                bad++;
                need = 0;
            }
        } else if (c < 0x80) continue;
        else if ((c & 0xe0) == 0xc0) need = 1;
        else if ((c & 0xf0) == 0xe0) need = 2;
        else if ((c & 0xf8) == 0xf0) need = 3;
        else bad++;
    }
    return bad;
}

// run: 4096 30
u32 cpu_flags(const u8 *p, int n) {
    u8 a = 0;
    u32 z = 0, c = 0, v = 0, acc = 0;
    for (int i = 0; i < n; i++) {
        u8 m = p[i];
        u16 r = a + m + c;
        v = (~(a ^ m) & (a ^ r) & 0x80) != 0;
        c = r >> 8;
        a = (u8)r;
        z = a == 0;
        acc = acc * 9 + (z << 2 | c << 1 | v);
    }
    return acc;
}

// run: 4096 16384 60 | 4096 4100 60 | 4100 4096 60
void mem_move(u8 *d, const u8 *s, int n) {
    if (d < s)
        while (n--) *d++ = *s++;
    else {
        d += n;
        s += n;
        while (n--) *--d = *--s;
    }
}

// run: 4096 16384 60 | 4096 4096 60
int mem_cmp(const u8 *a, const u8 *b, unsigned long n) {
    for (; n; n--, a++, b++)
        if (*a != *b) return *a < *b ? -1 : 1;
    return 0;
}

// run: 4096 60 7
// ahead: a word that is cut in a loop tested at its top is cut in front of it
int mem_chr(const u8 *p, int n, int c) {
    const u8 *q = p;
    while (n-- > 0)
        if (*q++ == (u8)c) return q - p - 1;
    return -1;
}

// run: 4096 61 | 4099 13
void fill_words(u8 *p, int n) {
    while (n > 0 && ((unsigned long)p & 3)) {
        *p++ = 0xaa;
        n--;
    }
    while (n >= 4) {
        *(u32 *)p = 0xaaaaaaaa;
        p += 4;
        n -= 4;
    }
    while (n-- > 0) *p++ = 0xaa;
}

// run: 4096 16384 40 3
void copy_stride(int *d, const int *s, int n, int step) {
    for (int i = 0, j = 0; i < n; i += step) d[j++] = s[i];
}

// run: 4096 20
// ahead: C says that loops end, so a counter of steps of two does not wrap
int swap_pairs(short *p, int n) {
    int i = 0;
    do {
        short t = p[i];
        p[i] = p[i + 1];
        p[i + 1] = t;
        i += 2;
    } while (i < n);
    return i;
}

u32 seed = 1;
static int rnd(void) {
    seed = seed * 1103515245 + 12345;
    return seed >> 16 & 0x7fff;
}

// run: 4096 30
void shuffle(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = rnd() % (i + 1), t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

struct alloc {
    u32 used, peak, fails;
};
struct alloc heap;
static int take(int n) {
    if (heap.used + n > 1000) {
        heap.fails++;
        return -1;
    }
    int at = heap.used;
    heap.used += (n + 7) & ~7;
    if (heap.used > heap.peak) heap.peak = heap.used;
    return at;
}

// run: 50
int bump_allocator(int n) {
    int sum = 0;
    heap.used = heap.fails = 0;
    for (int i = 0; i < n; i++) {
        int at = take(i);
        if (at < 0) heap.used = 0;
        else sum += at;
    }
    return sum + heap.fails + heap.peak;
}
