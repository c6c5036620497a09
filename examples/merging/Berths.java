/**
 * Classes that become one: a class without objects of its own with the one that extends it, and classes of static methods
 * with each other. Each method is a recursion or has a loop, so that it stays where it is.
 */
public class Berths {
    public static void main(String[] arguments) {
        int count = arguments.length + 4;
        System.out.println(vessels(count));
        System.out.println(chain(count));
        System.out.println(caught(count));
        System.out.println(holders(count));
        System.out.println(apart(count));
    }

    /** `Vessel` is a part of `Trawler`: fields and private methods of one name, overridden and abstract methods, `super`. */
    static String vessels(int count) {
        Vessel[] fleet = new Trawler[count];
        for (int at = 0; at < count; at++) {
            fleet[at] = new Trawler(at, "n" + at);
        }
        StringBuilder text = new StringBuilder();
        for (Object one : fleet) {
            if (one instanceof Vessel) {
                Vessel vessel = (Vessel) one;
                text.append(vessel.load()).append(' ').append(vessel.draught(2)).append(' ');
                text.append(vessel.describe(count)).append(' ').append(vessel.sum(fleet, 2)).append('\n');
            }
        }
        return text.append(Vessel.built).toString();
    }

    /** `Top` and `Middle` are both a part of `Bottom`, whose constructor calls theirs. */
    static String chain(int count) {
        StringBuilder text = new StringBuilder();
        Top[] all = new Bottom[count];
        for (int at = 0; at < count; at++) {
            all[at] = new Bottom("b" + at, at);
        }
        for (Top one : all) {
            text.append(one.depth(count)).append(one.hashCode() & 7).append(one).append('\n');
        }
        return text.toString();
    }

    /** `Mishap` is a part of `Grounding`, as an exception that is thrown and caught. */
    static String caught(int count) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            try {
                text.append(ground(at, count));
            } catch (Mishap mishap) {
                text.append(mishap.getMessage()).append(mishap.fathoms);
            }
        }
        return text.toString();
    }

    private static int ground(int at, int count) {
        for (int depth = count; depth > 0; depth--) {
            if (depth == at) {
                throw new Grounding("aground at " + at, depth);
            }
        }
        return at;
    }

    /** `Tides` and `Winds` hold nothing but static members. */
    static int holders(int count) {
        return Tides.rise(count, 3) + Winds.rise(count, 3) + Tides.rise(count, 5);
    }

    /** `Loud` says something when it is initialized, so it stays what it is, and so does `Named`, whose class is asked for. */
    static String apart(int count) {
        Loud loud = new Louder(count);
        Named named = new OnlyNamed(count);
        return loud.volume(count) + named.volume(count) + Named.class.getName();
    }
}

abstract class Vessel implements Comparable<Vessel> {
    static int built;
    final int length;
    private long secret = 5;

    Vessel(int length) {
        this.length = length;
        for (int at = 0; at < length; at++) {
            built += at;
        }
        launch();
    }

    void launch() {
        built++;
    }

    abstract int load();

    int draught(int depth) {
        return depth == 0 ? length : draught(depth - 1) * 3 + load();
    }

    private int hold(int depth) {
        return depth == 0 ? 7 : hold(depth - 1) ^ depth * 13;
    }

    String describe(int times) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < times; at++) {
            text.append(hold(at)).append(secret++);
        }
        return text.toString();
    }

    int sum(Vessel[] fleet, int depth) {
        if (depth == 0) {
            return length;
        }
        int sum = 0;
        for (Vessel vessel : fleet) {
            sum += vessel.sum(fleet, depth - 1) + compareTo(vessel);
        }
        return sum;
    }

    public int compareTo(Vessel other) {
        return length - other.length;
    }
}

class Trawler extends Vessel {
    private final String name;
    private long secret = 6;
    int nets = 9;

    Trawler(int length, String name) {
        super(length + 1);
        this.name = name;
        for (int at = 0; at < length; at++) {
            nets += at;
        }
    }

    @Override
    void launch() {
        built += nets + 100;
    }

    @Override
    int load() {
        return length * nets + hold(nets & 3);
    }

    private int hold(int depth) {
        return depth == 0 ? 8 : hold(depth - 1) ^ depth * 17;
    }

    @Override
    int draught(int depth) {
        return super.draught(depth) + 10 * super.draught(depth / 2);
    }

    @Override
    String describe(int times) {
        return super.describe(times + 1) + name + secret++;
    }
}

abstract class Top {
    private final String name;

    Top(String name) {
        this.name = name + depth(2);
    }

    abstract int depth(int steps);

    @Override
    public String toString() {
        return name;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (int at = 0; at < name.length(); at++) {
            hash = hash * 31 + name.charAt(at);
        }
        return hash;
    }
}

abstract class Middle extends Top {
    private final int slack;

    Middle(String name, int slack) {
        super(name);
        this.slack = slack;
    }

    @Override
    int depth(int steps) {
        return steps == 0 ? slack : depth(steps - 1) + steps;
    }

    @Override
    public int hashCode() {
        return super.hashCode() * 31 + slack;
    }
}

class Bottom extends Middle {
    private final int slack;

    Bottom(String name, int slack) {
        super(name, slack + 1);
        this.slack = slack;
    }

    @Override
    int depth(int steps) {
        return super.depth(steps) + slack;
    }

    @Override
    public String toString() {
        return super.toString() + slack;
    }
}

class Mishap extends RuntimeException {
    final int fathoms;

    Mishap(String message, int fathoms) {
        super(message);
        this.fathoms = fathoms;
    }
}

class Grounding extends Mishap {
    Grounding(String message, int fathoms) {
        super(message + "!", fathoms * 2);
    }
}

class Tides {
    static int seen;

    static int rise(int steps, int by) {
        seen++;
        return steps <= 0 ? seen : rise(steps - 1, by) * by + Winds.rise(steps - 2, by);
    }
}

class Winds {
    static int seen;

    static int rise(int steps, int by) {
        seen += 2;
        return steps <= 0 ? seen : rise(steps - 1, by) + by;
    }
}

abstract class Loud {
    static {
        System.out.println("loud");
    }

    abstract int volume(int steps);
}

class Louder extends Loud {
    private final int by;

    Louder(int by) {
        this.by = by;
    }

    @Override
    int volume(int steps) {
        return steps == 0 ? by : volume(steps - 1) + by * steps;
    }
}

abstract class Named {
    abstract int volume(int steps);
}

class OnlyNamed extends Named {
    private final int by;

    OnlyNamed(int by) {
        this.by = by;
    }

    @Override
    int volume(int steps) {
        return steps == 0 ? by : volume(steps - 1) - by * steps;
    }
}
