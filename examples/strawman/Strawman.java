/** The program by which "How an Optimizing Compiler Works" explains what optimizers miss. */
public final class Strawman {
    interface Logger {
        Logger log(Object message);
    }

    static final class PrintLogger implements Logger {
        @Override
        public PrintLogger log(Object message) {
            System.out.println(message);
            return this;
        }
    }

    static final class ErrLogger implements Logger {
        @Override
        public ErrLogger log(Object message) {
            System.err.println(message);
            return this;
        }
    }

    public static void main(String[] arguments) {
        for (String argument : arguments) {
            System.out.println(run(Integer.parseInt(argument)));
        }
    }

    static int run(int n) {
        int count = 0;
        int total = 0;
        int multiplied = 0;
        Logger logger = new PrintLogger();
        while (count < n) {
            count += 1;
            multiplied *= count;
            if (multiplied < 100) {
                logger.log(count);
            }
            total += ackermann(2, 2);
            total += ackermann(multiplied, n);
            int d1 = ackermann(n, 1);
            total += d1 * multiplied;
            int d2 = ackermann(n, count);
            if (count % 2 == 0) {
                total += d2;
            }
        }
        return total;
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        if (n == 0) {
            return ackermann(m - 1, 1);
        }
        return ackermann(m - 1, ackermann(m, n - 1));
    }
}
