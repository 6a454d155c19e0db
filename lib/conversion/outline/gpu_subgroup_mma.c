// gpu_subgroup_mma.c -- matrices that a subgroup holds become structs of registers, and what is
// done with them wmma instructions of NVIDIA.
//
// Which element is in which register is nobody's business: loads, stores and products agree, and
// operations by element take register by register. Of the three sizes of a product a matrix has
// two; the third is the first that the machine has with them.
#include "gpu_kernels.h"

#include "mlc/dialects/gpu.h"
#include "mlc/dialects/nvvm.h"

enum { MAX_REGISTERS = 8, PAIR = 2 };

typedef struct Fragment {
    int64_t rows, columns;
    MlcNvvmMmaFrag frag;
    MlcNvvmMmaType type;
    MlcType register_type;
    size_t num_registers;
} Fragment;

// --- fragments

static MlcNvvmMmaFrag
frag_of(MlcStr operand)
{
    return mlc_str_equal(operand, mlc_str("AOp"))   ? MLC_NVVM_MMA_FRAG_A
           : mlc_str_equal(operand, mlc_str("BOp")) ? MLC_NVVM_MMA_FRAG_B
                                                    : MLC_NVVM_MMA_FRAG_C;
}

static MlcNvvmMmaType
type_of(MlcType element, MlcNvvmMmaFrag frag)
{
    if (mlc_type_is_float(element))
        return mlc_float_type_kind(element) == MLC_FLOAT_F16 ? MLC_NVVM_MMA_TYPE_F16
               : frag == MLC_NVVM_MMA_FRAG_C                 ? MLC_NVVM_MMA_TYPE_F32
                                                             : MLC_NVVM_MMA_TYPE_TF32;
    if (mlc_type_bit_width(element) == 32)
        return MLC_NVVM_MMA_TYPE_S32;
    return mlc_integer_type_signedness(element) == MLC_UNSIGNED ? MLC_NVVM_MMA_TYPE_U8
                                                                : MLC_NVVM_MMA_TYPE_S8;
}

static Fragment
fragment_of(MlcType matrix)
{
    enum { SHAPE, ELEMENT, OPERAND };
    MlcContext *ctx = mlc_type_context(matrix);
    MlcAttr shape = mlc_dialect_type_param(matrix, SHAPE);
    MlcType element = mlc_type_attr_value(mlc_dialect_type_param(matrix, ELEMENT));
    Fragment f = {.rows = mlc_dense_array_attr_int(shape, 0),
                  .columns = mlc_dense_array_attr_int(shape, 1),
                  .frag = frag_of(mlc_string_attr_value(mlc_dialect_type_param(matrix, OPERAND)))};
    int64_t pair = PAIR, across = f.frag == MLC_NVVM_MMA_FRAG_A ? f.rows : f.columns;
    f.type = type_of(element, f.frag);
    f.register_type = mlc_integer_type_get(ctx, 32, MLC_SIGNLESS);
    f.num_registers = MAX_REGISTERS;
    if (f.type == MLC_NVVM_MMA_TYPE_F16) {
        f.register_type = mlc_vector_type_get(element, &pair, 1, NULL);
        f.num_registers = f.frag == MLC_NVVM_MMA_FRAG_C ? MAX_REGISTERS / 2 : MAX_REGISTERS;
    } else if (f.type == MLC_NVVM_MMA_TYPE_F32) {
        f.register_type = element;
    } else if (f.type == MLC_NVVM_MMA_TYPE_TF32) {
        f.num_registers = MAX_REGISTERS / 2;
    } else if (f.type != MLC_NVVM_MMA_TYPE_S32) {
        f.num_registers = (size_t)(across / 8); // four bytes each
    }
    return f;
}

static MlcType
struct_of(MlcContext *ctx, const Fragment *f)
{
    MlcType members[MAX_REGISTERS];
    for (size_t i = 0; i < f->num_registers; i++)
        members[i] = f->register_type;
    return llvm_struct(ctx, members, f->num_registers);
}

// Rows, columns and depth of the machine's products; matrices of f32 sums go with all of them.
static const int64_t sizes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8}};

static bool
has_size(const Fragment *f, const int64_t *size)
{
    static const size_t axes[3][2] = {[MLC_NVVM_MMA_FRAG_A] = {0, 2},
                                      [MLC_NVVM_MMA_FRAG_B] = {2, 1},
                                      [MLC_NVVM_MMA_FRAG_C] = {0, 1}};
    bool is_deep = size[2] == 16;
    if (f->type == MLC_NVVM_MMA_TYPE_TF32 ? is_deep : !is_deep && f->type != MLC_NVVM_MMA_TYPE_F32)
        return false;
    return f->rows == size[axes[f->frag][0]] && f->columns == size[axes[f->frag][1]];
}

// NULL: the machine has no such matrix.
static const int64_t *
size_of(const Fragment *f)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (has_size(f, sizes[i]))
            return sizes[i];
    return NULL;
}

static bool
no_size(MlcConversion *c, MlcOp *op)
{
    return mlc_conversion_no_match(c, op, "the machine has no matrix of this shape and type");
}

int
gpu_convert_mma_matrix(MlcType type, MlcTypeVec *out)
{
    if (!mlc_type_isa(type, "gpu.mma_matrix"))
        return 0;
    Fragment f = fragment_of(type);
    if (f.num_registers == 0 || f.num_registers > MAX_REGISTERS)
        return -1;
    mlc_vec_push(out, struct_of(mlc_type_context(type), &f));
    return 1;
}

// --- ops

static bool
replace(MlcConversion *c, MlcOp *op, MlcValue *value)
{
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

static void
unpack(MlcBuilder *b, MlcValue *matrix, MlcValueVec *out)
{
    for (int64_t i = 0; i < (int64_t)llvm_struct_size(mlc_value_type(matrix)); i++)
        mlc_vec_push(out, llvm_extract(b, matrix, &i, 1));
}

static MlcValue *
pack(MlcBuilder *b, MlcType type, MlcValue *const *registers)
{
    MlcValue *matrix = mlc_llvm_mlir_undef(b, type);
    for (int64_t i = 0; i < (int64_t)llvm_struct_size(type); i++)
        matrix = mlc_llvm_insertvalue(b, matrix, registers[i], &i, 1);
    return matrix;
}

static MlcValue *
stride_of(MlcBuilder *b, MlcOp *op)
{
    return llvm_constant(b, mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
                         mlc_attr_as_int(mlc_op_attr(op, "leadDimension")));
}

static MlcNvvmMmaLayout
layout_of(MlcOp *op, const char *attr)
{
    return mlc_op_attr(op, attr) ? MLC_NVVM_MMA_LAYOUT_COL : MLC_NVVM_MMA_LAYOUT_ROW;
}

static bool
lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    Fragment f = fragment_of(mlc_op_result_type(op, 0));
    const int64_t *size = size_of(&f);
    if (!size)
        return no_size(c, op);
    MlcValue *at =
        llvm_memref_element_ptr(c, mlc_op_operand_type(op, 0), operands[0], operands + 1);
    return replace(c, op,
                   mlc_nvvm_wmma_load(b, struct_of(b->ctx, &f), at, stride_of(b, op),
                                      (int32_t)size[0], (int32_t)size[1], (int32_t)size[2],
                                      layout_of(op, "transpose"), f.type, f.frag));
}

static bool
lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    Fragment f = fragment_of(mlc_op_operand_type(op, 0));
    const int64_t *size = size_of(&f);
    if (!size || f.frag != MLC_NVVM_MMA_FRAG_C)
        return no_size(c, op);
    MlcValue *at =
        llvm_memref_element_ptr(c, mlc_op_operand_type(op, 1), operands[1], operands + 2);
    MlcValueVec registers = {0};
    unpack(b, operands[0], &registers);
    mlc_nvvm_wmma_store(b, at, registers.data, registers.size, stride_of(b, op), (int32_t)size[0],
                        (int32_t)size[1], (int32_t)size[2], layout_of(op, "transpose"), f.type);
    mlc_vec_release(&registers);
    mlc_conversion_erase(c, op);
    return true;
}

static bool
lower_compute(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    Fragment f[3];
    for (size_t i = 0; i < 3; i++)
        f[i] = fragment_of(mlc_op_operand_type(op, i));
    const int64_t size[3] = {f[2].rows, f[2].columns, f[0].columns};
    if (!has_size(&f[0], size) || !has_size(&f[1], size) || !has_size(&f[2], size) ||
        !size_of(&f[0]) || !size_of(&f[1]))
        return no_size(c, op);
    MlcValueVec registers = {0};
    for (size_t i = 0; i < 3; i++)
        unpack(b, operands[i], &registers);
    MlcValue *made = mlc_nvvm_wmma_mma(b, struct_of(b->ctx, &f[2]), registers.data, registers.size,
                                       (int32_t)size[0], (int32_t)size[1], (int32_t)size[2],
                                       layout_of(op, "a_transpose"), layout_of(op, "b_transpose"),
                                       f[0].type, f[2].type);
    mlc_vec_release(&registers);
    return replace(c, op, made);
}

static bool
lower_constant(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    Fragment f = fragment_of(mlc_op_result_type(op, 0));
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    MlcValue *value = operands[0], *registers[MAX_REGISTERS];
    if (f.type == MLC_NVVM_MMA_TYPE_F16) {
        value = mlc_llvm_mlir_undef(b, f.register_type);
        for (int64_t i = 0; i < PAIR; i++)
            value = mlc_llvm_insertelement(b, value, operands[0], llvm_constant(b, i32, i));
    } else if (mlc_value_type(value) != f.register_type) {
        return no_size(c, op); // bytes and tf32 would be packed
    }
    for (size_t i = 0; i < MAX_REGISTERS; i++)
        registers[i] = value;
    return replace(c, op, pack(b, struct_of(b->ctx, &f), registers));
}

// Of two numbers the greater or the less; NaN if one is.
static MlcValue *
choose(MlcBuilder *b, MlcValue *x, MlcValue *y, MlcLlvmFcmpPredicate predicate)
{
    MlcType type = mlc_value_type(x);
    MlcValue *chosen = mlc_llvm_select(b, mlc_llvm_fcmp(b, x, y, predicate), x, y);
    MlcAttr nan = mlc_float_attr_get(mlc_type_element(type), __builtin_nan(""));
    if (mlc_type_is(type, MLC_TYPE_VECTOR))
        nan = mlc_dense_attr_splat(type, nan);
    return mlc_llvm_select(b, mlc_llvm_fcmp(b, x, y, MLC_LLVM_FCMP_PREDICATE_UNO),
                           mlc_llvm_mlir_constant(b, type, nan), chosen);
}

// NULL: there is none.
static MlcValue *
combine(MlcBuilder *b, MlcGpuMmaElementWise kind, MlcValue *x, MlcValue *y)
{
    switch (kind) {
    case MLC_GPU_MMA_ELEMENT_WISE_ADDF:
        return mlc_llvm_fadd(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_MULF:
        return mlc_llvm_fmul(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_SUBF:
        return mlc_llvm_fsub(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_DIVF:
        return mlc_llvm_fdiv(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_MAXF:
        return choose(b, x, y, MLC_LLVM_FCMP_PREDICATE_OGT);
    case MLC_GPU_MMA_ELEMENT_WISE_MINF:
        return choose(b, x, y, MLC_LLVM_FCMP_PREDICATE_OLT);
    case MLC_GPU_MMA_ELEMENT_WISE_NEGATEF:
        return mlc_llvm_fneg(b, x);
    case MLC_GPU_MMA_ELEMENT_WISE_ADDI:
        return mlc_llvm_add(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_MULI:
        return mlc_llvm_mul(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_SUBI:
        return mlc_llvm_sub(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_DIVS:
        return mlc_llvm_sdiv(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_DIVU:
        return mlc_llvm_udiv(b, x, y);
    case MLC_GPU_MMA_ELEMENT_WISE_NEGATES:
        return mlc_llvm_sub(b, llvm_constant(b, mlc_value_type(x), 0), x);
    default:
        return NULL;
    }
}

static bool
lower_elementwise(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcBuilder *b = mlc_conversion_builder(c);
    size_t n = mlc_op_num_operands(op);
    Fragment f = fragment_of(mlc_op_result_type(op, 0));
    MlcValue *registers[MAX_REGISTERS] = {NULL};
    bool is_packed = f.type != MLC_NVVM_MMA_TYPE_F16 && f.type != MLC_NVVM_MMA_TYPE_F32 &&
                     f.type != MLC_NVVM_MMA_TYPE_S32;
    if (is_packed || mlc_op_operand_type(op, 0) != mlc_op_result_type(op, 0))
        return mlc_conversion_no_match(c, op, "its registers do not hold elements of one kind");
    for (int64_t i = 0; i < (int64_t)f.num_registers; i++) {
        MlcValue *x = llvm_extract(b, operands[0], &i, 1);
        MlcValue *y = n > 1 ? llvm_extract(b, operands[1], &i, 1) : x;
        registers[i] = combine(b, mlc_gpu_subgroup_mma_elementwise_op_type(op), x, y);
        if (!registers[i])
            return mlc_conversion_no_match(c, op, "it changes the type of elements");
    }
    return replace(c, op, pack(b, struct_of(b->ctx, &f), registers));
}

static const MlcConversionPattern patterns[] = {
    {.root = "gpu.subgroup_mma_load_matrix", .convert = lower_load},
    {.root = "gpu.subgroup_mma_store_matrix", .convert = lower_store},
    {.root = "gpu.subgroup_mma_compute", .convert = lower_compute},
    {.root = "gpu.subgroup_mma_constant_matrix", .convert = lower_constant},
    {.root = "gpu.subgroup_mma_elementwise", .convert = lower_elementwise},
};
const LlvmPatterns gpu_mma_patterns = {"gpu", "nvvm", patterns, sizeof patterns / sizeof *patterns};
