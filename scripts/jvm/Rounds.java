import java.io.FileWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.security.Permission;

/**
 * Runs a program again and again in one JVM, until HotSpot has compiled what is worth it, and says how long a round takes then:
 * the least of the last half of all rounds. A program that ends the JVM ends its round instead.
 *
 * Usage: java -Djava.security.manager=allow -Drounds=COUNT -Drounds.to=FILE Rounds CLASS ARGUMENT...
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
    int rounds = Integer.getInteger("rounds", 20);
    Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
    main.setAccessible(true);
    String[] rest = new String[arguments.length - 1];
    System.arraycopy(arguments, 1, rest, 0, rest.length);
    System.setSecurityManager(new StaysHere());
    long least = Long.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      long began = System.nanoTime();
      try {
        main.invoke(null, (Object) rest.clone());
      } catch (InvocationTargetException thrown) {
        if (!(thrown.getCause() instanceof Ends)) {
          throw thrown.getCause();
        }
      }
      long took = System.nanoTime() - began;
      if (round >= rounds / 2 && took < least) {
        least = took;
      }
    }
    try (FileWriter to = new FileWriter(System.getProperty("rounds.to"), true)) {
      to.write(least / 1e6 + "\n");
    }
    System.setSecurityManager(null);
  }
}
