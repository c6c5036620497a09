import java.io.*;
import java.util.*;
import javax.xml.bind.*;
import javax.xml.bind.annotation.*;
import javax.xml.bind.annotation.adapters.*;

/** Classes that JAXB binds by annotations. */
public class Main {
    @XmlRootElement(name = "order")
    @XmlAccessorType(XmlAccessType.FIELD)
    public static class Order {
        @XmlAttribute int number;
        @XmlElement(name = "line") List<Line> lines = new ArrayList<>();
        @XmlElement State state;
        @XmlJavaTypeAdapter(MoneyAdapter.class) Long price;
        String plain;
    }

    @XmlType(propOrder = {"article", "count"})
    public static class Line {
        private String article;
        private int count;
        public String getArticle() { return article; }
        public void setArticle(String article) { this.article = article; }
        public int getCount() { return count; }
        public void setCount(int count) { this.count = count; }
    }

    @XmlEnum
    public enum State { @XmlEnumValue("o") OPEN, @XmlEnumValue("d") DONE }

    public static class MoneyAdapter extends XmlAdapter<String, Long> {
        @Override public Long unmarshal(String text) { return Long.parseLong(text.substring(1)); }
        @Override public String marshal(Long value) { return "$" + value; }
    }

    public static void main(String[] args) throws Exception {
        JAXBContext context = JAXBContext.newInstance(Order.class);
        String text = "<order number='3'><line><article>nut</article><count>2</count></line><state>d</state>"
            + "<price>$5</price><plain>p</plain></order>";
        Order order = (Order) context.createUnmarshaller().unmarshal(new StringReader(text));
        System.out.println(order.number + order.lines.get(0).article + order.lines.get(0).count + order.state + order.price + order.plain);
        StringWriter to = new StringWriter();
        context.createMarshaller().marshal(order, to);
        System.out.println(to);
    }
}
