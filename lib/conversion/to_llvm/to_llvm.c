// to_llvm.c -- types of the llvm dialect for those of the dialects above it, and small builders.
#include "to_llvm.h"

#include "mlc/ir/symbol.h"

MlcType
llvm_ptr(MlcContext *ctx, unsigned address_space)
{
    MlcAttr space = mlc_i32_attr_get(ctx, (int32_t)address_space);
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.ptr")), &space, 1);
}

unsigned
llvm_address_space(MlcType memref)
{
    MlcAttr space = mlc_memref_type_memory_space(memref);
    int64_t number = 0;
    if (!space)
        return 0;
    if (mlc_attr_try_as_int(space, &number))
        return (unsigned)number;
    // As NVPTX numbers them. What is private lies on the stack; global memory is what a plain
    // pointer names on the device, and on the host a number that nothing is read at.
    bool is_workgroup = mlc_attr_isa(space, "gpu.address_space") && mlc_enum_attr_value(space) == 2;
    return is_workgroup ? 3 : 0;
}

static bool
has_space(MlcType memref)
{
    MlcAttr space = mlc_memref_type_memory_space(memref);
    return !space || mlc_attr_is(space, MLC_ATTR_INTEGER) ||
           mlc_attr_isa(space, "gpu.address_space");
}

MlcType
llvm_function_type(MlcContext *ctx, MlcType result, const MlcType *params, size_t num_params)
{
    if (!result)
        result = mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.void")), NULL, 0);
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < num_params; i++)
        mlc_vec_push(&list, mlc_type_attr_get(params[i]));
    MlcAttr attrs[3] = {mlc_type_attr_get(result), mlc_array_attr_get(ctx, list.data, list.size),
                        mlc_bool_attr_get(ctx, false)};
    mlc_vec_release(&list);
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.func")), attrs, 3);
}

MlcType
llvm_struct(MlcContext *ctx, const MlcType *members, size_t num_members)
{
    MLC_VEC(MlcAttr) list = {0};
    for (size_t i = 0; i < num_members; i++)
        mlc_vec_push(&list, mlc_type_attr_get(members[i]));
    MlcAttr attrs[3] = {NULL, mlc_bool_attr_get(ctx, false),
                        mlc_array_attr_get(ctx, list.data, list.size)};
    mlc_vec_release(&list);
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.struct")), attrs, 3);
}

MlcType
llvm_array(MlcType element, int64_t size)
{
    MlcContext *ctx = mlc_type_context(element);
    MlcAttr attrs[2] = {mlc_type_attr_get(element), mlc_i64_attr_get(ctx, size)};
    return mlc_dialect_type_get(ctx, mlc_context_type(ctx, mlc_str("llvm.array")), attrs, 2);
}

static bool
is_a(MlcType type, const char *name)
{
    return mlc_type_is(type, MLC_TYPE_DIALECT) &&
           mlc_dialect_type_def(type) == mlc_context_type(mlc_type_context(type), mlc_str(name));
}

bool
llvm_is_ptr(MlcType type)
{
    return is_a(type, "llvm.ptr");
}

size_t
llvm_struct_size(MlcType type)
{
    MlcAttr body = is_a(type, "llvm.struct") ? mlc_dialect_type_param(type, 2) : NULL;
    return body ? mlc_array_attr_size(body) : 0;
}

MlcType
llvm_struct_member(MlcType type, size_t i)
{
    return mlc_type_attr_value(mlc_array_attr_element(mlc_dialect_type_param(type, 2), i));
}

static MlcType
index_type(MlcContext *ctx, void *bits)
{
    return mlc_integer_type_get(ctx, (unsigned)(uintptr_t)bits, MLC_SIGNLESS);
}

static int
convert_index(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *bits)
{
    (void)tc;
    if (!mlc_type_is(type, MLC_TYPE_INDEX))
        return 0;
    mlc_vec_push(out, index_type(mlc_type_context(type), bits));
    return 1;
}

// struct<(allocated, aligned, offset, sizes, strides)>, of rank 0 without the last two.
static int
convert_to_descriptor(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *bits)
{
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return 0;
    int64_t offset, strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(type);
    if (rank > MLC_RANK_LIMIT || !has_space(type) ||
        !mlc_memref_type_strides(type, &offset, strides) ||
        !mlc_type_converter_convert_one(tc, mlc_type_element(type)))
        return -1;
    MlcContext *ctx = mlc_type_context(type);
    MlcType ptr = llvm_ptr(ctx, llvm_address_space(type)), index = index_type(ctx, bits);
    MlcType members[5] = {ptr, ptr, index};
    if (rank > 0)
        members[3] = members[4] = llvm_array(index, (int64_t)rank);
    mlc_vec_push(out, llvm_struct(ctx, members, rank > 0 ? 5 : 3));
    return 1;
}

// struct<(rank, descriptor)>: memref<*xf32> is where its descriptor lies.
static int
convert_unranked(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *bits)
{
    if (!mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return 0;
    if (!has_space(type) || !mlc_type_converter_convert_one(tc, mlc_type_element(type)))
        return -1;
    MlcContext *ctx = mlc_type_context(type);
    MlcType members[2] = {index_type(ctx, bits), llvm_ptr(ctx, llvm_address_space(type))};
    mlc_vec_push(out, llvm_struct(ctx, members, 2));
    return 1;
}

// The bare pointer, of static strides.
static int
convert_to_pointer(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return -1;
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return 0;
    int64_t offset, strides[MLC_RANK_LIMIT];
    if (mlc_type_rank(type) > MLC_RANK_LIMIT || !has_space(type) ||
        !mlc_memref_type_strides(type, &offset, strides))
        return -1;
    for (size_t i = 0; i < mlc_type_rank(type); i++)
        if (strides[i] == MLC_DYNAMIC)
            return 0;
    mlc_vec_push(out, llvm_ptr(mlc_type_context(type), llvm_address_space(type)));
    return 1;
}

static int
convert_function(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION))
        return 0;
    mlc_vec_push(out, llvm_ptr(mlc_type_context(type), 0));
    return 1;
}

// Integers have no sign in LLVM, and floats of 8 bits and less are the integers of their bits.
static MlcType
element_type(MlcType type)
{
    bool is_signed =
        mlc_type_is(type, MLC_TYPE_INTEGER) && mlc_integer_type_signedness(type) != MLC_SIGNLESS;
    bool is_small = mlc_type_is(type, MLC_TYPE_FLOAT) && mlc_type_bit_width(type) <= 8;
    return is_signed || is_small ? mlc_integer_type_get(mlc_type_context(type),
                                                        mlc_type_bit_width(type), MLC_SIGNLESS)
                                 : type;
}

// Vectors of one dimension are LLVM's own; of index elements, i64. Of more they are arrays of
// those.
static int
convert_vector(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *bits)
{
    (void)tc;
    if (!mlc_type_is(type, MLC_TYPE_VECTOR))
        return 0;
    MlcType element = mlc_type_element(type);
    if (mlc_type_is(element, MLC_TYPE_INDEX))
        element = index_type(mlc_type_context(type), bits);
    size_t rank = mlc_type_rank(type);
    int64_t one = 1, length = rank ? mlc_type_dim(type, rank - 1) : one;
    for (size_t i = 0; i + 1 < rank; i++)
        if (mlc_vector_type_is_scalable(type, i))
            return -1;
    bool is_scalable = rank > 0 && mlc_vector_type_is_scalable(type, rank - 1);
    MlcType to = mlc_vector_type_get(element_type(element), &length, 1, &is_scalable);
    for (size_t i = rank > 0 ? rank - 1 : 0; i-- > 0;)
        to = llvm_array(to, mlc_type_dim(type, i));
    mlc_vec_push(out, to);
    return 1;
}

static int
convert_scalar(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)tc, (void)user;
    if (!mlc_type_is(type, MLC_TYPE_FLOAT) && !mlc_type_is(type, MLC_TYPE_DIALECT) &&
        !mlc_type_is(type, MLC_TYPE_INTEGER))
        return 0;
    mlc_vec_push(out, element_type(type));
    return 1;
}

// struct<(real, imaginary)>
static int
convert_complex(MlcTypeConverter *tc, MlcType type, MlcTypeVec *out, void *user)
{
    (void)user;
    if (!mlc_type_is(type, MLC_TYPE_COMPLEX))
        return 0;
    MlcType part = mlc_type_converter_convert_one(tc, mlc_type_element(type));
    if (!part)
        return -1;
    mlc_vec_push(out, llvm_struct(mlc_type_context(type), (MlcType[]){part, part}, 2));
    return 1;
}

MlcTypeConverter *
llvm_type_converter_create(MlcContext *ctx, LlvmTypes types, unsigned index_bits)
{
    void *bits = (void *)(uintptr_t)index_bits;
    MlcTypeConverter *tc = mlc_type_converter_create(ctx);
    mlc_type_converter_add(tc, convert_scalar, NULL);
    mlc_type_converter_add(tc, llvm_convert_nvgpu_type, NULL);
    mlc_type_converter_add(tc, convert_vector, bits);
    mlc_type_converter_add(tc, convert_complex, NULL);
    mlc_type_converter_add(tc, convert_function, NULL);
    mlc_type_converter_add(tc, convert_to_descriptor, bits);
    mlc_type_converter_add(tc, convert_unranked, bits);
    if (types == LLVM_BARE_POINTERS)
        mlc_type_converter_add(tc, convert_to_pointer, NULL);
    mlc_type_converter_add(tc, convert_index, bits);
    return tc;
}

bool
llvm_convert_as(MlcOp *root, const LlvmConversion *how)
{
    MlcContext *ctx = mlc_op_context(root);
    const LlvmPatterns *const *sets = how->sets;
    MlcArena arena = {0};
    MlcConversionPatternVec patterns = {0};
    for (size_t k = 0; sets[k]; k++)
        for (size_t i = 0; i < sets[k]->num_patterns; i++)
            mlc_vec_push(&patterns, sets[k]->patterns[i]);
    size_t num_written = patterns.size;
    for (; *sets; sets++) {
        const MlcDialectDef *dialect = mlc_context_dialect(ctx, mlc_str((*sets)->dialect));
        mlc_conversion_add_lowerings(ctx, dialect, (*sets)->to, &arena, &patterns);
    }
    MlcTypeConverter *tc = llvm_type_converter_create(ctx, how->types, how->index_bits);
    if (how->rule)
        mlc_type_converter_add(tc, how->rule, how->rule_user);
    MlcConversionTarget *target = mlc_conversion_target_create(ctx);
    mlc_conversion_target_legal_dialect(target, "llvm");
    mlc_conversion_target_legal_dialect(target, "nvvm");
    mlc_conversion_target_legal_op(target, "gpu.module");
    mlc_conversion_target_legal_op(target, "gpu.module_end");
    for (const char *const *illegal = how->illegal; illegal && *illegal; illegal++)
        mlc_conversion_target_illegal_dialect(target, *illegal);
    for (size_t i = num_written; how->illegal && i < patterns.size; i++)
        mlc_conversion_target_illegal_op(target, patterns.data[i].root);
    if (how->set_target)
        how->set_target(target, tc);
    bool ok = mlc_convert_partial(root, target, tc, patterns.data, patterns.size);
    mlc_conversion_target_destroy(target);
    mlc_type_converter_destroy(tc);
    mlc_vec_release(&patterns);
    mlc_arena_release(&arena);
    return ok;
}

bool
llvm_convert(MlcOp *root, LlvmTypes types, unsigned index_bits, const LlvmPatterns *const *sets,
             const char *const *illegal)
{
    LlvmConversion how = {
        .types = types, .index_bits = index_bits, .sets = sets, .illegal = illegal};
    return llvm_convert_as(root, &how);
}

bool
llvm_converts(const LlvmPatterns *const *sets, const MlcOpDef *op)
{
    for (; *sets; sets++)
        if (mlc_conversion_has_pattern((*sets)->patterns, (*sets)->num_patterns, op) ||
            (strcmp((*sets)->dialect, op->dialect->name) == 0 &&
             mlc_op_def_lowers_to(op, (*sets)->to)))
            return true;
    return false;
}

const MlcPassOption llvm_index_option = LLVM_INDEX_OPTION;
const char *const llvm_dialects[] = {"llvm", NULL};

bool
llvm_read_index_bits(MlcPass *pass, MlcOp *root, unsigned *bits)
{
    int64_t given = mlc_pass_option_int(pass, "index-bitwidth");
    if (given != 0 && given != 32 && given != 64)
        return mlc_op_error(root, "index-bitwidth must be 0, 32 or 64");
    *bits = given ? (unsigned)given : 64;
    return true;
}

bool
llvm_run_pass(MlcPass *pass, MlcOp *root, const LlvmPatterns *const *sets)
{
    unsigned bits = 0;
    return llvm_read_index_bits(pass, root, &bits) &&
           llvm_convert(root, LLVM_DESCRIPTORS, bits, sets, NULL);
}

MlcValue *
llvm_constant(MlcBuilder *b, MlcType type, int64_t value)
{
    return mlc_llvm_mlir_constant(b, type, mlc_integer_attr_get(type, value));
}

MlcValue *
llvm_i64(MlcBuilder *b, int64_t value)
{
    MlcType type = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    return mlc_llvm_mlir_constant(b, type, mlc_index_attr_get(b->ctx, value));
}

// The type at a position within structs and arrays.
static MlcType
member_type(MlcType type, const int64_t *position, size_t depth)
{
    for (size_t i = 0; i < depth; i++)
        type = llvm_struct_size(type) ? llvm_struct_member(type, (size_t)position[i])
                                      : mlc_type_attr_value(mlc_dialect_type_param(type, 0));
    return type;
}

MlcValue *
llvm_extract(MlcBuilder *b, MlcValue *aggregate, const int64_t *position, size_t depth)
{
    MlcType type = member_type(mlc_value_type(aggregate), position, depth);
    return mlc_llvm_extractvalue(b, type, aggregate, position, depth);
}

static bool
constant_of(MlcValue *value, int64_t *result)
{
    MlcOp *def = mlc_value_def(value);
    return mlc_llvm_mlir_constant_isa(def) &&
           mlc_attr_try_as_int(mlc_llvm_mlir_constant_value(def), result);
}

MlcValue *
llvm_add(MlcBuilder *b, MlcValue *lhs, MlcValue *rhs)
{
    int64_t x, y;
    bool left = constant_of(lhs, &x), right = constant_of(rhs, &y);
    if (left && right)
        return llvm_constant(b, mlc_value_type(lhs), (int64_t)((uint64_t)x + (uint64_t)y));
    if (left && x == 0)
        return rhs;
    if (right && y == 0)
        return lhs;
    return mlc_llvm_add(b, lhs, rhs);
}

MlcValue *
llvm_mul_constant(MlcBuilder *b, MlcValue *lhs, int64_t rhs)
{
    int64_t x;
    if (rhs == 1)
        return lhs;
    if (rhs == 0 || constant_of(lhs, &x))
        return llvm_constant(b, mlc_value_type(lhs),
                             rhs == 0 ? 0 : (int64_t)((uint64_t)x * (uint64_t)rhs));
    return mlc_llvm_mul(b, lhs, llvm_constant(b, mlc_value_type(lhs), rhs));
}

MlcValue *
llvm_element_ptr(MlcBuilder *b, MlcValue *base, MlcType element, MlcValue *index)
{
    int64_t constant;
    bool is_constant = index && constant_of(index, &constant);
    if (!index || (is_constant && constant == 0))
        return base;
    bool fits = is_constant && constant > INT32_MIN && constant <= INT32_MAX;
    int32_t raw = fits ? (int32_t)constant : INT32_MIN; // INT32_MIN: the index is an operand
    return mlc_llvm_getelementptr(b, mlc_value_type(base), base, &index, fits ? 0 : 1, &raw, 1,
                                  element);
}

unsigned
llvm_element_bytes(MlcType element)
{
    unsigned bits = 64, bytes = 1; // a pointer, or a struct that begins with one
    if (mlc_type_is(element, MLC_TYPE_VECTOR))
        bits = 8 * llvm_element_bytes(mlc_type_element(element)) *
               (unsigned)mlc_type_num_elements(element);
    else if (mlc_type_is_int_or_index(element) || mlc_type_is_float(element))
        bits = mlc_type_bit_width(element);
    while (bytes * 8 < bits)
        bytes *= 2;
    return bytes;
}

MlcValue *
llvm_load(MlcBuilder *b, MlcType type, MlcValue *address, unsigned alignment)
{
    MlcValue *value = mlc_llvm_load(b, type, address);
    if (alignment)
        mlc_llvm_load_set_alignment(mlc_value_def(value), mlc_i64_attr_get(b->ctx, alignment));
    return value;
}

void
llvm_store(MlcBuilder *b, MlcValue *value, MlcValue *address, unsigned alignment)
{
    MlcOp *op = mlc_llvm_store(b, value, address);
    if (alignment)
        mlc_llvm_store_set_alignment(op, mlc_i64_attr_get(b->ctx, alignment));
}

void
llvm_copy_fastmath(MlcOp *made, MlcOp *op)
{
    const MlcOpDef *from = mlc_op_def(op), *to = mlc_op_def(made);
    int slot = mlc_op_def_attr_slot(from, mlc_str("fastmath"));
    int to_slot = mlc_op_def_attr_slot(to, mlc_str("fastmathFlags"));
    MlcAttr attr = mlc_op_attr(op, "fastmath");
    if (attr && mlc_enum_attr_value(attr) != 0)
        mlc_op_set_attr(
            made, "fastmathFlags",
            mlc_lowered_attr(mlc_op_context(op), attr, &from->attrs[slot], &to->attrs[to_slot]));
}

// `function` NULL: at the start of the module.
static bool
declare(MlcConversion *c, MlcOp *op, MlcOp *function, const char *name, MlcType type)
{
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcOp *module = mlc_symbol_table_of(op);
    MlcOp *known = mlc_symbol_lookup(module, mlc_str(name));
    if (known) {
        MlcAttr known_type = mlc_op_attr(known, "function_type");
        return (known_type && mlc_type_attr_value(known_type) == type) ||
               mlc_conversion_no_match(c, op, "the symbol '%s' is something else", name);
    }
    MlcBuilder before = *b;
    if (function)
        mlc_builder_before(b, function);
    else
        mlc_builder_at_start(b, mlc_region_first(mlc_op_region(module, 0)));
    mlc_llvm_func(b, mlc_str(name), mlc_type_attr_get(type));
    *b = before;
    return true;
}

bool
llvm_declare(MlcConversion *c, MlcOp *op, const char *name, MlcType type)
{
    return declare(c, op, NULL, name, type);
}

bool
llvm_declare_before(MlcConversion *c, MlcOp *op, const char *name, MlcType type)
{
    MlcOp *function = op;
    while (function && !mlc_op_interface(function, MLC_INTERFACE_FUNCTION))
        function = mlc_op_parent(function);
    return declare(c, op, function, name, type);
}

MlcOp *
llvm_call_function(MlcBuilder *b, const char *name, MlcType result, MlcValue *const *operands,
                   size_t num_operands)
{
    MlcOp *made = mlc_llvm_call(b, result, operands, num_operands);
    mlc_llvm_call_set_callee(made, mlc_symbol_ref_attr_get(b->ctx, mlc_str(name)));
    return made;
}

MlcOp *
llvm_text_global(MlcBuilder *b, MlcStr name, MlcStr text)
{
    MlcBuf bytes = {0};
    mlc_buf_append_str(&bytes, text);
    mlc_buf_append(&bytes, "", 1);
    MlcType byte = mlc_integer_type_get(b->ctx, 8, MLC_SIGNLESS);
    MlcOp *global = mlc_llvm_mlir_global(b, llvm_array(byte, (int64_t)bytes.size), name,
                                         MLC_LLVM_LINKAGE_PRIVATE);
    mlc_llvm_mlir_global_set_value(global, mlc_string_attr_get(b->ctx, mlc_buf_str(&bytes)));
    mlc_llvm_mlir_global_set_constant(global, mlc_unit_attr_get(b->ctx));
    mlc_buf_release(&bytes);
    return global;
}

MlcType
llvm_result_type(MlcConversion *c, MlcOp *op)
{
    return mlc_type_converter_convert_one(mlc_conversion_types(c),
                                          mlc_value_type(mlc_op_result(op, 0)));
}

bool
llvm_no_type(MlcConversion *c, MlcOp *op)
{
    return mlc_conversion_no_match(c, op, "its type %s has no llvm form",
                                   mlc_type_text(mlc_value_type(mlc_op_result(op, 0))));
}

MlcType
llvm_memory_type(MlcType type)
{
    MlcType element = mlc_type_element(type);
    bool is_vector = mlc_type_is(type, MLC_TYPE_VECTOR);
    if (!(is_vector || mlc_type_is_integer(type, 1)) || !mlc_type_is(element, MLC_TYPE_INTEGER) ||
        mlc_type_bit_width(element) == 8 * llvm_element_bytes(element))
        return type;
    MlcContext *ctx = mlc_type_context(type);
    MlcType bytes = mlc_integer_type_get(ctx, 8 * llvm_element_bytes(element), MLC_SIGNLESS);
    return is_vector ? mlc_type_with_element(type, bytes) : bytes;
}

MlcValue *
llvm_to_memory(MlcBuilder *b, MlcValue *value)
{
    MlcType type = llvm_memory_type(mlc_value_type(value));
    return type == mlc_value_type(value) ? value : mlc_llvm_zext(b, type, value);
}

MlcValue *
llvm_from_memory(MlcBuilder *b, MlcValue *value, MlcType type)
{
    MlcType in_memory = mlc_value_type(value);
    if (type == in_memory)
        return value;
    if (!mlc_type_is_integer(mlc_type_element(type), 1))
        return mlc_llvm_trunc(b, type, value);
    MlcAttr zero = mlc_integer_attr_get(mlc_type_element(in_memory), 0);
    if (mlc_type_is(in_memory, MLC_TYPE_VECTOR))
        zero = mlc_dense_attr_splat(in_memory, zero);
    return mlc_llvm_icmp(b, value, mlc_llvm_mlir_constant(b, in_memory, zero),
                         MLC_LLVM_ICMP_PREDICATE_NE);
}

bool
llvm_lower_width(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    MlcType type = llvm_result_type(c, op);
    if (!type)
        return llvm_no_type(c, op);
    unsigned from = mlc_type_bit_width(mlc_type_element(mlc_value_type(operands[0])));
    unsigned to = mlc_type_bit_width(mlc_type_element(type));
    MlcBuilder *b = mlc_conversion_builder(c);
    MlcValue *value = operands[0];
    if (from > to)
        value = mlc_llvm_trunc(b, type, value);
    else if (from < to)
        value = mlc_build(b, user, type, value);
    mlc_conversion_replace(c, op, &value, 1);
    return true;
}

// Vectors are aligned as their elements; scalars are so anyway, and models say it.
static unsigned
alignment_of(MlcValue *memref, MlcType element, MlcType type)
{
    bool is_needed = llvm_is_ptr(mlc_value_type(memref)) || mlc_type_is(type, MLC_TYPE_VECTOR);
    return is_needed ? llvm_element_bytes(element) : 0;
}

// A truth value alone is an i1 in memory for MLIR. In a model's memory, which callers write, it is
// a byte of any value.
static MlcType
type_in_memory(MlcValue *memref, MlcType type)
{
    bool is_model = llvm_is_ptr(mlc_value_type(memref)) || mlc_type_is(type, MLC_TYPE_VECTOR);
    return is_model ? llvm_memory_type(type) : type;
}

// Elements and vectors of neighbouring elements alike: the address of the first. A vector that says
// `mlc.aligned` begins at a multiple of its size.
bool
llvm_lower_load(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType memref = mlc_value_type(mlc_op_operand(op, 0)), type = llvm_result_type(c, op);
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[0], operands + 1);
    if (!type)
        return false;
    MlcBuilder *b = mlc_conversion_builder(c);
    unsigned alignment = alignment_of(operands[0], mlc_type_element(memref), type);
    if (mlc_op_attr(op, "mlc.aligned"))
        alignment *= (unsigned)mlc_type_num_elements(type);
    MlcValue *loaded = llvm_load(b, type_in_memory(operands[0], type), address, alignment);
    loaded = llvm_from_memory(b, loaded, type);
    mlc_conversion_replace(c, op, &loaded, 1);
    return true;
}

bool
llvm_lower_store(MlcConversion *c, MlcOp *op, MlcValue *const *operands, void *user)
{
    (void)user;
    MlcType memref = mlc_value_type(mlc_op_operand(op, 1)), type = mlc_value_type(operands[0]);
    MlcValue *address = llvm_memref_element_ptr(c, memref, operands[1], operands + 2);
    MlcBuilder *b = mlc_conversion_builder(c);
    bool is_as_is = type_in_memory(operands[1], type) == type;
    llvm_store(b, is_as_is ? operands[0] : llvm_to_memory(b, operands[0]), address,
               alignment_of(operands[1], mlc_type_element(memref), type));
    mlc_conversion_erase(c, op);
    return true;
}
