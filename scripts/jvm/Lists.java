import scala.Function1;
import scala.Function2;
import scala.Option;
import scala.Tuple2;
import scala.collection.JavaConversions;
import scala.collection.immutable.List;
import scala.collection.immutable.List$;
import scala.collection.immutable.Range;
import scala.collection.immutable.Stream;
import scala.collection.mutable.StringBuilder;
import scala.math.BigDecimal$;
import scala.math.BigInt$;
import scala.math.Ordering;
import scala.math.Ordering$;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.util.Random;
import scala.util.Try$;
import scala.util.matching.Regex;

/** A program that lives on Scala's library: collections, streams, numbers, and types read from Scala's own signatures. */
public final class Lists {
  static <A, B> Function1<A, B> f(java.util.function.Function<A, B> body) {
    return new AbstractFunction1<A, B>() { @Override public B apply(A a) { return body.apply(a); } };
  }

  static <A, B, C> Function2<A, B, C> g(java.util.function.BiFunction<A, B, C> body) {
    return new AbstractFunction2<A, B, C>() { @Override public C apply(A a, B b) { return body.apply(a, b); } };
  }

  static List<Object> numbers(int upTo) {
    List<Object> list = List$.MODULE$.empty();
    for (int i = upTo; i > 0; i--) list = list.$colon$colon(i);
    return list;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  public static void main(String[] args) throws Exception {
    List<Object> numbers = numbers(30);
    System.out.println(numbers.filter((Function1) f((Integer i) -> i % 3 == 0)));
    System.out.println(numbers.foldLeft(0, (Function2) g((Integer a, Integer b) -> a * 31 + b)));
    System.out.println(numbers.groupBy((Function1) f((Integer i) -> i % 4)).toList().sortBy((Function1) f((Tuple2 t) -> t._1()), (Ordering) scala.math.Ordering.Int$.MODULE$));
    System.out.println(numbers.grouped(7).toList().mkString("[", " | ", "]"));
    System.out.println(numbers.sliding(3, 5).toVector());
    System.out.println(numbers.partition((Function1) f((Integer i) -> i > 12)));
    System.out.println(numbers.iterator().zip(numbers.iterator().drop(5)).toList());
    System.out.println(((List) numbers.reverse().sorted((Ordering) scala.math.Ordering.Int$.MODULE$)).take(4));
    System.out.println(Stream.from(1, 2).iterator().map((Function1) f((Integer i) -> i * i)).take(6).toList());
    System.out.println(new Range(1, 50, 6).toList() + " " + new Range(5, 1, -2).inclusive());
    System.out.println(BigInt$.MODULE$.apply(7).pow(40).mod(BigInt$.MODULE$.apply(1_000_003)));
    System.out.println(BigDecimal$.MODULE$.apply("1.25").$times(BigDecimal$.MODULE$.apply("3.5")));
    scala.collection.mutable.HashMap<Object, Object> map = new scala.collection.mutable.HashMap<>();
    for (int i = 0; i < 100; i++) map.put(i * 7919 % 101, i);
    System.out.println(map.size() + " " + map.get(5) + " " + map.get(500) + " " + JavaConversions.mapAsJavaMap(map).containsKey(3));
    scala.collection.immutable.TreeMap<Object, Object> tree = new scala.collection.immutable.TreeMap<>((Ordering) scala.math.Ordering.Int$.MODULE$);
    for (int i = 0; i < 20; i++) tree = tree.insert(i * 13 % 20, i);
    System.out.println(tree.range(4, 11));
    scala.collection.immutable.HashSet<Object> set = new scala.collection.immutable.HashSet<>();
    for (int i = 0; i < 40; i++) set = set.$plus(i % 11);
    System.out.println(set.toList().sorted((Ordering) scala.math.Ordering.Int$.MODULE$));
    System.out.println(new Regex("(\\d+)-(\\w+)", (scala.collection.Seq) scala.collection.immutable.Nil$.MODULE$).findAllIn("12-ab 7-xyz no").toList());
    System.out.println(Option.apply("x").map((Function1) f((String s) -> s + "y")) + " " + Option.apply(null));
    System.out.println(new StringBuilder("abc").reverse().append(1.5f).result() + new Random(42).nextInt(1000));
    scala.reflect.api.JavaUniverse universe = scala.reflect.runtime.package$.MODULE$.universe();
    scala.reflect.api.Mirror mirror = (scala.reflect.api.Mirror) universe.runtimeMirror(Lists.class.getClassLoader());
    for (String name : new String[] {"scala.Option", "scala.util.Either", "scala.collection.immutable.Range"}) {
      scala.reflect.api.Symbols.ClassSymbolApi symbol = (scala.reflect.api.Symbols.ClassSymbolApi) mirror.staticClass(name);
      java.util.TreeSet<String> members = new java.util.TreeSet<>();
      scala.collection.Iterator all = ((scala.reflect.api.Types.TypeApi) symbol.toType()).members().iterator();
      while (all.hasNext()) { Object member = all.next(); members.add(member + ": " + ((scala.reflect.api.Symbols.SymbolApi) member).typeSignature()); }
      System.out.println(symbol + " " + symbol.isCaseClass() + symbol.isSealed() + " " + members.size() + " " + members.hashCode() + " " + members.first());
    }
  }
}
