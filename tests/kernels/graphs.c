// Graphs: matrices of bits and of distances, lists of edges, trees in arrays. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef signed char s8;

// run: 4096 16 16384
int topo(const u16 *adj, int n, u8 *o) {
    int k = 0;
    u32 done = 0;
    for (int r = 0; r < n; r++) {
        int f = -1;
        for (int i = 0; i < n; i++) {
            if (done >> i & 1) continue;
            int lower = (1 << i) - 1;
            if (((adj[i] & lower) & ~done) == 0) {
                f = i;
                break;
            }
        }
        if (f < 0) break;
        done |= 1u << f;
        o[k++] = f;
    }
    return k;
}

// run: 4096 16
int triangles(const u16 *adj, int n) {
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (!(adj[i] >> j & 1)) continue;
            for (int k = j + 1; k < n; k++)
                if ((adj[i] >> k & 1) && (adj[j] >> k & 1)) c++;
        }
    return c;
}

// run: 4096 16 16384
int components(const u16 *adj, int n, int *lab) {
    for (int i = 0; i < n; i++) lab[i] = i;
    int changed = 1, rounds = 0;
    while (changed) {
        changed = 0;
        rounds++;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if ((adj[i] >> j & 1) && lab[j] < lab[i]) {
                    lab[i] = lab[j];
                    changed = 1;
                }
    }
    return rounds;
}

// run: 4096 8 16384
int bellman(const u8 *w, int n, int *d) {
    for (int i = 0; i < n; i++) d[i] = 1000000;
    d[0] = 0;
    for (int r = 0; r < n - 1; r++) {
        int any = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int c = d[i] + w[i * n + j];
                if (c < d[j]) {
                    d[j] = c;
                    any = 1;
                }
            }
        if (!any) break;
    }
    int s = 0;
    for (int i = 0; i < n; i++) s += d[i];
    return s;
}

// run: 4096 10 16384
int prim(const u8 *w, int n, int *best) {
    u32 in = 1;
    int total = 0;
    for (int i = 0; i < n; i++) best[i] = w[i];
    for (int r = 1; r < n; r++) {
        int m = -1;
        for (int i = 0; i < n; i++)
            if (!(in >> i & 1) && (m < 0 || best[i] < best[m])) m = i;
        in |= 1u << m;
        total += best[m];
        for (int i = 0; i < n; i++)
            if (w[m * n + i] < best[i]) best[i] = w[m * n + i];
    }
    return total;
}

// run: 4096 32 0
int list_walk(const u8 *next, int n, int at) {
    int seen = 0, steps = 0;
    for (;;) {
        at = next[at] % n;
        steps++;
        if (at == 0) break;
        if (steps >= n * 2) break;
        seen += at;
    }
    return seen * 100 + steps;
}

// run: 4096 31
int tree_depth(const u8 *alive, int n) {
    int stack[32];
    int sp = 0, best = 0;
    stack[sp++] = 0;
    while (sp) {
        int v = stack[--sp];
        int d = 31 - __builtin_clz(v + 1);
        if (d > best) best = d;
        int l = 2 * v + 1, r = 2 * v + 2;
        if (l < n && (alive[l] & 3)) stack[sp++] = l;
        if (r < n && (alive[r] & 3)) stack[sp++] = r;
    }
    return best;
}

struct edge {
    u16 from, to;
    u32 w;
};

// run: 4096 20 16384
u32 relax_edges(const struct edge *e, int m, u32 *d) {
    u32 s = 0;
    for (int i = 0; i < m; i++) {
        u32 f = e[i].from & 15, t = e[i].to & 15;
        u32 c = d[f] + (e[i].w & 255);
        if (c < d[t]) {
            d[t] = c;
            s++;
        }
    }
    return s;
}

// run: 4096 12 16384
int color_greedy(const u16 *adj, int n, u8 *col) {
    int mx = 0;
    for (int i = 0; i < n; i++) {
        u32 used = 0;
        for (int j = 0; j < i; j++)
            if (adj[i] >> j & 1) used |= 1u << col[j];
        int c = 0;
        while (used >> c & 1) c++;
        col[i] = c;
        if (c > mx) mx = c;
    }
    return mx;
}

// run: 4096 8
int knights(const u8 *board, int n) {
    static const s8 dx[8] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[8] = {2, 1, -1, -2, -2, -1, 1, 2};
    int c = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            if (board[y * n + x] & 1) continue;
            for (int k = 0; k < 8; k++) {
                int u = x + dx[k], v = y + dy[k];
                if (u < 0 || v < 0 || u >= n || v >= n) continue;
                if (board[v * n + u] & 2) c++;
            }
        }
    return c;
}
