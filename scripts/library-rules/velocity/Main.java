import java.io.StringWriter;
import java.util.*;
import org.apache.velocity.*;
import org.apache.velocity.app.VelocityEngine;

/** Templates that ask objects for properties by their names. */
public class Main {
    public static class Person {
        private final String name;
        Person(String name) { this.name = name; }
        public String getName() { return name; }
    }

    public static void main(String[] args) {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
        engine.init();
        VelocityContext context = new VelocityContext();
        context.put("people", Arrays.asList(new Person("ada"), new Person("bob")));
        StringWriter to = new StringWriter();
        engine.evaluate(context, to, "t", "#foreach($p in $people)$p.name $velocityCount \n#end#set($x = 3)$x");
        System.out.println(to);
    }
}
