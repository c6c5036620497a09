import org.apache.logging.log4j.*;

/** Log4j 2 as log4j2.xml says. */
public class Main {
    public static void main(String[] args) {
        Logger logger = LogManager.getLogger("app");
        ThreadContext.put("user", "ada");
        logger.info("hello {} {}", 1, "two");
        logger.debug("unseen");
        LogManager.getLogger("other").debug("seen");
    }
}
