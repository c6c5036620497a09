package app;

/** A program with a class and a method that it does not need. */
public final class App {
    public static void main(String[] arguments) {
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += Numbers.square(i, false);
        }
        System.out.println("the sum of squares is " + sum);
    }
}
