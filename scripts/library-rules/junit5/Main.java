import static org.junit.jupiter.api.Assertions.*;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;
import org.junit.platform.launcher.listeners.*;

/** Tests that JUnit 5 finds by annotations. */
public class Main {
    @ExtendWith(Told.class)
    static class Simple {
        int value;
        @BeforeEach void set() { value = 1; }
        @Test void same() { assertEquals(1, value); }
        @Test @DisplayName("fails") void fails() { assertEquals(2, value); }
        @Disabled @Test void off() { fail(); }
        @ParameterizedTest @ValueSource(ints = {1, 2, 3}) void small(int n) { assertTrue(n < 3); }
        @ParameterizedTest @MethodSource("words") void word(String word) { assertFalse(word.isEmpty()); }
        static Stream<String> words() { return Stream.of("a", "b"); }
        @Nested class Inner { @Test void inner() { assertEquals(1, value); } }
        @TestFactory Stream<DynamicTest> made() { return Stream.of(1, 2).map(n -> DynamicTest.dynamicTest("n" + n, () -> assertTrue(n > 0))); }
        @RepeatedTest(2) void again() { }
    }

    public static class Told implements BeforeAllCallback {
        @Override public void beforeAll(ExtensionContext context) { System.out.println("told " + context.getDisplayName()); }
    }

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Simple.class)).build();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        System.out.println(summary.getTestsFoundCount() + " " + summary.getTestsSucceededCount() + " " + summary.getTestsFailedCount());
        summary.getFailures().stream().map(f -> f.getTestIdentifier().getDisplayName() + " " + f.getException().getMessage()).sorted().forEach(System.out::println);
    }
}
