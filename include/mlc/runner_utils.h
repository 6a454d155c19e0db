// runner_utils.h -- functions that programs in text declare and call: they print numbers and
// buffers, read clocks, copy buffers of any layout.
//
// They have the names, the types and the output of MLIR's runner libraries, so a program that
// declares `func.func private @printI64(i64)` runs as it does there. `mlc run -e` finds them by
// itself; mlc-cpu-runner and compiled programs load libmlc_runner_utils.
//
// A memref of unknown rank comes as a rank and the address of its descriptor (printMemrefF32), or
// behind one pointer as `llvm.emit_c_interface` passes it (_mlir_ciface_printMemrefF32). The
// library needs libc alone. Functions write to stdout.
//
// Ownership: buffers are the program's; nothing is kept.
// Threads: any.
#ifndef MLC_RUNNER_UTILS_H
#define MLC_RUNNER_UTILS_H

#include <stdint.h>

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// What a memref's descriptor begins with; behind it lie as many sizes and strides as it has
// dimensions. They and the offset count elements.
typedef struct MlcRunnerMemref {
    void *allocated, *aligned;
    int64_t offset;
} MlcRunnerMemref;

typedef struct MlcRunnerUnranked {
    int64_t rank;
    MlcRunnerMemref *memref;
} MlcRunnerUnranked;

// What vector.print and programs print numbers with; floats as %g prints them. printF16 and
// printBF16 take the number's bits.
MLC_API void printI64(int64_t value);
MLC_API void printU64(uint64_t value);
MLC_API void printF32(float value);
MLC_API void printF64(double value);
MLC_API void printF16(uint16_t bits);
MLC_API void printBF16(uint16_t bits);
MLC_API void printString(const char *text);
MLC_API void printOpen(void);    // "( "
MLC_API void printClose(void);   // " )"
MLC_API void printComma(void);   // ", "
MLC_API void printNewline(void); // and what was printed goes out

// A buffer's shape, or its shape and elements in brackets.
#define MLC_RUNNER_PRINT(kind)                                                                     \
    MLC_API void printMemref##kind(int64_t rank, void *descriptor);                                \
    MLC_API void _mlir_ciface_printMemref##kind(MlcRunnerUnranked *memref);                        \
    MLC_API void _mlir_ciface_printMemrefShape##kind(MlcRunnerUnranked *memref);
MLC_RUNNER_PRINT(I8)
MLC_RUNNER_PRINT(I16)
MLC_RUNNER_PRINT(I32)
MLC_RUNNER_PRINT(I64)
MLC_RUNNER_PRINT(Ind)
MLC_RUNNER_PRINT(F16)
MLC_RUNNER_PRINT(BF16)
MLC_RUNNER_PRINT(F32)
MLC_RUNNER_PRINT(F64)
MLC_RUNNER_PRINT(C32)
MLC_RUNNER_PRINT(C64)

// How many elements differ, told on stderr; -1 if shapes do. Floats may differ by 1e-7 of the
// expected value.
#define MLC_RUNNER_VERIFY(kind)                                                                    \
    MLC_API int64_t verifyMemRef##kind(int64_t rank, void *actual, void *expected);                \
    MLC_API int64_t _mlir_ciface_verifyMemRef##kind(MlcRunnerUnranked *actual,                     \
                                                    MlcRunnerUnranked *expected);
MLC_RUNNER_VERIFY(I8)
MLC_RUNNER_VERIFY(I16)
MLC_RUNNER_VERIFY(I32)
MLC_RUNNER_VERIFY(I64)
MLC_RUNNER_VERIFY(Ind)
MLC_RUNNER_VERIFY(F16)
MLC_RUNNER_VERIFY(BF16)
MLC_RUNNER_VERIFY(F32)
MLC_RUNNER_VERIFY(F64)
MLC_RUNNER_VERIFY(C32)
MLC_RUNNER_VERIFY(C64)

// Elements of `element_bytes` each from one buffer to another of the same shape, whatever their
// strides: what memref.copy calls where a memcpy would not do.
MLC_API void memrefCopy(int64_t element_bytes, MlcRunnerUnranked *from, MlcRunnerUnranked *to);

MLC_API void *mlirAlloc(uint64_t bytes);
MLC_API void *mlirAlignedAlloc(uint64_t alignment, uint64_t bytes);
MLC_API void mlirFree(void *memory);
MLC_API void mlirAlignedFree(void *memory);

MLC_API double rtclock(void); // seconds since some moment, of the wall clock
MLC_API int64_t _mlir_ciface_nanoTime(void);
MLC_API void printFlops(double flops); // of a second: "2.000000 GFLOPS", on stderr

// Random numbers of a generator (rtdrand frees it): the same for a seed, on any machine. rtrand
// gives integers from 0 to `most`.
MLC_API void *rtsrand(uint64_t seed);
MLC_API uint64_t rtrand(void *generator, uint64_t most);
MLC_API void rtdrand(void *generator);

MLC_END_DECLS

#endif
