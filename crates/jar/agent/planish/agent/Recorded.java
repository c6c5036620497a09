package planish.agent;

import java.util.HashMap;
import java.util.Map;

/** The methods of the JDK whose calls are recorded: those of the same name that {@link Recorder} has. */
final class Recorded {
  private static final Map<String, Method> METHODS = new HashMap<>();

  static {
    String found = "Ljava/lang/Class;";
    of("java/lang/Class", true, "forName", "(Ljava/lang/String;)" + found);
    of("java/lang/Class", true, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)" + found);
    of("java/lang/Class", false, "newInstance", "()Ljava/lang/Object;");
    for (String declared : new String[] {"", "Declared"}) {
      String method = "Ljava/lang/reflect/Method;";
      String field = "Ljava/lang/reflect/Field;";
      String constructor = "Ljava/lang/reflect/Constructor;";
      String types = "[Ljava/lang/Class;";
      of("java/lang/Class", false, "get" + declared + "Method", "(Ljava/lang/String;" + types + ")" + method);
      of("java/lang/Class", false, "get" + declared + "Methods", "()[" + method);
      of("java/lang/Class", false, "get" + declared + "Field", "(Ljava/lang/String;)" + field);
      of("java/lang/Class", false, "get" + declared + "Fields", "()[" + field);
      of("java/lang/Class", false, "get" + declared + "Constructor", "(" + types + ")" + constructor);
      of("java/lang/Class", false, "get" + declared + "Constructors", "()[" + constructor);
    }
    for (String owner : new String[] {"java/lang/Class", "java/lang/ClassLoader"}) {
      of(owner, false, "getResource", "(Ljava/lang/String;)Ljava/net/URL;");
      of(owner, false, "getResourceAsStream", "(Ljava/lang/String;)Ljava/io/InputStream;");
    }
    for (String owner : new String[] {"java/lang/ClassLoader", "java/net/URLClassLoader"}) {
      of(owner, "java/lang/ClassLoader", "loadClass", "(Ljava/lang/String;)" + found);
    }
    for (String name : new String[] {"getDeclaredClasses", "getClasses"}) {
      of("java/lang/Class", false, name, "()[Ljava/lang/Class;");
    }
    of("java/util/ResourceBundle", true, "getBundle", "(Ljava/lang/String;)Ljava/util/ResourceBundle;");
    of("java/util/ResourceBundle", true, "getBundle", "(Ljava/lang/String;Ljava/util/Locale;)Ljava/util/ResourceBundle;");
    of("java/lang/reflect/Proxy", true, "newProxyInstance",
        "(Ljava/lang/ClassLoader;[Ljava/lang/Class;Ljava/lang/reflect/InvocationHandler;)Ljava/lang/Object;");
    of("java/io/ObjectInputStream", false, "readObject", "()Ljava/lang/Object;");
    of("java/io/ObjectOutputStream", false, "writeObject", "(Ljava/lang/Object;)V");
    String handle = "Ljava/lang/invoke/MethodHandle;";
    String lookup = "java/lang/invoke/MethodHandles$Lookup";
    for (String kind : new String[] {"findVirtual", "findStatic"}) {
      of(lookup, false, kind, "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;)" + handle);
    }
    of(lookup, false, "findConstructor", "(Ljava/lang/Class;Ljava/lang/invoke/MethodType;)" + handle);
    for (String kind : new String[] {"findGetter", "findSetter", "findStaticGetter", "findStaticSetter"}) {
      of(lookup, false, kind, "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)" + handle);
    }
  }

  static {
    String reflect = "java/lang/reflect/";
    String type = "Ljava/lang/reflect/Type;";
    of("java/lang/Class", false, "getGenericSuperclass", "()" + type);
    of("java/lang/Class", false, "getGenericInterfaces", "()[" + type);
    of(reflect + "Field", false, "getGenericType", "()" + type);
    of(reflect + "Method", false, "getGenericReturnType", "()" + type);
    for (String owner : new String[] {"Method", "Constructor"}) {
      of(reflect + owner, false, "getGenericParameterTypes", "()[" + type);
      of(reflect + owner, false, "getParameterAnnotations", "()[[Ljava/lang/annotation/Annotation;");
    }
    String annotation = "Ljava/lang/annotation/Annotation;";
    for (String owner :
        new String[] {"java/lang/Class", reflect + "Field", reflect + "Method", reflect + "Constructor",
            reflect + "AccessibleObject", reflect + "AnnotatedElement"}) {
      String element = reflect + "AnnotatedElement";
      of(owner, element, "getAnnotation", "(Ljava/lang/Class;)" + annotation);
      of(owner, element, "isAnnotationPresent", "(Ljava/lang/Class;)Z");
      of(owner, element, "getAnnotations", "()[" + annotation);
      of(owner, element, "getDeclaredAnnotations", "()[" + annotation);
    }
    for (String name : new String[] {"getEnclosingClass", "getDeclaringClass"}) {
      of("java/lang/Class", false, name, "()Ljava/lang/Class;");
    }
    for (String name : new String[] {"isAnonymousClass", "isLocalClass", "isMemberClass"}) {
      of("java/lang/Class", false, name, "()Z");
    }
  }

  private Recorded() {}

  /** The method that stands for another one; null if that is not recorded. */
  static Method find(String owner, String name, String descriptor, boolean isStatic) {
    Method found = METHODS.get(key(owner, name, descriptor));
    return found == null || found.isStatic != isStatic ? null : found;
  }

  private static void of(String owner, boolean isStatic, String name, String descriptor) {
    of(owner, isStatic ? null : owner, name, descriptor);
  }

  /** The receiver, if there is one, becomes the first argument. */
  private static void of(String owner, String receiver, String name, String descriptor) {
    String own = receiver == null ? descriptor : "(L" + receiver + ";" + descriptor.substring(1);
    METHODS.put(key(owner, name, descriptor), new Method(receiver == null, own));
  }

  private static String key(String owner, String name, String descriptor) {
    return owner + "." + name + descriptor;
  }

  /** A static method of the recorder. */
  static final class Method {
    final boolean isStatic;
    final String descriptor;

    Method(boolean isStatic, String descriptor) {
      this.isStatic = isStatic;
      this.descriptor = descriptor;
    }
  }
}
