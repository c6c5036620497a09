package planish.agent;

import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was asked for, as keep rules, each with where it was asked for first. */
final class Rules {
  /** How many objects of one graph are looked at. */
  private static final int OBJECTS = 100_000;

  /** What serialization calls by its name. */
  private static final List<String> SERIALIZATION =
      Arrays.asList("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve");

  private final Map<String, String> rules = Collections.synchronizedMap(new TreeMap<>());
  private final Map<String, String> remarks = Collections.synchronizedMap(new TreeMap<>());
  private String run = "";

  void begin(String run) {
    this.run = run;
  }

  /** A class that was found by its name. */
  void type(Class<?> type) {
    Class<?> item = type;
    while (item.isArray()) {
      item = item.getComponentType();
    }
    if (isOfProgram(item)) {
      add("-keep class " + item.getName());
    }
  }

  /** An attribute of class files that was read. */
  void attribute(String name) {
    add("-keepattributes " + name);
  }

  /** A class of which the JDK makes an object. */
  void made(Class<?> type) {
    type(type);
    members(type, false, "<init>();");
  }

  void method(Method method) {
    member(
        method.getDeclaringClass(),
        method.getReturnType().getTypeName() + " " + method.getName() + types(method.getParameterTypes()) + ";");
  }

  /** A method of a class or of one above it. */
  void method(Class<?> type, String name, Class<?>[] types) {
    for (Class<?> at : above(type)) {
      try {
        method(at.getDeclaredMethod(name, types));
        return;
      } catch (NoSuchMethodException e) {
        // It is one of a class further up.
      }
    }
  }

  void field(Field field) {
    member(field.getDeclaringClass(), field.getType().getTypeName() + " " + field.getName() + ";");
  }

  /** A field of a class or of one above it. */
  void field(Class<?> type, String name) {
    for (Class<?> at : above(type)) {
      try {
        field(at.getDeclaredField(name));
        return;
      } catch (NoSuchFieldException e) {
        // It is one of a class further up.
      }
    }
  }

  void constructor(Constructor<?> constructor) {
    member(constructor.getDeclaringClass(), "<init>" + types(constructor.getParameterTypes()) + ";");
  }

  /** All members of a kind that a class has, or it and those above it. */
  void members(Class<?> type, boolean inherited, String which) {
    for (Class<?> at : inherited ? above(type) : Collections.<Class<?>>singletonList(type)) {
      member(at, which);
    }
  }

  /** The classes of an object and of all that it holds. */
  void serialized(Object object) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Object> work = new ArrayList<>();
    work.add(object);
    while (!work.isEmpty() && seen.size() < OBJECTS) {
      Object next = work.remove(work.size() - 1);
      if (next == null || !seen.add(next)) {
        continue;
      }
      if (next instanceof Object[]) {
        Collections.addAll(work, (Object[]) next);
      } else if (next instanceof Iterable) {
        ((Iterable<?>) next).forEach(work::add);
      } else if (next instanceof Map) {
        ((Map<?, ?>) next).forEach((key, value) -> Collections.addAll(work, key, value));
      }
      for (Class<?> at : above(next.getClass())) {
        if (isOfProgram(at) && Serializable.class.isAssignableFrom(at)) {
          serializable(at);
          held(at, next, work);
        }
      }
    }
  }

  private void serializable(Class<?> type) {
    add("-keep class " + type.getName() + " { <fields>; }");
    for (Method method : type.getDeclaredMethods()) {
      if (SERIALIZATION.contains(method.getName())) {
        method(method);
      }
    }
  }

  private static void held(Class<?> type, Object object, List<Object> work) {
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
        try {
          field.setAccessible(true);
          work.add(field.get(object));
        } catch (ReflectiveOperationException | RuntimeException e) {
          // A module does not open it: its class is found where it is written or read itself.
        }
      }
    }
  }

  /** What no rule says, for whoever reads the file. */
  void remark(String text) {
    if (!remarks.containsKey(text)) {
      remarks.put(text, Callers.site());
    }
  }

  private void member(Class<?> type, String member) {
    if (isOfProgram(type)) {
      add("-keepclassmembers class " + type.getName() + " { " + member + " }");
    }
  }

  private void add(String rule) {
    if (!rules.containsKey(rule)) {
      rules.put(rule, Callers.site());
    }
  }

  private static boolean isOfProgram(Class<?> type) {
    if (type == null) {
      return false;
    }
    String name = type.getName();
    // Hidden classes have a stroke in their names, and no file.
    boolean made = name.indexOf('/') >= 0 || type.isPrimitive() || type.isArray();
    return !made && type.getClassLoader() != null && !Recorder.isOfPlatform(name);
  }

  private static List<Class<?>> above(Class<?> type) {
    List<Class<?>> all = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      all.add(at);
    }
    for (int index = 0; index < all.size(); index++) {
      for (Class<?> implemented : all.get(index).getInterfaces()) {
        if (!all.contains(implemented)) {
          all.add(implemented);
        }
      }
    }
    return all;
  }

  private static String types(Class<?>[] types) {
    return Stream.of(types).map(Class::getTypeName).collect(Collectors.joining(",", "(", ")"));
  }

  /** Adds what is new to a file: runs that cover more of the program share one. */
  void write(File file) {
    try {
      List<String> before =
          file.exists() ? Files.readAllLines(file.toPath(), StandardCharsets.UTF_8) : new ArrayList<>();
      try (BufferedWriter out = Files.newBufferedWriter(file.toPath(), StandardCharsets.UTF_8);
          PrintWriter text = new PrintWriter(out)) {
        if (before.isEmpty()) {
          text.println("# What the program asked for by name, recorded while it ran.");
        }
        before.forEach(text::println);
        rules.forEach((rule, site) -> line(text, before, rule, site));
        remarks.forEach((remark, site) -> line(text, before, "# " + remark, site));
      }
    } catch (IOException e) {
      System.err.println("planish agent: cannot write " + file + ": " + e.getMessage());
    }
  }

  private void line(PrintWriter text, List<String> before, String line, String site) {
    if (!before.contains(line)) {
      text.println();
      text.println("# " + run + ": " + site);
      text.println(line);
    }
  }
}
