package planish.agent;

import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** Lets classes of the program call {@link Recorder} where they call reflective methods of the JDK. */
public final class Redirects implements ClassFileTransformer {
  private Redirects() {}

  /** Records from now on. The options are a file and, after a comma, what the run is called. */
  public static void begin(String options, Instrumentation instrumentation) {
    String text = options == null || options.isEmpty() ? "rules.pro" : options;
    int comma = text.indexOf(',');
    String run = comma < 0 ? "a run" : text.substring(comma + 1);
    Recorder.begin(new File(comma < 0 ? text : text.substring(0, comma)), run);
    if (System.getProperty("jdk.module.main") != null) {
      System.err.println(
          "planish agent: nothing is recorded, since the program runs as a module; run it from the class path");
      return;
    }
    instrumentation.addTransformer(new Redirects());
  }

  /** Whether classes of a loader can call the recorder: not every loader asks those above it. */
  private static boolean sees(ClassLoader loader, String name) {
    try {
      return Class.forName(Recorder.class.getName(), false, loader) == Recorder.class;
    } catch (ClassNotFoundException | LinkageError e) {
      String shown = name.replace('/', '.');
      System.err.println("planish agent: calls of " + shown + " are not recorded: its loader knows its own classes only");
      return false;
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
    if (loader == null || name == null || Recorder.isOfPlatform(name.replace('/', '.'))) {
      return null;
    }
    // The JDK makes the classes of proxies as the program runs.
    if (name.substring(name.lastIndexOf('/') + 1).startsWith("$Proxy")) {
      return null;
    }
    try {
      byte[] rewritten = new ClassRewriter(file).rewritten();
      return rewritten == null || sees(loader, name) ? rewritten : null;
    } catch (RuntimeException e) {
      System.err.println("planish agent: calls of " + name.replace('/', '.') + " are not recorded: " + e);
      return null;
    }
  }
}
