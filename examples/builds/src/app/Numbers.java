package app;

final class Numbers {
    private Numbers() {}

    static int square(int n, boolean loud) {
        if (loud) {
            System.out.println("squaring " + n);
        }
        return n * n;
    }

    static int cube(int n) {
        return n * n * n;
    }
}
