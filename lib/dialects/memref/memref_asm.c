// memref_asm.c -- custom syntax of memref ops with words or maps of their own.
#include "mlc/dialects/memref.h"
#include "mlc/ir.h"
#include "mlc/ir/asm.h"

// %m[%i, %j]
typedef struct Access {
    MlcOperandRef memref;
    MlcOperandRefVec indices;
} Access;

static bool
parse_access(MlcParser *p, Access *access)
{
    return mlc_parse_operand(p, &access->memref) &&
           mlc_parse_operands_within(p, "[", "]", &access->indices);
}

static bool
resolve_access(MlcParser *p, const Access *access, MlcType type, MlcOpBuild *op)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    if (!mlc_resolve_operand(p, &access->memref, type, op))
        return false;
    for (size_t i = 0; i < access->indices.size; i++)
        if (!mlc_resolve_operand(p, &access->indices.data[i], index, op))
            return false;
    return true;
}

static void
print_access(MlcPrinter *p, MlcOp *op, size_t memref, size_t num_indices)
{
    mlc_print_operands(p, op, memref, 1);
    mlc_print_str(p, "[");
    mlc_print_operands(p, op, memref + 1, num_indices);
    mlc_print_str(p, "]");
}

// memref.prefetch %m[%i], read, locality<3>, data : t

static bool
parse_choice(MlcParser *p, const char *yes, const char *no, const char *name, const char *message,
             MlcOpBuild *op)
{
    bool chosen = mlc_parse_optional_token(p, yes);
    if (!chosen && !mlc_parse_optional_token(p, no))
        return mlc_parser_error_at(p, op->loc, "%s", message);
    mlc_op_build_attr(p, op, name, mlc_bool_attr_get(mlc_parser_context(p), chosen));
    return true;
}

static bool
parse_prefetch(MlcParser *p, Access *access, MlcOpBuild *op)
{
    int64_t hint;
    MlcType type;
    if (!parse_access(p, access) || !mlc_parse_token(p, ",") ||
        !parse_choice(p, "write", "read", "isWrite", "rw specifier has to be 'read' or 'write'",
                      op) ||
        !mlc_parse_token(p, ",") || !mlc_parse_token(p, "locality") || !mlc_parse_token(p, "<") ||
        !mlc_parse_integer(p, &hint) || !mlc_parse_token(p, ">") || !mlc_parse_token(p, ",") ||
        !parse_choice(p, "data", "instr", "isDataCache", "cache type has to be 'data' or 'instr'",
                      op) ||
        !mlc_parse_attr_dict(p, op) || !mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &type))
        return false;
    mlc_op_build_attr(p, op, "localityHint",
                      mlc_i32_attr_get(mlc_parser_context(p), (int32_t)hint));
    return resolve_access(p, access, type, op);
}

bool
mlc_memref_prefetch_parse(MlcParser *p, MlcOpBuild *op)
{
    Access access = {0};
    bool ok = parse_prefetch(p, &access, op);
    mlc_vec_release(&access.indices);
    return ok;
}

void
mlc_memref_prefetch_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"isWrite", "localityHint", "isDataCache", NULL};
    mlc_print_str(p, " ");
    print_access(p, op, 0, mlc_op_num_operands(op) - 1);
    mlc_buf_printf(mlc_printer_buf(p), ", %s, locality<%lld>, %s",
                   mlc_memref_prefetch_is_write(op) ? "write" : "read",
                   (long long)mlc_memref_prefetch_locality_hint(op),
                   mlc_memref_prefetch_is_data_cache(op) ? "data" : "instr");
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_op_operand_type(op, 0));
}

// memref.transpose %m (i, j) -> (j, i) : t to u

static bool
parse_names(MlcParser *p, MlcStr *names, size_t *count)
{
    *count = 0;
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do
        if (*count == MLC_RANK_LIMIT || !mlc_parse_keyword_any(p, &names[(*count)++]))
            return false;
    while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static bool
parse_permutation(MlcParser *p, MlcOpBuild *op)
{
    MlcStr dims[MLC_RANK_LIMIT], results[MLC_RANK_LIMIT];
    MlcAffineExpr exprs[MLC_RANK_LIMIT];
    size_t num_dims, num_results;
    MlcContext *ctx = mlc_parser_context(p);
    MlcLoc loc = mlc_parser_loc(p);
    if (!parse_names(p, dims, &num_dims) || !mlc_parse_token(p, "->") ||
        !parse_names(p, results, &num_results))
        return false;
    for (size_t i = 0; i < num_results; i++) {
        size_t d = 0;
        while (d < num_dims && !mlc_str_equal(dims[d], results[i]))
            d++;
        if (d == num_dims)
            return mlc_parser_error_at(p, loc, "use of undeclared identifier");
        exprs[i] = mlc_affine_dim(ctx, (unsigned)d);
    }
    MlcAffineMap map = mlc_affine_map_get(ctx, (unsigned)num_dims, 0, exprs, num_results);
    mlc_op_build_attr(p, op, "permutation", mlc_affine_map_attr_get(map));
    return true;
}

bool
mlc_memref_transpose_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef ref;
    MlcType from, to;
    if (!mlc_parse_operand(p, &ref) || !parse_permutation(p, op) || !mlc_parse_attr_dict(p, op) ||
        !mlc_parse_token(p, ":") || !mlc_parse_type_into(p, &from) || !mlc_parse_token(p, "to") ||
        !mlc_parse_type_into(p, &to))
        return false;
    mlc_vec_push(&op->result_types, to);
    return mlc_resolve_operand(p, &ref, from, op);
}

void
mlc_memref_transpose_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"permutation", NULL};
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, 1);
    mlc_print_str(p, " ");
    mlc_affine_map_print(mlc_memref_transpose_permutation(op), mlc_printer_buf(p));
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_op_operand_type(op, 0));
    mlc_print_str(p, " to ");
    mlc_print_type(p, mlc_value_type(mlc_op_result(op, 0)));
}

// memref.dma_start %a[%i], %b[%j], %n, %tag[%k] (, %stride, %elements)? : t, u, v

typedef struct Dma {
    Access source, dest, tag;
    MlcOperandRef count, strides[2];
    bool has_strides;
    MlcType types[3];
} Dma;

static bool
parse_dma(MlcParser *p, Dma *dma, const MlcOpBuild *op)
{
    if (!parse_access(p, &dma->source) || !mlc_parse_token(p, ",") ||
        !parse_access(p, &dma->dest) || !mlc_parse_token(p, ",") ||
        !mlc_parse_operand(p, &dma->count) || !mlc_parse_token(p, ",") ||
        !parse_access(p, &dma->tag))
        return false;
    dma->has_strides = mlc_parse_optional_token(p, ",");
    if (!dma->has_strides)
        return true;
    if (!mlc_parse_operand(p, &dma->strides[0]))
        return false;
    if (!mlc_parse_optional_token(p, ","))
        return mlc_parser_error_at(p, op->loc, "expected two stride related operands");
    return mlc_parse_operand(p, &dma->strides[1]);
}

static bool
resolve_dma(MlcParser *p, const Dma *dma, MlcOpBuild *op)
{
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    bool ok = resolve_access(p, &dma->source, dma->types[0], op) &&
              resolve_access(p, &dma->dest, dma->types[1], op) &&
              mlc_resolve_operand(p, &dma->count, index, op) &&
              resolve_access(p, &dma->tag, dma->types[2], op);
    for (size_t i = 0; ok && dma->has_strides && i < 2; i++)
        ok = mlc_resolve_operand(p, &dma->strides[i], index, op);
    return ok;
}

bool
mlc_memref_dma_start_parse(MlcParser *p, MlcOpBuild *op)
{
    Dma dma = {0};
    bool ok = parse_dma(p, &dma, op) && mlc_parse_attr_dict(p, op) && mlc_parse_token(p, ":");
    for (size_t i = 0; ok && i < 3; i++)
        ok = (i == 0 || mlc_parse_optional_token(p, ",") ||
              mlc_parser_error_at(p, op->loc, "fewer/more types expected")) &&
             mlc_parse_type_into(p, &dma.types[i]);
    ok = ok && resolve_dma(p, &dma, op);
    mlc_vec_release(&dma.source.indices);
    mlc_vec_release(&dma.dest.indices);
    mlc_vec_release(&dma.tag.indices);
    return ok;
}

static size_t
rank_of(const MlcOp *op, size_t i)
{
    MlcType type = i < mlc_op_num_operands(op) ? mlc_op_operand_type(op, i) : NULL;
    return type && mlc_type_is(type, MLC_TYPE_MEMREF) ? mlc_type_rank(type) : 0;
}

// Positions of destination, count and tag; false if the operands are not of that form.
static bool
dma_positions(const MlcOp *op, size_t at[3])
{
    at[0] = 1 + rank_of(op, 0);
    at[1] = at[0] + 1 + rank_of(op, at[0]);
    at[2] = at[1] + 1;
    size_t end = at[2] + 1 + rank_of(op, at[2]), n = mlc_op_num_operands(op);
    return at[2] < n && mlc_type_is(mlc_op_operand_type(op, 0), MLC_TYPE_MEMREF) &&
           mlc_type_is(mlc_op_operand_type(op, at[0]), MLC_TYPE_MEMREF) &&
           mlc_type_is(mlc_op_operand_type(op, at[2]), MLC_TYPE_MEMREF) &&
           (n == end || n == end + 2);
}

void
mlc_memref_dma_start_print(MlcPrinter *p, MlcOp *op)
{
    size_t at[3];
    dma_positions(op, at);
    mlc_print_str(p, " ");
    print_access(p, op, 0, at[0] - 1);
    mlc_print_str(p, ", ");
    print_access(p, op, at[0], at[1] - at[0] - 1);
    mlc_print_str(p, ", ");
    mlc_print_operands(p, op, at[1], 1);
    mlc_print_str(p, ", ");
    size_t tag_rank = rank_of(op, at[2]), end = at[2] + 1 + tag_rank;
    print_access(p, op, at[2], tag_rank);
    if (mlc_op_num_operands(op) > end) {
        mlc_print_str(p, ", ");
        mlc_print_operands(p, op, end, 2);
    }
    mlc_print_attr_dict(p, op, NULL);
    static const char *const separators[] = {" : ", ", ", ", "};
    const size_t memrefs[] = {0, at[0], at[2]};
    for (size_t i = 0; i < 3; i++) {
        mlc_print_str(p, separators[i]);
        mlc_print_type(p, mlc_op_operand_type(op, memrefs[i]));
    }
}
