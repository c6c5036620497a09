package traces;

/** Nothing but static methods. */
final class Tides {
    private Tides() {}

    static int strength(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 12 / i;
        }
        return sum;
    }

    static int ground(int n) {
        if (n > 0) {
            throw new Grounding("shallow", n, null);
        }
        return n;
    }
}
