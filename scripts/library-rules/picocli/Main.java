import java.io.File;
import java.util.*;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.*;

/** A command whose options picocli finds by annotations. */
@Command(name = "main", mixinStandardHelpOptions = true, version = "1.0", subcommands = {Main.Sub.class}, versionProvider = Main.Versions.class)
public class Main implements Callable<Integer> {
    enum Level { LOW, HIGH }
    @Option(names = {"-n", "--number"}, description = "a number", defaultValue = "5") private int number;
    @Option(names = "-l", converter = Upper.class) private String text;
    @Option(names = "--level") private Level level = Level.LOW;
    @Parameters(arity = "0..*") private List<File> files;
    @Mixin private Shared shared;
    @ArgGroup(exclusive = true) private Group group;

    static class Group { @Option(names = "-a") int a; @Option(names = "-b") int b; }
    static class Shared { @Option(names = "-v") boolean[] verbose = {}; }
    static class Upper implements ITypeConverter<String> { @Override public String convert(String text) { return text.toUpperCase(); } }
    static class Versions implements IVersionProvider { @Override public String[] getVersion() { return new String[] {"2.0"}; } }

    @Command(name = "sub") static class Sub implements Runnable {
        @Parameters(index = "0") String what;
        @Override public void run() { System.out.println("sub " + what); }
    }

    @Command(name = "twice") int twice(@Parameters int n) { System.out.println(2 * n); return 0; }

    @Override public Integer call() {
        System.out.println(number + " " + text + " " + level + " " + files + " " + shared.verbose.length + " " + group.b);
        return 0;
    }

    public static void main(String[] args) {
        CommandLine line = new CommandLine(new Main());
        System.out.println(line.execute("-n", "7", "-l", "abc", "--level", "HIGH", "-b", "2", "-v", "-v", "x", "y"));
        System.out.println(line.execute("sub", "it") + line.execute("twice", "4") + line.execute("--help") + line.execute("--version"));
    }
}
