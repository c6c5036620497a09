package traces;

/** Members that the class in the middle means, and that those below would hide. */
final class Hidden {
    static class First {
        int size;

        First(int size) {
            this.size = size;
        }

        static int count(int n) {
            return n == 0 ? 1 : count(n - 1) * 2;
        }
    }

    abstract static class Second extends First {
        Second(int size) {
            super(size);
        }

        abstract int get();
    }

    static final class Third extends Second {
        int size;

        Third(int size) {
            super(size * 2);
            this.size = size + 100;
        }

        @Override
        int get() {
            return size * 3;
        }

        static int count(int n) {
            return n == 0 ? 7 : count(n - 1) * 3;
        }
    }

    private Hidden() {}

    private static int size(Second second) {
        return second.size + (second.size > 1000 ? size(second) : 0);
    }

    static int run(int n) {
        Third third = new Third(n);
        First first = n > 3 ? third : new First(n + 5);
        System.out.println(size(third) + " " + third.size + " " + first.size + " " + third.get());
        System.out.println(Second.count(n + 3) + " " + Third.count(n + 3) + " " + First.count(n + 4));
        return 1 / (n - 1);
    }
}
