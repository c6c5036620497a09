package app.plugin;

import app.model.Point;

public class First implements Plugin {
    /** Sees what it inherits, from another package. */
    static class Near extends Point {
        Near(Point other) {
            super(other.x() + 1, 8);
        }

        /** No relation of what only the package of the class above sees. */
        int area() {
            return x * y;
        }
    }

    @Override
    public String run(Point point) {
        return "plugin " + new Near(point).area();
    }
}
