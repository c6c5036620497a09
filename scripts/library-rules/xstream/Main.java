import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.annotations.*;
import com.thoughtworks.xstream.converters.basic.AbstractSingleValueConverter;
import com.thoughtworks.xstream.io.xml.DomDriver;
import java.util.*;

/** Objects that XStream writes and reads by their fields. */
public class Main {
    @XStreamAlias("order") static class Order {
        @XStreamAsAttribute int number;
        @XStreamImplicit List<Line> lines;
        @XStreamConverter(Money.class) Long price;
        @XStreamOmitField String hidden = "h";
        State state;
    }
    @XStreamAlias("line") static class Line { String article; }
    enum State { OPEN, DONE }
    public static class Money extends AbstractSingleValueConverter {
        @Override public boolean canConvert(Class type) { return type == Long.class; }
        @Override public Object fromString(String text) { return Long.valueOf(text.substring(1)); }
        @Override public String toString(Object value) { return "$" + value; }
    }

    public static void main(String[] args) {
        XStream xstream = new XStream(new DomDriver());
        xstream.allowTypes(new Class<?>[] {Order.class, Line.class});
        xstream.processAnnotations(Order.class);
        Order order = (Order) xstream.fromXML("<order number='3'><line><article>nut</article></line><price>$5</price><state>DONE</state></order>");
        System.out.println(order.number + order.lines.get(0).article + order.price + order.state);
        System.out.println(xstream.toXML(order));
    }
}
