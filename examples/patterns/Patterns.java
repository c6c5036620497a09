import java.util.Iterator;
import java.util.function.IntUnaryOperator;

/** Patterns that an optimizer of whole programs knows: each method is one, `after.txt` is what is left of it. */
public class Patterns {
    /** Objects that go nowhere. */
    static class Shape {
        final int sides;

        Shape(int sides) {
            this.sides = sides;
        }
    }

    static final class Box extends Shape {
        private final Object what;
        private long count;
        private byte small;

        Box(Object what, int small) {
            super(4);
            this.what = what;
            this.small = (byte) small;
        }

        void add(long more) {
            count += more;
        }
    }

    /** Two numbers, and what can be done with them. */
    static final class Pair {
        final int first;
        final int second;

        Pair(int first, int second) {
            this.first = first;
            this.second = second;
        }

        Pair plus(Pair other) {
            return new Pair(first + other.first, second + other.second);
        }

        synchronized int weightLocked() {
            return first * 3 + second * 5 + (first ^ second);
        }
    }

    /** Numbers up to another one, as the loops of Java want them. */
    static final class Upto implements Iterable<Integer> {
        final int end;

        Upto(int end) {
            this.end = end;
        }

        public Iterator<Integer> iterator() {
            return new Iterator<Integer>() {
                int next;

                public boolean hasNext() {
                    return next < end;
                }

                public Integer next() {
                    return next++;
                }
            };
        }
    }

    /** Its first use is seen. */
    static final class Loud {
        static {
            System.out.println("loud");
        }

        static int weight(Pair pair) {
            return pair.first * 7 + pair.second * 9 + (pair.first & pair.second);
        }
    }

    /** Only the constructor sets the ends. */
    static final class Line {
        final int from;
        final int to;
        int marks;

        Line(int from, int to) {
            this.from = from;
            this.to = to;
        }
    }

    interface Step {
        int take(int x);
    }

    interface Maker {
        Line make(int from, int to);
    }

    interface Boxes {
        Integer take(Integer x);
    }

    interface Wide {
        long take(int x);
    }

    interface Giver<T> {
        T give(int x);
    }

    interface Sound {
        int pitch(int x);
    }

    static final class Low implements Sound {
        public int pitch(int x) {
            return x * 3;
        }
    }

    static final class High implements Sound {
        public int pitch(int x) {
            return x ^ 255;
        }
    }

    enum Level {
        LOW,
        MIDDLE,
        HIGH
    }

    private static int twice(Step step, int x) {
        return step.take(step.take(x));
    }

    private static int heard(Sound sound, int x) {
        int pitch = sound.pitch(x);
        return pitch * pitch ^ x + (pitch >> 2);
    }

    private static int plusSeven(int x) {
        return x + 7;
    }

    private static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    private static int second(int... numbers) {
        return numbers.length + numbers[1];
    }

    private static int scramble(int x) {
        int y = (x ^ 0x5bd1) * 31 + 7;
        y = (y ^ y >>> 5) * (x + 11);
        return y ^ y >>> 3;
    }

    private static int mix(int number) {
        int mixed = (number ^ 0x5bd1) * 31 + 7;
        mixed = (mixed ^ mixed >>> 5) * (number + 11);
        return mixed ^ mixed >>> 3;
    }

    private static int factorial(int n) {
        return n <= 1 ? 1 : n * factorial(n - 1);
    }

    private static int digits(int n, int found) {
        return n < 10 ? found : digits(n / 10, found + 1);
    }

    public static int object(int x) {
        Box box = new Box("text", x);
        return box.sides + box.small;
    }

    public static long changingObject(int n) {
        Box box = new Box(null, 0);
        for (int i = 0; i < n; i++) {
            box.add(i);
        }
        return box.what == null ? box.count : -1;
    }

    public static int objectInObject(int x) {
        Box inner = new Box(null, x);
        Box outer = new Box(inner, 1);
        return ((Box) outer.what).small;
    }

    /** Either object is only asked for its ends, and so is each of a loop: the ends are variables. */
    public static int objectOfTwo(int x) {
        Line line = x < 0 ? new Line(x, 2) : new Line(3, x + 4);
        return line.from * line.to;
    }

    public static int objectInLoop(int n) {
        Line line = new Line(0, 1);
        for (int i = 0; i < n; i++) {
            line = new Line(line.to, line.from + i);
        }
        return line.from ^ line.to;
    }

    public static int boxInLoop(int n) {
        Integer sum = 0;
        for (int i = 0; i < n; i++) {
            sum = sum + i;
        }
        return sum;
    }

    /** One of the two is null. */
    public static int objectOrNull(int x) {
        Line line = x < 0 ? new Line(x, 2) : null;
        return line == null ? 0 : line.from;
    }

    public static Object escapes(int x) {
        return x > 0 ? new Box("kept", x) : null;
    }

    public static int boxed(int x) {
        Integer boxed = x;
        Long wide = (long) boxed;
        return boxed + wide.intValue();
    }

    public static boolean boxesAreObjects(int x) {
        Integer one = x;
        Integer other = x;
        return one == other;
    }

    public static int lock(int x) {
        Object lock = new Object();
        synchronized (lock) {
            x++;
        }
        return x;
    }

    public static int lambda(int x) {
        IntUnaryOperator triple = y -> 3 * y;
        return triple.applyAsInt(x);
    }

    public static int capture(int x, int by) {
        return twice(y -> y + by, x);
    }

    public static int constructorReference(int x) {
        Maker maker = Line::new;
        return maker.make(x, 5).to - maker.make(x, x).from;
    }

    public static int boxInBetween(int x) {
        Boxes boxes = Patterns::plusSeven;
        return boxes.take(x);
    }

    /** The number becomes another one in between. */
    public static long widerInBetween(int x) {
        Wide wide = Patterns::plusSeven;
        return wide.take(x);
    }

    /** What the first lambda gives is cast to the interface of the second. */
    public static int curried(int x) {
        Giver<Step> giver = a -> b -> a * b;
        return giver.give(x).take(3);
    }

    /** The class of the object is known, though the call is one through an interface of the library. */
    public static int anonymousClass(int x) {
        IntUnaryOperator minus = new IntUnaryOperator() {
            @Override
            public int applyAsInt(int y) {
                return x - y;
            }
        };
        return minus.applyAsInt(4);
    }

    /** The second call gives what the first one gave. */
    public static int sameCallTwice(int n) {
        return fibonacci(n) * fibonacci(n);
    }

    /** What is in the part of a text is known, and nobody asks which object it is. */
    public static int textThatIsRead(int x) {
        return x + "hello".substring(1, 4).length() + "hello".trim().indexOf("l");
    }

    public static int recursion(int n) {
        return factorial(n);
    }

    public static int tailRecursion(int n) {
        return digits(n, 1);
    }

    public static int range(int x) {
        switch (x & 3) {
            case 0:
                return 40;
            case 1:
                return 50;
            case 7:
                return 90;
            default:
                return 10;
        }
    }

    public static int enumSwitch(Level level) {
        switch (level) {
            case HIGH:
                return 3000;
            case LOW:
                return 1000;
            default:
                return 0;
        }
    }

    public static int constantTexts() {
        return "hello".length() + "abc".charAt(1) + ("a".equals("b") ? 1000 : 0) + "banana".indexOf("nan");
    }

    public static String appended(int x) {
        StringBuilder text = new StringBuilder();
        text.append("size").append(':').append(' ').append(x).append(" (of ").append(100).append(")");
        return text.toString();
    }

    public static int stored(Line line, int n) {
        line.marks = n;
        return line.marks * line.marks;
    }

    public static int storedInOneOfTwo(Line one, Line other) {
        one.marks = 1;
        other.marks = 2;
        return one.marks;
    }

    public static int overwritten(Line line, int n) {
        int before = line.marks;
        line.marks = n;
        line.marks = before + n;
        return before;
    }

    public static int settled(Line line) {
        int area = line.to * line.to + line.to;
        System.identityHashCode(line);
        return area - line.to;
    }

    public static int sameMethods(int x) {
        return scramble(x) - scramble(x * 3) + mix(x + 1) - mix(x - 2);
    }

    public static int varargs(int x) {
        return second(x, 2 * x, 5);
    }

    public static int pair(int a, int b) {
        int[] pair = {a, b};
        int first = pair[0];
        pair[0] = pair[1];
        pair[1] = first;
        return 10 * pair[0] - pair[1];
    }

    public static int narrowItems(int x) {
        byte[] two = new byte[2];
        two[1] = (byte) x;
        return two[0] + two[1];
    }

    public static int outside(int x) {
        int[] one = {x};
        return one[x];
    }

    public static int equalEnds(int x, int y) {
        if (x < 0) {
            x += 3 * y;
            return x * x * x + 7 * x - y;
        }
        x -= 5 * y;
        return x * x * x + 7 * x - y;
    }

    public static String endsOfOtherLines(Line line, int x) {
        if (x < 0) {
            line.marks = x;
            return String.valueOf(line.marks).trim().intern();
        }
        line.marks = x + 1;
        return String.valueOf(line.marks).trim().intern();
    }

    public static int invariant(Line line, int n) {
        int sum = line.marks;
        for (int i = 0; i < n; i++) {
            sum += (line.marks ^ i) * line.marks + line.marks;
        }
        return sum;
    }

    public static int changedInLoop(Line line, int n) {
        int sum = line.marks;
        for (int i = 0; i < n; i++) {
            sum += (line.marks ^ i) * line.marks + line.marks;
            line.marks = sum;
        }
        return sum;
    }

    /** A method that asks what it gets has a copy for each class, in which the answer is known. */
    public static int classesOfArguments(int x) {
        return heard(new Low(), x) + heard(new High(), x);
    }

    /** A machine goes from state to state where each state says which is next. */
    public static int states(int n) {
        int state = 0;
        int i = 0;
        while (true) {
            switch (state) {
                case 0:
                    i++;
                    state = 1;
                    break;
                case 1:
                    state = i > n ? 2 : 0;
                    break;
                case 2:
                    return i;
            }
        }
    }

    /** The same, but nobody knows where it begins. */
    public static int statesFromSomewhere(int state, int n) {
        int i = 0;
        while (state != 2) {
            i++;
            switch (state) {
                case 0:
                    state = 1;
                    break;
                default:
                    state = i > n ? 2 : 0;
            }
        }
        return i;
    }

    /** Truths that are asked once are the comparisons. */
    public static int truths(int x, int y) {
        boolean a = x > 0;
        boolean b = y > 0;
        if (a && b) {
            return 1;
        }
        return 2;
    }

    /** A short array that loops fill and read is its elements, when they are written out. */
    public static int filledInLoop(int x) {
        int[] numbers = new int[4];
        for (int i = 0; i < 4; i++) {
            numbers[i] = x * i;
        }
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    /** This one goes somewhere, so its loop stays as short as it is. */
    public static int[] filledAndGiven(int x) {
        int[] numbers = new int[4];
        for (int i = 0; i < 4; i++) {
            numbers[i] = x * i;
        }
        return numbers;
    }

    /** A box of a wide number. */
    public static int wideBoxInLoop(int n) {
        Long sum = 0L;
        for (int i = 0; i < n; i++) {
            sum += i;
        }
        return sum.intValue();
    }

    static int checked(int x) {
        if (x % 3 == 0) {
            throw new IllegalArgumentException();
        }
        return x * x;
    }

    /** An object that changes where exceptions are caught: the handler stores before anything loads. */
    public static int changedInTry(int x) {
        Line line = new Line(x, 2);
        try {
            line.marks = checked(x);
        } catch (IllegalArgumentException e) {
            line.marks = -line.from;
        }
        return line.marks + line.to;
    }

    /** Here the handler asks how far it came. */
    public static int askedInHandler(int x) {
        Line line = new Line(x, 2);
        try {
            line.marks = checked(x + 1);
            line.marks += checked(x);
        } catch (IllegalArgumentException e) {
            return line.marks;
        }
        return -1;
    }

    /** Two methods override one: neither looks at the text, and nobody reads what they count. */
    abstract static class Gauge {
        int reads;

        abstract int read(int at, String text);
    }

    static final class Near extends Gauge {
        int read(int at, String text) {
            reads++;
            return at * 3;
        }
    }

    static final class Far extends Gauge {
        int read(int at, String text) {
            reads += 2;
            return at == 0 ? 1 : at ^ 5;
        }
    }

    public static int family(int x) {
        Gauge gauge = x > 3 ? new Near() : new Far();
        return gauge.read(x, "near") + gauge.read(x + 1, "far");
    }

    /** Nobody needs the product, so there is none. */
    public static void unneededRecursion(int n) {
        countDown(n);
        countDown(n + 1);
    }

    static int countDown(int n) {
        System.out.print(n);
        return n > 0 ? n * countDown(n - 1) : 1;
    }

    static Pair last;

    static int weight(Pair pair) {
        return pair.first * 3 + pair.second * 5 + (pair.first ^ pair.second);
    }

    static int weightOfKept(Pair pair) {
        last = pair;
        return pair.first * 3 + pair.second * 5 + (pair.first ^ pair.second);
    }

    static int appliedAndAdded(IntUnaryOperator f, int x) {
        return f.applyAsInt(x) + x * 7;
    }

    /** The method only looks at the pair, and so it stands here, though it is long and others call it. */
    public static int handedOn(int x) {
        return weight(new Pair(x, 2));
    }

    /** So does the one that makes another pair. */
    public static int sumHandedOn(int x) {
        return weight(new Pair(x, 1).plus(new Pair(2, x)));
    }

    public static int sumsInLoop(int n) {
        Pair sum = new Pair(0, 0);
        Pair step = new Pair(1, n);
        for (int i = 0; i < n; i++) {
            sum = sum.plus(step);
        }
        return sum.first + sum.second;
    }

    /** The method keeps the pair, and so it is made, and the method is called. */
    public static int handedToKeeper(int x) {
        return weightOfKept(new Pair(x, 2)) + weightOfKept(new Pair(2, x));
    }

    /** The first call of the method is seen. */
    public static int handedToLoud(int x) {
        return Loud.weight(new Pair(x, 2)) + Loud.weight(new Pair(2, x));
    }

    /** Nobody else has the lock of the pair, but the call stays a call. */
    public static int handedToLocked(int x) {
        return new Pair(x, 2).weightLocked() + new Pair(2, x).weightLocked();
    }

    /** There may be no pair, and then the method throws. */
    public static int pairOrNone(int x) {
        try {
            return weight(x > 0 ? new Pair(x, 2) : null);
        } catch (NullPointerException e) {
            return -1;
        }
    }

    /** The numbers, their iterator and the boxes that it gives are variables. */
    public static int iterated(int n) {
        int sum = 0;
        for (int i : new Upto(n)) {
            sum += i * i;
        }
        return sum;
    }

    static int weightOfBoxes(Integer first, Integer second) {
        return first * 3 + second * 5 + (first ^ second);
    }

    /** The method only opens its boxes. */
    public static int boxesHandedOn(int x) {
        return weightOfBoxes(x, x + 1);
    }

    public static int moreBoxesHandedOn(int x) {
        return weightOfBoxes(x, x * 2);
    }

    public static int lambdaHandedOn(int x) {
        return appliedAndAdded(y -> y * 3, x) + appliedAndAdded(y -> y + x, 2);
    }

    public static void main(String[] args) {
        for (int n = -2; n < 12; n += 3) {
            System.out.println(object(n + 127) + " " + changingObject(n) + " " + objectInObject(n * 100));
            System.out.println(objectOfTwo(n) + " " + objectInLoop(n) + " " + boxInLoop(n) + " " + objectOrNull(n));
            System.out.println(escapes(n) == null);
            System.out.println(boxed(n) + " " + boxesAreObjects(n * 1000) + boxesAreObjects(n) + " " + lock(n));
            System.out.println(lambda(n) + " " + capture(n, 5) + " " + recursion(n) + " " + tailRecursion(n * 77));
            Line line = new Line(n, n * 3);
            System.out.println(stored(line, n) + " " + overwritten(line, 4) + " " + line.marks + " " + settled(line));
            System.out.println(storedInOneOfTwo(line, line) + " " + storedInOneOfTwo(line, new Line(1, 2)));
            System.out.println(varargs(n) + " " + pair(n, 3) + " " + narrowItems(n * 50) + " " + outside(0));
            System.out.println(enumSwitch(n < 0 ? Level.LOW : n < 5 ? Level.MIDDLE : Level.HIGH));
            System.out.println(sameMethods(n) + " " + classesOfArguments(n));
            System.out.println(invariant(line, n) + " " + changedInLoop(line, n));
            System.out.println(equalEnds(n, 3) + " " + endsOfOtherLines(line, n));
            System.out.println(constructorReference(n) + " " + boxInBetween(n) + " " + widerInBetween(n) + " " + curried(n));
            System.out.println(anonymousClass(n) + " " + sameCallTwice(n) + " " + textThatIsRead(n));
            System.out.println(states(n) + " " + statesFromSomewhere(0, n) + " " + statesFromSomewhere(2, n));
            System.out.println(truths(n, 3) + " " + truths(3, n) + " " + wideBoxInLoop(n));
            System.out.println(filledInLoop(n) + " " + filledAndGiven(n)[3]);
            System.out.println(changedInTry(n) + " " + askedInHandler(n));
            unneededRecursion(n);
            System.out.println(" " + family(n));
            System.out.println(handedOn(n) + " " + sumHandedOn(n) + " " + sumsInLoop(n) + " " + handedToKeeper(n));
            System.out.println(handedToLoud(n) + " " + handedToLocked(n) + " " + pairOrNone(n) + " " + last.first);
            System.out.println(iterated(n) + " " + lambdaHandedOn(n) + " " + boxesHandedOn(n) + " " + moreBoxesHandedOn(n));
            System.out.println(range(n) + " " + constantTexts() + " " + appended(n));
        }
    }
}
