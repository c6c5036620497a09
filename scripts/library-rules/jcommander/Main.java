import com.beust.jcommander.*;
import java.util.*;

/** Parameters that JCommander finds by annotations. */
public class Main {
    static class Common { @Parameter(names = "-v", description = "verbose") private boolean verbose; }
    @Parameters(commandDescription = "adds") static class Add {
        @Parameter private List<String> files = new ArrayList<>();
        @Parameter(names = "--level", converter = Doubled.class) private Integer level;
        @DynamicParameter(names = "-D") private Map<String, String> defines = new HashMap<>();
        @ParametersDelegate private Common common = new Common();
        @Parameter(names = "--kind", validateWith = Short.class) private Kind kind;
    }
    enum Kind { SMALL, LARGE }
    public static class Doubled implements IStringConverter<Integer> { @Override public Integer convert(String text) { return 2 * Integer.parseInt(text); } }
    public static class Short implements IParameterValidator {
        @Override public void validate(String name, String value) { if (value.length() > 5) throw new ParameterException("long"); }
    }

    public static void main(String[] args) {
        Add add = new Add();
        JCommander commander = new JCommander();
        commander.addCommand("add", add);
        commander.parse("add", "--level", "4", "-Dx=y", "-v", "--kind", "LARGE", "one", "two");
        System.out.println(add.files + " " + add.level + add.defines + add.common.verbose + add.kind);
        StringBuilder usage = new StringBuilder();
        commander.usage(usage);
        System.out.println(usage);
    }
}
