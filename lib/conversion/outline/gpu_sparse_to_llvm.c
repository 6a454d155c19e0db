// gpu_sparse_to_llvm.c -- products of sparse matrices as calls of the `mgpu*` library: a row an op.
//
// Types and modes are numbers as cuSPARSE has them. Matrices of which two of every four elements
// are kept (2:4) are structs of another library, cuSPARSELt, in memory that the caller has.
#include "gpu_host_calls.h"

#include "mlc/dialects/gpu.h"

bool
gpu_host_stream(MlcConversion *c, MlcOp *op, MlcValue *const *operands, MlcValue **stream)
{
    size_t first, count, n = mlc_op_num_results(op);
    mlc_op_operand_group(op, 0, &first, &count);
    if (n == 0 || !mlc_type_isa(mlc_op_result_type(op, n - 1), "gpu.async.token"))
        return mlc_conversion_no_match(c, op, "it makes no token: gpu-async-region comes first");
    if (count != 1)
        return mlc_conversion_no_match(c, op, "it must wait for one token, and has %zu", count);
    *stream = operands[first];
    return true;
}

MlcOp *
gpu_host_call(MlcConversion *c, MlcOp *op, const char *name, MlcType result, MlcValue *const *args,
              size_t num_args)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcTypeVec types = {0};
    for (size_t i = 0; i < num_args; i++)
        mlc_vec_push(&types, mlc_value_type(args[i]));
    bool ok = llvm_declare(c, op, name, llvm_function_type(b->ctx, result, types.data, types.size));
    mlc_vec_release(&types);
    return ok ? llvm_call_function(b, name, result, args, num_args) : NULL;
}

MlcValue *
gpu_host_pointer(MlcBuilder *b, MlcValue *pointer)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    return mlc_value_type(pointer) == ptr ? pointer : mlc_llvm_addrspacecast(b, ptr, pointer);
}

// --- numbers of types

static int64_t
index_code(MlcType type)
{
    enum { UNSIGNED_16 = 1, SIGNED_32 = 2, SIGNED_64 = 3 };
    return mlc_type_is_integer(type, 16)   ? UNSIGNED_16
           : mlc_type_is_integer(type, 32) ? SIGNED_32
                                           : SIGNED_64;
}

// cudaDataType_t; -1: it has none.
static int64_t
data_code(MlcType type)
{
    enum { F32 = 0, F64 = 1, F16 = 2, I8 = 3, I32 = 10, BF16 = 14, I16 = 20 };
    if (mlc_type_is(type, MLC_TYPE_COMPLEX)) {
        int64_t part = data_code(mlc_type_element(type));
        return part < 0 ? -1 : part == F32 || part == F64 || part <= I8 ? part + 4 : part + 1;
    }
    if (mlc_type_is_float(type))
        switch (mlc_float_type_kind(type)) {
        case MLC_FLOAT_F32:
            return F32;
        case MLC_FLOAT_F64:
            return F64;
        case MLC_FLOAT_F16:
            return F16;
        case MLC_FLOAT_BF16:
            return BF16;
        default:
            return -1;
        }
    return mlc_type_is_integer(type, 8)    ? I8
           : mlc_type_is_integer(type, 16) ? I16
           : mlc_type_is_integer(type, 32) ? I32
                                           : -1;
}

static MlcValue *
number(MlcBuilder *b, int64_t value)
{
    return llvm_constant(b, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS), value);
}

// --- rows

// Arguments, one after the other: a digit is that operand group's value, `*` and a digit the
// address of its buffer, `i` and `d` and a digit the number of its elements' type as an index and
// as data; `A`, `B`: how a matrix is read; `c`: the type that products are added in; `s`: the
// stream.
typedef struct Row {
    const char *function, *args;
    enum { NOTHING, HANDLE, SIZE } result;
} Row;

static MlcValue *
group_value(MlcOp *op, MlcValue *const *operands, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return operands[first];
}

static MlcType
group_type(MlcOp *op, size_t group)
{
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    return mlc_op_operand_type(op, first);
}

static MlcValue *
aligned_pointer(MlcConversion *c, MlcType type, MlcValue *memref)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    LlvmMemref m;
    llvm_memref_read(&m, c, type, memref);
    return gpu_host_pointer(b, llvm_memref_aligned(b, &m));
}

// The value of an argument; NULL: a type has no number.
static MlcValue *
argument(MlcConversion *c, MlcOp *op, MlcValue *const *operands, MlcValue *stream, char kind,
         size_t group)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    int64_t code = -1;
    switch (kind) {
    case 's':
        return stream;
    case 'A':
    case 'B':
        return number(b, mlc_enum_attr_value(mlc_op_attr(op, kind == 'A' ? "modeA" : "modeB")));
    case 'c':
        code = data_code(mlc_type_attr_value(mlc_op_attr(op, "computeType")));
        break;
    case 'd':
        code = data_code(mlc_type_element(group_type(op, group)));
        break;
    case 'i':
        code = index_code(mlc_type_element(group_type(op, group)));
        break;
    case '*':
        return aligned_pointer(c, group_type(op, group), group_value(op, operands, group));
    default:
        return group_value(op, operands, group);
    }
    if (code >= 0)
        return number(b, code);
    mlc_conversion_no_match(c, op, "the library has no such type of elements");
    return NULL;
}

// The call, before what was there; false: a reason was given.
static bool
build_call(MlcConversion *c, MlcOp *op, MlcValue *const *operands, const Row *row, MlcOp **call)
{
    enum { MAX_ARGS = 12 };
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *args[MAX_ARGS], *stream;
    size_t n = 0;
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    for (const char *at = row->args; *at; at++) {
        bool is_plain = *at >= '0' && *at <= '9';
        char kind = is_plain ? '0' : *at;
        if (kind == '*' || kind == 'i' || kind == 'd')
            at++;
        args[n] = argument(c, op, operands, stream, kind, (size_t)(*at - '0'));
        if (!args[n++])
            return false;
    }
    MlcType results[] = {[NOTHING] = NULL,
                         [HANDLE] = llvm_ptr(b->ctx, 0),
                         [SIZE] = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS)};
    *call = gpu_host_call(c, op, row->function, results[row->result], args, n);
    return *call != NULL;
}

static bool
lower_row(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    const Row *row = user;
    MlcOp *call;
    MlcValue *results[2];
    if (!build_call(c, op, operands, row, &call))
        return false;
    size_t n = 0;
    if (row->result != NOTHING)
        results[n++] = mlc_op_result(call, 0);
    results[n++] = operands[0];
    if (n != mlc_op_num_results(op))
        return mlc_conversion_no_match(c, op, "it asks for another number of sizes");
    mlc_conversion_replace(c, op, results, n);
    return true;
}

// --- 2:4

enum { SPARSE_BYTES = 44104, DENSE_BYTES = 11032, NUM_BUFFERS = 3, STACK_ALIGNMENT = 16 };

static bool
is_2to4(MlcValue *matrix)
{
    return mlc_gpu_create_2to4_spmat_isa(mlc_value_def(matrix));
}

// Whether a dense matrix is a factor of a product with a 2:4 matrix.
static bool
is_for_2to4(MlcValue *dense)
{
    MLC_FOR_EACH_USE (use, dense) {
        MlcOp *user = mlc_use_owner(use);
        if ((mlc_gpu_spmm_isa(user) && is_2to4(mlc_gpu_spmm_spmat_a(user))) ||
            (mlc_gpu_spmm_buffer_size_isa(user) && is_2to4(mlc_gpu_spmm_buffer_size_spmat_a(user))))
            return true;
    }
    return false;
}

static MlcValue *
on_stack(MlcBuilder *b, int64_t count, MlcType type)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    MlcValue *made = mlc_llvm_alloca(b, ptr, llvm_i64(b, count), type);
    mlc_llvm_alloca_set_alignment(mlc_value_def(made), mlc_i64_attr_get(b->ctx, STACK_ALIGNMENT));
    return made;
}

static MlcValue *
place(MlcBuilder *b, MlcValue *array, int64_t i)
{
    MlcType ptr = llvm_ptr(b->ctx, 0);
    int32_t raw = INT32_MIN;
    MlcValue *index = llvm_i64(b, i);
    return i == 0 ? array : mlc_llvm_getelementptr(b, ptr, array, &index, 1, &raw, 1, ptr);
}

// A matrix in memory of the caller; `sizes`: its rows and columns.
static bool
create_in_place(MlcConversion *c, MlcOp *op, MlcValue *const *operands, const char *function,
                int64_t bytes, size_t memref, MlcValue *const *sizes)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *stream;
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    MlcValue *data = argument(c, op, operands, stream, '*', memref),
             *type = argument(c, op, operands, stream, 'd', memref);
    if (!type)
        return false;
    MlcValue *matrix = on_stack(b, bytes, mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS));
    MlcValue *args[6] = {matrix, sizes[0], sizes[1], data, type, stream};
    if (!gpu_host_call(c, op, function, NULL, args, 6))
        return false;
    mlc_conversion_replace(c, op, (MlcValue *[]){matrix, stream}, 2);
    return true;
}

static bool
lower_create_2to4(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    return create_in_place(c, op, operands, "mgpuCusparseLtCreate2To4SpMat", SPARSE_BYTES, 3,
                           operands + 1);
}

// Dense tensors of one dimension are vectors, of two matrices.
static bool
lower_create_dense(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    static const Row vector = {"mgpuCreateDnVec", "2*1d1s", HANDLE};
    size_t first, rank;
    mlc_op_operand_group(op, 2, &first, &rank);
    MlcValue *stream, *const *sizes = operands + first;
    if (rank == 1)
        return lower_row(c, op, operands, (void *)&vector);
    if (rank != 2)
        return mlc_conversion_no_match(c, op, "tensors of %zu dimensions are none", rank);
    if (is_for_2to4(mlc_op_result(op, 0)))
        return create_in_place(c, op, operands, "mgpuCreateCuSparseLtDnMat", DENSE_BYTES, 1, sizes);
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    MlcValue *args[5] = {sizes[0], sizes[1], argument(c, op, operands, stream, '*', 1),
                         argument(c, op, operands, stream, 'd', 1), stream};
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcOp *call =
        args[3] ? gpu_host_call(c, op, "mgpuCreateDnMat", llvm_ptr(b->ctx, 0), args, 5) : NULL;
    if (!call)
        return false;
    mlc_conversion_replace(c, op, (MlcValue *[]){mlc_op_result(call, 0), stream}, 2);
    return true;
}

static bool
lower_destroy(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcValue *matrix = mlc_op_operand(op, 1);
    MlcOp *def = mlc_value_def(matrix);
    Row row = {"mgpuDestroySpMat", "1s", NOTHING};
    size_t first, rank = 2;
    if (mlc_gpu_destroy_dn_tensor_isa(op)) {
        if (!mlc_gpu_create_dn_tensor_isa(def))
            return mlc_conversion_no_match(c, op, "its tensor is not created in this function");
        mlc_op_operand_group(def, 2, &first, &rank);
        row.function = is_for_2to4(matrix) ? "mgpuDestroyCuSparseLtDnMat"
                       : rank == 1         ? "mgpuDestroyDnVec"
                                           : "mgpuDestroyDnMat";
    } else if (is_2to4(matrix)) {
        row.function = "mgpuDestroyCuSparseLtSpMat";
    }
    return lower_row(c, op, operands, &row);
}

// The library's numbers for what products are added in; -1: none.
static int64_t
compute_code_2to4(MlcType type)
{
    enum { F16 = 0, I32 = 1 };
    return mlc_type_is_float(type) && mlc_float_type_kind(type) == MLC_FLOAT_F16 ? F16
           : mlc_type_is_integer(type, 32)                                       ? I32
                                                                                 : -1;
}

static bool
lower_sizes_2to4(MlcConversion *c, MlcOp *op, MlcValue *const *operands)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *stream, *results[NUM_BUFFERS + 1];
    int64_t type = compute_code_2to4(mlc_gpu_spmm_buffer_size_compute_type(op));
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    if (type < 0 || mlc_op_num_results(op) != NUM_BUFFERS + 1)
        return mlc_conversion_no_match(c, op, "2:4 products add f16 or i32, and ask for %d sizes",
                                       NUM_BUFFERS);
    MlcOp *sparse = mlc_value_def(mlc_gpu_spmm_buffer_size_spmat_a(op));
    MlcValue *sizes = on_stack(b, NUM_BUFFERS, llvm_ptr(b->ctx, 0));
    MlcValue *args[9] = {sizes,
                         argument(c, op, operands, stream, 'A', 0),
                         argument(c, op, operands, stream, 'B', 0),
                         operands[1],
                         operands[2],
                         operands[3],
                         number(b, type),
                         number(b, mlc_gpu_create_2to4_spmat_prune_flag(sparse)),
                         stream};
    if (!gpu_host_call(c, op, "mgpuCuSparseLtSpMMBufferSize", NULL, args, 9))
        return false;
    for (int64_t i = 0; i < NUM_BUFFERS; i++)
        results[i] = mlc_llvm_load(b, i64, place(b, sizes, i));
    results[NUM_BUFFERS] = stream;
    mlc_conversion_replace(c, op, results, NUM_BUFFERS + 1);
    return true;
}

static bool
lower_spmm_sizes(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    return is_2to4(mlc_gpu_spmm_buffer_size_spmat_a(op)) ? lower_sizes_2to4(c, op, operands)
                                                         : lower_row(c, op, operands, user);
}

static bool
lower_spmm(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcValue *args[NUM_BUFFERS + 4], *stream;
    size_t first, count;
    if (!is_2to4(mlc_gpu_spmm_spmat_a(op)))
        return lower_row(c, op, operands, user);
    mlc_op_operand_group(op, 4, &first, &count);
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    if (count != NUM_BUFFERS)
        return mlc_conversion_no_match(c, op, "2:4 products take %d buffers", NUM_BUFFERS);
    for (size_t i = 0; i < 3; i++)
        args[i] = operands[1 + i];
    for (size_t i = 0; i < count; i++)
        args[3 + i] = aligned_pointer(c, mlc_op_operand_type(op, first + i), operands[first + i]);
    args[3 + count] = stream;
    if (!gpu_host_call(c, op, "mgpuCuSparseLtSpMM", NULL, args, NUM_BUFFERS + 4))
        return false;
    mlc_conversion_replace(c, op, &stream, 1);
    return true;
}

// --- several results, two functions

static bool
lower_get_size(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    enum { NUM_SIZES = 3 };
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *args[NUM_SIZES + 2] = {operands[1]}, *results[NUM_SIZES + 1], *stream;
    if (!gpu_host_stream(c, op, operands, &stream))
        return false;
    MlcValue *sizes = on_stack(b, NUM_SIZES, i64);
    for (int64_t i = 0; i < NUM_SIZES; i++)
        args[1 + i] = place(b, sizes, i);
    args[NUM_SIZES + 1] = stream;
    if (!gpu_host_call(c, op, "mgpuSpMatGetSize", NULL, args, NUM_SIZES + 2))
        return false;
    for (size_t i = 0; i < NUM_SIZES; i++)
        results[i] = mlc_llvm_load(b, i64, args[1 + i]);
    results[NUM_SIZES] = stream;
    mlc_conversion_replace(c, op, results, NUM_SIZES + 1);
    return true;
}

static bool
lower_spgemm_step(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    bool is_estimate = mlc_gpu_spgemm_work_estimation_or_compute_kind(op) ==
                       MLC_GPU_SPGEMM_WORK_ESTIMATION_OR_COMPUTE_KIND_WORK_ESTIMATION;
    Row row = {is_estimate ? "mgpuSpGEMMWorkEstimation" : "mgpuSpGEMMCompute", "1AB234c5*6s", SIZE};
    return lower_row(c, op, operands, &row);
}

static const Row create_coo = {"mgpuCreateCoo", "123*4*5*6i5d6s", HANDLE},
                 create_coo_aos = {"mgpuCreateCooAoS", "123*4*5i4d5s", HANDLE},
                 create_csr = {"mgpuCreateCsr", "123*4*5*6i4i5d6s", HANDLE},
                 create_csc = {"mgpuCreateCsc", "123*4*5*6i4i5d6s", HANDLE},
                 create_bsr = {"mgpuCreateBsr", "12345*6*7*8i6i7d8s", HANDLE},
                 set_csr = {"mgpuSetCsrPointers", "1*2*3*4s", NOTHING},
                 spmv_size = {"mgpuSpMVBufferSize", "A123cs", SIZE},
                 spmv = {"mgpuSpMV", "A123c*4s", NOTHING},
                 spmm_size = {"mgpuSpMMBufferSize", "AB123cs", SIZE},
                 spmm = {"mgpuSpMM", "AB123c*4s", NOTHING},
                 sddmm_size = {"mgpuSDDMMBufferSize", "AB123cs", SIZE},
                 sddmm = {"mgpuSDDMM", "AB123c*4s", NOTHING},
                 spgemm_create = {"mgpuSpGEMMCreateDescr", "s", HANDLE},
                 spgemm_copy = {"mgpuSpGEMMCopy", "1AB234cs", NOTHING},
                 spgemm_destroy = {"mgpuSpGEMMDestroyDescr", "1s", NOTHING};

static const MlcConversionPattern patterns[] = {
    {.root = "gpu.create_coo", .convert = lower_row, .user = (void *)&create_coo},
    {.root = "gpu.create_coo_aos", .convert = lower_row, .user = (void *)&create_coo_aos},
    {.root = "gpu.create_csr", .convert = lower_row, .user = (void *)&create_csr},
    {.root = "gpu.create_csc", .convert = lower_row, .user = (void *)&create_csc},
    {.root = "gpu.create_bsr", .convert = lower_row, .user = (void *)&create_bsr},
    {.root = "gpu.create_2to4_spmat", .convert = lower_create_2to4},
    {.root = "gpu.create_dn_tensor", .convert = lower_create_dense},
    {.root = "gpu.destroy_sp_mat", .convert = lower_destroy},
    {.root = "gpu.destroy_dn_tensor", .convert = lower_destroy},
    {.root = "gpu.set_csr_pointers", .convert = lower_row, .user = (void *)&set_csr},
    {.root = "gpu.spmat_get_size", .convert = lower_get_size},
    {.root = "gpu.spmv_buffer_size", .convert = lower_row, .user = (void *)&spmv_size},
    {.root = "gpu.spmv", .convert = lower_row, .user = (void *)&spmv},
    {.root = "gpu.spmm_buffer_size", .convert = lower_spmm_sizes, .user = (void *)&spmm_size},
    {.root = "gpu.spmm", .convert = lower_spmm, .user = (void *)&spmm},
    {.root = "gpu.sddmm_buffer_size", .convert = lower_row, .user = (void *)&sddmm_size},
    {.root = "gpu.sddmm", .convert = lower_row, .user = (void *)&sddmm},
    {.root = "gpu.spgemm_create_descr", .convert = lower_row, .user = (void *)&spgemm_create},
    {.root = "gpu.spgemm_work_estimation_or_compute", .convert = lower_spgemm_step},
    {.root = "gpu.spgemm_copy", .convert = lower_row, .user = (void *)&spgemm_copy},
    {.root = "gpu.spgemm_destroy_descr", .convert = lower_row, .user = (void *)&spgemm_destroy},
};
const LlvmPatterns gpu_sparse_patterns = {"gpu", "llvm", patterns,
                                          sizeof patterns / sizeof *patterns};
