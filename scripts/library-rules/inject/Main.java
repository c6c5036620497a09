import com.google.inject.*;
import com.google.inject.name.*;
import java.util.*;
import javax.inject.Singleton;

/** Objects that Guice makes: by constructors, fields, methods, providers, and by names of javax.inject. */
public class Main {
    interface Greeter { String greet(String name); }

    static class Polite implements Greeter {
        private final Words words;
        @Inject private Counter counter;
        private String mark;
        @Inject Polite(Words words) { this.words = words; }
        @javax.inject.Inject void setMark(@Named("mark") String mark) { this.mark = mark; }
        @Override public String greet(String name) { return words.hello + " " + name + mark + counter.next(); }
    }

    static class Words { final String hello = "hello"; }

    @Singleton static class Counter { private int count; int next() { return ++count; } }

    @ImplementedBy(Fast.class) interface Engine { String run(); }
    static class Fast implements Engine { @Override public String run() { return "fast"; } }

    @ProvidedBy(ThingProvider.class) interface Thing { String what(); }
    static class ThingProvider implements Provider<Thing> { @Override public Thing get() { return () -> "thing"; } }

    static class Module extends AbstractModule {
        @Override protected void configure() {
            bind(Greeter.class).to(Polite.class);
            bindConstant().annotatedWith(Names.named("mark")).to("!");
        }
        @Provides List<String> list(Greeter greeter) { return Collections.singletonList(greeter.greet("list")); }
    }

    public static void main(String[] args) {
        Injector injector = Guice.createInjector(new Module());
        System.out.println(injector.getInstance(Greeter.class).greet("ada"));
        System.out.println(injector.getInstance(Key.get(new TypeLiteral<List<String>>() { })));
        System.out.println(injector.getInstance(Engine.class).run() + injector.getInstance(Thing.class).what());
    }
}
