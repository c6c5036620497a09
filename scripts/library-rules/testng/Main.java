import java.util.*;
import org.testng.*;
import org.testng.annotations.*;

/** Tests that TestNG finds by annotations. */
public class Main {
    public static class Simple {
        private int value;
        @BeforeMethod public void set() { value = 1; }
        @Test public void same() { Assert.assertEquals(value, 1); }
        @Test(expectedExceptions = ArithmeticException.class) public void thrown() { System.out.println(value / 0); }
        @DataProvider public Object[][] numbers() { return new Object[][] {{1}, {2}}; }
        @Test(dataProvider = "numbers") public void small(int n) { Assert.assertTrue(n < 2); }
    }

    public static void main(String[] args) {
        TestNG testng = new TestNG(false);
        testng.setTestClasses(new Class<?>[] {Simple.class});
        testng.setVerbose(0);
        TestListenerAdapter told = new TestListenerAdapter();
        testng.addListener((Object) told);
        testng.run();
        System.out.println(told.getPassedTests().size() + " " + told.getFailedTests().size());
    }
}
