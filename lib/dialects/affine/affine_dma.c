// affine_dma.c -- the syntax of transfers: affine.dma_start %src[%i], %dst[%j], %tag[%k], %size,
// %stride, %per_stride : types. The three maps are discardable attributes, as in MLIR.
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

static const char *const map_names[] = {"src_map", "dst_map", "tag_map"};
static const char *const *const tag_map_name = &map_names[2];

typedef struct Side { // a memref and its subscripts
    MlcOperandRef memref;
    MlcOperandRefVec dims, symbols;
} Side;

static void
release_sides(Side *sides, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mlc_vec_release(&sides[i].dims);
        mlc_vec_release(&sides[i].symbols);
    }
}

static bool
parse_sides(MlcParser *p, MlcOpBuild *op, const char *const *names, Side *sides, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        MlcAffineMap map = mlc_affine_map_get(mlc_parser_context(p), 0, 0, NULL, 0);
        if ((i > 0 && !mlc_parse_token(p, ",")) || !mlc_parse_operand(p, &sides[i].memref) ||
            !mlc_parse_token(p, "["))
            return false;
        if (!mlc_parse_optional_token(p, "]") &&
            !mlc_parse_affine_map_of_operands(p, "]", &map, &sides[i].dims, &sides[i].symbols))
            return false;
        mlc_op_build_attr(p, op, names[i], mlc_affine_map_attr_get(map));
    }
    return true;
}

static bool
resolve_all(MlcParser *p, const MlcOperandRefVec *refs, MlcOpBuild *op)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    for (size_t i = 0; i < refs->size; i++)
        if (!mlc_resolve_operand(p, &refs->data[i], index, op))
            return false;
    return true;
}

static bool
resolve_sides(MlcParser *p, const Side *sides, const MlcTypeVec *types, MlcOpBuild *op)
{
    for (size_t i = 0; i < types->size; i++)
        if (!mlc_resolve_operand(p, &sides[i].memref, types->data[i], op) ||
            !resolve_all(p, &sides[i].dims, op) || !resolve_all(p, &sides[i].symbols, op))
            return false;
    return true;
}

bool
mlc_affine_dma_start_parse(MlcParser *p, MlcOpBuild *op)
{
    Side sides[3] = {0};
    MlcOperandRefVec sizes = {0};
    MlcTypeVec types = {0};
    bool ok = parse_sides(p, op, map_names, sides, 3) && mlc_parse_token(p, ",") &&
              mlc_parse_operand_list(p, &sizes);
    if (ok && sizes.size != 1 && sizes.size != 3)
        ok = mlc_parser_error_at(p, op->loc, "expected two stride related operands");
    ok = ok && mlc_parse_token(p, ":") && mlc_parse_type_list(p, &types);
    if (ok && types.size != 3)
        ok = mlc_parser_error_at(p, op->loc, "expected three types");
    ok = ok && resolve_sides(p, sides, &types, op) && resolve_all(p, &sizes, op);
    release_sides(sides, 3);
    mlc_vec_release(&sizes);
    mlc_vec_release(&types);
    return ok;
}

bool
mlc_affine_dma_wait_parse(MlcParser *p, MlcOpBuild *op)
{
    Side side = {0};
    MlcOperandRefVec sizes = {0};
    MlcTypeVec types = {0};
    bool ok = parse_sides(p, op, tag_map_name, &side, 1) && mlc_parse_token(p, ",") &&
              mlc_parse_operand_list(p, &sizes) && mlc_parse_token(p, ":") &&
              mlc_parse_type_list(p, &types);
    if (ok && (types.size != 1 || !mlc_type_is(types.data[0], MLC_TYPE_MEMREF)))
        ok = mlc_parser_error_at(p, op->loc, "expected tag to be of memref type");
    ok = ok && resolve_sides(p, &side, &types, op) && resolve_all(p, &sizes, op);
    release_sides(&side, 1);
    mlc_vec_release(&sizes);
    mlc_vec_release(&types);
    return ok;
}

static void
print_sides(MlcPrinter *p, MlcOp *op, const char *const *names, size_t n)
{
    size_t at = 0, memrefs[3];
    for (size_t i = 0; i < n; i++) {
        MlcAffineMap map = mlc_op_affine_map(op, names[i]);
        MlcValueVec operands = {0};
        memrefs[i] = at++;
        for (size_t j = 0; j < mlc_affine_map_num_inputs(map); j++)
            mlc_vec_push(&operands, mlc_op_operand(op, at++));
        mlc_print_str(p, i ? ", " : " ");
        mlc_print_operand(p, mlc_op_operand(op, memrefs[i]));
        mlc_print_str(p, "[");
        mlc_print_affine_map_of_operands(p, map, operands.data);
        mlc_print_str(p, "]");
        mlc_vec_release(&operands);
    }
    mlc_print_str(p, ", ");
    mlc_print_operands(p, op, at, mlc_op_num_operands(op) - at);
    for (size_t i = 0; i < n; i++) {
        mlc_print_str(p, i ? ", " : " : ");
        mlc_print_type(p, mlc_value_type(mlc_op_operand(op, memrefs[i])));
    }
}

void
mlc_affine_dma_start_print(MlcPrinter *p, MlcOp *op)
{
    print_sides(p, op, map_names, 3);
}

void
mlc_affine_dma_wait_print(MlcPrinter *p, MlcOp *op)
{
    print_sides(p, op, tag_map_name, 1);
}
