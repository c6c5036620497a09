package app.model;

/** What an enum has by itself, and other classes have to write. */
public interface Named {
    String name();
}
