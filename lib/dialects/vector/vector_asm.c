// vector_asm.c -- the syntax of transfers: a permutation and bounds that are left out when they are
// the usual ones; and their effects, which depend on whether a buffer or a tensor is at the other
// end.
#include "mlc/ir/asm.h"

#include "vector_impl.h"

// (d0, ..., dn) -> the last `count` dims: what a transfer without permutation_map means.
static MlcAffineMap
minor_identity(MlcContext *ctx, size_t rank, size_t count)
{
    MlcAffineExpr results[MLC_RANK_LIMIT];
    for (size_t i = 0; i < count && i < MLC_RANK_LIMIT; i++)
        results[i] = mlc_affine_dim(ctx, (unsigned)(rank - count + i));
    return mlc_affine_map_get(ctx, (unsigned)rank, 0, results, count);
}

static MlcAttr
built_attr(const MlcOpBuild *op, const char *name)
{
    for (size_t i = 0; i < op->attrs.size; i++)
        if (mlc_str_equal(mlc_string_attr_value(op->attrs.data[i].name), mlc_str(name)))
            return op->attrs.data[i].value;
    return NULL;
}

// `: first, second`, of which one is the buffer's or tensor's type and one the vector's.
static bool
parse_types(MlcParser *p, bool shaped_first, MlcType *shaped, MlcType *vector)
{
    MlcLoc loc = mlc_parser_loc(p);
    MlcTypeVec types = {0};
    bool ok = mlc_parse_token(p, ":") && mlc_parse_type_list(p, &types);
    if (ok && types.size != 2)
        ok = mlc_parser_error_at(p, loc, "requires two types");
    if (ok) {
        *shaped = types.data[!shaped_first];
        *vector = types.data[shaped_first];
        if (!mlc_type_is(*shaped, MLC_TYPE_MEMREF) && !mlc_type_is(*shaped, MLC_TYPE_TENSOR))
            ok = mlc_parser_error_at(p, loc, "requires memref or ranked tensor type");
        else if (!mlc_type_is(*vector, MLC_TYPE_VECTOR))
            ok = mlc_parser_error_at(p, loc, "requires vector type");
    }
    mlc_vec_release(&types);
    return ok;
}

// A mask has one lane per element, so elements are scalars.
static bool
resolve_mask(MlcParser *p, const MlcOperandRef *mask, MlcLoc loc, MlcType shaped, MlcType vector,
             MlcAffineMap map, MlcOpBuild *op)
{
    if (mlc_type_is(mlc_type_element(shaped), MLC_TYPE_VECTOR))
        return mlc_parser_error_at(p, loc, "does not support masks with vector element type");
    if (mlc_type_rank(vector) != mlc_affine_map_num_results(map))
        return mlc_parser_error_at(p, op->loc,
                                   "expected the same rank for the vector and the results of the "
                                   "permutation map");
    return mlc_resolve_operand(p, mask, mlc_vector_transfer_mask_type(vector, map), op);
}

// Fills in permutation_map and in_bounds where they were left out; gives the map.
static bool
complete_attrs(MlcParser *p, MlcOpBuild *op, MlcType shaped, MlcType vector, MlcAffineMap *map)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcLoc loc = op->loc;
    MlcType element = mlc_type_element(shaped);
    size_t inner = mlc_type_is(element, MLC_TYPE_VECTOR) ? mlc_type_rank(element) : 0;
    size_t rank = mlc_type_rank(shaped),
           count = mlc_type_rank(vector) - (inner <= mlc_type_rank(vector) ? inner : 0);
    MlcAttr attr = built_attr(op, "permutation_map");
    if (attr && !mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP))
        return mlc_parser_error_at(p, loc, "'permutation_map' must be an affine map");
    *map = attr ? mlc_affine_map_attr_value(attr)
                : minor_identity(ctx, rank, count < rank ? count : rank);
    if (!attr)
        mlc_op_build_attr(p, op, "permutation_map", mlc_affine_map_attr_get(*map));
    if (!built_attr(op, "in_bounds")) {
        MLC_VEC(MlcAttr) flags = {0};
        for (size_t i = 0; i < mlc_affine_map_num_results(*map); i++)
            mlc_vec_push(&flags, mlc_bool_attr_get(ctx, false));
        mlc_op_build_attr(p, op, "in_bounds", mlc_array_attr_get(ctx, flags.data, flags.size));
        mlc_vec_release(&flags);
    }
    return true;
}

static void
print_attrs(MlcPrinter *p, MlcOp *op)
{
    const char *elided[4] = {"operandSegmentSizes"};
    size_t n = 1;
    MlcAffineMap map = mlc_op_affine_map(op, "permutation_map");
    if (map == minor_identity(mlc_op_context(op), mlc_affine_map_num_dims(map),
                              mlc_affine_map_num_results(map)))
        elided[n++] = "permutation_map";
    MlcAttr flags = mlc_op_attr(op, "in_bounds");
    bool any = false;
    for (size_t i = 0; i < mlc_array_attr_size(flags); i++)
        any = any || mlc_attr_as_bool(mlc_array_attr_element(flags, i));
    if (!any)
        elided[n++] = "in_bounds";
    elided[n] = NULL;
    mlc_print_attr_dict(p, op, elided);
}

static bool
resolve_indices(MlcParser *p, const MlcOperandRefVec *indices, MlcOpBuild *op)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    for (size_t i = 0; i < indices->size; i++)
        if (!mlc_resolve_operand(p, &indices->data[i], index, op))
            return false;
    return true;
}

bool
mlc_vector_transfer_read_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef source, padding, mask;
    MlcLoc mask_loc = NULL;
    MlcOperandRefVec indices = {0};
    MlcType shaped, vector;
    MlcAffineMap map;
    bool has_mask = false;
    bool ok = mlc_parse_operand(p, &source) && mlc_parse_operands_within(p, "[", "]", &indices) &&
              mlc_parse_token(p, ",") && mlc_parse_operand(p, &padding);
    if (ok && mlc_parse_optional_token(p, ",")) {
        mask_loc = mlc_parser_loc(p);
        has_mask = ok = mlc_parse_operand(p, &mask);
    }
    ok = ok && mlc_parse_attr_dict(p, op) && parse_types(p, true, &shaped, &vector) &&
         complete_attrs(p, op, shaped, vector, &map) &&
         mlc_resolve_operand(p, &source, shaped, op) && resolve_indices(p, &indices, op) &&
         mlc_resolve_operand(p, &padding, mlc_type_element(shaped), op) &&
         (!has_mask || resolve_mask(p, &mask, mask_loc, shaped, vector, map, op));
    if (ok) {
        int32_t segments[4] = {1, (int32_t)indices.size, 1, has_mask};
        mlc_op_build_attr(p, op, "operandSegmentSizes",
                          mlc_i32_array_attr_get(mlc_parser_context(p), segments, 4));
        mlc_vec_push(&op->result_types, vector);
    }
    mlc_vec_release(&indices);
    return ok;
}

void
mlc_vector_transfer_read_print(MlcPrinter *p, MlcOp *op)
{
    size_t first, count;
    mlc_print_str(p, " ");
    mlc_print_operand(p, mlc_op_operand(op, 0));
    mlc_print_str(p, "[");
    mlc_op_operand_group(op, 1, &first, &count);
    mlc_print_operands(p, op, first, count);
    mlc_print_str(p, "], ");
    mlc_print_operands(p, op, first + count,
                       mlc_op_num_operands(op) - first - count); // padding, mask
    print_attrs(p, op);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
    mlc_print_str(p, ", ");
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

bool
mlc_vector_transfer_write_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef value, dest, mask;
    MlcLoc mask_loc = NULL;
    MlcOperandRefVec indices = {0};
    MlcType shaped, vector;
    MlcAffineMap map;
    bool has_mask = false;
    bool ok = mlc_parse_operand(p, &value) && mlc_parse_token(p, ",") &&
              mlc_parse_operand(p, &dest) && mlc_parse_operands_within(p, "[", "]", &indices);
    if (ok && mlc_parse_optional_token(p, ",")) {
        mask_loc = mlc_parser_loc(p);
        has_mask = ok = mlc_parse_operand(p, &mask);
    }
    ok = ok && mlc_parse_attr_dict(p, op) && parse_types(p, false, &shaped, &vector) &&
         complete_attrs(p, op, shaped, vector, &map) &&
         mlc_resolve_operand(p, &value, vector, op) && mlc_resolve_operand(p, &dest, shaped, op) &&
         resolve_indices(p, &indices, op) &&
         (!has_mask || resolve_mask(p, &mask, mask_loc, shaped, vector, map, op));
    if (ok) {
        int32_t segments[4] = {1, 1, (int32_t)indices.size, has_mask};
        mlc_op_build_attr(p, op, "operandSegmentSizes",
                          mlc_i32_array_attr_get(mlc_parser_context(p), segments, 4));
        if (mlc_type_is(shaped, MLC_TYPE_TENSOR))
            mlc_vec_push(&op->result_types, shaped);
    }
    mlc_vec_release(&indices);
    return ok;
}

void
mlc_vector_transfer_write_print(MlcPrinter *p, MlcOp *op)
{
    size_t first, count;
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, 2);
    mlc_print_str(p, "[");
    mlc_op_operand_group(op, 2, &first, &count);
    mlc_print_operands(p, op, first, count);
    mlc_print_str(p, "]");
    if (first + count < mlc_op_num_operands(op)) {
        mlc_print_str(p, ", ");
        mlc_print_operand(p, mlc_op_operand(op, first + count));
    }
    print_attrs(p, op);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
    mlc_print_str(p, ", ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 1)));
}

static void
transfer_effects(MlcOp *op, MlcEffectVec *out)
{
    bool reads = mlc_op_num_results(op) > 0 &&
                 !mlc_type_is(mlc_value_type(mlc_op_result(op, 0)), MLC_TYPE_TENSOR);
    MlcValue *other = mlc_op_operand(op, reads ? 0 : 1);
    if (mlc_type_is(mlc_value_type(other), MLC_TYPE_MEMREF))
        mlc_vec_push(out, ((MlcMemoryEffect){reads ? MLC_EFFECT_READ : MLC_EFFECT_WRITE, other}));
}

const MlcMemoryEffects mlc_vector_transfer_memory_effects = {.effects = transfer_effects};
