import com.google.gson.*;
import com.google.gson.annotations.*;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.*;
import java.io.IOException;
import java.util.*;

/** Classes whose fields Gson finds: annotated ones, generic ones, enums, adapters that annotations name. */
public class Main {
    static class Order {
        @SerializedName("no") int number;
        @SerializedName("lines") List<Line> lines;
        @SerializedName("state") State state;
        @SerializedName("price") Money price;
        @Since(1.0) String note;
    }

    static class Line {
        @SerializedName("article") String article;
        @SerializedName(value = "count", alternate = {"n"}) int count;
    }

    enum State { @SerializedName("o") OPEN, @SerializedName("d") DONE }

    @JsonAdapter(MoneyAdapter.class)
    static class Money {
        long cents;
        Money(long cents) { this.cents = cents; }
    }

    static class MoneyAdapter extends TypeAdapter<Money> {
        @Override public void write(JsonWriter to, Money money) throws IOException { to.value(money.cents); }
        @Override public Money read(JsonReader from) throws IOException { return new Money(from.nextLong()); }
    }

    static class Exposed {
        @Expose int seen = 1;
        int unseen = 2;
    }

    public static void main(String[] args) {
        Gson gson = new GsonBuilder().setPrettyPrinting().create();
        Order order = gson.fromJson("{'no':3,'lines':[{'article':'nut','n':4}],'state':'d','price':250,'note':'x'}", Order.class);
        System.out.println(order.lines.get(0).article + order.lines.get(0).count + order.state + order.price.cents);
        System.out.println(gson.toJson(order));
        Map<String, List<Line>> map = gson.fromJson("{'a':[{'article':'bolt','count':1}]}", new TypeToken<Map<String, List<Line>>>() { }.getType());
        System.out.println(map.get("a").get(0).article);
        System.out.println(new GsonBuilder().excludeFieldsWithoutExposeAnnotation().create().toJson(new Exposed()));
    }
}
