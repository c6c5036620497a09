package app;

import app.model.Color;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.function.Supplier;

/** What is written and read again. A class with lambdas that are keeps the names of all that it speaks of. */
class Streams {
    static class Saved implements Serializable {
        private static final long serialVersionUID = 7;
        int number = 3;
        transient int lost = 4;
        Main.Pair pair = new Main.Pair("p", 5);

        private void writeObject(ObjectOutputStream out) throws Exception {
            out.defaultWriteObject();
            out.writeInt(lost + 1);
        }

        private void readObject(ObjectInputStream in) throws Exception {
            in.defaultReadObject();
            lost = in.readInt();
        }
    }

    static void streams() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Saved());
            out.writeObject((Supplier<String> & Serializable) () -> "from a stream");
            out.writeObject(Color.BLUE);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Saved saved = (Saved) in.readObject();
            System.out.println(saved.number + " " + saved.lost + " " + Main.unnamed(saved.pair));
            System.out.println(((Supplier<?>) in.readObject()).get());
            System.out.println(in.readObject() == Color.BLUE);
        }
    }
}
