import java.util.*;
import org.springframework.beans.factory.annotation.*;
import org.springframework.context.annotation.*;
import org.springframework.stereotype.*;

/** Beans that Spring makes: configurations with methods, components with injected members, and beans of an XML file. */
public class Main {
    @Component
    public static class Config {
        @Bean public List<String> words() { return Arrays.asList("a", "b"); }
        @Bean(initMethod = "open", destroyMethod = "shut") public Door door() { return new Door(); }
    }

    static class Door {
        public void open() { System.out.println("open"); }
        public void shut() { System.out.println("shut"); }
    }

    interface Greeter { String greet(); }

    @Component static class Polite implements Greeter {
        @Autowired private Counter counter;
        private List<String> words;
        @Autowired void setWords(List<String> words) { this.words = words; }
        @Value("#{1 + 1}") private int two;
        @Override public String greet() { return "hello " + words + counter.next() + two; }
    }

    @Service static class Counter { private int count; int next() { return ++count; } }

    @Repository static class Store {
        private final Greeter greeter;
        @Autowired Store(Greeter greeter) { this.greeter = greeter; }
        @Override public String toString() { return "store of " + greeter.greet(); }
    }

    public static void main(String[] args) {
        AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(Config.class, Polite.class, Counter.class, Store.class);
        System.out.println(context.getBean(Greeter.class).greet());
        System.out.println(context.getBean(Store.class));
        context.close();
    }
}
