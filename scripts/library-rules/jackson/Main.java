import com.fasterxml.jackson.annotation.*;
import com.fasterxml.jackson.core.*;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.annotation.*;
import java.util.*;

/** Beans that Jackson finds by annotations: fields, accessors, creators, subtypes, enums, own serializers, mixins. */
public class Main {
    static class Order {
        @JsonProperty("no") private int number;
        @JsonProperty private List<Line> lines = new ArrayList<>();
        @JsonProperty private Map<String, Money> totals;
        @JsonProperty private Shape shape;
        @JsonProperty private State state;
    }

    static class Line {
        private final String article;
        private final int count;

        @JsonCreator
        Line(@JsonProperty("article") String article, @JsonProperty("count") int count) {
            this.article = article;
            this.count = count;
        }

        @JsonGetter("article") String article() { return article; }
        @JsonGetter("count") int count() { return count; }
    }

    @JsonSerialize(using = MoneyWriter.class)
    @JsonDeserialize(using = MoneyReader.class)
    static class Money {
        final long cents;
        Money(long cents) { this.cents = cents; }
    }

    static class MoneyWriter extends JsonSerializer<Money> {
        @Override public void serialize(Money money, JsonGenerator to, SerializerProvider by) throws java.io.IOException {
            to.writeString(money.cents / 100 + "." + money.cents % 100);
        }
    }

    static class MoneyReader extends JsonDeserializer<Money> {
        @Override public Money deserialize(JsonParser from, DeserializationContext context) throws java.io.IOException {
            return new Money(Long.parseLong(from.getText().replace(".", "")));
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Circle.class, name = "circle"), @JsonSubTypes.Type(value = Square.class, name = "square"),
        @JsonSubTypes.Type(value = Label.class, name = "label")})
    interface Shape { }

    static class Circle implements Shape { @JsonProperty double radius; }
    static class Square implements Shape { @JsonProperty double side; }
    /** Only the annotation of what it implements names it. */
    static class Label implements Shape { public String text; public int size; }

    enum State {
        OPEN("o"), DONE("d");
        final String code;
        State(String code) { this.code = code; }
        @JsonValue String code() { return code; }
    }

    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    static class Point { private int x, y; }

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonDeserialize(builder = Person.Builder.class)
    static class Person {
        private final String firstName;
        Person(String firstName) { this.firstName = firstName; }
        @JsonProperty String getFirstName() { return firstName; }
        @JsonPOJOBuilder(withPrefix = "set")
        static class Builder {
            private String firstName;
            @JsonProperty("first_name") Builder setFirstName(String name) { firstName = name; return this; }
            Person build() { return new Person(firstName); }
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public static class Bean {
        private String name;
        private boolean good;
        public String getName() { return name; }
        public void setName(String name) { this.name = name; }
        public boolean isGood() { return good; }
        public void setGood(boolean good) { this.good = good; }
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        String text = "{\"no\":7,\"lines\":[{\"article\":\"nut\",\"count\":3},{\"article\":\"bolt\",\"count\":4}],"
            + "\"totals\":{\"net\":\"12.50\"},\"shape\":{\"kind\":\"square\",\"side\":2.5},\"state\":\"d\"}";
        Order order = mapper.readValue(text, Order.class);
        System.out.println(order.lines.get(1).article + order.lines.size() + order.totals.get("net").cents);
        System.out.println(mapper.writeValueAsString(order));
        Shape label = mapper.readValue("{\"kind\":\"label\",\"text\":\"x\",\"size\":3}", Shape.class);
        System.out.println(mapper.writeValueAsString(label));
        List<Point> points = mapper.readValue("[{\"x\":1,\"y\":2}]", new TypeReference<List<Point>>() { });
        System.out.println(points.get(0).x + points.get(0).y + mapper.writeValueAsString(points));
        System.out.println(mapper.writeValueAsString(mapper.readValue("{\"first_name\":\"Ada\"}", Person.class)));
        System.out.println(mapper.writeValueAsString(mapper.readValue("{\"name\":\"n\",\"good\":true,\"more\":1}", Bean.class)));
    }
}
