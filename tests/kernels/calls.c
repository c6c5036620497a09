// Calls. Behind `run:` stand the arguments of runs of the function below it.

static int square(int x) { return x * x; }
static int sum_of_squares(int a, int b) { return square(a) + square(b); }

// run: 3 4 | -5 12
int small_bodies(int a, int b) {
    return sum_of_squares(a, b) - sum_of_squares(b, a) + square(a);
}

// run: 5 | 10
int factorial(int n) {
    return n <= 1 ? 1 : n * factorial(n - 1);
}

// run: 10 | 15
int fibonacci_twice(int n) {
    return n < 2 ? n : fibonacci_twice(n - 1) + fibonacci_twice(n - 2);
}

// run: 10 20 | 100 7
int gcd_by_calls(int a, int b) {
    return b == 0 ? a : gcd_by_calls(b, a % b);
}

static int sum_down(int n, int acc) { return n == 0 ? acc : sum_down(n - 1, acc + n); }

// run: 10 | 300
int tail_sum(int n) { return n < 0 ? 0 : sum_down(n, 0); }

// run: 10 | 100
int sum_by_calls(int n) {
    return n <= 0 ? 0 : n + sum_by_calls(n - 1);
}

static int is_even(unsigned n);
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }

// run: 10 | 33
int parity_by_calls(unsigned n) { return is_even(n); }

static unsigned step(unsigned x, int kind) {
    switch (kind) {
    case 0: return x + 1;
    case 1: return x * 3;
    case 2: return x ^ 0x55;
    default: return x >> 1;
    }
}

// run: 7 | 100
unsigned known_kind(unsigned x) {
    return step(step(step(x, 1), 2), 3);
}

// run: 20 | 100
unsigned called_in_loop(int n) {
    unsigned x = 1;
    for (int i = 0; i < n; i++) x = step(x, 1) + step(x, 0);
    return x;
}

__attribute__((noinline)) static int unused_parameter(int x, int unused) { return x * 3 + 1; }

// run: 4 | 9
int passes_for_nothing(int x) { return unused_parameter(x, x * x * x) + unused_parameter(x + 1, x / 3); }

// run: 2 3 | 2 9
int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

// run: 2 10 | 3 7
int power_by_calls(int x, int n) {
    if (n == 0) return 1;
    int half = power_by_calls(x, n / 2);
    return n % 2 ? half * half * x : half * half;
}

// run: 8
int constant_call(int x) {
    return x + factorial(6) + sum_by_calls(10);
}

static int absolute(int x) { return x < 0 ? -x : x; }

// run: 4096 20
int distances(int *p, int n) {
    int s = 0;
    for (int i = 1; i < n; i++) s += absolute(p[i] - p[i - 1]);
    return s;
}
