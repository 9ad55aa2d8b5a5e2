package p
func (s *T[K]) M() { }
func f() { if true { } }
type T struct { a int }