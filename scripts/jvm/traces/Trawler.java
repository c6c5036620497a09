package traces;

/** The only kind of vessel. */
class Trawler extends Vessel {
    private final int[] nets;

    Trawler(int n) {
        super(n);
        if (n < 6) {
            throw new IllegalStateException("too few nets");
        }
        nets = new int[n / 2];
    }

    @Override
    int tonnage(int n) {
        return super.tonnage(n) + nets[n];
    }

    @Override
    int sum(String text) {
        return sum(nets.length) + Integer.parseInt(text + "x");
    }
}
