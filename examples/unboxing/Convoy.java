import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * A program that writes objects, reads them, and asks for the types of fields: only enums that are in such an object, or in such
 * a field, stay objects. Each method is a recursion or has a loop, so that it stays where it is.
 */
public class Convoy {
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        int count = arguments.length + 7;
        System.out.println(ladders(count));
        System.out.println(nets(count));
        System.out.println(closed(count));
        System.out.println(found(count));
        System.out.println(written(count));
        System.out.println(steered(count));
    }

    /** Of the enums in an object only the one that is written with it stays an object. */
    static String written(int count) throws IOException, ClassNotFoundException {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            Cargo cargo = new Cargo(at % 3 == 0 ? Buoy.CAN : Buoy.CONE, at % 2 == 0 ? Crane.UP : Crane.DOWN, at);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(cargo);
            }
            Cargo read;
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                read = (Cargo) in.readObject();
            }
            text.append(cargo.show(at)).append(read.show(at));
        }
        return text.toString();
    }

    /** Fields that constructors compute, and texts that are null. */
    static String ladders(int count) {
        StringBuilder text = new StringBuilder();
        Ladder ladder = Ladder.ROPE;
        for (int at = 0; at < count; at++) {
            text.append(ladder.rungs(at)).append(ladder.label).append(ladder.twice);
            ladder = ladder == Ladder.ROPE ? Ladder.PILOT : ladder == Ladder.PILOT ? Ladder.IRON : Ladder.ROPE;
        }
        return text.toString();
    }

    /** Constants in arrays that are copied, as some compilers write `values()`. */
    static String nets(int count) {
        StringBuilder text = new StringBuilder();
        Net[] from = new Net[count];
        for (int at = 0; at < count; at++) {
            from[at] = at % 2 == 0 ? Net.DRIFT : at == 3 ? null : Net.SEINE;
            Net[] to = new Net[count];
            System.arraycopy(from, 0, to, 0, at + 1);
            text.append(to[at] == Net.DRIFT).append(to[count - 1] == null);
        }
        return text.toString();
    }

    /** A null that is compared with null, where it is known to be one. */
    static String closed(int count) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            Hatch hatch = at % 2 == 0 ? Hatch.FORE : Hatch.AFT;
            try {
                text.append(hatch.ordinal() / (at - 3));
                hatch = null;
            } catch (ArithmeticException none) {
                text.append('!');
            } finally {
                text.append(hatch == null ? "shut" : hatch == Hatch.FORE ? "fore" : "aft");
            }
        }
        return text.toString();
    }

    /** The class of an enum is the type of a field that is found by its name. */
    static String found(int count) throws ReflectiveOperationException {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < count; at++) {
            Field field = Tender.class.getDeclaredField("flagged");
            text.append(field.getType().getEnumConstants().length);
            Tender tender = new Tender(at % 2 == 0 ? Ensign.PLAIN : Ensign.DEFACED, at % 3 == 0 ? Oar.LONG : Oar.SHORT);
            text.append(tender.show(at));
        }
        return text.toString();
    }

    /** What a proxy is given it has as objects. */
    static String steered(int count) {
        StringBuilder text = new StringBuilder();
        InvocationHandler handler = (proxy, method, given) -> given[0] + " by " + given[1];
        Class<?>[] all = {Helm.class};
        Helm helm = (Helm) Proxy.newProxyInstance(Convoy.class.getClassLoader(), all, handler);
        for (int at = 0; at < count; at++) {
            text.append(helm.steer(at % 2 == 0 ? Heading.EAST : Heading.WEST, at));
        }
        return text.toString();
    }
}

/** Is implemented by a proxy. */
interface Helm {
    String steer(Heading heading, int by);
}

/** Is given to the proxy. */
enum Heading { EAST, WEST }

/** Can be written. */
class Cargo implements Serializable {
    private static final long serialVersionUID = 1;
    private final Buoy buoy;
    private final transient Crane crane;
    private final int weight;

    Cargo(Buoy buoy, Crane crane, int weight) {
        this.buoy = buoy;
        this.crane = crane;
        this.weight = weight;
    }

    String show(int at) {
        return at <= 0
            ? (buoy == Buoy.CAN ? "can" : "cone") + weight + (crane == null ? "" : crane == Crane.UP ? "up" : "down")
            : show(at - 2);
    }
}

/** Is written. */
enum Buoy { CAN, CONE }

/** Is not. */
enum Crane { UP, DOWN }

/** Has fields that are computed. */
enum Ladder {
    ROPE(3, null), PILOT(5, "pilot"), IRON(9, null);

    private final int rungs;
    final String label;
    final int twice;

    Ladder(int rungs, String label) {
        this.rungs = rungs << ordinal();
        this.label = label;
        this.twice = this.rungs * 2;
    }

    int rungs(int at) {
        return at <= 0 ? rungs : rungs(at - 1) + 1;
    }
}

/** Is in arrays that are copied. */
enum Net { DRIFT, SEINE }

/** One variable is null in the end. */
enum Hatch { FORE, AFT }

/** One field is found by its name. */
class Tender {
    private final Ensign flagged;
    private final Oar pulled;

    Tender(Ensign flagged, Oar pulled) {
        this.flagged = flagged;
        this.pulled = pulled;
    }

    String show(int at) {
        return at <= 0 ? (flagged == Ensign.PLAIN ? "plain" : "defaced") + (pulled == Oar.LONG ? 1 : 2) : show(at - 2);
    }
}

/** Is in the field. */
enum Ensign { PLAIN, DEFACED }

/** Is in another one. */
enum Oar { LONG, SHORT }
