import java.util.concurrent.CountDownLatch;
import org.quartz.*;
import org.quartz.impl.StdSchedulerFactory;

/** Jobs that Quartz makes by their classes, with properties of their data. */
public class Main {
    static final CountDownLatch DONE = new CountDownLatch(1);
    public static class Told implements Job {
        private String word;
        public void setWord(String word) { this.word = word; }
        @Override public void execute(JobExecutionContext context) { System.out.println("job " + word); DONE.countDown(); }
    }

    public static void main(String[] args) throws Exception {
        Scheduler scheduler = new StdSchedulerFactory().getScheduler();
        scheduler.start();
        scheduler.scheduleJob(JobBuilder.newJob(Told.class).usingJobData("word", "hello").build(), TriggerBuilder.newTrigger().startNow().build());
        DONE.await();
        scheduler.shutdown(true);
    }
}
