// Sorting and searching. Behind `run:` stand the arguments of runs of the function below it.

// run: 4096 20
void cocktail(int *a, int n) {
    int lo = 0, hi = n - 1, swapped = 1;
    while (swapped) {
        swapped = 0;
        for (int i = lo; i < hi; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = 1;
            }
        hi--;
        for (int i = hi; i > lo; i--)
            if (a[i - 1] > a[i]) {
                int t = a[i];
                a[i] = a[i - 1];
                a[i - 1] = t;
                swapped = 1;
            }
        lo++;
    }
}

// run: 4096 16
void gnome(int *a, int n) {
    int i = 1;
    while (i < n) {
        if (i == 0 || a[i - 1] <= a[i]) i++;
        else {
            int t = a[i];
            a[i] = a[i - 1];
            a[i - 1] = t;
            i--;
        }
    }
}

static void sift(int *a, int i, int n) {
    int v = a[i];
    for (;;) {
        int c = 2 * i + 1;
        if (c >= n) break;
        if (c + 1 < n && a[c + 1] > a[c]) c++;
        if (a[c] <= v) break;
        a[i] = a[c];
        i = c;
    }
    a[i] = v;
}

// run: 4096 30
void heap_sort(int *a, int n) {
    for (int i = n / 2; i-- > 0;) sift(a, i, n);
    for (int e = n - 1; e > 0; e--) {
        int t = a[0];
        a[0] = a[e];
        a[e] = t;
        sift(a, 0, e);
    }
}

// run: 4096 16384 32
void merge_bottom_up(int *a, int *b, int n) {
    for (int w = 1; w < n; w *= 2) {
        for (int i = 0; i < n; i += 2 * w) {
            int mid = i + w < n ? i + w : n, end = i + 2 * w < n ? i + 2 * w : n, l = i, r = mid;
            for (int k = i; k < end; k++)
                if (l < mid && (r >= end || a[l] <= a[r])) b[k] = a[l++];
                else b[k] = a[r++];
        }
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}

// run: 4096 16384 40
void radix_pass(unsigned *a, unsigned *b, int n) {
    int count[16];
    for (int shift = 0; shift < 8; shift += 4) {
        for (int i = 0; i < 16; i++) count[i] = 0;
        for (int i = 0; i < n; i++) count[a[i] >> shift & 15]++;
        for (int i = 1; i < 16; i++) count[i] += count[i - 1];
        for (int i = n - 1; i >= 0; i--) b[--count[a[i] >> shift & 15]] = a[i];
        unsigned *t = a;
        a = b;
        b = t;
    }
}

// run: 4096 100
void counting_sort(unsigned char *p, int n) {
    int count[256] = {0}, at = 0;
    for (int i = 0; i < n; i++) count[p[i]]++;
    for (int v = 0; v < 256; v++)
        while (count[v]-- > 0) p[at++] = v;
}

// run: 4096 31 15
int quick_select(int *a, int n, int k) {
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int pivot = a[(lo + hi) / 2], i = lo, j = hi;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                int t = a[i];
                a[i] = a[j];
                a[j] = t;
                i++;
                j--;
            }
        }
        if (k <= j) hi = j;
        else if (k >= i) lo = i;
        else break;
    }
    return a[k];
}

// run: 4096 40
int dedup_sorted(int *a, int n) {
    int w = 0;
    for (int i = 0; i < n; i++) {
        a[i] &= 7;
    }
    for (int i = 0; i < n; i++)
        if (w == 0 || a[i] != a[w - 1]) a[w++] = a[i];
    return w;
}

// run: 4096 30 7
void rotate_left(int *a, int n, int k) {
    for (int i = 0, j = k - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int i = k, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

struct record {
    int key;
    short kind;
    unsigned char tag, flag;
};

// run: 4096 20
// ahead: structures are copied through registers
void sort_records(struct record *r, int n) {
    for (int i = 1; i < n; i++) {
        struct record t = r[i];
        int j = i - 1;
        while (j >= 0 && (r[j].kind > t.kind || (r[j].kind == t.kind && r[j].key > t.key))) {
            r[j + 1] = r[j];
            j--;
        }
        r[j + 1] = t;
    }
}

// run: 4096 25
int heap_push_pop(int *heap, int n) {
    int size = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        int v = i * 37 % 29, at = size++;
        while (at > 0 && heap[(at - 1) / 2] > v) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = v;
    }
    while (size > 0) {
        sum = sum * 3 + heap[0];
        int v = heap[--size], at = 0;
        while (2 * at + 1 < size) {
            int c = 2 * at + 1;
            if (c + 1 < size && heap[c + 1] < heap[c]) c++;
            if (heap[c] >= v) break;
            heap[at] = heap[c];
            at = c;
        }
        heap[at] = v;
    }
    return sum;
}

// run: 4096 60 500
int interpolation(int *a, int n, int key) {
    for (int i = 0; i < n; i++) a[i] = i * 13 + (i & 3);
    int lo = 0, hi = n - 1;
    while (lo <= hi && key >= a[lo] && key <= a[hi]) {
        if (a[hi] == a[lo]) break;
        int pos = lo + (int)((long)(key - a[lo]) * (hi - lo) / (a[hi] - a[lo]));
        if (a[pos] == key) return pos;
        if (a[pos] < key) lo = pos + 1;
        else hi = pos - 1;
    }
    return -1;
}

// run: 4096 60 | 4096 3
long inversions(int *a, int n) {
    long c = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) c += a[i] > a[j];
    return c;
}
