package traces;

/** What only trawlers extend. */
abstract class Vessel {
    protected final int[] holds;

    Vessel(int n) {
        if (n < 2) {
            throw new IllegalStateException("too few");
        }
        holds = new int[n];
    }

    int sum(int n) {
        int sum = 0;
        for (int i = 0; i < n + holds.length; i++) {
            sum += holds[i];
        }
        return sum;
    }

    int tonnage(int n) {
        return 100 / n;
    }

    abstract int sum(String text);
}
