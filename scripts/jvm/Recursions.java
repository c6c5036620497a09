/** Recursive methods of an object, each called with a constant in one place: what is left of them says how deep copies go. */
public final class Recursions {
    private int ackermann(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    private int paths(int m, int n) {
        return m == 0 || n == 0 ? 1 : paths(m - 1, n) + paths(m, n - 1);
    }

    private int stirling(int n, int k) {
        return n == k ? 1 : k == 0 || k > n ? 0 : k * stirling(n - 1, k) + stirling(n - 1, k - 1);
    }

    private int delannoy(int m, int n) {
        return m == 0 || n == 0 ? 1 : delannoy(m - 1, n) + delannoy(m - 1, n - 1) + delannoy(m, n - 1);
    }

    private long power(long x, int n) {
        return n == 0 ? 1 : (n & 1) == 0 ? power(x * x, n >> 1) : x * power(x, n - 1);
    }

    private int choose(int n, int k) {
        return k == 0 || k == n ? 1 : choose(n - 1, k - 1) + choose(n - 1, k);
    }

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        Recursions of = new Recursions();
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            int n = 3 + (i & 7);
            sum += of.ackermann(2, n) + of.paths(6, n) + of.paths(11, n & 3) + of.stirling(n + 4, 5) + of.delannoy(5, n & 3);
            sum += of.power(i, 1000) + of.choose(n + 8, 6) + of.delannoy(n & 3, 7);
        }
        System.out.println(sum);
    }
}
