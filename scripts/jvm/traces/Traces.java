package traces;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Throws in classes that may become one, and prints the stack traces. */
public class Traces {
    interface Case {
        int run(int n);
    }

    /** What only Inner.Deep extends. */
    abstract static class Inner {
        final int[] all;

        Inner(int n) {
            all = new int[n - 9];
        }

        abstract int get(int n);

        int twice(int n) {
            return get(n) + get(n + 1);
        }
    }

    static class Deep extends Inner {
        final String name;

        Deep(int n, String name) {
            super(n);
            this.name = name;
        }

        @Override
        int get(int n) {
            return all[n];
        }
    }

    static class Holder {
        static int divide(int n) {
            return small(n - 1);
        }

        private static int small(int n) {
            return 7 / n;
        }
    }

    private static int lambdas(int n) {
        List<IntUnaryOperator> all = new ArrayList<>();
        all.add(x -> x + 1);
        all.add(x -> 100 / (x - n));
        int sum = 0;
        for (IntUnaryOperator one : all) {
            sum += one.applyAsInt(n);
        }
        return sum;
    }

    private static int onNull(int n) {
        Trawler trawler = n > 0 ? null : new Trawler(n + 20);
        return trawler.tonnage(n);
    }

    private static int caused(int n) {
        try {
            return Winds.strength(n);
        } catch (ArithmeticException e) {
            throw new Grounding("again", n, e);
        }
    }

    private static void print(String name, int n, Case one) {
        System.out.println(name);
        try {
            System.out.println(one.run(n));
        } catch (RuntimeException e) {
            e.printStackTrace(System.out);
        }
    }

    public static void main(String[] args) {
        int n = args.length + 1;
        print("a constructor above", n, x -> new Trawler(x).tonnage(x));
        print("a constructor below", n, x -> new Trawler(x + 4).tonnage(x));
        print("a constructor in the middle", n, x -> new Bottom(x).run());
        print("a method above", n, x -> new Trawler(x + 20).sum(x));
        print("a method that is overridden", n, x -> new Trawler(x + 20).tonnage(x - 1));
        print("another of the same name", n, x -> new Trawler(x + 20).sum("" + x));
        print("a static method", n, x -> Winds.strength(x) + Tides.strength(x + 9));
        print("a static method of the same name", n, x -> Tides.strength(x));
        print("an exception that became one", n, x -> Tides.ground(x));
        print("nested classes", n, x -> new Deep(x, "deep").twice(x));
        print("nested methods", n, x -> new Deep(x + 10, "deep").twice(x));
        print("nested static methods", n, x -> Holder.divide(x));
        print("lambdas", n, Traces::lambdas);
        print("a null", n, Traces::onNull);
        print("a cause", n, Traces::caused);
        print("a default of the JDK", n, Defaults::run);
        print("hidden members", n, Hidden::run);
        print("another source", n, x -> Second.run(x));
    }
}
