package app;

final class Unused {
    String greeting() {
        return "nobody asks";
    }
}
