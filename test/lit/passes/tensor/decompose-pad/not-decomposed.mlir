// RUN: mlc-opt %s --decompose-pad --verify-diagnostics -o /dev/null
func.func @by_position(%x: tensor<4xf32>, %border: tensor<6xf32>) -> tensor<6xf32> {
  // expected-remark @below {{not decomposed: dynamic or negative, or its value depends on the position}}
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %value = tensor.extract %border[%i] : tensor<6xf32>
    tensor.yield %value : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{not decomposed: dynamic or negative, or its value depends on the position}}
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}
