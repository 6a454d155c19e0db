// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// Vector ops and intrinsics, with the types they are overloaded by and attributes as arguments.
// CHECK-LABEL: define float @lanes(
llvm.func @lanes(%a: vector<4xf32>, %p: !llvm.ptr, %m: vector<4xi1>, %n: i64) -> f32 {
  %zero = llvm.mlir.constant(0 : i32) : i32
  // CHECK: extractelement <4 x float> %0, i32 0
  %first = llvm.extractelement %a[%zero : i32] : vector<4xf32>
  // CHECK: insertelement <4 x float> %0, float %{{.*}}, i32 0
  %b = llvm.insertelement %first, %a[%zero : i32] : vector<4xf32>
  // CHECK: shufflevector <4 x float> %{{.*}}, <4 x float> %0, <4 x i32> zeroinitializer
  %broadcast = llvm.shufflevector %b, %a [0, 0, 0, 0] : vector<4xf32>
  // CHECK: call <4 x float> @llvm.masked.load.v4f32.p0(ptr %1, i32 4, <4 x i1> %2, <4 x float> %0)
  %tail = llvm.intr.masked.load %p, %m, %a {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  // CHECK: call contract <4 x float> @llvm.fma.v4f32(
  %fma = llvm.intr.fma(%broadcast, %a, %tail) {fastmathFlags = #llvm.fastmath<contract>} : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: call void @llvm.masked.store.v4f32.p0(<4 x float> %{{.*}}, ptr %1, i32 4, <4 x i1> %2)
  llvm.intr.masked.store %fma, %p, %m {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  // CHECK: call <2 x float> @llvm.vector.extract.v2f32.v4f32(<4 x float> %{{.*}}, i64 2)
  %half = llvm.intr.vector.extract %fma[2] : vector<2xf32> from vector<4xf32>
  // CHECK: call <4 x float> @llvm.vector.insert.v4f32.v2f32(<4 x float> %0, <2 x float> %{{.*}}, i64 0)
  %whole = llvm.intr.vector.insert %half, %a[0] : vector<2xf32> into vector<4xf32>
  // CHECK: call <4 x float> @llvm.maximum.v4f32(
  %max = llvm.intr.maximum(%whole, %a) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  // CHECK: call reassoc float @llvm.vector.reduce.fadd.v4f32(float %{{.*}}, <4 x float> %{{.*}})
  %sum = "llvm.intr.vector.reduce.fadd"(%first, %max) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
  // CHECK: call i64 @llvm.ctlz.i64(i64 %3, i1 true)
  %leading = "llvm.intr.ctlz"(%n) <{is_zero_poison = true}> : (i64) -> i64
  // CHECK: call <4 x i1> @llvm.get.active.lane.mask.v4i1.i64(i64 %3, i64 %{{.*}})
  %mask = llvm.intr.get.active.lane.mask %n, %leading : i64, i64 to vector<4xi1>
  llvm.return %sum : f32
}
