// RUN: mlc-opt %s --canonicalize | FileCheck %s
func.func private @at(f32)
// Cases that do as the default does go; blocks that only branch on are passed through.
// CHECK-LABEL: func.func @cases
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^[[A:.*]](%arg1 : f32),
// CHECK-NEXT: 2: ^[[A]](%arg2 : f32)
// CHECK-NEXT: ]
func.func @cases(%f: i32, %x: f32, %y: f32) {
  cf.switch %f : i32, [default: ^a(%x : f32), 1: ^a(%x : f32), 2: ^b(%y, %x : f32, f32)]
^a(%p: f32):
  call @at(%p) : (f32) -> ()
  return
^b(%q: f32, %r: f32):
  cf.br ^a(%q : f32)
}
// A switch behind a switch on the same flag knows what it can be.
// CHECK-LABEL: func.func @again
// CHECK: ^[[A:.*]]:
// CHECK-NEXT: call @at(%arg1)
// CHECK-NEXT: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^[[END:.*]],
// CHECK-NEXT: 3: ^
// CHECK-NEXT: ]
// CHECK: ^{{.*}}:
// CHECK-NEXT: call @at(%arg2)
// CHECK-NEXT: cf.br ^[[END]]
func.func @again(%f: i32, %x: f32, %y: f32) {
  cf.switch %f : i32, [default: ^a, 1: ^b]
^a:
  call @at(%x) : (f32) -> ()
  cf.switch %f : i32, [default: ^end, 1: ^c, 3: ^c]
^b:
  call @at(%y) : (f32) -> ()
  cf.switch %f : i32, [default: ^c, 1: ^end]
^c:
  call @at(%y) : (f32) -> ()
  return
^end:
  return
}
