package app.model;

public class Point {
    protected final int x;
    protected final int y;

    public Point(int x, int y) {
        this.x = x;
        this.y = y;
    }

    int area() {
        return 0;
    }

    public int x() {
        return x;
    }
}
