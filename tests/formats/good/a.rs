impl<T> A<T> { fn m(&self) { } }
trait Q { fn z(); }
mod m { fn f() { match 1 { _ => () } } }
