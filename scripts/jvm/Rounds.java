import java.io.FileWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.Permission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs a program again and again in one JVM, until HotSpot has compiled what is worth it, and says how long a round takes then:
 * the least of the last half of all rounds. There are so many rounds at least, and they take so many seconds at least: what a
 * short program needs is not compiled after a few. A program that ends the JVM ends its round instead.
 *
 * Usage: java -Djava.security.manager=allow -Drounds=COUNT -Dseconds=COUNT -Drounds.to=FILE Rounds CLASS ARGUMENT...
 *
 * A line with the milliseconds is added to the file.
 */
public final class Rounds {
  /** The program wants to end the JVM. */
  private static final class Ends extends SecurityException {
    private static final long serialVersionUID = 1;
  }

  private static final class StaysHere extends SecurityManager {
    @Override
    public void checkExit(int status) {
      throw new Ends();
    }

    @Override
    public void checkPermission(Permission permission) {}
  }

  public static void main(String[] arguments) throws Throwable {
    int rounds = Integer.getInteger("rounds", 10);
    long nanoseconds = 1_000_000_000L * Integer.getInteger("seconds", 10);
    Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
    main.setAccessible(true);
    String[] rest = new String[arguments.length - 1];
    System.arraycopy(arguments, 1, rest, 0, rest.length);
    System.setSecurityManager(new StaysHere());
    List<Long> took = new ArrayList<>();
    long first = System.nanoTime();
    while (took.size() < rounds || System.nanoTime() - first < nanoseconds) {
      long began = System.nanoTime();
      try {
        main.invoke(null, (Object) rest.clone());
      } catch (InvocationTargetException thrown) {
        if (!(thrown.getCause() instanceof Ends)) {
          throw thrown.getCause();
        }
      }
      took.add(System.nanoTime() - began);
    }
    long least = Collections.min(took.subList(took.size() / 2, took.size()));
    try (FileWriter to = new FileWriter(System.getProperty("rounds.to"), true)) {
      to.write(least / 1e6 + "\n");
    }
    System.setSecurityManager(null);
  }
}
