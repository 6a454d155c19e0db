gpu.binary @a #gpu.object<, "x">
