package planish.agent;

import java.lang.reflect.Constructor;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** Who called the recorder. */
final class Callers {
  private static final Stack STACK = new Stack();

  private Callers() {}

  /** The loader of the class of the program that called. */
  static ClassLoader loader() {
    for (Class<?> type : STACK.classes()) {
      if (!type.getName().startsWith("planish.agent.")) {
        return type.getClassLoader();
      }
    }
    return ClassLoader.getSystemClassLoader();
  }

  /** Where in the program the call stands, with the name of its method. */
  static String site() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (!frame.getClassName().startsWith("planish.agent.")) {
        return frame.toString();
      }
    }
    return "an unknown place";
  }

  /** Does something for which the program need not have the right. */
  @SuppressWarnings({"deprecation", "removal"})
  static void trusted(Runnable task) {
    AccessController.doPrivileged(
        (PrivilegedAction<Void>)
            () -> {
              task.run();
              return null;
            });
  }

  /** Lets a constructor be called from here, if anything can. */
  static void open(Constructor<?> constructor) {
    try {
      trusted(() -> constructor.setAccessible(true));
    } catch (RuntimeException e) {
      // A module does not open it: what is public can be called all the same.
    }
  }

  /** The classes of the methods that are running: the way that works since Java 1.0. */
  @SuppressWarnings({"deprecation", "removal"})
  private static final class Stack extends SecurityManager {
    Stack() {}

    Class<?>[] classes() {
      return getClassContext();
    }
  }
}
