"""Kernels for AMD: what gpu-module-to-binary writes is assembled and linked to a code object, whose notes tell of spills.

    python amdgcn.py --bin build/release/bin

Without llvm-mc, ld.lld or llvm-readobj of LLVM 19 nothing is tested but that there is assembly.
"""
import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from harness import call

# A product of a wave, a reduction of a block through lanes and LDS, sizes from hidden arguments.
TEXT = """
module attributes {gpu.container_module} {
  gpu.module @m [#rocdl.target<chip = "CHIP">] {
    gpu.func @reduce(%in: memref<1024xf32>, %out: memref<1024xf32>, %n: index)
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %i = gpu.global_id x
      %g = gpu.grid_dim x
      %at = arith.remui %i, %n : index
      %v = memref.load %in[%at] : memref<1024xf32>
      %k = arith.remui %g, %n : index
      %w = memref.load %in[%k] : memref<1024xf32>
      %both = arith.addf %v, %w : f32
      %r = gpu.all_reduce add %both uniform {} : (f32) -> f32
      memref.store %r, %out[%i] : memref<1024xf32>
      gpu.return
    }
    llvm.func @product(%to: !llvm.ptr<1>, %a: vector<4xi16>, %c: vector<4xf32>) attributes {rocdl.kernel} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %d = rocdl.mfma.f32.16x16x16bf16.1k %a, %a, %c, %zero, %zero, %zero : (vector<4xi16>, vector<4xi16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
      llvm.store %d, %to : vector<4xf32>, !llvm.ptr<1>
      llvm.return
    }
  }
}
"""


def run(*command):
    result = call(*command)
    assert result.code == 0, result.err
    return result.out


def assembly_of(text):
    body = re.search(r'assembly = "(.*?)(?<!\\)"', text, re.S)[1]
    return re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), body).replace("\\\\", "\\")


def check(args, folder, chip):
    module, source, made, linked = (Path(folder) / name for name in ("m.mlir", "m.s", "m.o", "m.hsaco"))
    module.write_text(TEXT.replace("CHIP", chip))
    text = assembly_of(run(args.bin / "mlc-opt", module, f"--convert-gpu-to-rocdl=chipset={chip}", "--gpu-module-to-binary"))
    for word in ("ds_bpermute_b32", "s_barrier", "v_mfma_f32_16x16x16", ".amdhsa_kernel reduce"):
        assert word in text, f"{chip}: no {word}"
    tools = [shutil.which(name) for name in ("llvm-mc-19", "ld.lld-19", "llvm-readobj-19")]
    if not all(tools):
        return False
    source.write_text(text)
    run(tools[0], "-triple=amdgcn-amd-amdhsa", f"-mcpu={chip}", "-filetype=obj", source, "-o", made)
    run(tools[1], "-shared", made, "-o", linked)
    notes = run(tools[2], "--notes", linked)
    spills = re.findall(r"\.[sv]gpr_spill_count: +(\d+)", notes)
    assert len(spills) == 4 and set(spills) == {"0"}, f"{chip}: spills {spills}"
    assert re.findall(r"\.group_segment_fixed_size: +(\d+)", notes) == ["128", "0"], notes
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        linked = [check(args, folder, chip) for chip in ("gfx90a", "gfx942")]
    print("2 chips" if all(linked) else "2 chips, not linked: llvm-mc-19, ld.lld-19 or llvm-readobj-19 is not there")


if __name__ == "__main__":
    sys.exit(main())
