// Square roots by Heron's method, element by element, then a product.
!wide = !grid.matrix<2 x 3 x f32>
!high = !grid.matrix<3 x 2 x f32>
!square = !grid.matrix<2 x 2 x f32>

func.func @main() -> !square {
  %a = grid.fill 2.0 : f32 : !wide
  %n = arith.constant 5 : index
  %root = grid.repeat %n times %a : !wide {
  ^step(%x: !wide):
    %y = grid.map %x, %a : !wide, !wide -> !wide {
    ^element(%r: f32, %e: f32):
      %half = arith.constant 0.5 : f32
      %q = arith.divf %e, %r : f32
      %s = arith.addf %r, %q : f32
      %t = arith.mulf %s, %half : f32
      grid.yield %t : f32
    }
    grid.yield %y : !wide
  }
  %ones = grid.fill 1.0 : f32 : !high
  %p = grid.product %root, %ones : !wide, !high -> !square
  %same = grid.scale %p by 1.0 : f32 : !square
  %zero = grid.fill 0.0 : f32 : !square
  %r = grid.pick larger %same, %zero : !square
  return %r : !square
}
