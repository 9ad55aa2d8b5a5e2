class A { m(x) { } }
export class B { }
const f = (x) => {
  return x
};
export default function g() { };
const o = { k: function() { }, l() { } }
if (o) { g() }
