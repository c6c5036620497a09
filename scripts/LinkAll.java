import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Links every class of jars, and prints those that cannot be linked: one line each, the class and the kind of error.
 *
 * <p>Linking verifies a class, with {@code -Xverify:all} whoever loads it. {@code LinkAll JAR... [-- LIBRARY...]}: the
 * jars are loaded before anything else that has the same names, as on a class path of which they are the first.
 * Nothing is initialized, so nothing of the jars runs.
 */
public final class LinkAll {
    /** Looks into the jars first, then into the JDK and the libraries. */
    private static final class Loader extends URLClassLoader {
        Loader(URL[] urls) {
            super(urls, ClassLoader.getPlatformClassLoader());
        }
    }

    public static void main(String[] args) throws Exception {
        List<Path> jars = new ArrayList<>();
        List<URL> urls = new ArrayList<>();
        boolean libraries = false;
        for (String arg : args) {
            if (arg.equals("--")) {
                libraries = true;
                continue;
            }
            Path path = Path.of(arg);
            urls.add(path.toUri().toURL());
            if (!libraries) {
                jars.add(path);
            }
        }
        int linked = 0;
        TreeMap<String, String> failures = new TreeMap<>();
        try (Loader loader = new Loader(urls.toArray(new URL[0]))) {
            for (Path jar : jars) {
                try (ZipFile zip = new ZipFile(jar.toFile())) {
                    for (ZipEntry entry : Collections.list(zip.entries())) {
                        String name = entry.getName();
                        if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("-info.class")) {
                            continue;
                        }
                        String binary = name.substring(0, name.length() - 6).replace('/', '.');
                        try {
                            Class.forName(binary, false, loader).getDeclaredMethods();
                            linked++;
                        } catch (NoClassDefFoundError | ClassNotFoundException missing) {
                            // What the class mentions is not there, which is no fault of it; linking came so far.
                            failures.put(binary, "missing");
                        } catch (Throwable error) {
                            String text = String.valueOf(error.getMessage());
                            failures.put(binary, error.getClass().getSimpleName() + ": " + text.lines().findFirst().orElse(""));
                        }
                    }
                }
            }
        }
        failures.forEach((name, error) -> System.out.println(name + " " + error));
        System.err.println(linked + " linked, " + failures.size() + " not");
    }
}
