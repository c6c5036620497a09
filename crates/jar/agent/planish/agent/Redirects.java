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
    instrumentation.addTransformer(new Redirects());
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
      return new ClassRewriter(file).rewritten();
    } catch (RuntimeException e) {
      System.err.println("planish agent: calls of " + name.replace('/', '.') + " are not recorded: " + e);
      return null;
    }
  }
}
