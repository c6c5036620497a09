// Floats: physics, filters, splines, small matrices. Behind `run:` stand the arguments of runs of the function below it.

// run: 20
double newton_sqrt(int n) {
    double x = n, y = n;
    for (int i = 0; i < 30; i++) {
        double z = (x + y / x) / 2;
        if (z == x) break;
        x = z;
    }
    return x;
}

// run: 3.5 | -2.25
double horner(double x) {
    static const double c[6] = {1, -0.5, 0.25, 3, -2, 7};
    double r = 0;
    for (int i = 5; i >= 0; i--) r = r * x + c[i];
    return r;
}

struct body {
    double x, y, vx, vy, m;
};

// run: 4096 4 3
double n_body(struct body *b, int n, int steps) {
    for (int i = 0; i < n; i++) {
        b[i].x = i * 3;
        b[i].y = i * i;
        b[i].vx = 1 - i;
        b[i].vy = 0.5;
        b[i].m = 1 + i;
    }
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double dx = b[i].x - b[j].x, dy = b[i].y - b[j].y, d2 = dx * dx + dy * dy + 0.01,
                       mag = 0.01 / (d2 * __builtin_sqrt(d2));
                b[i].vx -= dx * b[j].m * mag;
                b[i].vy -= dy * b[j].m * mag;
                b[j].vx += dx * b[i].m * mag;
                b[j].vy += dy * b[i].m * mag;
            }
        for (int i = 0; i < n; i++) {
            b[i].x += b[i].vx * 0.01;
            b[i].y += b[i].vy * 0.01;
        }
    }
    double e = 0;
    for (int i = 0; i < n; i++) e += 0.5 * b[i].m * (b[i].vx * b[i].vx + b[i].vy * b[i].vy);
    return e;
}

// run: 24 12
int mandelbrot(int w, int h) {
    int total = 0;
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px++) {
            double cx = px * 3.0 / w - 2.0, cy = py * 2.0 / h - 1.0, x = 0, y = 0;
            int k = 0;
            while (x * x + y * y <= 4.0 && k < 20) {
                double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                k++;
            }
            total += k;
        }
    return total;
}

static double f(double x) { return x * x * x - 2 * x - 5; }

// run: 2 3
double bisect(double a, double b) {
    while (b - a > 1e-6) {
        double m = (a + b) / 2;
        if (f(a) * f(m) <= 0) b = m;
        else a = m;
    }
    return a;
}

// run: 40
double simpson(int n) {
    double h = 2.0 / n, s = f(0) + f(2);
    for (int i = 1; i < n; i++) s += (i % 2 ? 4 : 2) * f(i * h);
    return s * h / 3;
}

// run: 4096 30
double mean_and_variance(double *p, int n) {
    for (int i = 0; i < n; i++) p[i] = i * 37 % 11;
    double m = 0, v = 0;
    for (int i = 0; i < n; i++) m += p[i];
    m /= n;
    for (int i = 0; i < n; i++) v += (p[i] - m) * (p[i] - m);
    return v / (n - 1);
}

// run: 4096 16384 32768 6
void mat_mul_d(double *a, double *b, double *c, int n) {
    for (int i = 0; i < n * n; i++) {
        a[i] = i;
        b[i] = n - i;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
}

// run: 4096 5
double gauss(double *m, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) m[i * (n + 1) + j] = i == j ? 10 : (i + 2 * j) % 4;
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c + 1; r < n; r++) {
            double x = m[r * (n + 1) + c], y = m[p * (n + 1) + c];
            if (x < 0) x = -x;
            if (y < 0) y = -y;
            if (x > y) p = r;
        }
        if (p != c)
            for (int j = 0; j <= n; j++) {
                double t = m[c * (n + 1) + j];
                m[c * (n + 1) + j] = m[p * (n + 1) + j];
                m[p * (n + 1) + j] = t;
            }
        for (int r = c + 1; r < n; r++) {
            double k = m[r * (n + 1) + c] / m[c * (n + 1) + c];
            for (int j = c; j <= n; j++) m[r * (n + 1) + j] -= k * m[c * (n + 1) + j];
        }
    }
    double s = 0;
    for (int i = n - 1; i >= 0; i--) {
        double t = m[i * (n + 1) + n];
        for (int j = i + 1; j < n; j++) t -= m[i * (n + 1) + j] * m[j * (n + 1) + n];
        m[i * (n + 1) + n] = t / m[i * (n + 1) + i];
        s += m[i * (n + 1) + n];
    }
    return s;
}

// run: 0.5 | 3
double sine(double x) {
    double t = x, s = x;
    for (int i = 1; i < 10; i++) {
        t *= -x * x / ((2 * i) * (2 * i + 1));
        s += t;
    }
    return s;
}

// run: 4096 20 0.1
void diffuse(double *u, int n, double r) {
    for (int i = 0; i < n; i++) u[i] = i == n / 2 ? 100 : 0;
    for (int t = 0; t < 5; t++) {
        double prev = u[0];
        for (int i = 1; i < n - 1; i++) {
            double cur = u[i];
            u[i] = cur + r * (prev - 2 * cur + u[i + 1]);
            prev = cur;
        }
    }
}

struct part {
    float x, v;
};

// run: 4096 12
float bounce(struct part *p, int n) {
    float s = 0;
    for (int i = 0; i < n; i++) {
        p[i].x = i * 0.5f;
        p[i].v = 1 - i;
        for (int t = 0; t < 8; t++) {
            p[i].v -= 9.8f * 0.1f;
            p[i].x += p[i].v * 0.1f;
            if (p[i].x < 0) {
                p[i].x = -p[i].x;
                p[i].v *= -0.8f;
            }
        }
        s += p[i].x;
    }
    return s;
}

// run: 1 2 4 6 | 3 -1 2 9
double distance_to_line(double x, double y, double a, double b) {
    double d = a * x + b * y - 1, l = a * a + b * b;
    if (d < 0) d = -d;
    return l > 0 ? d / l : 0;
}

// run: 2 10 | 1.5 -3
double power(double x, int n) {
    double r = 1;
    unsigned k = n < 0 ? -n : n;
    while (k) {
        if (k & 1) r *= x;
        x *= x;
        k >>= 1;
    }
    return n < 0 ? 1 / r : r;
}

// run: 72.5 | -40 | 1000
int clamp_round(double x) {
    if (x < 0) return 0;
    if (x > 255) return 255;
    return (int)(x + 0.5);
}

static double lerp(double a, double b, double t) { return a + (b - a) * t; }

// run: 16
// ahead: a table that nobody writes is known
double bezier(int n) {
    double px[4] = {0, 1, 3, 4}, s = 0;
    for (int i = 0; i <= n; i++) {
        double t = (double)i / n, a = lerp(px[0], px[1], t), b = lerp(px[1], px[2], t), c = lerp(px[2], px[3], t);
        s += lerp(lerp(a, b, t), lerp(b, c, t), t);
    }
    return s;
}
