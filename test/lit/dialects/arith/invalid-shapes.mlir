// RUN: mlc-opt --split-input-file --verify-diagnostics %s
// What casts, comparisons and choices say of shapes.
func.func @lanes(%x: vector<[2]xi16>) {
  // expected-error @+1 {{'arith.extsi' op requires the same shape for all operands and results}}
  %0 = arith.extsi %x : vector<[2]xi16> to vector<2xi32>
  return
}

// -----

func.func @dimensions(%x: tensor<2xi16>) {
  // expected-error @+1 {{'arith.extui' op failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.extui %x : tensor<2xi16> to tensor<?xi32>
  return
}

// -----

func.func @rank(%x: tensor<*xf32>) {
  // expected-error @+1 {{'arith.fptosi' op failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.fptosi %x : tensor<*xf32> to tensor<4xi32>
  return
}

// -----

func.func @encoding(%x: tensor<2xi32, "rows">) {
  // expected-error @+1 {{'arith.sitofp' op operand type 'tensor<2xi32, "rows">' and result type 'tensor<2xf32>' are cast incompatible}}
  %0 = arith.sitofp %x : tensor<2xi32, "rows"> to tensor<2xf32>
  return
}

// -----

func.func @carry(%x: vector<2xi8>) {
  // expected-error @+1 {{'arith.addui_extended' op if an operand is non-scalar, then all results must be non-scalar}}
  %0, %1 = arith.addui_extended %x, %x : vector<2xi8>, i1
  return
}

// -----

func.func @choice(%c: vector<3xi1>, %x: vector<2xi8>) {
  // expected-error @+1 {{'arith.select' op failed to verify that condition is signless i1 or has matching shape}}
  %0 = arith.select %c, %x, %x : vector<3xi1>, vector<2xi8>
  return
}

// -----

func.func @text() {
  // expected-error @+1 {{'arith.constant' op failed to verify that all of {value, result} have same type}}
  %0 = "arith.constant"() {value = "five"} : () -> i32
  return
}

// -----

func.func @encodings(%c: tensor<8xi1, "one">, %x: tensor<8xi32, "other">) {
  // expected-error @+1 {{'arith.select' op expected condition type to have the same shape as the result type, expected 'tensor<8xi1, "other">', but got 'tensor<8xi1, "one">'}}
  %0 = arith.select %c, %x, %x : tensor<8xi1, "one">, tensor<8xi32, "other">
  return
}
