package planish.agent;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.URL;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Does what the methods of the JDK of the same names do, and records what was asked for and found.
 *
 * <p>Some of those look at who calls them: what they see is done here for the caller that there really is.
 */
public final class Recorder {
  private static final Rules RULES = new Rules();

  private Recorder() {}

  static void begin(File file, String run) {
    RULES.begin(run);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Callers.trusted(() -> RULES.write(file)), "planish agent"));
  }

  /** Whether a class comes with the JDK, or is one of these. */
  static boolean isOfPlatform(String name) {
    for (String prefix :
        new String[] {"java.", "javax.", "jdk.", "sun.", "com.sun.", "planish.agent."}) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  // Classes.

  public static Class<?> forName(String name) throws ClassNotFoundException {
    return found(Class.forName(name, true, Callers.loader()));
  }

  public static Class<?> forName(String name, boolean initialize, ClassLoader loader)
      throws ClassNotFoundException {
    return found(Class.forName(name, initialize, loader));
  }

  public static Class<?> loadClass(ClassLoader loader, String name) throws ClassNotFoundException {
    return found(loader.loadClass(name));
  }

  private static Class<?> found(Class<?> type) {
    RULES.type(type);
    return type;
  }

  // Members.

  public static Object newInstance(Class<?> type) throws InstantiationException, IllegalAccessException {
    Constructor<?> constructor;
    try {
      constructor = type.getDeclaredConstructor();
    } catch (NoSuchMethodException e) {
      throw new InstantiationException(type.getName());
    }
    RULES.constructor(constructor);
    // The caller may be allowed to call what this class is not.
    Callers.open(constructor);
    try {
      return constructor.newInstance();
    } catch (InvocationTargetException e) {
      throw Recorder.<RuntimeException>unchecked(e.getCause());
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  public static Method getMethod(Class<?> type, String name, Class<?>[] types) throws NoSuchMethodException {
    return found(type.getMethod(name, types));
  }

  public static Method getDeclaredMethod(Class<?> type, String name, Class<?>[] types)
      throws NoSuchMethodException {
    return found(type.getDeclaredMethod(name, types));
  }

  private static Method found(Method method) {
    RULES.method(method);
    return method;
  }

  public static Field getField(Class<?> type, String name) throws NoSuchFieldException {
    return found(type.getField(name));
  }

  public static Field getDeclaredField(Class<?> type, String name) throws NoSuchFieldException {
    return found(type.getDeclaredField(name));
  }

  private static Field found(Field field) {
    RULES.field(field);
    return field;
  }

  public static Constructor<?> getConstructor(Class<?> type, Class<?>[] types) throws NoSuchMethodException {
    return found(type.getConstructor(types));
  }

  public static Constructor<?> getDeclaredConstructor(Class<?> type, Class<?>[] types)
      throws NoSuchMethodException {
    return found(type.getDeclaredConstructor(types));
  }

  private static Constructor<?> found(Constructor<?> constructor) {
    RULES.constructor(constructor);
    return constructor;
  }

  public static Method[] getMethods(Class<?> type) {
    Method[] found = type.getMethods();
    RULES.members(type, true, "public <methods>;");
    return found;
  }

  public static Method[] getDeclaredMethods(Class<?> type) {
    Method[] found = type.getDeclaredMethods();
    RULES.members(type, false, "<methods>;");
    return found;
  }

  public static Field[] getFields(Class<?> type) {
    Field[] found = type.getFields();
    RULES.members(type, true, "public <fields>;");
    return found;
  }

  public static Field[] getDeclaredFields(Class<?> type) {
    Field[] found = type.getDeclaredFields();
    RULES.members(type, false, "<fields>;");
    return found;
  }

  public static Constructor<?>[] getConstructors(Class<?> type) {
    Constructor<?>[] found = type.getConstructors();
    RULES.members(type, false, "public <init>(...);");
    return found;
  }

  public static Constructor<?>[] getDeclaredConstructors(Class<?> type) {
    Constructor<?>[] found = type.getDeclaredConstructors();
    RULES.members(type, false, "<init>(...);");
    return found;
  }

  // What only attributes of class files say.

  public static Type getGenericSuperclass(Class<?> type) {
    return generic(type.getGenericSuperclass());
  }

  public static Type[] getGenericInterfaces(Class<?> type) {
    return generic(type.getGenericInterfaces());
  }

  public static Type getGenericType(Field field) {
    return generic(field.getGenericType());
  }

  public static Type getGenericReturnType(Method method) {
    return generic(method.getGenericReturnType());
  }

  public static Type[] getGenericParameterTypes(Method method) {
    return generic(method.getGenericParameterTypes());
  }

  public static Type[] getGenericParameterTypes(Constructor<?> constructor) {
    return generic(constructor.getGenericParameterTypes());
  }

  private static Type generic(Type type) {
    if (!(type == null || type instanceof Class)) {
      RULES.attribute("Signature");
    }
    return type;
  }

  private static Type[] generic(Type[] types) {
    for (Type type : types) {
      generic(type);
    }
    return types;
  }

  public static <A extends Annotation> A getAnnotation(AnnotatedElement element, Class<A> type) {
    A annotation = element.getAnnotation(type);
    if (annotation != null) {
      annotations(annotation);
    }
    return annotation;
  }

  public static boolean isAnnotationPresent(AnnotatedElement element, Class<? extends Annotation> type) {
    return getAnnotation(element, type) != null;
  }

  public static Annotation[] getAnnotations(AnnotatedElement element) {
    return annotations(element.getAnnotations());
  }

  public static Annotation[] getDeclaredAnnotations(AnnotatedElement element) {
    return annotations(element.getDeclaredAnnotations());
  }

  public static Annotation[][] getParameterAnnotations(Method method) {
    return annotations(method.getParameterAnnotations());
  }

  public static Annotation[][] getParameterAnnotations(Constructor<?> constructor) {
    return annotations(constructor.getParameterAnnotations());
  }

  private static Annotation[][] annotations(Annotation[][] found) {
    for (Annotation[] some : found) {
      annotations(some);
    }
    return found;
  }

  private static Annotation[] annotations(Annotation... found) {
    for (Annotation annotation : found) {
      RULES.attribute("*Annotation*");
      RULES.type(annotation.annotationType());
      RULES.members(annotation.annotationType(), false, "<methods>;");
    }
    return found;
  }

  public static Class<?> getEnclosingClass(Class<?> type) {
    return inside(type, type.getEnclosingClass());
  }

  public static Class<?> getDeclaringClass(Class<?> type) {
    return inside(type, type.getDeclaringClass());
  }

  public static boolean isAnonymousClass(Class<?> type) {
    return inside(type, type.isAnonymousClass());
  }

  public static boolean isLocalClass(Class<?> type) {
    return inside(type, type.isLocalClass());
  }

  public static boolean isMemberClass(Class<?> type) {
    return inside(type, type.isMemberClass());
  }

  private static <T> T inside(Class<?> type, T found) {
    if (type.getEnclosingClass() != null) {
      RULES.attribute("InnerClasses");
      RULES.attribute("EnclosingMethod");
    }
    return found;
  }

  public static Class<?>[] getDeclaredClasses(Class<?> type) {
    return inside(type.getDeclaredClasses());
  }

  public static Class<?>[] getClasses(Class<?> type) {
    return inside(type.getClasses());
  }

  private static Class<?>[] inside(Class<?>[] found) {
    for (Class<?> type : found) {
      RULES.attribute("InnerClasses");
      RULES.type(type);
    }
    return found;
  }

  // Method handles.

  public static MethodHandle findVirtual(
      MethodHandles.Lookup lookup, Class<?> type, String name, MethodType signature)
      throws NoSuchMethodException, IllegalAccessException {
    MethodHandle handle = lookup.findVirtual(type, name, signature);
    RULES.method(type, name, signature.parameterArray());
    return handle;
  }

  public static MethodHandle findStatic(
      MethodHandles.Lookup lookup, Class<?> type, String name, MethodType signature)
      throws NoSuchMethodException, IllegalAccessException {
    MethodHandle handle = lookup.findStatic(type, name, signature);
    RULES.method(type, name, signature.parameterArray());
    return handle;
  }

  public static MethodHandle findConstructor(MethodHandles.Lookup lookup, Class<?> type, MethodType signature)
      throws NoSuchMethodException, IllegalAccessException {
    MethodHandle handle = lookup.findConstructor(type, signature);
    RULES.constructor(type.getDeclaredConstructor(signature.parameterArray()));
    return handle;
  }

  public static MethodHandle findGetter(MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> of)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle handle = lookup.findGetter(type, name, of);
    RULES.field(type, name);
    return handle;
  }

  public static MethodHandle findSetter(MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> of)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle handle = lookup.findSetter(type, name, of);
    RULES.field(type, name);
    return handle;
  }

  public static MethodHandle findStaticGetter(
      MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> of)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle handle = lookup.findStaticGetter(type, name, of);
    RULES.field(type, name);
    return handle;
  }

  public static MethodHandle findStaticSetter(
      MethodHandles.Lookup lookup, Class<?> type, String name, Class<?> of)
      throws NoSuchFieldException, IllegalAccessException {
    MethodHandle handle = lookup.findStaticSetter(type, name, of);
    RULES.field(type, name);
    return handle;
  }

  // Resources.

  public static URL getResource(Class<?> type, String name) {
    return resource(name, type.getResource(name));
  }

  public static InputStream getResourceAsStream(Class<?> type, String name) {
    return resource(name, type.getResourceAsStream(name));
  }

  public static URL getResource(ClassLoader loader, String name) {
    return resource(name, loader.getResource(name));
  }

  public static InputStream getResourceAsStream(ClassLoader loader, String name) {
    return resource(name, loader.getResourceAsStream(name));
  }

  private static <R> R resource(String name, R found) {
    if (found != null) {
      RULES.remark("resource " + name);
    }
    return found;
  }

  public static ResourceBundle getBundle(String name) {
    return getBundle(name, Locale.getDefault());
  }

  public static ResourceBundle getBundle(String name, Locale locale) {
    ClassLoader loader = Callers.loader();
    ResourceBundle bundle = ResourceBundle.getBundle(name, locale, loader);
    RULES.remark("resource bundle " + name);
    RULES.made(bundle.getClass());
    // What it lacks, bundles for fewer places have.
    ResourceBundle.Control control =
        ResourceBundle.Control.getControl(ResourceBundle.Control.FORMAT_DEFAULT);
    for (Locale candidate : control.getCandidateLocales(name, locale)) {
      try {
        RULES.made(Class.forName(control.toBundleName(name, candidate), false, loader));
      } catch (ClassNotFoundException | LinkageError e) {
        // It is none, or a file of properties.
      }
    }
    return bundle;
  }

  // Proxies and serialization.

  public static Object newProxyInstance(ClassLoader loader, Class<?>[] interfaces, InvocationHandler handler) {
    Object proxy = Proxy.newProxyInstance(loader, interfaces, handler);
    for (Class<?> type : interfaces) {
      RULES.members(type, true, "<methods>;");
    }
    return proxy;
  }

  public static Object readObject(ObjectInputStream stream) throws IOException, ClassNotFoundException {
    Object read = stream.readObject();
    RULES.serialized(read);
    return read;
  }

  public static void writeObject(ObjectOutputStream stream, Object written) throws IOException {
    RULES.serialized(written);
    stream.writeObject(written);
  }
}
