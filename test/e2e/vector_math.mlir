// What vector_math.c checks: each function of one or two numbers, in the order of its table.
func.func @main(%x: tensor<65536xf32>, %y: tensor<65536xf32>)
    -> (tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>,
        tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>,
        tensor<65536xf32>) {
  %exp = graph.exp %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %log = graph.log %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %tanh = graph.tanh %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %erf = graph.erf %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %sigmoid = graph.sigmoid %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %softplus = graph.softplus %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %gelu = graph.gelu %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %gelu_tanh = graph.gelu_tanh %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %sin = graph.sin %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %cos = graph.cos %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %pow = graph.pow %x, %y : (tensor<65536xf32>, tensor<65536xf32>) -> tensor<65536xf32>
  %elu = graph.elu %x : (tensor<65536xf32>) -> tensor<65536xf32>
  %selu = graph.selu %x : (tensor<65536xf32>) -> tensor<65536xf32>
  return %exp, %log, %tanh, %erf, %sigmoid, %softplus, %gelu, %gelu_tanh, %sin, %cos, %pow, %elu, %selu
      : tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>,
        tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>,
        tensor<65536xf32>
}
