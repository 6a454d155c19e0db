// main.c -- mlc-opt: reads IR, runs passes, prints IR; with mlir-opt's spellings of flags.
//
//   mlc-opt file.mlir --canonicalize --cse
//   mlc-opt file.mlir --pass-pipeline='builtin.module(func.func(cse))' -split-input-file
//   mlc-opt file.mlir --interpret --entry f --input 'dense<1.0> : tensor<4xf32>' --input x.npy
#include "mlc/opt.h"

int
main(int argc, char **argv)
{
    MlcOptSetup setup = {MLC_SIZED(MlcOptSetup), .name = "mlc-opt"};
    return mlc_opt_main(argc, argv, &setup);
}
