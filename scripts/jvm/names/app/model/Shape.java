package app.model;

public abstract class Shape extends Point {
    Shape(int x, int y) {
        super(x, y);
    }

    @Override
    abstract int area();

    String shown() {
        return "at " + x + "," + y + ": " + area();
    }
}
