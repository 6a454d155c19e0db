// RUN: mlc-opt --load-dialect=%S/Inputs/boxes.yaml --split-input-file --verify-diagnostics %s
// A constraint says what the parameters of a type or attribute are.
func.func @right(%box: !boxes.box<f32, 3>) {
  boxes.open %box <"x"> : !boxes.box<f32, 3>
  return
}

// -----

func.func @type(%box: !boxes.box<i32, 3>) {
  // expected-error @+1 {{'boxes.open' op operand #0 must be boxes.box with parameters floating-point, 3 : i64, but got '!boxes.box<i32, 3>'}}
  boxes.open %box <"x"> : !boxes.box<i32, 3>
  return
}

// -----

func.func @number(%box: !boxes.box<f32, 4>) {
  // expected-error @+1 {{'boxes.open' op operand #0 must be boxes.box with parameters floating-point, 3 : i64, but got '!boxes.box<f32, 4>'}}
  boxes.open %box <"x"> : !boxes.box<f32, 4>
  return
}

// -----

func.func @attribute(%box: !boxes.box<f32, 3>) {
  // expected-error @+1 {{'boxes.open' op attribute 'tag' failed to satisfy constraint: boxes.tag with parameters "x"}}
  boxes.open %box <"y"> : !boxes.box<f32, 3>
  return
}
