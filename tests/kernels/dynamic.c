// Dynamic programming: tables, rows, best so far. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned int u32;

// run: 4096 30
int rob_houses(const u8 *p, int n) {
    int a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        int t = a + p[i];
        if (t < b) t = b;
        a = b;
        b = t;
    }
    return b;
}

// run: 4096 30
int stock_twice(const u8 *p, int n) {
    int b1 = -1000, s1 = 0, b2 = -1000, s2 = 0;
    for (int i = 0; i < n; i++) {
        int v = p[i];
        if (-v > b1) b1 = -v;
        if (b1 + v > s1) s1 = b1 + v;
        if (s1 - v > b2) b2 = s1 - v;
        if (b2 + v > s2) s2 = b2 + v;
    }
    return s2;
}

// run: 12 16384 | 20 16384
// ahead: a product of a row is kept from the round before
int count_bst(int n, u32 *t) {
    t[0] = t[1] = 1;
    for (int i = 2; i <= n; i++) {
        t[i] = 0;
        for (int j = 0; j < i; j++) t[i] += t[j] * t[i - 1 - j];
    }
    return t[n];
}

// run: 6 7 16384
int grid_paths(int n, int m, u32 *t) {
    for (int j = 0; j < m; j++) t[j] = 1;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) t[j] = (t[j] + t[j - 1]) % 1000007;
    return t[m - 1];
}

// run: 4096 8 8 16384
int min_path_sum(const u8 *g, int n, int m, int *d) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int v = g[i * m + j];
            if (i == 0 && j == 0) d[0] = v;
            else if (i == 0) d[j] = d[j - 1] + v;
            else if (j == 0) d[0] = d[0] + v;
            else d[j] = (d[j] < d[j - 1] ? d[j] : d[j - 1]) + v;
        }
    return d[m - 1];
}

// run: 4096 20
// ahead: what it begins with is extended once
int longest_palindrome(const u8 *s, int n) {
    int best = 0;
    for (int c = 0; c < n; c++) {
        for (int k = 0; k < 2; k++) {
            int l = c, r = c + k;
            while (l >= 0 && r < n && (s[l] & 3) == (s[r] & 3)) {
                l--;
                r++;
            }
            if (r - l - 1 > best) best = r - l - 1;
        }
    }
    return best;
}

// run: 4096 20 100 16384
int subset_sum(const u8 *a, int n, int want, u8 *ok) {
    for (int i = 0; i <= want; i++) ok[i] = 0;
    ok[0] = 1;
    for (int i = 0; i < n; i++) {
        int w = a[i] & 31;
        for (int s = want; s >= w; s--) ok[s] |= ok[s - w];
    }
    int c = 0;
    for (int i = 0; i <= want; i++) c += ok[i];
    return c;
}

// run: 4096 12 16384
// ahead: a counter that is used otherwise, too, is as wide as addresses
int matrix_chain(const u8 *d, int n, int *t) {
    for (int len = 2; len < n; len++)
        for (int i = 0; i + len < n; i++) {
            int j = i + len, b = 1 << 30;
            for (int k = i + 1; k < j; k++) {
                int l = k - i > 1 ? t[i * 12 + k] : 0, r = j - k > 1 ? t[k * 12 + j] : 0;
                int c = l + r + d[i] * d[k] * d[j];
                if (c < b) b = c;
            }
            t[i * 12 + j] = b;
        }
    return t[n - 1];
}

// run: 50
int decode_ways(int n) {
    int a = 1, b = 1;
    for (int i = 1; i < n; i++) {
        int d = (i * 7 + 3) % 10, e = ((i - 1) * 7 + 3) % 10, c = 0;
        if (d) c += b;
        if (e == 1 || (e == 2 && d <= 6)) c += a;
        a = b;
        b = c;
    }
    return b;
}

// run: 4096 40
int jump_game(const u8 *a, int n) {
    int jumps = 0, end = 0, far = 0;
    for (int i = 0; i < n - 1; i++) {
        int r = i + (a[i] & 7);
        if (r > far) far = r;
        if (i == end) {
            if (far <= i) return -1;
            jumps++;
            end = far;
        }
    }
    return jumps;
}
