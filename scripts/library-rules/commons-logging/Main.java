import org.apache.commons.logging.*;

/** Commons Logging looks for the log that its properties name. */
public class Main {
    public static void main(String[] args) {
        Log log = LogFactory.getLog("app");
        System.out.println(log.getClass().getName());
        log.info("hello");
    }
}
