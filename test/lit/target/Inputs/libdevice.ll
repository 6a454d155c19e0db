define float @__nv_sinf(float %x) {
  ret float %x
}

define float @__nv_expf(float %x) {
  ret float %x
}
