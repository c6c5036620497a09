import static org.junit.Assert.*;
import java.util.*;
import org.junit.*;
import org.junit.rules.*;
import org.junit.runner.*;
import org.junit.runners.*;

/** Tests that JUnit 4 finds by annotations. */
public class Main {
    public static class Simple {
        private List<String> list;
        @Rule public ExpectedException thrown = ExpectedException.none();
        @BeforeClass public static void first() { System.out.println("first"); }
        @Before public void set() { list = new ArrayList<>(); }
        @Test public void isEmpty() { assertTrue(list.isEmpty()); }
        @Test(expected = IndexOutOfBoundsException.class) public void throwsOne() { list.get(0); }
        @Ignore @Test public void ignored() { fail(); }
        @Test public void fails() { assertEquals(1, list.size()); }
    }

    @RunWith(Parameterized.class)
    public static class Many {
        @Parameterized.Parameters public static Collection<Object[]> data() { return Arrays.asList(new Object[][] {{1, 2}, {2, 4}, {3, 7}}); }
        private final int in, out;
        public Many(int in, int out) { this.in = in; this.out = out; }
        @Test public void doubled() { assertEquals(out, 2 * in); }
    }

    public static class Old extends junit.framework.TestCase {
        public void testOld() { assertEquals(2, 1 + 1); }
    }

    public static void main(String[] args) {
        Result result = JUnitCore.runClasses(Simple.class, Many.class, Old.class);
        System.out.println(result.getRunCount() + " " + result.getFailureCount() + " " + result.getIgnoreCount());
        result.getFailures().stream().map(Object::toString).sorted().forEach(System.out::println);
    }
}
