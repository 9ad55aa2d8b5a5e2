interface I { a(): void }
export abstract class C<T> { abstract m(): void; k = () => { } }
namespace N { function f() { } }
