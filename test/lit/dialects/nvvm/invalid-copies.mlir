// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Copies, fragments, barriers and attributes of functions.

func.func @pair(%m: i32, %v: i32) {
  // expected-error@+1 {{expected return type to be a two-element struct with i1 as the second element}}
  %0 = "nvvm.shfl.sync"(%m, %v, %m, %m) <{kind = #nvvm<shfl_kind bfly>, return_value_and_is_valid}> : (i32, i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}

// -----

func.func @cache(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>) {
  // expected-error@+1 {{Only CG and CA cache modifiers are supported.}}
  nvvm.cp.async.shared.global %to, %from, 16, cache = cs : !llvm.ptr<3>, !llvm.ptr<1>
  return
}

// -----

func.func @bypass(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>) {
  // expected-error@+1 {{CG cache modifier is only support for 16 bytes copy.}}
  nvvm.cp.async.shared.global %to, %from, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  return
}

// -----

func.func @no_coordinates(%to: !llvm.ptr<3>, %d: !llvm.ptr, %b: !llvm.ptr<3>) {
  // expected-error@+1 {{expects coordinates between 1 to 5 dimension}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %d, %b, box[] : !llvm.ptr<3>, !llvm.ptr
  return
}

// -----

func.func @flat(%to: !llvm.ptr<3>, %d: !llvm.ptr, %b: !llvm.ptr<3>, %c: i32, %o: i16) {
  // expected-error@+1 {{to use im2col mode, the tensor has to be at least 3-dimensional}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %d, %b, box[%c, %c] im2col[%o] : !llvm.ptr<3>, !llvm.ptr
  return
}

// -----

func.func @offsets(%to: !llvm.ptr<3>, %d: !llvm.ptr, %b: !llvm.ptr<3>, %c: i32, %o: i16) {
  // expected-error@+1 {{im2col offsets must be 2 less than number of coordinates}}
  nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %d, %b, box[%c, %c, %c, %c] im2col[%o] : !llvm.ptr<3>, !llvm.ptr
  return
}

// -----

func.func @many(%d: !llvm.ptr, %from: !llvm.ptr<3>, %c: i32) {
  // expected-error@+1 {{Maximum 5 coordinates and dimension is supported.}}
  "nvvm.cp.async.bulk.tensor.global.shared.cta"(%d, %from, %c, %c, %c, %c, %c, %c) <{operandSegmentSizes = array<i32: 1, 1, 6, 0>}> : (!llvm.ptr, !llvm.ptr<3>, i32, i32, i32, i32, i32, i32) -> ()
  return
}

// -----

func.func @three(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected num attribute to be 1, 2 or 4}}
  %0 = nvvm.ldmatrix %p {num = 3 : i32, layout = #nvvm.mma_layout<row>} : (!llvm.ptr<3>) -> i32
  return
}

// -----

func.func @one(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected destination type is i32}}
  %0 = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>} : (!llvm.ptr<3>) -> !llvm.struct<(i32)>
  return
}

// -----

func.func @four(%p: !llvm.ptr<3>) {
  // expected-error@+1 {{'nvvm.ldmatrix' op expected destination type is a structure of 4 elements of type i32}}
  %0 = nvvm.ldmatrix %p {num = 4 : i32, layout = #nvvm.mma_layout<row>} : (!llvm.ptr<3>) -> i32
  return
}

// -----

func.func @three(%p: !llvm.ptr<3>, %r: i32) {
  // expected-error@+1 {{'nvvm.stmatrix' op expected num attribute to be 1, 2 or 4}}
  nvvm.stmatrix %p, %r, %r, %r {layout = #nvvm.mma_layout<row>} : !llvm.ptr<3>, i32, i32, i32
  return
}

// -----

func.func @threads(%n: i32) {
  // expected-error@+1 {{'nvvm.barrier' op barrier id is missing, it should be set between 0 to 15}}
  nvvm.barrier number_of_threads = %n
  return
}

// -----

func.func @registers() {
  // expected-error@+1 {{'nvvm.setmaxregister' op new register size must be multiple of 8}}
  nvvm.setmaxregister increase 51
  return
}

// -----

func.func @fence() {
  // expected-error@+1 {{'nvvm.fence.proxy' op async_shared fence requires space attribute}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>}
  return
}

// -----

func.func @space() {
  // expected-error@+1 {{'nvvm.fence.proxy' op only async_shared fence can have space attribute}}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>, space = #nvvm.shared_space<cluster>}
  return
}

// -----

// expected-error@+1 {{'"nvvm.maxntid"' attribute must be integer array with maximum 3 index}}
llvm.func @block() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2, 3, 4>} {
  llvm.return
}

// -----

// expected-error@+1 {{'"nvvm.reqntid"' attribute must be integer array with maximum 3 index}}
llvm.func @block() attributes {nvvm.kernel, nvvm.reqntid = 1 : i32} {
  llvm.return
}

// -----

// expected-error@+1 {{'"nvvm.minctasm"' attribute must be integer constant}}
llvm.func @count() attributes {nvvm.kernel, nvvm.minctasm = "four"} {
  llvm.return
}
