package planish.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.jar.JarFile;

/**
 * Records what a program asks for by name while it runs, and writes the keep rules that this takes:
 * {@code java -javaagent:agent.jar=rules.pro -jar app.jar}.
 *
 * <p>The JVM loads this class as it loads the program. All others are for the bootstrap loader: classes of the program call the
 * recorder, whichever loader they have.
 */
public final class Agent {
  private Agent() {}

  /** Called by the JVM before the main method of the program. */
  public static void premain(String options, Instrumentation instrumentation) throws Exception {
    File own = new File(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(own));
    Redirects.begin(options, instrumentation);
  }
}
