package traces;

abstract class Mishap extends RuntimeException {
    private final int fathoms;

    Mishap(String text, int fathoms, Throwable cause) {
        super(text, cause);
        this.fathoms = fathoms;
    }

    int fathoms() {
        return fathoms;
    }
}
