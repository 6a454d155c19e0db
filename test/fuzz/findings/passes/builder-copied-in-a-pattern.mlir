func.func @f(%a: tensor<?xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %a into %t[1] [%c2] [1] : tensor<?xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}
