// Raw memory. Behind `run:` stand the arguments of runs of the function below it; addresses are numbers.

// run: 4096 10 | 4096 200
int sum_array(int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}

// run: 4096 16384 50
long dot(int *p, int *q, int n) {
    long s = 0;
    for (int i = 0; i < n; i++) s += (long)p[i] * q[i];
    return s;
}

// run: 4096 60
unsigned hash_bytes(unsigned char *p, int n) {
    unsigned h = 2166136261u;
    for (int i = 0; i < n; i++) h = (h ^ p[i]) * 16777619u;
    return h;
}

// run: 4096 20
unsigned crc(unsigned char *p, int n) {
    unsigned c = ~0u;
    for (int i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

// run: 4096 20
unsigned short crc_of_high_bits(unsigned char *p, int n) {
    unsigned short c = 0xffff;
    for (int i = 0; i < n; i++) {
        c ^= p[i] << 8;
        for (int k = 0; k < 8; k++) c = c & 0x8000 ? c << 1 ^ 0x1021 : c << 1;
    }
    return c;
}

// run: 4096 40
int scores(unsigned char *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        switch (p[i] & 15) {
        case 0: sum += 4; break;
        case 1: sum += 9; break;
        case 2: sum += -3; break;
        case 3: sum += 17; break;
        case 5: sum += 2; break;
        case 8: sum += 40; break;
        default: sum += 1; break;
        }
    }
    return sum;
}

// run: 4096 40
int largest(int *p, int n) {
    int m = p[0];
    for (int i = 1; i < n; i++) if (p[i] > m) m = p[i];
    return m;
}

// run: 4096 30
void fill(int *p, int n) {
    for (int i = 0; i < n; i++) p[i] = i * 3;
}

// run: 4096 16384 30
void scale_into(int *to, int *of, int n) {
    for (int i = 0; i < n; i++) to[i] = of[i] * 5 + 1;
}

// run: 4096 20
void reverse(int *p, int n) {
    for (int i = 0, j = n - 1; i < j; i++, j--) { int t = p[i]; p[i] = p[j]; p[j] = t; }
}

// run: 4096 20
void bubble(int *p, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (p[j] > p[j + 1]) { int t = p[j]; p[j] = p[j + 1]; p[j + 1] = t; }
}

// run: 4096 20
// ahead: the counter of the inner loop, which leaves early, is a wide one there, and the address of the item behind it is shared
void insertion(int *p, int n) {
    for (int i = 1; i < n; i++) {
        int v = p[i], j = i - 1;
        while (j >= 0 && p[j] > v) { p[j + 1] = p[j]; j--; }
        p[j + 1] = v;
    }
}

// run: 4096 16384 32768 6
void matrix_product(int *a, int *b, int *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

// run: 4096 30
void prefix_sums(int *p, int n) {
    for (int i = 1; i < n; i++) p[i] += p[i - 1];
}

// run: 4096 100
int sum_in_memory(int *total, int n) {
    *total = 0;
    for (int i = 0; i < n; i++) *total += i ^ 5;
    return *total;
}

struct point { int x, y; };

// run: 4096 30
int bounding_box(struct point *p, int n) {
    int left = p[0].x, right = p[0].x, top = p[0].y, bottom = p[0].y;
    for (int i = 1; i < n; i++) {
        if (p[i].x < left) left = p[i].x;
        if (p[i].x > right) right = p[i].x;
        if (p[i].y < bottom) bottom = p[i].y;
        if (p[i].y > top) top = p[i].y;
    }
    return (right - left) ^ (top - bottom);
}

// run: 4096 7
int move_point(struct point *p, int by) {
    p->x += by;
    p->y -= by;
    p->x += by;
    p->y = p->x + p->y;
    return p->x;
}

// run: 4096 5
int overwritten(int *p, int v) {
    p[0] = v;
    p[1] = p[0] + 1;
    p[0] = p[1] + 2;
    p[1] = p[0];
    return p[0] + p[1];
}

static int counter;

// run: 12
int count_globally(int n) {
    counter = 0;
    for (int i = 0; i < n; i++) if (i & 1) counter += i;
    return counter;
}

// run: 3 | 10
int local_table(int k) {
    int t[8];
    for (int i = 0; i < 8; i++) t[i] = i * i + k;
    return t[k & 7] + t[(k + 3) & 7];
}

static const int weights[4] = {3, 1, 4, 1};

// run: 4096
int weighted(int *p) {
    int s = 0;
    for (int i = 0; i < 4; i++) s += p[i] * weights[i];
    return s;
}

// run: 4096 13 40
int search(int *sorted, int key, int n) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < key) low = middle + 1; else high = middle;
    }
    return low;
}

// run: 4096 | 5000
unsigned read32(unsigned char *p) {
    return (unsigned)p[0] | (unsigned)p[1] << 8 | (unsigned)p[2] << 16 | (unsigned)p[3] << 24;
}

// run: 4096 40
int histogram(unsigned char *p, int n) {
    int counts[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) counts[p[i] & 3]++;
    return counts[0] * 1000 + counts[1] * 100 + counts[2] * 10 + counts[3];
}

// run: 4096 100 7 | 4096 7 100 | 4096 0 3
unsigned quotient_kept(unsigned *p, unsigned a, unsigned b) {
    if (a > b) { p[0] = a / b; p[1]++; }
    return a / b + p[1];
}

// run: 4096 16384 40
int running_best(int *best, int *of, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (of[i] > best[0]) best[0] = of[i];
        s += best[0];
    }
    return s;
}

// run: 4096 3 | 4096 -3
int settled_field(int *p, int x) {
    if (x > 0) { p[2] = x; p[3] += x; }
    else p[3] -= p[2];
    return p[2] * p[3] + p[2];
}

// run: 4096 16384 40
int moving_gate(int *state, int *of, int n) {
    int passed = 0;
    for (int i = 0; i < n; i++) {
        if (of[i] % 7 < state[1]) { passed += of[i]; continue; }
        state[1] = of[i] & 15;
        passed ^= state[1];
    }
    return passed + state[1];
}
