// Puzzles: two ends that meet, windows, stacks of places, prefixes. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned int u32;

// run: 4096 40 100
int pair_with_sum(const u8 *p, int n, int want) {
    int lo = 0, hi = n - 1, found = 0;
    while (lo < hi) {
        int s = p[lo] + p[hi];
        if (s == want) found++;
        if (s < want) lo++;
        else hi--;
    }
    return found;
}

// run: 4096 24
int water(const u8 *h, int n) {
    int l = 0, r = n - 1, ml = 0, mr = 0, w = 0;
    while (l < r) {
        if (h[l] < h[r]) {
            if (h[l] > ml) ml = h[l];
            else w += ml - h[l];
            l++;
        } else {
            if (h[r] > mr) mr = h[r];
            else w += mr - h[r];
            r--;
        }
    }
    return w;
}

// run: 4096 30 64
int dutch_flag(u8 *a, int n, int mid) {
    int lo = 0, i = 0, hi = n - 1;
    while (i <= hi) {
        u8 v = a[i];
        if (v < mid) {
            a[i++] = a[lo];
            a[lo++] = v;
        } else if (v > mid) {
            a[i] = a[hi];
            a[hi--] = v;
        } else
            i++;
    }
    return lo * 256 + hi;
}

// run: 48 | 64 | 0 | 65
int log2_if_power(u32 x) {
    if (x == 0 || (x & (x - 1))) return -1;
    int r = 0;
    if (x & 0xaaaaaaaa) r |= 1;
    if (x & 0xcccccccc) r |= 2;
    if (x & 0xf0f0f0f0) r |= 4;
    if (x & 0xff00ff00) r |= 8;
    if (x & 0xffff0000) r |= 16;
    return r;
}

// run: 4096 32
int powers_in(const u32 *p, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        u32 x = p[i] & 0xff;
        if (x && !(x & (x - 1))) k++;
    }
    return k;
}

// run: 4096 32
int boyer_majority(const u8 *p, int n) {
    int c = 0, m = -1;
    for (int i = 0; i < n; i++) {
        int v = p[i] & 3;
        if (c == 0) {
            m = v;
            c = 1;
        } else if (v == m)
            c++;
        else
            c--;
    }
    return m;
}

// run: 4096 30
int candy(const u8 *r, int n) {
    int c[32];
    for (int i = 0; i < n; i++) c[i] = 1;
    for (int i = 1; i < n; i++)
        if (r[i] > r[i - 1]) c[i] = c[i - 1] + 1;
    for (int i = n - 2; i >= 0; i--)
        if (r[i] > r[i + 1] && c[i] <= c[i + 1]) c[i] = c[i + 1] + 1;
    int s = 0;
    for (int i = 0; i < n; i++) s += c[i];
    return s;
}

// run: 4096 24
int histogram_rectangle(const u8 *h, int n) {
    int st[32], top = 0, best = 0;
    for (int i = 0; i <= n; i++) {
        int cur = i < n ? h[i] : 0;
        while (top > 0 && h[st[top - 1]] >= cur) {
            int height = h[st[--top]];
            int left = top ? st[top - 1] + 1 : 0;
            int area = height * (i - left);
            if (area > best) best = area;
        }
        st[top++] = i;
    }
    return best;
}

// run: 4096 16384 24
void next_greater(const u8 *a, int *out, int n) {
    int st[32], top = 0;
    for (int i = 0; i < n; i++) {
        while (top > 0 && a[st[top - 1]] < a[i]) out[st[--top]] = i;
        st[top++] = i;
    }
    while (top > 0) out[st[--top]] = -1;
}

// run: 4096 40
int longest_unique(const u8 *s, int n) {
    int last[16], best = 0, start = 0;
    for (int i = 0; i < 16; i++) last[i] = -1;
    for (int i = 0; i < n; i++) {
        int c = s[i] & 15;
        if (last[c] >= start) start = last[c] + 1;
        last[c] = i;
        if (i - start + 1 > best) best = i - start + 1;
    }
    return best;
}

// run: 4096 16384 30 4
void window_max(const u8 *a, u8 *out, int n, int k) {
    int q[32], head = 0, tail = 0;
    for (int i = 0; i < n; i++) {
        while (tail > head && a[q[tail - 1]] <= a[i]) tail--;
        q[tail++] = i;
        if (q[head] <= i - k) head++;
        if (i >= k - 1) out[i - k + 1] = a[q[head]];
    }
}

// run: 4096 16384 40
int kmp_table(const u8 *p, int *t, int n) {
    int k = 0;
    t[0] = 0;
    for (int i = 1; i < n; i++) {
        while (k > 0 && (p[k] & 1) != (p[i] & 1)) k = t[k - 1];
        if ((p[k] & 1) == (p[i] & 1)) k++;
        t[i] = k;
    }
    return k;
}

// run: 4096 16384 24
void z_function(const u8 *s, int *z, int n) {
    int l = 0, r = 0;
    z[0] = n;
    for (int i = 1; i < n; i++) {
        int k = 0;
        if (i < r) k = r - i < z[i - l] ? r - i : z[i - l];
        while (i + k < n && (s[k] & 1) == (s[i + k] & 1)) k++;
        z[i] = k;
        if (i + k > r) {
            l = i;
            r = i + k;
        }
    }
}

// run: 4096 30
int manacher(const u8 *s, int n) {
    int best = 0;
    for (int c = 0; c < n; c++) {
        int l = c, r = c;
        while (l >= 0 && r < n && (s[l] & 3) == (s[r] & 3)) {
            l--;
            r++;
        }
        if (r - l - 1 > best) best = r - l - 1;
    }
    return best;
}

// run: 4096 40
// ahead: a choice by bits of a byte is made of the byte
int bracket_balance(const char *s, int n) {
    int d = 0, worst = 0;
    for (int i = 0; i < n; i++) {
        switch (s[i] & 7) {
        case 0: case 1: d++; break;
        case 2: case 3: d--; break;
        case 4: if (d > 0) d = 0; break;
        }
        if (d < worst) worst = d;
    }
    return worst * 100 + d;
}

// run: 4096 4 30
void rotate_by_reversal(u8 *a, int k, int n) {
    for (int i = 0, j = k - 1; i < j; i++, j--) {
        u8 t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int i = k, j = n - 1; i < j; i++, j--) {
        u8 t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        u8 t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

// run: 4096 30
void odd_even_sort(int *a, int n) {
    for (int swapped = 1, round = 0; swapped && round < 40; round++) {
        swapped = 0;
        for (int i = round & 1; i + 1 < n; i += 2)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = 1;
            }
    }
}

// run: 4096 24
void comb_sort(u8 *a, int n) {
    int gap = n, moved = 1;
    while (gap > 1 || moved) {
        gap = gap * 10 / 13;
        if (gap < 1) gap = 1;
        moved = 0;
        for (int i = 0; i + gap < n; i++)
            if (a[i] > a[i + gap]) {
                u8 t = a[i];
                a[i] = a[i + gap];
                a[i + gap] = t;
                moved = 1;
            }
    }
}

// run: 4096 32 5
int nth_set_bit(const u8 *p, int n, int k) {
    for (int i = 0; i < n * 8; i++)
        if (p[i >> 3] >> (i & 7) & 1 && k-- == 0) return i;
    return -1;
}

// run: 4096 3 40
void set_bit_range(u8 *p, int from, int to) {
    for (int i = from; i < to; i++) p[i >> 3] |= 1 << (i & 7);
}
