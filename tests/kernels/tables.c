// Tables: dynamic programming, graphs, matrices, boards. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned int u32;

// run: 4096 16384 12
int lcs(const u8 *a, int *dp, int n) {
    int w = n + 1;
    for (int i = 0; i <= n; i++) dp[i] = dp[i * w] = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            if ((a[i - 1] & 3) == (a[n + j - 1] & 3)) dp[i * w + j] = dp[(i - 1) * w + j - 1] + 1;
            else dp[i * w + j] = dp[(i - 1) * w + j] > dp[i * w + j - 1] ? dp[(i - 1) * w + j] : dp[i * w + j - 1];
    return dp[n * w + n];
}

// run: 4096 30
int lis(const int *a, int n) {
    int len[64], best = 0;
    for (int i = 0; i < n; i++) {
        len[i] = 1;
        for (int j = 0; j < i; j++)
            if (a[j] < a[i] && len[j] + 1 > len[i]) len[i] = len[j] + 1;
        if (len[i] > best) best = len[i];
    }
    return best;
}

static const int coins[6] = {1, 2, 5, 10, 20, 50};

// run: 4096 60
int coin_change(int *ways, int n) {
    for (int i = 0; i <= n; i++) ways[i] = 0;
    ways[0] = 1;
    for (int c = 0; c < 6; c++)
        for (int i = coins[c]; i <= n; i++) ways[i] += ways[i - coins[c]];
    return ways[n];
}

// run: 4096 8
void floyd_warshall(int *d, int n) {
    for (int i = 0; i < n * n; i++) d[i] = (d[i] & 63) + 1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i * n + k] + d[k * n + j] < d[i * n + j]) d[i * n + j] = d[i * n + k] + d[k * n + j];
}

// run: 4096 10
int dijkstra(int *w, int n) {
    int dist[16], done[16];
    for (int i = 0; i < n; i++) {
        dist[i] = 1000000;
        done[i] = 0;
    }
    dist[0] = 0;
    for (int r = 0; r < n; r++) {
        int u = -1;
        for (int i = 0; i < n; i++)
            if (!done[i] && (u < 0 || dist[i] < dist[u])) u = i;
        done[u] = 1;
        for (int v = 0; v < n; v++) {
            int l = (w[u * n + v] & 31) + 1;
            if (dist[u] + l < dist[v]) dist[v] = dist[u] + l;
        }
    }
    int s = 0;
    for (int i = 0; i < n; i++) s += dist[i];
    return s;
}

// run: 4096 20
int bfs(u8 *adj, int n) {
    int queue[32], level[32], head = 0, tail = 0, far = 0;
    for (int i = 0; i < n; i++) level[i] = -1;
    level[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int u = queue[head++];
        for (int v = 0; v < n; v++)
            if (adj[u * n + v] % 5 == 0 && level[v] < 0) {
                level[v] = level[u] + 1;
                far = level[v];
                queue[tail++] = v;
            }
    }
    return far;
}

int edges_to[40], next_edge[40], first_edge[16], seen[16];
static int dfs(int u) {
    int c = 1;
    seen[u] = 1;
    for (int e = first_edge[u]; e >= 0; e = next_edge[e])
        if (!seen[edges_to[e]]) c += dfs(edges_to[e]);
    return c;
}

// run: 12
int reachable(int n) {
    for (int i = 0; i < n; i++) {
        first_edge[i] = -1;
        seen[i] = 0;
    }
    for (int e = 0; e < 30; e++) {
        int from = e * 5 % n;
        edges_to[e] = e * 7 % n;
        next_edge[e] = first_edge[from];
        first_edge[from] = e;
    }
    return dfs(0);
}

int board[8];
static int place(int row, int n) {
    int c = 0;
    if (row == n) return 1;
    for (int col = 0; col < n; col++) {
        int ok = 1;
        for (int r = 0; r < row; r++)
            if (board[r] == col || board[r] - col == row - r || col - board[r] == row - r) {
                ok = 0;
                break;
            }
        if (ok) {
            board[row] = col;
            c += place(row + 1, n);
        }
    }
    return c;
}

// run: 5
int queens(int n) { return place(0, n); }
static int queens_bits(u32 all, u32 cols, u32 l, u32 r) {
    int c = 0;
    if (cols == all) return 1;
    for (u32 free = all & ~(cols | l | r); free; free &= free - 1) {
        u32 b = free & -free;
        c += queens_bits(all, cols | b, (l | b) << 1, (r | b) >> 1);
    }
    return c;
}

// run: 6
int queens_fast(int n) { return queens_bits((1u << n) - 1, 0, 0, 0); }
static int permutations(int *a, int k, int n) {
    if (k == n) {
        int s = 0;
        for (int i = 0; i < n; i++) s += a[i] * i;
        return s & 1;
    }
    int c = 0;
    for (int i = k; i < n; i++) {
        int t = a[k];
        a[k] = a[i];
        a[i] = t;
        c += permutations(a, k + 1, n);
        t = a[k];
        a[k] = a[i];
        a[i] = t;
    }
    return c;
}

// run: 4096 5
int count_permutations(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
    return permutations(a, 0, n);
}

// run: 4096 7
int determinant_mod(int *m, int n) {
    const int P = 10007;
    long det = 1;
    for (int i = 0; i < n * n; i++) m[i] = (m[i] & 0x7fff) % P;
    for (int c = 0; c < n; c++) {
        int p = c;
        while (p < n && m[p * n + c] == 0) p++;
        if (p == n) return 0;
        if (p != c) {
            for (int j = 0; j < n; j++) {
                int t = m[p * n + j];
                m[p * n + j] = m[c * n + j];
                m[c * n + j] = t;
            }
            det = -det;
        }
        det = det * m[c * n + c] % P;
        long inv = 1, b = m[c * n + c];
        for (int e = P - 2; e; e >>= 1) {
            if (e & 1) inv = inv * b % P;
            b = b * b % P;
        }
        for (int r = c + 1; r < n; r++) {
            long f = m[r * n + c] * inv % P;
            for (int j = c; j < n; j++) m[r * n + j] = (m[r * n + j] - f * m[c * n + j] % P + P) % P;
        }
    }
    return (det + P) % P;
}

// run: 4096 8
void spiral(int *m, int n) {
    int v = 0, top = 0, left = 0, bottom = n - 1, right = n - 1;
    while (top <= bottom && left <= right) {
        for (int j = left; j <= right; j++) m[top * n + j] = v++;
        top++;
        for (int i = top; i <= bottom; i++) m[i * n + right] = v++;
        right--;
        if (top <= bottom) {
            for (int j = right; j >= left; j--) m[bottom * n + j] = v++;
            bottom--;
        }
        if (left <= right) {
            for (int i = bottom; i >= top; i--) m[i * n + left] = v++;
            left++;
        }
    }
}

// run: 4096 7
int magic_square(int *m, int n) {
    for (int i = 0; i < n * n; i++) m[i] = 0;
    int r = 0, c = n / 2;
    for (int k = 1; k <= n * n; k++) {
        m[r * n + c] = k;
        int nr = (r + n - 1) % n, nc = (c + 1) % n;
        if (m[nr * n + nc]) nr = (r + 1) % n, nc = c;
        r = nr;
        c = nc;
    }
    int s = 0;
    for (int i = 0; i < n; i++) s += m[i * n + i];
    return s;
}

int grid[9][9];

// run: 3
int sudoku_valid(int k) {
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) grid[i][j] = (i * k + i / 3 + j) % 9 + 1;
    for (int i = 0; i < 9; i++) {
        int row = 0, col = 0, box = 0;
        for (int j = 0; j < 9; j++) {
            row |= 1 << grid[i][j];
            col |= 1 << grid[j][i];
            box |= 1 << grid[i / 3 * 3 + j / 3][i % 3 * 3 + j % 3];
        }
        if (row != 1022 || col != 1022 || box != 1022) return 0;
    }
    return 1;
}

int a3[4][5][6];

// run: 4
int cube_sum(int n) {
    int s = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++) a3[i][j][k] = i * j + k;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < n; i++) s += a3[i][k % 5][k];
    return s;
}

// run: 4096 6 | 4096 5
void symmetric_fill(int *m, int n) {
    for (int i = 0; i < n; i++) {
        m[i * n + i] = 1;
        for (int j = 0; j < i; j++) m[i * n + j] = m[j * n + i] = i * 10 + j;
    }
}

// run: 4096 16384 6
void lower_solve(long *l, long *b, int n) {
    for (int i = 0; i < n; i++) {
        long s = b[i];
        for (int j = 0; j < i; j++) s -= l[i * n + j] * b[j];
        b[i] = s / ((l[i * n + i] & 15) + 1);
    }
}
