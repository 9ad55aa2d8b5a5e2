namespace n { class A { void m() { } ~A() { } }; }
void n::A::k() { }
template<class T> T f(T x) { return x; }
