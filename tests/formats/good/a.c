int *f(int a) { while (a) a--; }
struct s { int a; };
