package app;

import app.model.Color;
import app.model.Named;
import app.model.Point;
import app.model.Shape;
import app.model.Shapes;
import app.plugin.Plugin;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;
import java.util.function.Supplier;

/** Whatever may go wrong with new names. Says what it does, and no name that may change. */
public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String text() default "none";

        Color color() default Color.RED;

        Class<?> type() default Object.class;
    }

    interface Transform<A, B> {
        B apply(A value);

        default <C> Transform<A, C> then(Transform<? super B, ? extends C> next) {
            return value -> next.apply(apply(value));
        }

        static <T> Transform<T, T> same() {
            return value -> value;
        }
    }

    interface Left {
        default String where() {
            return "left";
        }
    }

    interface Right {
        default String there() {
            return "right";
        }
    }

    /** Has what an interface wants without knowing it. */
    static class Base {
        public String describe() {
            return "base";
        }

        String seen = "base field";

        static String kind() {
            return "base kind";
        }
    }

    interface Describes {
        String describe();
    }

    static class Both extends Base implements Describes {
        String seen = "own field";

        static String kind() {
            return "own kind";
        }

        String above() {
            return super.seen + ", " + seen + ", " + Base.kind() + ", " + kind();
        }
    }

    static abstract class Cell<T extends Comparable<T>> implements Comparable<Cell<T>> {
        abstract T content();

        Cell<T> itself() {
            return this;
        }

        @Override
        public int compareTo(Cell<T> other) {
            return content().compareTo(other.content());
        }
    }

    static class Number extends Cell<Integer> {
        private final int number;

        Number(int number) {
            this.number = number;
        }

        @Override
        Integer content() {
            return number;
        }

        @Override
        Number itself() {
            return new Number(number + 1);
        }
    }

    record Pair(String first, int second) implements Serializable {
        Pair {
            if (second < 0) {
                throw new IllegalArgumentException("negative");
            }
        }

        String joined() {
            return first + second;
        }
    }

    static class Counter {
        volatile int count;
        static final AtomicIntegerFieldUpdater<Counter> UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Counter.class, "count");
    }

    public static class Found {
        public int size = 11;

        public Found() {}

        public String greet(String whom) {
            return "hello " + whom;
        }
    }

    @Mark(text = "marked", color = Color.BLUE, type = Shape.class)
    static class Marked {}

    sealed interface Tree permits Leaf, Node {}

    record Leaf(int value) implements Tree {}

    record Node(Tree left, Tree right) implements Tree {}

    static int sum(Tree tree) {
        if (tree instanceof Leaf leaf) {
            return leaf.value();
        }
        Node node = (Node) tree;
        return sum(node.left()) + sum(node.right());
    }

    class Inner {
        private int secret = outer * 2;

        class Deeper {
            int both() {
                return secret + outer;
            }
        }
    }

    private int outer = 21;

    public static void main(String[] arguments) throws Throwable {
        Describes describes = new Both();
        System.out.println(describes.describe() + ": " + new Both().above());
        Cell<Integer> cell = new Number(4);
        System.out.println(cell.itself().content() + " " + cell.compareTo(new Number(9)));
        Transform<String, Integer> length = String::length;
        System.out.println(length.then(n -> n * n).then(Main::shown).apply("four"));
        System.out.println(Transform.<String>same().apply("same"));
        Left both = (Left & Right & Serializable) null;
        Supplier<String> lambda = (Supplier<String> & Right & Left) () -> "lambda";
        System.out.println(lambda.get() + ((Left) lambda).where() + ((Right) lambda).there() + both);
        System.out.println(unnamed(new Pair("a", 1)) + " " + new Pair("a", 1).equals(new Pair("a", 1)) + new Pair("b", 2).joined());
        System.out.println(sum(new Node(new Leaf(3), new Node(new Leaf(4), new Leaf(5)))));
        System.out.println(new Main().new Inner().new Deeper().both());
        colors();
        reflection();
        Streams.streams();
        System.out.println(Shapes.all());
        for (Plugin plugin : ServiceLoader.load(Plugin.class)) {
            System.out.println(plugin.run(new Point(1, 2)));
        }
        try (InputStream text = Shapes.class.getResourceAsStream("text.txt")) {
            System.out.println(new String(text.readAllBytes(), "UTF-8").trim());
        }
        Named named = (Named) Proxy.newProxyInstance(
            Main.class.getClassLoader(), new Class<?>[] {Named.class, Describes.class}, (proxy, method, values) -> method.getReturnType().getName());
        System.out.println(named.name() + ((Describes) named).describe());
        Runnable runnable = new Runnable() {
            @Override
            public void run() {
                class Local {
                    int number = outerNumber();
                }
                System.out.println("anonymous " + new Local().number);
            }

            private int outerNumber() {
                return 99;
            }
        };
        runnable.run();
        try {
            fail(3);
        } catch (IllegalStateException thrown) {
            System.out.println(thrown.getMessage());
        }
        if (arguments.length > 0) {
            fail(arguments.length);
        }
    }

    /** A record says its own name first. */
    static String unnamed(Pair pair) {
        return pair.toString().replaceAll("^.*\\[", "[");
    }

    static String shown(int number) {
        return "<" + number + ">";
    }

    static void colors() {
        for (Color color : Color.values()) {
            System.out.print(color + " " + color.mixed() + " " + ((Named) color).name() + "; ");
        }
        switch (Color.valueOf("BLUE")) {
            case RED -> System.out.println("red");
            case BLUE -> System.out.println("blue");
        }
    }

    static void reflection() throws Throwable {
        Object found = Class.forName("app.Main$Found").getConstructor().newInstance();
        System.out.println(found.getClass().getMethod("greet", String.class).invoke(found, "you"));
        System.out.println(found.getClass().getField("size").getInt(found));
        Counter counter = new Counter();
        Counter.UPDATER.incrementAndGet(counter);
        System.out.println(counter.count);
        Mark mark = Marked.class.getAnnotation(Mark.class);
        System.out.println(mark.text() + mark.color() + (mark.type() == Shape.class));
        Object greeted = MethodHandles.lookup()
            .findVirtual(Found.class, "greet", MethodType.methodType(String.class, String.class))
            .invoke((Found) found, "handle");
        System.out.println(greeted);
    }

    static void fail(int depth) {
        List<Function<Integer, Integer>> steps = new ArrayList<>();
        steps.add(n -> deeper(n - 1));
        steps.get(0).apply(depth);
    }

    static int deeper(int depth) {
        if (depth <= 0) {
            throw new IllegalStateException("failed as it should");
        }
        return new Shapes.Failing(depth).fail(depth) + 1;
    }
}
