package traces;

abstract class Top {
    int slack;
    Top(int n) { slack = 10 / (n - 2); }
    int run() { return slack; }
}
abstract class Middle extends Top {
    Middle(int n) { super(n + 2); slack = 10 / (n - 1); }
    @Override int run() { return super.run() + 1; }
}
class Bottom extends Middle {
    Bottom(int n) { super(n + 0); slack = 10 / n; }
    @Override int run() { return super.run() / slack; }
}
