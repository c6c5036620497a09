package app.model;

public enum Color implements Named {
    RED {
        @Override
        public Color mixed() {
            return BLUE;
        }
    },
    BLUE {
        @Override
        public Color mixed() {
            return RED;
        }
    };

    public abstract Color mixed();
}
