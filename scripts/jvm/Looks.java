import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.ResourceBundle;
import java.util.TreeSet;

/** Looks for its classes and members by names that it makes of parts which nobody can know before it runs. */
public class Looks {
  interface Shape {
    double area();
  }

  static class Square implements Shape {
    final double side;
    int count = 7;

    Square(double side) {
      this.side = side;
    }

    @Override
    public double area() {
      return side * side;
    }

    private String secret(int n) {
      return "s" + n;
    }

    static int twice(int n) {
      return 2 * n;
    }
  }

  static class Point implements Serializable {
    int x = 3;
    Inner inner = new Inner();
    List<Object> others = new ArrayList<>();
  }

  static class Inner implements Serializable {
    String text = "in";

    private Object readResolve() {
      text += "!";
      return this;
    }
  }

  static class Plug implements Runnable {
    @Override
    public void run() {
      System.out.println("plugged");
    }
  }

  static class Bean {
    private int number = 1;
    private String text = "x";

    public int getNumber() {
      return number;
    }

    public String getText() {
      return text;
    }
  }

  public static class Words extends ListResourceBundle {
    @Override
    protected Object[][] getContents() {
      return new Object[][] {{"hello", "good day"}};
    }
  }

  /** A part of a name, from the system properties. */
  static String part(String part) {
    return System.getProperty("looks." + part, part);
  }

  public static void main(String[] args) throws Throwable {
    Class<?> square = Class.forName("Looks$" + part("Square"));
    Shape shape = (Shape) square.getDeclaredConstructor(double.class).newInstance(3.0);
    System.out.println(shape.area());
    Method secret = square.getDeclaredMethod(part("secret"), int.class);
    System.out.println(secret.invoke(shape, 5));
    Field count = square.getDeclaredField(part("count"));
    System.out.println(count.get(shape));
    ((Runnable) Class.forName("Looks$" + part("Plug")).newInstance()).run();
    MethodType ints = MethodType.methodType(int.class, int.class);
    System.out.println((int) MethodHandles.lookup().findStatic(square, part("twice"), ints).invokeExact(21));
    System.out.println(ResourceBundle.getBundle("Looks$" + part("Words")).getString("hello"));

    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Point point = new Point();
    point.others.add(new Inner());
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(point);
    }
    Point read = (Point) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
    System.out.println(read.x + read.inner.text + ((Inner) read.others.get(0)).text);

    TreeSet<String> names = new TreeSet<>();
    for (Field field : Class.forName("Looks$" + part("Bean")).getDeclaredFields()) {
      names.add(field.getName());
    }
    for (Method method : Class.forName("Looks$" + part("Bean")).getMethods()) {
      names.add(method.getName());
    }
    System.out.println(names);
    Class<?> shapes = Class.forName("Looks$" + part("Shape"));
    Object proxy = Proxy.newProxyInstance(Looks.class.getClassLoader(), new Class<?>[] {shapes}, (p, m, a) -> 4.5);
    System.out.println(((Shape) proxy).area());
    try {
      Class.forName(part("NoSuchClass"));
    } catch (ClassNotFoundException e) {
      System.out.println("none: " + e.getMessage());
    }
    switch (args.length) {
      case 0:
        break;
      case 7:
        System.out.println(square.getMethod(part("absent")));
        break;
      case 1000:
        System.out.println(Looks.class.getResource(part("absent")));
    }
  }
}
