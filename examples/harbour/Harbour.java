/** What the post on an optimizing compiler for Java describes, in a program of another hand. */
public class Harbour {
    interface Gauge {
        int read(int tide);
    }

    static class Wet implements Gauge {
        public int read(int tide) {
            System.out.println(Integer.valueOf(tide));
            return tide;
        }
    }

    static class Dry implements Gauge {
        public int read(int tide) {
            return -tide;
        }
    }

    /** One gauge is made, behind its interface. */
    public static int measured(int tides) {
        Gauge gauge = new Wet();
        int sum = 0;
        for (int tide = 0; tide < tides; tide++) {
            sum += gauge.read(tide);
        }
        return sum;
    }

    private static int depth(int year, int known) {
        return year == 0 ? known : depth(year - 1, known + 2) * 3;
    }

    /** There is no silt, in any year. */
    public static int silted(int years) {
        int silt = 0;
        int left = 100;
        for (int year = 0; year < years; year++) {
            int dredged = depth(year, 3);
            left -= dredged * silt;
            silt *= year;
            if (silt < 5) {
                left -= 1;
            }
        }
        return left;
    }

    /** Dues are needed in one arm only; what is printed is printed in any case. */
    public static int moored(int ships, boolean full) {
        int dues = depth(ships, 1);
        System.out.println(ships);
        int total = 0;
        if (full) {
            total += dues;
        }
        return total;
    }

    private static int limit() {
        return 40;
    }

    /** One test always holds, the other never. */
    public static int berths(int x) {
        int limit = limit();
        if (limit > 90) {
            System.out.println("crowded");
        }
        return limit > 30 ? x + limit : x;
    }

    private static int toll(int ignored, int kind, int n) {
        if (n <= 0) {
            return 1;
        }
        return kind == 2 ? n - 3 * toll(ignored + 1, kind, n - 3) : n * n * toll(ignored, kind, n - 1) + kind;
    }

    /** A kind that is known, and a number that nobody looks at. */
    public static int tolls(int n) {
        return toll(n, 2, n);
    }

    /** The same of two kinds: a copy for each. */
    public static int allTolls(int n) {
        return toll(n, 2, n) + toll(7, 3, n + 1);
    }

    private static int ebb(int n) {
        return n == 0 ? 5 : flood(n - 1);
    }

    private static int flood(int n) {
        return n == 0 ? 5 : ebb(n - 1);
    }

    /** Two methods that call each other always give one number. */
    public static int turns(int n) {
        return ebb(n & 15) + flood(n & 7);
    }

    /** Of three variables one matters. */
    public static int buoys(int n) {
        int count = 0;
        int ring = 1;
        int chain = 3;
        while (count < n) {
            ring = chain + 1;
            chain = ring * 2;
            count += 2;
        }
        return count;
    }

    private static int scaled(int x, int y) {
        return x * y;
    }

    private static int both(int x) {
        return scaled(x, 0) + scaled(0, x);
    }

    /** A product with nothing, two calls away. */
    public static int level(int x) {
        return both(x) + 4;
    }

    /** Four or six: even in any case. */
    public static int parity(boolean ferry) {
        int decks = ferry ? 6 : 4;
        return decks % 2;
    }

    public static void main(String[] args) {
        int n = args.length + 6;
        System.out.println(measured(n) + " " + silted(n) + " " + moored(n, n > 3) + " " + berths(n));
        System.out.println(tolls(n) + " " + allTolls(n) + " " + turns(n) + " " + buoys(n) + " " + level(n));
        System.out.println(parity(n > 7));
    }
}
