// gpu_reductions.c -- gpu.all_reduce and gpu.subgroup_reduce as shuffles between lanes and, between
// subgroups, workgroup memory.
//
// In a subgroup lanes combine with the one whose number differs in one bit, the lowest bit first,
// so lane 0 has all in the end, also where the last subgroup of a block is not full: what comes
// from beyond the block's end is left out. In a block lane 0 of each subgroup writes to a buffer of
// the workgroup, the first subgroup combines what is there, and all read the result. The buffer is
// entered at a barrier, so that a loop may come again. Sums of floats so have an order of their
// own, which depends on the block's size alone.
#include "gpu_kernels.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/cf.h"
#include "mlc/dialects/gpu.h"
#include "mlc/dialects/memref.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"

enum { MAX_SUBGROUPS = 32 };

typedef struct Reduction {
    MlcOp *op;
    MlcBuilder *b;
    int64_t lanes;  // of a subgroup
    MlcValue *lane; // i32
} Reduction;

static MlcType
i32_type(MlcBuilder *b)
{
    return mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
}

static MlcValue *
number(MlcBuilder *b, int64_t value)
{
    return mlc_build_int(b, i32_type(b), value);
}

// --- two values

// By the number of gpu.all_reduce_op; NULL: there is none for such types.
static const struct {
    const char *integer, *real;
} combinations[] = {
    [MLC_GPU_ALL_REDUCE_OP_ADD] = {"arith.addi", "arith.addf"},
    [MLC_GPU_ALL_REDUCE_OP_MUL] = {"arith.muli", "arith.mulf"},
    [MLC_GPU_ALL_REDUCE_OP_MINUI] = {"arith.minui", NULL},
    [MLC_GPU_ALL_REDUCE_OP_MINSI] = {"arith.minsi", NULL},
    [MLC_GPU_ALL_REDUCE_OP_MINNUMF] = {NULL, "arith.minnumf"},
    [MLC_GPU_ALL_REDUCE_OP_MAXUI] = {"arith.maxui", NULL},
    [MLC_GPU_ALL_REDUCE_OP_MAXSI] = {"arith.maxsi", NULL},
    [MLC_GPU_ALL_REDUCE_OP_MAXNUMF] = {NULL, "arith.maxnumf"},
    [MLC_GPU_ALL_REDUCE_OP_AND] = {"arith.andi", NULL},
    [MLC_GPU_ALL_REDUCE_OP_OR] = {"arith.ori", NULL},
    [MLC_GPU_ALL_REDUCE_OP_XOR] = {"arith.xori", NULL},
    [MLC_GPU_ALL_REDUCE_OP_MINIMUMF] = {NULL, "arith.minimumf"},
    [MLC_GPU_ALL_REDUCE_OP_MAXIMUMF] = {NULL, "arith.maximumf"},
};

static const char *
combination_of(MlcOp *op)
{
    MlcAttr kind = mlc_op_attr(op, "op");
    MlcType element = mlc_type_element(mlc_op_operand_type(op, 0));
    if (!kind)
        return NULL;
    size_t i = (size_t)mlc_enum_attr_value(kind);
    return mlc_type_is_float(element) ? combinations[i].real : combinations[i].integer;
}

// The op that is named, or the region's ops again.
static MlcValue *
combine(Reduction *r, MlcValue *x, MlcValue *y)
{
    const char *name = combination_of(r->op);
    if (name)
        return mlc_build_binary(r->b, name, x, y);
    MlcBlock *body = mlc_region_first(mlc_op_region(r->op, 0));
    MlcCloneMap *map = mlc_clone_map_create();
    mlc_clone_map_set(map, mlc_block_arg(body, 0), x);
    mlc_clone_map_set(map, mlc_block_arg(body, 1), y);
    MLC_FOR_EACH_OP (op, body)
        if (op != mlc_block_last(body))
            mlc_builder_insert(r->b, mlc_op_clone(op, map));
    MlcValue *result = mlc_clone_map_get(map, mlc_op_operand(mlc_block_last(body), 0));
    mlc_clone_map_destroy(map);
    return result;
}

// --- a subgroup

static bool
is_shuffled(MlcType type)
{
    unsigned bits = mlc_type_bit_width(type);
    return bits == 64 || bits == 32;
}

// Of the lane that `offset` names; shuffles are of 32 and 64 bits.
static MlcValue *
shuffle(Reduction *r, MlcValue *value, MlcValue *offset, MlcGpuShuffleMode mode)
{
    MlcBuilder *b = r->b;
    MlcType type = mlc_value_type(value), i32 = i32_type(b);
    MlcType word = mlc_integer_type_get(b->ctx, mlc_type_bit_width(type), MLC_SIGNLESS);
    MlcValue *moved = value;
    if (!is_shuffled(type)) {
        if (type != word)
            moved = mlc_arith_bitcast(b, word, moved);
        moved = mlc_arith_extui(b, i32, moved);
    }
    MlcOp *op = mlc_gpu_shuffle(b, moved, offset, number(b, r->lanes), mode);
    moved = mlc_op_result(op, 0);
    if (is_shuffled(type))
        return moved;
    moved = mlc_arith_trunci(b, word, moved);
    return type == word ? moved : mlc_arith_bitcast(b, type, moved);
}

// `value` over the first `present` lanes (NULL: all) of `count`: right in lane 0, and in all where
// all are there.
static MlcValue *
reduce_lanes(Reduction *r, MlcValue *value, MlcValue *present, int64_t count)
{
    MlcBuilder *b = r->b;
    for (int64_t step = 1; step < count; step *= 2) {
        if (!present) {
            MlcValue *other = shuffle(r, value, number(b, step), MLC_GPU_SHUFFLE_MODE_XOR);
            value = combine(r, value, other);
            continue;
        }
        // A lane without another reads itself: nobody may read one that is not there.
        MlcValue *from = mlc_arith_xori(b, r->lane, number(b, step));
        MlcValue *is_there = mlc_arith_cmpi(b, from, present, MLC_ARITH_CMPI_PREDICATE_ULT);
        from = mlc_build_select(b, is_there, from, r->lane);
        MlcValue *both = combine(r, value, shuffle(r, value, from, MLC_GPU_SHUFFLE_MODE_IDX));
        value = mlc_build_select(b, is_there, both, value);
    }
    return value;
}

static bool
lower_subgroup_reduce(Reduction *r)
{
    MlcValue *value = mlc_op_operand(r->op, 0);
    MlcType type = mlc_value_type(value);
    if (!mlc_gpu_subgroup_reduce_uniform(r->op))
        return mlc_op_unsupported(r->op, "is not uniform: other lanes cannot be waited for");
    if (!mlc_type_is(type, MLC_TYPE_VECTOR)) {
        value = reduce_lanes(r, value, NULL, r->lanes);
    } else {
        MlcValue *result = mlc_op_operand(r->op, 0);
        for (int64_t i = 0; i < mlc_type_num_elements(type); i++) {
            MlcValue *element =
                mlc_vector_extract(r->b, mlc_type_element(type), value, NULL, 0, &i, 1);
            element = reduce_lanes(r, element, NULL, r->lanes);
            result = mlc_vector_insert(r->b, element, result, NULL, 0, &i, 1);
        }
        value = result;
    }
    mlc_op_replace(r->op, &value, 1);
    return true;
}

// --- a block

// A buffer of one element for each subgroup.
static MlcValue *
add_buffer(MlcOp *function, MlcType element)
{
    MlcContext *ctx = mlc_op_context(function);
    int64_t size = MAX_SUBGROUPS;
    MlcAttr space =
        mlc_enum_attr_get(ctx, &mlc_gpu_address_space_attr_def, MLC_GPU_ADDRESS_SPACE_WORKGROUP);
    MlcType type = mlc_memref_type_get(element, &size, 1, NULL, space);
    MlcAttr count = mlc_op_attr(function, "workgroup_attributions"),
            attrs = mlc_op_attr(function, "workgroup_attrib_attrs");
    int64_t known = count ? mlc_attr_as_int(count) : 0;
    MlcType inputs = mlc_gpu_func_function_type(function);
    size_t at = mlc_function_type_num_inputs(inputs) + (size_t)known;
    mlc_op_set_attr(function, "workgroup_attributions", mlc_i64_attr_get(ctx, known + 1));
    if (attrs) { // one for each
        MLC_VEC(MlcAttr) list = {0};
        for (size_t i = 0; i < mlc_array_attr_size(attrs); i++)
            mlc_vec_push(&list, mlc_array_attr_element(attrs, i));
        mlc_vec_push(&list, mlc_dict_attr_get(ctx, NULL, 0));
        mlc_op_set_attr(function, "workgroup_attrib_attrs",
                        mlc_array_attr_get(ctx, list.data, list.size));
        mlc_vec_release(&list);
    }
    MlcBlock *entry = mlc_region_first(mlc_op_region(function, 0));
    return mlc_block_insert_arg(entry, at, type, mlc_op_loc(function));
}

// The thread's number in its block, and how many there are; i32.
static void
build_position(Reduction *r, MlcOp *function, MlcValue **thread, MlcValue **size)
{
    MlcBuilder *b = r->b;
    MlcAttr known = mlc_gpu_func_known_block_size(function);
    MlcValue *ids[3], *sizes[3];
    for (size_t i = 0; i < 3; i++) {
        MlcGpuDim dim = (MlcGpuDim)i;
        ids[i] = mlc_arith_index_cast(b, i32_type(b), mlc_gpu_thread_id(b, dim));
        sizes[i] = known ? number(b, mlc_dense_array_attr_int(known, i))
                         : mlc_arith_index_cast(b, i32_type(b), mlc_gpu_block_dim(b, dim));
    }
    MlcValue *row = mlc_arith_addi(b, mlc_arith_muli(b, ids[2], sizes[1]), ids[1]);
    *thread = mlc_arith_addi(b, mlc_arith_muli(b, row, sizes[0]), ids[0]);
    *size = mlc_arith_muli(b, mlc_arith_muli(b, sizes[0], sizes[1]), sizes[2]);
}

static bool
has_full_subgroups(MlcOp *function, int64_t lanes)
{
    MlcAttr known = mlc_gpu_func_known_block_size(function);
    int64_t size = 1;
    for (size_t i = 0; known && i < 3; i++)
        size *= mlc_dense_array_attr_int(known, i);
    return known && size % lanes == 0;
}

static MlcValue *
to_index(MlcBuilder *b, MlcValue *value)
{
    return mlc_arith_index_cast(b, mlc_index_type_get(b->ctx), value);
}

// buffer[index] = value in the threads for which `condition` holds, before the builder's place:
// blocks of the function, or scf.if where the region has one block.
static void
store_if(MlcBuilder *b, MlcValue *condition, MlcValue *value, MlcValue *buffer, MlcValue *index)
{
    MlcOp *rest = b->before;
    if (!mlc_op_interface(mlc_op_parent(rest), MLC_INTERFACE_FUNCTION)) {
        MlcOp *guard = mlc_scf_if(b, NULL, 0, condition);
        MlcBuilder inside = *b;
        mlc_builder_create_block(&inside, mlc_op_region(guard, 0), NULL, 0);
        mlc_memref_store(&inside, value, buffer, &index, 1);
        mlc_scf_yield(&inside, NULL, 0);
        return;
    }
    MlcBlock *head = mlc_op_block(rest), *behind = mlc_block_split(rest);
    MlcBlock *then = mlc_block_create(b->ctx);
    mlc_region_insert_after(head, then);
    MlcBuilder inside = *b;
    mlc_builder_at_end(&inside, head);
    mlc_cf_cond_br(&inside, condition, NULL, 0, NULL, 0, then, behind);
    mlc_builder_at_end(&inside, then);
    mlc_memref_store(&inside, value, buffer, &index, 1);
    mlc_cf_br(&inside, NULL, 0, behind);
    mlc_builder_before(b, rest);
}

static bool
lower_all_reduce(Reduction *r, MlcOp *function)
{
    MlcBuilder *b = r->b;
    MlcValue *value = mlc_op_operand(r->op, 0), *thread, *size;
    if (!mlc_gpu_all_reduce_uniform(r->op))
        return mlc_op_unsupported(r->op, "is not uniform: other threads cannot be waited for");
    MlcValue *buffer = add_buffer(function, mlc_value_type(value));
    build_position(r, function, &thread, &size);
    MlcValue *lanes = number(b, r->lanes), *zero = number(b, 0);
    r->lane = mlc_arith_andi(b, thread, number(b, r->lanes - 1));
    MlcValue *present = NULL;
    if (!has_full_subgroups(function, r->lanes))
        present = mlc_arith_subi(b, size, mlc_arith_subi(b, thread, r->lane));
    value = reduce_lanes(r, value, present, r->lanes);
    MlcValue *subgroup = mlc_arith_divui(b, thread, lanes);
    mlc_gpu_barrier(b);
    MlcValue *is_first = mlc_arith_cmpi(b, r->lane, zero, MLC_ARITH_CMPI_PREDICATE_EQ);
    store_if(b, is_first, value, buffer, to_index(b, subgroup));
    mlc_gpu_barrier(b);
    // All subgroups do it, each with as many lanes as it has; the first one's result counts.
    MlcValue *count = mlc_arith_divui(b, mlc_arith_addi(b, size, number(b, r->lanes - 1)), lanes);
    MlcValue *last = mlc_arith_subi(b, count, number(b, 1));
    MlcValue *place = to_index(b, mlc_arith_minui(b, r->lane, last));
    MlcValue *parts = present ? mlc_arith_minui(b, count, present) : count;
    MlcValue *part = reduce_lanes(r, mlc_memref_load(b, buffer, &place, 1), parts, MAX_SUBGROUPS);
    mlc_gpu_barrier(b);
    MlcValue *is_thread_0 = mlc_arith_cmpi(b, thread, zero, MLC_ARITH_CMPI_PREDICATE_EQ);
    MlcValue *first = mlc_build_index(b, 0);
    store_if(b, is_thread_0, part, buffer, first);
    mlc_gpu_barrier(b);
    MlcValue *result = mlc_memref_load(b, buffer, &first, 1);
    mlc_op_replace(r->op, &result, 1);
    return true;
}

// --- the pass

static bool
lower(MlcOp *op, int64_t lanes)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_before(&b, op);
    Reduction r = {.op = op, .b = &b, .lanes = lanes};
    MlcOp *function = mlc_op_parent_of_kind(op, &mlc_gpu_func_def);
    bool has_body = !mlc_op_attr(op, "op");
    if (mlc_type_bit_width(mlc_type_element(mlc_op_operand_type(op, 0))) > 64)
        return mlc_op_unsupported(op, "values of more than 64 bits are not exchanged");
    if (mlc_gpu_subgroup_reduce_isa(op))
        return lower_subgroup_reduce(&r);
    if (!function)
        return mlc_op_unsupported(op, "is in no gpu.func, which would have its buffer");
    if (has_body && mlc_block_next(mlc_region_first(mlc_op_region(op, 0))))
        return mlc_op_unsupported(op, "has a body of several blocks");
    return lower_all_reduce(&r, function);
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_gpu_all_reduce_def || op == &mlc_gpu_subgroup_reduce_def;
}

bool
gpu_lower_reductions(MlcOp *root, int64_t lanes, bool (*keep)(MlcOp *op))
{
    MlcOpVec ops = {0};
    bool ok = true;
    MLC_FOR_EACH_POSTORDER (op, root)
        if (converts(mlc_op_def(op)) && !(keep && keep(op)))
            mlc_vec_push(&ops, op);
    for (size_t i = 0; i < ops.size; i++)
        ok = lower(ops.data[i], lanes) && ok;
    mlc_vec_release(&ops);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    int64_t lanes = mlc_pass_option_int(pass, "subgroup-size");
    if (lanes != 32 && lanes != 64)
        return mlc_op_error(root, "subgroup-size must be 32 or 64");
    return gpu_lower_reductions(root, lanes, NULL);
}

static const char *const dialects[] = {"arith", "cf", "memref", "scf", "vector", NULL};

static const MlcPassOption options[] = {
    {"subgroup-size", MLC_OPTION_INT, "32", "lanes of a subgroup: 32 or 64"},
};

MLC_PASS(gpu_reductions, .flag = "gpu-lower-reductions",
         .summary = "Reductions over subgroups and workgroups by shuffles", .anchor = "gpu.module",
         .options = options, .num_options = 1, .dependent_dialects = dialects, .converts = converts,
         .run = run)
