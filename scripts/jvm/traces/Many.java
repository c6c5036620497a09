package traces;

/** Classes in a file of another name. */
class Second {
    static int run(int n) {
        return Third.run(n - 1) + Third.other(n);
    }
}

class Third {
    static int run(int n) {
        return 8 / n;
    }

    static int other(int n) {
        return n;
    }
}
