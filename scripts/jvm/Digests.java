import java.io.File;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Runs the random programs of a jar: the public static methods m0, m1, ... of p0.T, p1.T, ..., each on several
 * arguments. Prints a line for each program: its number, and a digest of all results, exceptions and effects; of
 * exceptions with what they say, if that is asked for.
 *
 * Usage: java Digests JAR COUNT [messages]
 */
public final class Digests {
  private static final int TRIES = 12;
  private static final long[] WORDS = {0, 1, -1, 2, 7, 31, 32, 100, 255, -128, 65_536, Integer.MAX_VALUE,
      Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL};
  private static final double[] REALS = {0.0, -0.0, 1.0, -1.5, 0.1, 1e9, 1e300, 3e-39, Double.NaN,
      Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1234567.875};

  public static void main(String[] arguments) throws Exception {
    URLClassLoader loader = new URLClassLoader(new URL[] {new File(arguments[0]).toURI().toURL()});
    int count = Integer.parseInt(arguments[1]);
    boolean messages = arguments.length > 2;
    for (int number = 0; number < count; number++) {
      Class<?> program = loader.loadClass("p" + number + ".T");
      List<Method> methods = new ArrayList<>();
      for (Method method : program.getDeclaredMethods()) {
        if (method.getName().matches("m[0-9]+")) {
          methods.add(method);
        }
      }
      methods.sort(Comparator.comparing(Method::getName));
      Field trace = program.getDeclaredField("trace");
      long digest = methods.size();
      for (Method method : methods) {
        for (int one = 0; one < TRIES; one++) {
          digest = digest * 1_000_003 + run(method, one, messages).hashCode();
          digest = digest * 1_000_003 + trace.getLong(null);
        }
      }
      System.out.println(number + " " + Long.toHexString(digest));
    }
  }

  private static Object run(Method method, int one, boolean messages) throws Exception {
    Class<?>[] types = method.getParameterTypes();
    Object[] values = new Object[types.length];
    for (int place = 0; place < values.length; place++) {
      int choice = one * 7 + place * 5;
      long word = WORDS[choice % WORDS.length];
      double real = REALS[choice % REALS.length];
      values[place] = types[place] == int.class ? (Object) (int) word
          : types[place] == long.class ? (Object) word
          : types[place] == float.class ? (Object) (float) real : (Object) real;
    }
    try {
      Object result = method.invoke(null, values);
      // Every NaN is one: which of them arithmetic gives is left open.
      return result instanceof Float ? (Object) Float.floatToIntBits((Float) result)
          : result instanceof Double ? (Object) Double.doubleToLongBits((Double) result) : result;
    } catch (InvocationTargetException thrown) {
      Throwable cause = thrown.getCause();
      // Which class loader it is differs from run to run.
      String message = String.valueOf(cause.getMessage()).replaceAll("@[0-9a-f]+", "");
      return Arrays.asList(cause.getClass().getName(), messages ? message : "");
    }
  }
}
