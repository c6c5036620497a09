package app.model;

import java.util.ArrayList;
import java.util.List;

public class Shapes {
    static class Square extends Shape {
        private final int side;

        Square(int side) {
            super(side, side);
            this.side = side;
        }

        @Override
        int area() {
            return side * side;
        }
    }

    static class Circle extends Shape {
        Circle() {
            super(0, 0);
        }

        @Override
        int area() {
            return 3;
        }

        @Override
        String shown() {
            return "circle " + super.shown();
        }
    }

    public static class Failing {
        private final int depth;

        public Failing(int depth) {
            this.depth = depth;
        }

        public int fail(int more) {
            if (depth > 1) {
                return new Failing(depth - 1).fail(more);
            }
            throw new IllegalStateException("failed after " + more);
        }
    }

    public static List<String> all() {
        List<String> all = new ArrayList<>();
        for (Shape shape : new Shape[] {new Square(3), new Circle()}) {
            all.add(shape.shown());
        }
        return all;
    }
}
