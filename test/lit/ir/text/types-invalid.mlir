// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Types that cannot be.
// expected-error@+1 {{invalid dimension}}
func.func private @f(tensor<4x0x4xf32>, tensor<18446744073709551616xf32>)

// -----

// expected-error@+1 {{invalid dimension}}
func.func private @f(tensor<99999999999999999999xf32>)

// -----

// expected-error@+1 {{invalid dimension}}
func.func private @f(tensor<9223372036854775808xf32>)

// -----

// expected-error@+1 {{invalid memref element type}}
func.func private @f(memref<4xnone>)

// -----

// expected-error@+1 {{multiple memory spaces specified in memref type}}
func.func private @f(memref<4xf32, 1, 2>)

// -----

// expected-error@+1 {{expected memory space to be last in memref type}}
func.func private @f(memref<4xf32, 1, affine_map<(d0) -> (d0)>>)

// -----

// expected-error@+1 {{memref layout mismatch between rank and affine map: 1 != 2}}
func.func private @f(memref<4xf32, affine_map<(d0, d1) -> (d0)>>)

// -----

// expected-error@+1 {{expected the number of strides to match the rank}}
func.func private @f(memref<4xf32, strided<[4, 1]>>)

// -----

// expected-error@+1 {{vector elements must be int/index/float type}}
func.func private @f(vector<4xtensor<4xf32>>)

// -----

// expected-error@+1 {{expected static vector dimensions}}
func.func private @f(vector<?xf32>)

// -----

// expected-error@+1 {{vector types must have positive constant sizes but got 0}}
func.func private @f(vector<0xf32>)

// -----

// expected-error@+1 {{scalable dimensions are for vectors only}}
func.func private @f(tensor<[4]xf32>)

// -----

// expected-error@+1 {{invalid tensor element type: 'none'}}
func.func private @f(tensor<4xnone>)

// -----

// expected-error@+1 {{strides must not be zero}}
func.func private @f(memref<4xf32, strided<[0]>>)

// -----

// expected-error@+1 {{invalid element type for complex}}
func.func private @f(complex<index>)

// -----

// expected-error@+1 {{unsupported memory space Attribute}}
func.func private @f(memref<4xf32, affine_set<(d0) : (d0 >= 0)>>)

// -----

// expected-error@+1 {{expected '>' in tensor type}}
func.func private @f(tensor<4xf32, 1, 2>)

// -----

// expected-error@+1 {{integer bitwidth is limited to 16777215 bits}}
func.func private @f(i99999999)

// -----

// expected-error@+1 {{unknown  type `unknown` in dialect `gpu`}}
func.func private @f(!gpu.unknown)

// -----

// expected-error@+1 {{expected '>' in vector type}}
func.func private @f(vector<4x!llvm.ptr, 1>)
