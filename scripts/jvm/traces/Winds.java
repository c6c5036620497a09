package traces;

/** Nothing but static methods. */
final class Winds {
    private Winds() {}

    static int strength(int n) {
        int sum = 0;
        for (int i = 3; i > -2 + n; i--) {
            sum += 12 / i;
        }
        return sum / (n - 1);
    }
}
