import org.apache.log4j.*;

/** Log4j 1 as log4j.properties says. */
public class Main {
    public static class Upper extends org.apache.log4j.PatternLayout {
        private boolean shout;
        public void setShout(boolean shout) { this.shout = shout; }
        @Override public String format(org.apache.log4j.spi.LoggingEvent event) {
            return shout ? super.format(event).toUpperCase() : super.format(event);
        }
    }

    public static void main(String[] args) {
        Logger.getLogger("app").info("hello");
        Logger.getLogger("app").debug("unseen");
        Logger.getLogger("app.deep").warn("watch");
    }
}
