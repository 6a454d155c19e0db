func.func @main(%x: tensor<2x3xf32>, %n: index, %angle: f64)
    -> (tensor<2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, f32, f64) {
  %sums = sheet.sum_rows %x : tensor<2x3xf32> -> tensor<2xf32>
  %squares = sheet.map %x : tensor<2x3xf32> {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    sheet.give %s : f32
  }
  %halves = sheet.map %squares : tensor<2x3xf32> {
  ^bb0(%a: f32):
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %a, %half : f32
    sheet.give %h : f32
  }
  %turned = sheet.turn %halves : tensor<2x3xf32> -> tensor<3x2xf32>
  %two = arith.constant 2.0 : f32
  %p = sheet.power %two, %n : f32
  %c = sheet.cosine %angle
  %d = sheet.cosine %c
  return %sums, %turned, %halves, %p, %d : tensor<2xf32>, tensor<3x2xf32>, tensor<2x3xf32>, f32, f64
}
