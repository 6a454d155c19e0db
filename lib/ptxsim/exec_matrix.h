// exec_matrix.h -- matrix instructions of a warp, and those of a warpgroup, which go on by
// themselves.
#ifndef MLC_LIB_PTXSIM_EXEC_MATRIX_H
#define MLC_LIB_PTXSIM_EXEC_MATRIX_H

#include "race.h"

enum { MATRIX_TRANSPOSED = 1, MATRIX_SATURATED = 2, MATRIX_NEGATE_A = 4, MATRIX_NEGATE_B = 8 };
enum { MAX_COLUMNS = 256, MAX_DEPTH = 64 };

// mma: d, a, b, c are lists; in->type of d and c, in->from of a, in->variant of b; in->shape is k.
Step ptx_mma(Warp *w, const Inst *in, uint32_t mask);
// A list of 1, 2 or 4 registers, and an address; in->flags: transposed.
Step ptx_load_matrix(Warp *w, const Inst *in, uint32_t mask);
Step ptx_store_matrix(Warp *w, const Inst *in, uint32_t mask);

// wmma: fragments are lists; in->shape is a row of ptx_wmma_shapes, in->type of what is loaded or
// stored, and of d; in->from of a and b. Loads and stores: in->variant says which fragment, address
// and stride (in elements) are operands 1 and 2, in->flags: transposed.
typedef enum WmmaFragment { WMMA_A, WMMA_B, WMMA_C } WmmaFragment;
extern const uint8_t ptx_wmma_shapes[4][3]; // rows, columns, depth
Step ptx_wmma_load(Warp *w, const Inst *in, uint32_t mask);
Step ptx_wmma_store(Warp *w, const Inst *in, uint32_t mask);
Step ptx_wmma_mma(Warp *w, const Inst *in, uint32_t mask);
// Registers of a fragment of that type.
unsigned ptx_wmma_registers(WmmaFragment fragment, unsigned shape, PtxType type);

// wgmma: d, a (a list, or a descriptor), b (a descriptor), scale-d. in->shape is n, in->flags what
// is negated, in->vector 1 | transposed a << 1 | transposed b << 2.
Step ptx_wgmma(Warp *w, const Inst *in, uint32_t mask);
Step ptx_wgmma_fence(Warp *w, const Inst *in, uint32_t mask);
Step ptx_wgmma_commit(Warp *w, const Inst *in, uint32_t mask);
Step ptx_wgmma_wait(Warp *w, const Inst *in, uint32_t mask);
void ptx_release_matrices(Warp *w);

#endif
