import org.slf4j.*;

/** Logback as logback.xml says. */
public class Main {
    public static class Stars extends ch.qos.logback.classic.pattern.ClassicConverter {
        @Override public String convert(ch.qos.logback.classic.spi.ILoggingEvent event) { return "***"; }
    }

    public static void main(String[] args) {
        Logger logger = LoggerFactory.getLogger("app");
        MDC.put("user", "ada");
        logger.info("hello {} {}", 1, "two");
        logger.debug("unseen");
        logger.warn("watch");
        LoggerFactory.getLogger("other").debug("seen");
        LoggerFactory.getLogger("other").error("bad", new IllegalStateException("state").getMessage());
    }
}
