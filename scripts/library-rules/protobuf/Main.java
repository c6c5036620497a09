import com.google.protobuf.*;

/** Messages, as text and by their descriptors. */
public class Main {
    public static void main(String[] args) throws Exception {
        Struct struct = Struct.newBuilder().putFields("a", Value.newBuilder().setNumberValue(2.5).build()).putFields("b", Value.newBuilder().setStringValue("x").build()).build();
        System.out.println(Struct.parseFrom(struct.toByteArray()).getFieldsMap().size());
        Timestamp time = Timestamp.newBuilder().setSeconds(5).build();
        System.out.println(time + TextFormat.printer().printToString(struct));
        Timestamp.Builder read = Timestamp.newBuilder();
        TextFormat.merge("seconds: 7 nanos: 8", read);
        for (Descriptors.FieldDescriptor field : Timestamp.getDescriptor().getFields()) System.out.println(field.getName() + " " + read.getField(field));
        System.out.println(Any.pack(time).unpack(Timestamp.class).getSeconds());
    }
}
