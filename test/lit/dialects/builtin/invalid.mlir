// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// expected-error @below {{can only contain attributes with dialect-prefixed names, found: 'plain'}}
module attributes {plain} {
}

// -----

func.func @cast(%x: i32) {
  // expected-error @below {{expected at least one result for cast operation}}
  "builtin.unrealized_conversion_cast"(%x) : (i32) -> ()
  return
}
