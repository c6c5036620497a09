import java.io.*;
import java.util.*;
import org.kohsuke.args4j.*;
import org.kohsuke.args4j.spi.*;

/** Options that args4j finds by annotations. */
public class Main {
    enum Kind { SMALL, LARGE }
    @Option(name = "-n", usage = "a number", required = true) private int number;
    @Option(name = "-k") private Kind kind;
    private String text;
    @Option(name = "-t") private void setText(String text) { this.text = text; }
    @Option(name = "-o", handler = ExplicitBooleanOptionHandler.class) private boolean on;
    @Argument private List<String> rest = new ArrayList<>();

    /** A command with options of its own, which only an annotation names. */
    static class Outer {
        @Argument(handler = SubCommandHandler.class)
        @SubCommands({@SubCommand(name = "go", impl = Go.class)})
        private Object command;
    }

    public static class Go {
        @Option(name = "-g") private int far;
        @Override public String toString() { return "go " + far; }
    }

    public static void main(String[] args) throws Exception {
        Main main = new Main();
        CmdLineParser parser = new CmdLineParser(main);
        parser.parseArgument("-n", "5", "-k", "LARGE", "-t", "x", "-o", "true", "a", "b");
        System.out.println(main.number + " " + main.kind + main.text + main.on + main.rest);
        try {
            parser.parseArgument("-n", "z");
        } catch (CmdLineException error) {
            System.out.println(error.getMessage());
        }
        Outer outer = new Outer();
        new CmdLineParser(outer).parseArgument("go", "-g", "2");
        System.out.println(outer.command);
        StringWriter usage = new StringWriter();
        parser.printUsage(usage, null);
        System.out.println(usage);
    }
}
