// nvgpu_optimize_shared_memory.c -- permutes where elements of workgroup buffers lie, so that
// threads that go down a column do not meet in the same banks.
//
// Rows are cut into vectors of 16 bytes, and vector `v` of row `r` goes to place `v xor r`, of as
// many bits of `r` as there are vectors in a row; where several rows share a line of 128 bytes, to
// `v xor (r / rows)`. All accesses are changed alike, so nobody sees it. (MLIR's pass of this name;
// Triton's and CUTLASS's swizzles are of this kind.)
// A buffer is left alone unless all that uses it is known, rows are a power of two of elements, and
// vectors that are read or written at once are at most 16 bytes, which may not lie across two.
#include "mlc/pass.h"

#include "mlc/ir.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/nvgpu.h"
#include "mlc/dialects/vector.h"
#include "mlc/support/powers.h"

enum { LINE_BYTES = 128, VECTOR_BITS = 128, SHARED = 3 };

// An access: where its indices stand among the operands.
typedef struct Access {
    MlcOp *op;
    size_t last_index; // operand
    bool is_write;
} Access;
typedef MLC_VEC(Access) AccessVec;

static bool
is_workgroup(MlcType type)
{
    MlcAttr space = mlc_memref_type_memory_space(type);
    int64_t number;
    if (!space)
        return false;
    if (mlc_attr_isa(space, "gpu.address_space"))
        return mlc_enum_attr_value(space) == MLC_GPU_ADDRESS_SPACE_WORKGROUP;
    return mlc_attr_try_as_int(space, &number) && number == SHARED;
}

// Which operand groups of an op are a buffer's and its indices; false: it is no such access.
static bool
groups_of(MlcOp *op, MlcUse *use, size_t *indices, bool *is_write, int64_t *bits)
{
    size_t memref, first, count;
    MlcType type = mlc_value_type(mlc_use_value(use)), element = mlc_type_element(type);
    int64_t element_bits = mlc_type_bit_width(element);
    *bits = element_bits;
    if (mlc_memref_load_isa(op) || mlc_vector_load_isa(op)) {
        memref = 0, *indices = 1, *is_write = false;
        *bits = mlc_type_bit_width(mlc_type_element(mlc_op_result_type(op, 0))) *
                (mlc_vector_load_isa(op) ? mlc_type_num_elements(mlc_op_result_type(op, 0)) : 1);
    } else if (mlc_memref_store_isa(op) || mlc_vector_store_isa(op)) {
        memref = 1, *indices = 2, *is_write = true;
        MlcType stored = mlc_op_operand_type(op, 0);
        *bits = element_bits * (mlc_vector_store_isa(op) ? mlc_type_num_elements(stored) : 1);
    } else if (mlc_nvgpu_ldmatrix_isa(op)) {
        memref = 0, *indices = 1, *is_write = false; // rows of 16 bytes
    } else if (mlc_nvgpu_device_async_copy_isa(op)) {
        memref = 0, *indices = 1, *is_write = true;
        *bits = element_bits * mlc_nvgpu_device_async_copy_dst_elements(op);
    } else {
        return false;
    }
    mlc_op_operand_group(op, memref, &first, &count);
    return mlc_use_index(use) == first;
}

// All accesses of the buffer; false if something else uses it.
static bool
find_accesses(MlcValue *buffer, AccessVec *accesses)
{
    MLC_FOR_EACH_USE (use, buffer) {
        MlcOp *op = mlc_use_owner(use);
        size_t indices, first, count;
        bool is_write;
        int64_t bits;
        if (mlc_memref_dealloc_isa(op))
            continue;
        if (!groups_of(op, use, &indices, &is_write, &bits) || bits > VECTOR_BITS)
            return false;
        mlc_op_operand_group(op, indices, &first, &count);
        mlc_vec_push(accesses, ((Access){op, first + count - 1, is_write}));
    }
    bool has_read = false, has_write = false;
    for (size_t i = 0; i < accesses->size; i++) {
        has_read = has_read || !accesses->data[i].is_write;
        has_write = has_write || accesses->data[i].is_write;
    }
    return has_read && has_write;
}

// Whether there is something to gain: eight rows do not fit into a line. Sizes are in elements.
static bool
is_worth_it(MlcType type)
{
    size_t rank = mlc_type_rank(type);
    MlcType element = mlc_type_element(type);
    if (rank < 2 || mlc_memref_type_layout(type) || !mlc_type_has_static_shape(type) ||
        !(mlc_type_is_float(element) || mlc_type_is(element, MLC_TYPE_INTEGER)))
        return false;
    int64_t bits = mlc_type_bit_width(element), row = mlc_type_dim(type, rank - 1);
    int64_t together = LINE_BYTES / (VECTOR_BITS / 8);
    return mlc_is_power_of_two(bits) && mlc_is_power_of_two(row) && bits >= 8 &&
           row > VECTOR_BITS / bits && 8 * LINE_BYTES / bits / row < together;
}

static void
permute(const Access *access, MlcType type)
{
    size_t rank = mlc_type_rank(type);
    int64_t bits = mlc_type_bit_width(mlc_type_element(type)), row = mlc_type_dim(type, rank - 1);
    int64_t every = LINE_BYTES / (row * bits / 8); // rows that lie in one line
    int n = (int)mlc_log2(VECTOR_BITS / bits), m = (int)mlc_log2(row), k = 0;
    if (every > 1)
        k = (int)mlc_log2(every);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(access->op));
    mlc_builder_before(&b, access->op);
    MlcValue *r = mlc_op_operand(access->op, access->last_index - 1),
             *column = mlc_op_operand(access->op, access->last_index);
    int64_t mask = ((INT64_C(1) << (m - n)) - 1) << k;
    MlcValue *of_row = mlc_arith_andi(&b, r, mlc_build_index(&b, mask));
    if (n > k)
        of_row = mlc_arith_shli(&b, of_row, mlc_build_index(&b, n - k));
    else if (n < k)
        of_row = mlc_arith_shrui(&b, of_row, mlc_build_index(&b, k - n));
    mlc_op_set_operand(access->op, access->last_index, mlc_arith_xori(&b, column, of_row));
}

static void
optimize(MlcValue *buffer)
{
    MlcType type = mlc_value_type(buffer);
    AccessVec accesses = {0};
    if (is_workgroup(type) && is_worth_it(type) && find_accesses(buffer, &accesses))
        for (size_t i = 0; i < accesses.size; i++)
            permute(&accesses.data[i], type);
    mlc_vec_release(&accesses);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    (void)pass;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_memref_alloc_isa(op))
            optimize(mlc_op_result(op, 0));
    return true;
}

static const char *const dialects[] = {"arith", NULL};

MLC_PASS(nvgpu_optimize_shared_memory, .flag = "nvgpu-optimize-shared-memory",
         .summary = "Permute elements of workgroup buffers against bank conflicts",
         .dependent_dialects = dialects, .run = run)
