irdl.dialect @arith {
}
