func.func @f(%c: i1) {
  scf.if %c {
    "x.a"() : () -> ()
  }
  scf.if %c {
    "x.b"() : () -> ()
  }
  return
}
