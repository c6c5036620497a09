package traces;

class Grounding extends Mishap {
    Grounding(String text, int fathoms, Throwable cause) {
        super(text, fathoms, cause);
    }
}
