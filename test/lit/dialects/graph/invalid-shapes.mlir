// RUN: mlc-opt %s --verify-diagnostics --split-input-file
// Attributes and shapes that no op can compute on.
func.func @end(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'graph.kernel' op expected 'graph.yield' at the end of the body}}
  %0 = "graph.kernel"(%x) ({
  ^bb0(%y: tensor<2xf32>):
    "llvm.unreachable"() : () -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @count(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "graph.kernel"(%x) ({
  ^bb0(%y: tensor<2xf32>):
    // expected-error@+1 {{'graph.yield' op gives 2 values, but region 'body' of 'graph.kernel' yields 1}}
    graph.yield %y, %y : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @type(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "graph.kernel"(%x) ({
  ^bb0(%y: tensor<2xf32>):
    // expected-error@+1 {{'graph.yield' op gives 'tensor<2xf32>' as value #0, but region 'body' of 'graph.kernel' yields 'tensor<3xf32>', as results is}}
    graph.yield %y : tensor<2xf32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @strides(%x: tensor<1x3x4x4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op 'strides' has the entry 0}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 0>} : (tensor<1x3x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @spatial(%x: tensor<1x3x4x4x4x4x4x4x4x4x4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op is not supported: 9 spatial dimensions are more than 8}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2, 2, 2, 2, 2, 2, 2, 2, 2>} : (tensor<1x3x4x4x4x4x4x4x4x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @mode(%x: tensor<1x3x4x4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op 'auto_pad' is 'middle', expected 'same_upper' or 'same_lower'}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2, 2>, auto_pad = "middle"} : (tensor<1x3x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @both(%x: tensor<1x3x4x4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op 'auto_pad' and 'pads' exclude each other}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2, 2>, auto_pad = "same_upper", pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @large(%x: tensor<1x3x562949953421312xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op is not supported: size 562949953421312 is too large for a window}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2>} : (tensor<1x3x562949953421312xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @rank(%x: tensor<4x4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.max_pool' op the input has rank 2, expected at least 3}}
  %0 = graph.max_pool %x {kernel_shape = array<i64: 2>} : (tensor<4x4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @groups(%x: tensor<1x4x8x8xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.conv' op 3 output channels do not divide into 2 groups}}
  %0 = graph.conv %x, %w {group = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<3x2x3x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @bias(%x: tensor<1x4x8x8xf32>, %w: tensor<3x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.conv' op the bias has type tensor<4xf32>, expected 3 elements}}
  %0 = graph.conv %x, %w, %b : (tensor<1x4x8x8xf32>, tensor<3x4x3x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @bias_of_bytes(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>, %b: tensor<3xi8>) {
  // expected-error@+1 {{'graph.conv' op a bias of type tensor<3xi8> to sums of i32}}
  %0 = graph.conv %x, %w, %b : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi8>) -> tensor<1x3x4x4xi32>
  return
}

// -----

func.func @scales_of_blocks(%x: tensor<2x8xf32>, %w: tensor<2x4x3xi8>, %s: tensor<3xf32>) {
  // expected-error@+1 {{'graph.block_matmul' op blocks of type tensor<2x4x3xi8> with scales of type tensor<3xf32>}}
  %0 = graph.block_matmul %x, %w, %s : (tensor<2x8xf32>, tensor<2x4x3xi8>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @inner(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.matmul' op inner sizes 3 and 4 differ}}
  %0 = graph.matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @scalar(%a: tensor<f32>, %b: tensor<4x5xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.matmul' op a scalar has no matrix product}}
  %0 = graph.matmul %a, %b : (tensor<f32>, tensor<4x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @matrices(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.gemm' op operands have types tensor<2x3x4xf32> and tensor<4x5xf32>, expected matrices}}
  %0 = graph.gemm %a, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @sum(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>, %c: tensor<2x5xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.gemm' op tensor<2x5xf32> does not broadcast to the product's shape}}
  %0 = graph.gemm %a, %b, %c : (tensor<2x3xf32>, tensor<3x1xf32>, tensor<2x5xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @missing(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.reshape' op 6 elements do not divide by 4}}
  %0 = graph.reshape %x {shape = array<i64: 4, -1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @two_missing(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.reshape' op 'shape' has two sizes of -1}}
  %0 = graph.reshape %x {shape = array<i64: -1, -1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @copied(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.reshape' op 'shape' copies size 2 of an input of rank 2}}
  %0 = graph.reshape %x {shape = array<i64: 2, 3, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @nothing() -> tensor<*xf32> {
  // expected-error@+1 {{'graph.concat' op expected at least one operand}}
  %0 = "graph.concat"() {axis = 0 : i64} : () -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @long(%x: tensor<6917529027641081856xi8>) -> tensor<*xi8> {
  // expected-error@+1 {{'graph.concat' op the sizes along axis 0 are too large}}
  %0 = graph.concat %x, %x {axis = 0 : i64} : (tensor<6917529027641081856xi8>, tensor<6917529027641081856xi8>) -> tensor<*xi8>
  return %0 : tensor<*xi8>
}

// -----

func.func @cropped(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.pad' op 'pads' of dimension 0 leave no size}}
  %0 = graph.pad %x {pads = array<i64: -3, -2>} : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @ranks(%x: tensor<2x2x2x2x2x2x2x2x2xf32>, %i: tensor<1x1x1x1x1x1x1x1x1xi64>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.gather' op is not supported: the result's rank is more than 16}}
  %0 = graph.gather %x, %i : (tensor<2x2x2x2x2x2x2x2x2xf32>, tensor<1x1x1x1x1x1x1x1x1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @batch(%x: tensor<4x2xf32>, %i: tensor<5x1xi64>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.gather_nd' op 'batch_dims' is 2, ranks are 2 and 2}}
  %0 = graph.gather_nd %x, %i {batch_dims = 2 : i64} : (tensor<4x2xf32>, tensor<5x1xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @element(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error@+1 {{'graph.concat' op the result has elements of type i32, expected f32}}
  %0 = "graph.concat"(%x) {axis = 0 : i64} : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @element(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error@+1 {{'graph.transpose' op the result has elements of type i32, expected f32}}
  %0 = "graph.transpose"(%x) {perm = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @number(%x: tensor<4xf32>, %n: tensor<2xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{'graph.expect' op the number is of type tensor<2xi64>}}
  %0 = graph.expect %x, %n {expected = 3 : i64, what = "k"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @rank(%x: tensor<4xf32>) -> tensor<*xi64> {
  // expected-error@+1 {{'graph.argsort' op operand 0 has rank 1, expected 2}}
  %0 = graph.argsort %x : (tensor<4xf32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

func.func @overlaps(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<i64>, %o: tensor<2xf32>, %t: tensor<f32>) -> tensor<*xi64> {
  // expected-error@+1 {{'graph.non_max_suppression' op operand 3 has type tensor<2xf32>, expected one number}}
  %0 = graph.non_max_suppression %b, %s, %n, %o, %t {most = 6 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, tensor<2xf32>, tensor<f32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

func.func @most(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<i64>, %o: tensor<f32>) -> tensor<*xi64> {
  // expected-error@+1 {{'graph.non_max_suppression' op 'most' is -7}}
  %0 = graph.non_max_suppression %b, %s, %n, %o, %o {most = -7 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

func.func @many(%b: tensor<4611686018427387904x6x4xf32>, %s: tensor<4611686018427387904x2x6xf32>, %n: tensor<i64>, %o: tensor<f32>) -> tensor<*xi64> {
  // expected-error@+1 {{'graph.non_max_suppression' op more rows than fit in 64 bits}}
  %0 = graph.non_max_suppression %b, %s, %n, %o, %o {most = 6 : i64} : (tensor<4611686018427387904x6x4xf32>, tensor<4611686018427387904x2x6xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<*xi64>
  return %0 : tensor<*xi64>
}

// -----

// expected-error@+2 {{2 sizes for a result of type tensor<3xi64>}}
func.func @sizes() -> tensor<3xi64> {
  %0 = graph.sizes ["a", "2*b"] : tensor<3xi64>
  return %0 : tensor<3xi64>
}

// -----

func.func @elements_of_concat(%a: tensor<2xf32>, %b: tensor<2xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{'graph.concat' op operands have elements of types f32 and i64}}
  %0 = graph.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @elements_of_matmul(%a: tensor<2x2xf32>, %b: tensor<2x2xf64>) -> tensor<2x2xf32> {
  // expected-error@+1 {{'graph.matmul' op operands have elements of types f32 and f64}}
  %0 = graph.matmul %a, %b : (tensor<2x2xf32>, tensor<2x2xf64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @elements_of_gemm(%a: tensor<2x2xf32>, %b: tensor<2x2xf64>) -> tensor<2x2xf32> {
  // expected-error@+1 {{'graph.gemm' op operands have elements of types f32 and f64}}
  %0 = graph.gemm %a, %b : (tensor<2x2xf32>, tensor<2x2xf64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @too_many(%x: tensor<?x4611686018427387904xf32>, %y: tensor<4x1x1xf32>) -> tensor<4x?x4611686018427387904xf32> {
  // expected-error@+1 {{'graph.add' op is not supported: the result has more elements than fit in 64 bits}}
  %0 = graph.add %x, %y : (tensor<?x4611686018427387904xf32>, tensor<4x1x1xf32>) -> tensor<4x?x4611686018427387904xf32>
  return %0 : tensor<4x?x4611686018427387904xf32>
}

// -----

func.func @no_room(%x: tensor<?x8xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{'graph.grow' op 'start_sizes' and 'sizes' say nothing of axis 0}}
  %0 = graph.grow %x {axis = 0 : i64, sizes = [""], start_sizes = ["past"]} : (tensor<?x8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
