import com.sun.jna.*;
import com.sun.jna.ptr.*;
import java.util.*;

/** Native functions, structures and callbacks by JNA. */
public class Main {
    public interface C extends Library {
        C INSTANCE = Native.load("c", C.class);
        int abs(int n);
        Pointer strerror(int number);
        void qsort(int[] base, long count, long size, Compare compare);
        Pointer gmtime(LongByReference time);
    }
    public interface Compare extends Callback { int invoke(Pointer a, Pointer b); }

    @Structure.FieldOrder({"sec", "min", "hour", "day", "month", "year"})
    public static class Time extends Structure {
        public int sec, min, hour, day, month, year;
        public Time(Pointer at) { super(at); read(); }
    }

    static class Direct { static { Native.register("m"); } static native double cos(double x); }

    public static void main(String[] args) {
        System.out.println(C.INSTANCE.abs(-5));
        int[] numbers = {3, 1, 2};
        C.INSTANCE.qsort(numbers, 3, 4, (a, b) -> Integer.compare(a.getInt(0), b.getInt(0)));
        System.out.println(Arrays.toString(numbers));
        Time time = new Time(C.INSTANCE.gmtime(new LongByReference(86400L * 366)));
        System.out.println(time.year + " " + time.month + " " + time.day);
        System.out.println(Direct.cos(0));
    }
}
