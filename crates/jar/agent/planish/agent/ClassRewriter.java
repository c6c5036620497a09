package planish.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes calls of some methods of the JDK calls of static methods of {@link Recorder}.
 *
 * <p>A receiver is the first argument, so a call takes as many bytes as before and leaves the same on the stack: nothing moves,
 * and no frame changes. Only constants are added, behind those that are there.
 */
final class ClassRewriter {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int NAME_AND_TYPE = 12;
  private static final int INVOKEVIRTUAL = 0xb6;
  private static final int INVOKESTATIC = 0xb8;
  private static final int INVOKEINTERFACE = 0xb9;
  private static final byte NOP = 0;
  private static final int TABLESWITCH = 0xaa;
  private static final int LOOKUPSWITCH = 0xab;
  private static final int WIDE = 0xc4;
  private static final int IINC = 0x84;

  /** How many bytes operands take, by opcode; those of switches and of {@code wide} vary. */
  private static final String OPERANDS = operands();

  private final byte[] file;
  private final int[] constants;
  private final ByteArrayOutputStream added = new ByteArrayOutputStream();
  private int count;
  /** What a method of the JDK becomes, by its constant; 0 for those that stay. */
  private final Map<Integer, Integer> redirects = new HashMap<>();

  private boolean changed;

  ClassRewriter(byte[] file) {
    this.file = file.clone();
    count = u2(8);
    constants = new int[count];
  }

  /** The class with its calls redirected, or null if there are none. */
  byte[] rewritten() {
    int end = readConstants();
    int at = end + 6;
    at += 2 + 2 * u2(at);
    at = members(at, false);
    members(at, true);
    if (!changed) {
      return null;
    }
    byte[] constants = added.toByteArray();
    byte[] result = Arrays.copyOf(file, file.length + constants.length);
    result[8] = (byte) (count >> 8);
    result[9] = (byte) count;
    System.arraycopy(constants, 0, result, end, constants.length);
    System.arraycopy(file, end, result, end + constants.length, file.length - end);
    return result;
  }

  private int readConstants() {
    int at = 10;
    for (int index = 1; index < constants.length; index++) {
      constants[index] = at;
      int tag = file[at];
      switch (tag) {
        case UTF8:
          at += 3 + u2(at + 1);
          break;
        case LONG:
        case DOUBLE:
          at += 9;
          index++;
          break;
        case CLASS:
        case 8:
        case 16:
        case 19:
        case 20:
          at += 3;
          break;
        case 15:
          at += 4;
          break;
        default:
          at += 5;
      }
    }
    return at;
  }

  /** Goes over fields or methods, and gives where they end. */
  private int members(int at, boolean methods) {
    int members = u2(at);
    at += 2;
    for (int member = 0; member < members; member++) {
      int attributes = u2(at + 6);
      at += 8;
      for (int attribute = 0; attribute < attributes; attribute++) {
        if (methods && text(u2(at)).equals("Code")) {
          code(at + 14, u4(at + 10));
        }
        at += 6 + u4(at + 2);
      }
    }
    return at;
  }

  private void code(int start, int length) {
    for (int at = start; at < start + length; ) {
      int opcode = file[at] & 0xff;
      if (opcode == INVOKEVIRTUAL || opcode == INVOKESTATIC || opcode == INVOKEINTERFACE) {
        int to = redirected(u2(at + 1), opcode == INVOKESTATIC);
        if (to != 0) {
          changed = true;
          file[at] = (byte) INVOKESTATIC;
          file[at + 1] = (byte) (to >> 8);
          file[at + 2] = (byte) to;
          if (opcode == INVOKEINTERFACE) {
            file[at + 3] = NOP;
            file[at + 4] = NOP;
          }
        }
      }
      at += size(opcode, at, start);
    }
  }

  private int size(int opcode, int at, int start) {
    int aligned = at + 4 - (at - start) % 4;
    switch (opcode) {
      case TABLESWITCH:
        return aligned + 12 + 4 * (u4(aligned + 8) - u4(aligned + 4) + 1) - at;
      case LOOKUPSWITCH:
        return aligned + 8 + 8 * u4(aligned + 4) - at;
      case WIDE:
        return (file[at + 1] & 0xff) == IINC ? 6 : 4;
      default:
        return 1 + OPERANDS.charAt(opcode) - '0';
    }
  }

  /** The constant of the method that stands for one, 0 if none does. */
  private int redirected(int index, boolean isStatic) {
    Integer known = redirects.get(index);
    if (known == null) {
      known = redirect(index, isStatic);
      redirects.put(index, known);
    }
    return known;
  }

  private int redirect(int index, boolean isStatic) {
    int at = constants[index];
    if (file[at] != METHOD && file[at] != INTERFACE_METHOD) {
      return 0;
    }
    int nameAndType = constants[u2(at + 3)];
    String name = text(u2(nameAndType + 1));
    String descriptor = text(u2(nameAndType + 3));
    Recorded.Method found = Recorded.find(text(u2(constants[u2(at + 1)] + 1)), name, descriptor, isStatic);
    // The pool of a class may be full.
    if (found == null || count + 6 > 0xffff) {
      return 0;
    }
    int owner = add(CLASS, addText("planish/agent/Recorder"), -1);
    return add(METHOD, owner, add(NAME_AND_TYPE, addText(name), addText(found.descriptor)));
  }

  private int add(int tag, int first, int second) {
    added.write(tag);
    added.write(first >> 8);
    added.write(first);
    if (second >= 0) {
      added.write(second >> 8);
      added.write(second);
    }
    return count++;
  }

  private int addText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    added.write(UTF8);
    added.write(bytes.length >> 8);
    added.write(bytes.length);
    added.write(bytes, 0, bytes.length);
    return count++;
  }

  private String text(int index) {
    int at = constants[index];
    return new String(file, at + 3, u2(at + 1), StandardCharsets.UTF_8);
  }

  private int u2(int at) {
    return (file[at] & 0xff) << 8 | file[at + 1] & 0xff;
  }

  private int u4(int at) {
    return u2(at) << 16 | u2(at + 2);
  }

  private static String operands() {
    char[] sizes = new char[256];
    Arrays.fill(sizes, '0');
    fill(sizes, 0x10, 0x10, '1');
    fill(sizes, 0x11, 0x11, '2');
    fill(sizes, 0x12, 0x12, '1');
    fill(sizes, 0x13, 0x14, '2');
    fill(sizes, 0x15, 0x19, '1');
    fill(sizes, 0x36, 0x3a, '1');
    fill(sizes, 0x84, 0x84, '2');
    fill(sizes, 0x99, 0xa8, '2');
    fill(sizes, 0xa9, 0xa9, '1');
    fill(sizes, 0xb2, 0xb8, '2');
    fill(sizes, 0xb9, 0xba, '4');
    fill(sizes, 0xbb, 0xbb, '2');
    fill(sizes, 0xbc, 0xbc, '1');
    fill(sizes, 0xbd, 0xbd, '2');
    fill(sizes, 0xc0, 0xc1, '2');
    fill(sizes, 0xc5, 0xc5, '3');
    fill(sizes, 0xc6, 0xc7, '2');
    fill(sizes, 0xc8, 0xc9, '4');
    return new String(sizes);
  }

  private static void fill(char[] sizes, int from, int to, char size) {
    Arrays.fill(sizes, from, to + 1, size);
  }
}
