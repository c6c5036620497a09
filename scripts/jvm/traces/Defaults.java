package traces;

import java.util.Iterator;
import java.util.function.Consumer;

/** What leads past the class above to a method that an interface of the JDK has. */
final class Defaults {
    abstract static class Countdown implements Iterator<Integer> {
        private int left;

        Countdown(int left) {
            this.left = left;
        }

        @Override
        public boolean hasNext() {
            return left >= 0;
        }

        @Override
        public Integer next() {
            return step(left--);
        }

        abstract int step(int left);
    }

    static final class Steps extends Countdown {
        private int sum;

        Steps(int left) {
            super(left);
        }

        @Override
        int step(int left) {
            sum += left;
            return 60 / left + sum;
        }

        @Override
        public void forEachRemaining(Consumer<? super Integer> taker) {
            sum = 7;
            super.forEachRemaining(taker);
        }
    }

    private Defaults() {}

    static int run(int n) {
        int[] sum = {0};
        new Steps(n + 3).forEachRemaining(step -> sum[0] += step);
        return sum[0];
    }
}
