import java.util.function.Function;

/**
 * Enums that become numbers, and enums that stay objects, each for a reason of its own. Each method is a recursion or has a
 * loop, so that it stays where it is.
 */
public class Beacons {
    public static void main(String[] arguments) {
        int count = arguments.length + 7;
        System.out.println(lights(count));
        System.out.println(sides(count));
        System.out.println(colours(count));
        System.out.println(nulls(count));
        System.out.println(texts(count));
        System.out.println(fields(count));
        System.out.println(kept(count));
        System.out.println(held(count) + Lamps.all(count));
    }

    static Light last;

    /** A state machine: fields, arrays, switches, comparisons, methods of the enum. */
    static String lights(int count) {
        StringBuilder text = new StringBuilder();
        Light[] seen = new Light[count];
        Light[][] table = new Light[2][count];
        Light light = Light.OFF;
        for (int at = 0; at < count; at++) {
            seen[at] = light;
            table[at & 1][at] = last;
            last = light;
            light = at == 4 ? null : light == null ? Light.at(at) : light.next();
            text.append(light == Light.FLASHING).append(light == null ? '-' : light.isLit() ? '*' : '.');
        }
        for (Light[] row : table) {
            for (Light one : row) {
                text.append(one == null ? 9 : one.ordinal());
            }
        }
        for (Light one : seen.clone()) {
            text.append(one == last);
        }
        for (Light one : Light.values()) {
            text.append(one.ordinal()).append(one.brighter(last));
        }
        return text.toString();
    }

    /** Two methods become one type, and two constructors of another class do not meet. */
    static String sides(int count) {
        int sum = 0;
        for (int at = 0; at < count; at++) {
            Side side = (at & 1) == 0 ? Side.PORT : Side.STARBOARD;
            sum = sum * 3 + weigh(side, at) + weigh(at, at);
            sum += new Mark(side).depth(at);
        }
        return "" + sum;
    }

    private static int weigh(Side side, int depth) {
        return depth <= 0 ? side == Side.PORT ? 2 : 1 : weigh(side, depth - 1) + 1;
    }

    private static int weigh(int side, int depth) {
        return depth <= 0 ? side : weigh(side, depth - 1) + 10;
    }

    /** Names and the order of constants. */
    static String colours(int count) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            Colour colour = Colour.values()[at % 3];
            text.append(colour.name()).append(colour.toString().length());
            text.append(colour.compareTo(Colour.GREEN));
        }
        return text.toString();
    }

    /** What throws of null does so of a number. */
    static String nulls(int count) {
        StringBuilder text = new StringBuilder();
        Light[] dark = new Light[2];
        Colour[] none = new Colour[2];
        for (int at = 0; at < count; at++) {
            try {
                switch (at) {
                    case 0: text.append(dark[at & 1].ordinal()); break;
                    case 1: text.append(dark[at & 1].isLit()); break;
                    case 2: text.append(dark[at & 1].next() == null); break;
                    case 3: text.append(none[at & 1].name()); break;
                    case 4: text.append(Colour.RED.compareTo(none[at & 1])); break;
                    case 5: text.append(none[at & 1].compareTo(Colour.RED)); break;
                    default: text.append(none[at & 1] == null);
                }
            } catch (NullPointerException exception) {
                text.append("null").append(at);
            }
        }
        return text.toString();
    }

    /** Texts of constants, of their own or not, lambdas that do not have one, and constants that are equal. */
    static String texts(int count) {
        StringBuilder text = new StringBuilder();
        StringBuffer other = new StringBuffer();
        Colour colour = null;
        Flare flare = null;
        for (int at = 0; at < count; at++) {
            text.append(colour).append(String.valueOf(colour)).append(flare);
            other.append(flare).append(flare == null ? 0 : flare.height(at)).append(Flare.RED.equals(flare));
            colour = Colour.values()[at % 3];
            flare = at % 2 == 0 ? Flare.WHITE : Flare.RED;
        }
        return text.append(other).toString();
    }

    /** Fields of constants. */
    static String fields(int count) {
        StringBuilder text = new StringBuilder();
        Weather weather = null;
        for (int at = 0; at < count; at++) {
            try {
                text.append(weather.sails).append(weather.miles(at)).append(weather.adjective(at));
            } catch (NullPointerException exception) {
                text.append("null").append(at);
            }
            weather = at == 5 ? null : at > 3 ? Weather.FOG : at == 3 ? Weather.SNOW : Weather.CLEAR;
        }
        return text.toString();
    }

    /** One of each that stays an object. */
    static String kept(int count) {
        StringBuilder text = new StringBuilder();
        Object[] all = new Object[count];
        for (int at = 0; at < count; at++) {
            Flag flag = at > 2 ? Flag.HOISTED : Flag.STRUCK;
            all[at] = flag;
            text.append(flag == Flag.STRUCK);
            Swell swell = at > 3 ? Swell.LOW : Swell.HIGH;
            text.append(swell.height);
            Tide tide = at > 1 ? Tide.EBB : Tide.FLOOD;
            text.append(tide.turn(at));
            Horn horn = at > 3 ? Horn.LOW : Horn.HIGH;
            text.append(horn.blow(at));
            Knot knot = at > 2 ? Knot.REEF : Knot.BOWLINE;
            text.append(knot == Knot.REEF);
            Rank rank = at > 2 ? Rank.MATE : Rank.MASTER;
            text.append(salary(at).apply(rank));
            Berth berth = at > 2 ? Berth.INNER : Berth.OUTER;
            text.append(new Mooring(berth).lines(at)).append(new Mooring(at).lines(at));
            Moon moon = at > 2 ? Moon.NEW : Moon.FULL;
            text.append(moon.hashCode() == moon.hashCode());
        }
        return text.append(all[count - 1]).toString();
    }

    /** More of them. */
    static String held(int count) {
        StringBuilder text = new StringBuilder();
        Object[] all = new Object[count];
        for (int at = 0; at < count; at++) {
            Kite kite = at > 2 ? Kite.BOX : Kite.DELTA;
            text.append(kite.tail(at));
            Wind wind = at > 2 ? Wind.GALE : Wind.CALM;
            text.append(wind.force(at));
            Anchor anchor = at > 2 ? Anchor.BOW : Anchor.STERN;
            synchronized (anchor) {
                text.append(anchor == Anchor.BOW);
            }
            Pilot pilot = at > 2 ? Pilot.FIRST : Pilot.SECOND;
            text.append(pilot.fee(at).apply(at));
            Wave wave = at > 2 ? Wave.HIGH : Wave.LOW;
            text.append(wave == Wave.HIGH).append(all[at] instanceof Wave);
            Storm storm = at > 2 ? Storm.NEAR : Storm.FAR;
            text.append(storm == Storm.NEAR).append(Storm.class == all[at]);
            Chart chart = new Chart(at > 2 ? Shore.LEE : Shore.WEATHER);
            text.append(chart.shore() == Shore.LEE);
        }
        return text.toString();
    }

    private static Function<Rank, Integer> salary(int at) {
        if (at <= 0) {
            return rank -> rank == Rank.MATE ? 1 : 2;
        }
        return at == 1 ? rank -> rank == Rank.MATE ? 30 : 40 : salary(at - 2);
    }
}

enum Light {
    OFF, STEADY, FLASHING;

    boolean isLit() {
        return this != OFF;
    }

    Light next() {
        switch (this) {
            case OFF: return STEADY;
            case STEADY: return FLASHING;
            default: return OFF;
        }
    }

    boolean brighter(Light other) {
        for (Light one = OFF; one != this; one = one.next()) {
            if (one == other) {
                return true;
            }
        }
        return false;
    }

    static Light at(int place) {
        for (Light one : values()) {
            if (one.ordinal() == place % 3) {
                return one;
            }
        }
        return null;
    }
}

enum Side { PORT, STARBOARD }

enum Colour { RED, GREEN, WHITE }

class Mark {
    private final Side side;

    Mark(Side side) {
        this.side = side;
    }

    int depth(int at) {
        return at <= 0 ? side == Side.PORT ? 4 : 7 : depth(at - 2) + 1;
    }
}

/** Used as an object. */
enum Flag { HOISTED, STRUCK }

/** Constants have fields that hold numbers and texts. */
enum Weather {
    CLEAR(20, "clear", true), FOG(1, "foggy", false), SNOW("snow");

    private final int miles;
    private final String adjective;
    boolean sails;

    Weather(int miles, String adjective, boolean sails) {
        this.miles = miles;
        this.adjective = adjective;
        this.sails = sails;
    }

    Weather(String adjective) {
        this.miles = -70000;
        this.adjective = adjective;
    }

    int miles(int at) {
        return at <= 0 ? miles : miles(at - 1) + 1;
    }

    String adjective(int at) {
        return at <= 0 ? adjective : adjective(at - 1) + at;
    }
}

/** Constants have fields that hold other things. */
enum Swell {
    LOW(0.5), HIGH(3);

    final double height;

    Swell(double height) {
        this.height = height;
    }
}

/** Constants have bodies. */
enum Tide {
    EBB {
        int turn(int at) {
            return at <= 0 ? 1 : FLOOD.turn(at - 1) + 1;
        }
    },
    FLOOD {
        int turn(int at) {
            return at <= 0 ? 2 : EBB.turn(at - 1) * 2;
        }
    };

    abstract int turn(int at);
}

/** A method locks a constant. */
enum Horn {
    LOW, HIGH;

    synchronized int blow(int at) {
        return at <= 0 ? this == LOW ? 1 : 2 : blow(at - 1) + 1;
    }
}

/** The initializer does something else. */
enum Knot {
    REEF, BOWLINE;

    static {
        System.out.println("knots");
    }
}

/** A lambda takes it. */
enum Rank { MASTER, MATE }

/** Two constructors would get one type. */
enum Berth { INNER, OUTER }

class Mooring {
    private final int lines;

    Mooring(Berth berth) {
        lines = berth == Berth.INNER ? 2 : 4;
    }

    Mooring(int lines) {
        this.lines = lines;
    }

    int lines(int at) {
        return at <= 0 ? lines : lines(at - 1) + lines;
    }
}

/** Numbers have no hash of their own. */
enum Moon { NEW, FULL }

/** A constant has a body, and no method is abstract. */
enum Kite {
    BOX,
    DELTA {
        int tail(int at) {
            return at <= 0 ? 1 : BOX.tail(at - 1) + 1;
        }
    };

    int tail(int at) {
        return at <= 0 ? 2 : DELTA.tail(at - 1) * 2;
    }
}

/** Has a text of its own, and lambdas that have no constant. */
enum Flare {
    RED, WHITE;

    int height(int at) {
        Function<Integer, Integer> twice = at > 2 ? number -> number * 2 : number -> number + 2;
        return at <= 0 ? 0 : twice.apply(at) + height(at - 1);
    }

    @Override
    public String toString() {
        return this == RED ? "red flare" : super.toString();
    }
}

/** Has an assertion. */
enum Wind {
    CALM, GALE;

    int force(int at) {
        assert at >= 0;
        return at <= 0 ? this == CALM ? 0 : 8 : force(at - 1) + 1;
    }
}

/** A block holds the monitor of a constant. */
enum Anchor { BOW, STERN }

/** A lambda has a constant. */
enum Pilot {
    FIRST, SECOND;

    Function<Integer, Integer> fee(int at) {
        return at <= 0 ? number -> this == FIRST ? number : 1 : fee(at - 1);
    }
}

/** It is asked whether an object is one. */
enum Wave { LOW, HIGH }

/** The object of the class is used. */
enum Storm { NEAR, FAR }

/** A component of a record is one. */
enum Shore { LEE, WEATHER }

record Chart(Shore shore) {}

/** Is initialized with the enum below, since a method of it has a body. */
interface Glass {
    int PANES = Lamps.glaze();

    default int panes() {
        return PANES;
    }
}

/** Whoever makes its constants initializes an interface. */
enum Lantern implements Glass { CLEAR, RED }

/** Its text does something, and so is not asked for too early. */
enum Signal {
    BELL, GUN;

    @Override
    public String toString() {
        Lamps.asked++;
        return this == BELL ? "bell" : "gun";
    }
}

/** What can be seen of initializers and of texts. */
final class Lamps {
    static int asked;
    static int glazed;

    static int glaze() {
        return ++glazed;
    }

    static String all(int count) {
        StringBuilder text = new StringBuilder().append(glazed);
        Lantern lantern = Lantern.CLEAR;
        for (int at = 0; at < count; at++) {
            text.append(lantern.ordinal());
            lantern = lantern == Lantern.CLEAR ? Lantern.RED : Lantern.CLEAR;
            try {
                builder(text, at).append(at > 3 ? Signal.BELL : Signal.GUN);
            } catch (NullPointerException none) {
                text.append(asked);
            }
        }
        return text.append(glazed).toString();
    }

    /** None at first. */
    static StringBuilder builder(StringBuilder text, int at) {
        return at < 2 ? null : at == 40 ? builder(text, at - 1) : text;
    }
}
