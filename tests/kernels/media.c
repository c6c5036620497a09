// Filters of images and sound. Behind `run:` stand the arguments of runs of the function below it.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

// run: 4096 16384 16 8
void box_blur(const u8 *s, u8 *d, int w, int h) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) sum += s[(y + dy) * w + x + dx];
            d[y * w + x] = sum / 9;
        }
}

static int iabs(int x) { return x < 0 ? -x : x; }

// run: 4096 16384 16 8
void sobel(const u8 *s, u8 *d, int w, int h) {
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            const u8 *p = s + y * w + x;
            int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
            int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
            int g = iabs(gx) + iabs(gy);
            d[y * w + x] = g > 255 ? 255 : g;
        }
}

// run: 4096 16384 10 6
void rotate90(const u8 *s, u8 *d, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[x * h + (h - 1 - y)] = s[y * w + x];
}

// run: 4096 16 8
void flip_rows(u8 *p, int w, int h) {
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w; x++) {
            u8 t = p[y * w + x];
            p[y * w + x] = p[(h - 1 - y) * w + x];
            p[(h - 1 - y) * w + x] = t;
        }
}

// run: 4096 16384 30
void yuv_to_rgb(const u8 *s, u8 *d, int n) {
    for (int i = 0; i < n; i++) {
        int y = s[3 * i], u = s[3 * i + 1] - 128, v = s[3 * i + 2] - 128;
        int r = y + (359 * v >> 8), g = y - (88 * u + 183 * v >> 8), b = y + (454 * u >> 8);
        d[3 * i] = r < 0 ? 0 : r > 255 ? 255 : r;
        d[3 * i + 1] = g < 0 ? 0 : g > 255 ? 255 : g;
        d[3 * i + 2] = b < 0 ? 0 : b > 255 ? 255 : b;
    }
}

// run: 4096 30 77
void alpha_blend(u32 *p, int n, u32 alpha) {
    for (int i = 0; i < n; i++) {
        u32 a = p[i], b = p[i + 30];
        u32 rb = ((a & 0xff00ff) * alpha + (b & 0xff00ff) * (256 - alpha)) >> 8 & 0xff00ff;
        u32 g = ((a & 0x00ff00) * alpha + (b & 0x00ff00) * (256 - alpha)) >> 8 & 0x00ff00;
        p[i] = rb | g | 0xff000000;
    }
}

// run: 4096 60 128
int threshold(u8 *p, int n, u8 t) {
    int c = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] >= t) {
            p[i] = 255;
            c++;
        } else p[i] = 0;
    }
    return c;
}

// run: 4096 60
void stretch_contrast(u8 *p, int n) {
    u8 lo = 255, hi = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] < lo) lo = p[i];
        if (p[i] > hi) hi = p[i];
    }
    if (hi == lo) return;
    for (int i = 0; i < n; i++) p[i] = (p[i] - lo) * 255 / (hi - lo);
}

// run: 4096 16 1 2 14 6
void draw_line(u8 *p, int w, int x0, int y0, int x1, int y1) {
    int dx = x1 > x0 ? x1 - x0 : x0 - x1, sx = x0 < x1 ? 1 : -1, dy = y1 > y0 ? y0 - y1 : y1 - y0,
        sy = y0 < y1 ? 1 : -1, err = dx + dy;
    for (;;) {
        p[y0 * w + x0] = 1;
        if (x0 == x1 && y0 == y1) break;
        int e2 = 2 * err;
        if (e2 >= dy) {
            err += dy;
            x0 += sx;
        }
        if (e2 <= dx) {
            err += dx;
            y0 += sy;
        }
    }
}

static void plot(u8 *p, int x, int y) {
    if (x >= 0 && x < 20 && y >= 0 && y < 20) p[y * 20 + x] = 7;
}

// run: 4096 9 9 6
void circle(u8 *p, int cx, int cy, int r) {
    int x = r, y = 0, err = 1 - r;
    while (x >= y) {
        plot(p, cx + x, cy + y);
        plot(p, cx - x, cy + y);
        plot(p, cx + x, cy - y);
        plot(p, cx - x, cy - y);
        plot(p, cx + y, cy + x);
        plot(p, cx - y, cy + x);
        plot(p, cx + y, cy - x);
        plot(p, cx - y, cy - x);
        y++;
        if (err < 0) err += 2 * y + 1;
        else {
            x--;
            err += 2 * (y - x) + 1;
        }
    }
}

// run: 4096 16 3 3
int flood_fill(u8 *p, int w, int x, int y) {
    static int stack[512];
    int sp = 0, filled = 0;
    for (int i = 0; i < w * 8; i++) p[i] &= 1;
    p[y * w + x] = 0;
    stack[sp++] = y * w + x;
    while (sp > 0) {
        int at = stack[--sp], cx = at % w, cy = at / w;
        if (p[at] != 0) continue;
        p[at] = 2;
        filled++;
        if (cx > 0) stack[sp++] = at - 1;
        if (cx < w - 1) stack[sp++] = at + 1;
        if (cy > 0) stack[sp++] = at - w;
        if (cy < 7) stack[sp++] = at + w;
    }
    return filled;
}

// run: 4096 16384 40 5
void fir(const short *x, short *y, int n, int taps) {
    static const short h[5] = {3, 12, 20, 12, 3};
    for (int i = taps - 1; i < n; i++) {
        int acc = 0;
        for (int k = 0; k < taps; k++) acc += h[k] * x[i - k];
        y[i] = acc >> 6;
    }
}

// run: 4096 60
int iir_lowpass(short *x, int n) {
    int y = 0;
    for (int i = 0; i < n; i++) {
        y += (x[i] * 256 - y) / 8;
        x[i] = y / 256;
    }
    return y;
}

// run: 4096 60 20000
void mix_clip(short *a, int n, int gain) {
    for (int i = 0; i < n; i++) {
        int s = a[i] + (a[i + 60] * gain >> 15);
        if (s > 32767) s = 32767;
        else if (s < -32768) s = -32768;
        a[i] = s;
    }
}

// run: 4096 32
void stereo_to_mid_side(short *p, int frames) {
    while (frames--) {
        int l = p[0], r = p[1];
        p[0] = (l + r) / 2;
        p[1] = (l - r) / 2;
        p += 2;
    }
}

// run: 4096
void dct8(int *x) {
    for (int pass = 0; pass < 8; pass++, x += 8) {
        int a0 = x[0] + x[7], a7 = x[0] - x[7], a1 = x[1] + x[6], a6 = x[1] - x[6], a2 = x[2] + x[5], a5 = x[2] - x[5],
            a3 = x[3] + x[4], a4 = x[3] - x[4];
        int b0 = a0 + a3, b3 = a0 - a3, b1 = a1 + a2, b2 = a1 - a2;
        x[0] = b0 + b1;
        x[4] = b0 - b1;
        x[2] = (b2 * 181 + b3 * 256) >> 8;
        x[6] = (b3 * 181 - b2 * 256) >> 8;
        x[1] = a4 + a7;
        x[3] = a5 - a6;
        x[5] = a6 + a5;
        x[7] = a7 - a4;
    }
}

// run: 4096 32
void bit_reverse_permute(int *p, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            int t = p[i];
            p[i] = p[j];
            p[j] = t;
        }
    }
}

// run: 4096 64
void walsh_hadamard(int *p, int n) {
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += h * 2)
            for (int j = i; j < i + h; j++) {
                int x = p[j], y = p[j + h];
                p[j] = x + y;
                p[j + h] = x - y;
            }
}

// run: 4096 60
int zero_crossings(const short *x, int n) {
    int c = 0;
    for (int i = 1; i < n; i++)
        if ((x[i - 1] < 0 && x[i] >= 0) || (x[i - 1] >= 0 && x[i] < 0)) c++;
    return c;
}

// run: 4096 16384 12 8
void downscale2(const u8 *s, u8 *d, int w, int h) {
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w / 2; x++)
            d[y * (w / 2) + x] = (s[2 * y * w + 2 * x] + s[2 * y * w + 2 * x + 1] + s[(2 * y + 1) * w + 2 * x] +
                                  s[(2 * y + 1) * w + 2 * x + 1] + 2) /
                                 4;
}
