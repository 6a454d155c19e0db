// affine_asm.c -- the syntax of affine ops: maps applied to values, which no format says.
#include "mlc/ir/asm.h"

#include "mlc/ir.h"

// Maps and values: #map(%dims)[%symbols].

static void
print_dims_and_symbols(MlcPrinter *p, const MlcOp *op, size_t first, size_t count, size_t num_dims)
{
    mlc_print_str(p, "(");
    mlc_print_operands(p, (MlcOp *)op, first, num_dims);
    mlc_print_str(p, ")");
    if (count > num_dims) {
        mlc_print_str(p, "[");
        mlc_print_operands(p, (MlcOp *)op, first + num_dims, count - num_dims);
        mlc_print_str(p, "]");
    }
}

// (%a, %b)[%s], appended as index operands. `what` the counts must match, or NULL where the op's
// verification says so.
static bool
parse_dims_and_symbols(MlcParser *p, size_t num_dims, size_t num_symbols, const char *what,
                       MlcOpBuild *op)
{
    MlcOperandRefVec dims = {0}, symbols = {0};
    bool ok = mlc_parse_operands_within(p, "(", ")", &dims);
    if (ok && mlc_parse_optional_token(p, "["))
        ok = mlc_parse_operand_list(p, &symbols) && mlc_parse_token(p, "]");
    if (ok && what && dims.size != num_dims)
        ok = mlc_parser_error_at(p, op->loc, "dim operand count and %s dim count must match", what);
    if (ok && what && symbols.size != num_symbols)
        ok = mlc_parser_error_at(p, op->loc, "symbol operand count and %s symbol count must match",
                                 what);
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    for (size_t i = 0; ok && i < dims.size; i++)
        ok = mlc_resolve_operand(p, &dims.data[i], index, op);
    for (size_t i = 0; ok && i < symbols.size; i++)
        ok = mlc_resolve_operand(p, &symbols.data[i], index, op);
    mlc_vec_release(&dims);
    mlc_vec_release(&symbols);
    return ok;
}

static bool
parse_map_attr(MlcParser *p, MlcAffineMap *map)
{
    MlcAttr attr;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_attribute(p, NULL, &attr))
        return false;
    if (!mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP))
        return mlc_parser_error_at(p, loc, "invalid kind of attribute specified");
    *map = mlc_affine_map_attr_value(attr);
    return true;
}

// affine.apply, affine.min, affine.max.

bool
mlc_affine_parse_extremum(MlcParser *p, MlcOpBuild *op)
{
    MlcAffineMap map;
    if (!parse_map_attr(p, &map) || !parse_dims_and_symbols(p, 0, 0, NULL, op) ||
        !mlc_parse_attr_dict(p, op))
        return false;
    mlc_op_build_attr(p, op, "map", mlc_affine_map_attr_get(map));
    mlc_vec_push(&op->result_types, mlc_index_type_get(mlc_parser_context(p)));
    return true;
}

void
mlc_affine_print_map_op(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"map", NULL};
    MlcAttr map = mlc_op_attr(op, "map");
    mlc_print_str(p, " ");
    mlc_print_attribute(p, map);
    print_dims_and_symbols(p, op, 0, mlc_op_num_operands(op),
                           mlc_affine_map_num_dims(mlc_affine_map_attr_value(map)));
    mlc_print_attr_dict(p, op, elided);
}

bool
mlc_affine_apply_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcAffineMap map;
    if (!parse_map_attr(p, &map) ||
        !parse_dims_and_symbols(p, mlc_affine_map_num_dims(map), mlc_affine_map_num_symbols(map),
                                "affine map", op) ||
        !mlc_parse_attr_dict(p, op))
        return false;
    mlc_op_build_attr(p, op, "map", mlc_affine_map_attr_get(map));
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        mlc_vec_push(&op->result_types, mlc_index_type_get(mlc_parser_context(p)));
    return true;
}

// Accesses: %m[%i + 1, symbol(%s)].

typedef struct Subscript {
    MlcAffineMap map;
    MlcOperandRefVec dims, symbols;
} Subscript;

static bool
parse_subscript(MlcParser *p, Subscript *s)
{
    if (!mlc_parse_token(p, "["))
        return false;
    if (mlc_parse_optional_token(p, "]")) {
        s->map = mlc_affine_map_get(mlc_parser_context(p), 0, 0, NULL, 0);
        return true;
    }
    return mlc_parse_affine_map_of_operands(p, "]", &s->map, &s->dims, &s->symbols);
}

static bool
resolve_subscript(MlcParser *p, Subscript *s, MlcOpBuild *op)
{
    bool ok = true;
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    for (size_t i = 0; ok && i < s->dims.size; i++)
        ok = mlc_resolve_operand(p, &s->dims.data[i], index, op);
    for (size_t i = 0; ok && i < s->symbols.size; i++)
        ok = mlc_resolve_operand(p, &s->symbols.data[i], index, op);
    mlc_op_build_attr(p, op, "map", mlc_affine_map_attr_get(s->map));
    mlc_vec_release(&s->dims);
    mlc_vec_release(&s->symbols);
    return ok;
}

static void
print_subscript(MlcPrinter *p, MlcOp *op, size_t first)
{
    MlcAttr map = mlc_op_attr(op, "map");
    MlcValueVec operands = {0};
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_vec_push(&operands, mlc_op_operand(op, i));
    mlc_print_str(p, "[");
    if (map)
        mlc_print_affine_map_of_operands(p, mlc_affine_map_attr_value(map), operands.data);
    mlc_print_str(p, "]");
    mlc_vec_release(&operands);
}

static bool
drop_subscript(Subscript *s)
{
    mlc_vec_release(&s->dims);
    mlc_vec_release(&s->symbols);
    return false;
}

// `: memref` and, for vectors, `, vector`.
static bool
parse_access_types(MlcParser *p, bool is_vector, MlcType *memref, MlcType *vector)
{
    MlcLoc loc = mlc_parser_loc(p); // upstream's place, though the type is what is wrong
    if (!mlc_parse_token(p, ":") || !mlc_parse_type_into(p, memref))
        return false;
    if (!mlc_type_is(*memref, MLC_TYPE_MEMREF))
        return mlc_parser_error_at(p, loc, "invalid kind of type specified");
    if (!is_vector)
        return true;
    if (!mlc_parse_token(p, ","))
        return false;
    loc = mlc_parser_loc(p);
    if (!mlc_parse_type_into(p, vector))
        return false;
    return mlc_type_is(*vector, MLC_TYPE_VECTOR) ||
           mlc_parser_error_at(p, loc, "invalid kind of type specified");
}

static bool
parse_load(MlcParser *p, MlcOpBuild *op, bool is_vector)
{
    MlcOperandRef memref;
    Subscript subscript = {0};
    MlcType type, vector = NULL;
    if (!mlc_parse_operand(p, &memref) || !parse_subscript(p, &subscript) ||
        !mlc_parse_attr_dict(p, op) || !parse_access_types(p, is_vector, &type, &vector))
        return drop_subscript(&subscript);
    mlc_vec_push(&op->result_types, is_vector ? vector : mlc_type_element(type));
    if (!mlc_resolve_operand(p, &memref, type, op))
        return drop_subscript(&subscript);
    return resolve_subscript(p, &subscript, op);
}

static bool
parse_store(MlcParser *p, MlcOpBuild *op, bool is_vector)
{
    MlcOperandRef value, memref;
    Subscript subscript = {0};
    MlcType type, vector = NULL;
    if (!mlc_parse_operand(p, &value) || !mlc_parse_token(p, ",") ||
        !mlc_parse_operand(p, &memref) || !parse_subscript(p, &subscript) ||
        !mlc_parse_attr_dict(p, op) || !parse_access_types(p, is_vector, &type, &vector))
        return drop_subscript(&subscript);
    if (!mlc_resolve_operand(p, &value, is_vector ? vector : mlc_type_element(type), op) ||
        !mlc_resolve_operand(p, &memref, type, op))
        return drop_subscript(&subscript);
    return resolve_subscript(p, &subscript, op);
}

static const char *const elided_map[] = {"map", NULL};

static void
print_access(MlcPrinter *p, MlcOp *op, size_t memref, MlcType vector)
{
    mlc_print_str(p, " ");
    mlc_print_operands(p, op, 0, memref + 1);
    print_subscript(p, op, memref + 1);
    mlc_print_attr_dict(p, op, elided_map);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, memref)));
    if (vector) {
        mlc_print_str(p, ", ");
        mlc_print_type(p, vector);
    }
}

bool
mlc_affine_load_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_load(p, op, false);
}

void
mlc_affine_load_print(MlcPrinter *p, MlcOp *op)
{
    print_access(p, op, 0, NULL);
}

bool
mlc_affine_store_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_store(p, op, false);
}

void
mlc_affine_store_print(MlcPrinter *p, MlcOp *op)
{
    print_access(p, op, 1, NULL);
}

bool
mlc_affine_vector_load_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_load(p, op, true);
}

void
mlc_affine_vector_load_print(MlcPrinter *p, MlcOp *op)
{
    print_access(p, op, 0, mlc_value_type(mlc_op_result(op, 0)));
}

bool
mlc_affine_vector_store_parse(MlcParser *p, MlcOpBuild *op)
{
    return parse_store(p, op, true);
}

void
mlc_affine_vector_store_print(MlcPrinter *p, MlcOp *op)
{
    print_access(p, op, 1, mlc_value_type(mlc_op_operand(op, 0)));
}

bool
mlc_affine_prefetch_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcOperandRef memref;
    Subscript subscript = {0};
    MlcType type;
    MlcStr mode, cache;
    int64_t locality;
    MlcContext *ctx = mlc_parser_context(p);
    if (!mlc_parse_operand(p, &memref) || !parse_subscript(p, &subscript) ||
        !mlc_parse_token(p, ",") || !mlc_parse_keyword_any(p, &mode))
        return drop_subscript(&subscript);
    bool is_write = mlc_str_equal(mode, mlc_str("write"));
    if (!is_write && !mlc_str_equal(mode, mlc_str("read")))
        return mlc_parser_error_at(p, op->loc, "rw specifier has to be 'read' or 'write'"),
               drop_subscript(&subscript);
    if (!mlc_parse_token(p, ",") || !mlc_parse_token(p, "locality") || !mlc_parse_token(p, "<") ||
        !mlc_parse_integer(p, &locality) || !mlc_parse_token(p, ">") || !mlc_parse_token(p, ",") ||
        !mlc_parse_keyword_any(p, &cache))
        return drop_subscript(&subscript);
    bool is_data = mlc_str_equal(cache, mlc_str("data"));
    if (!is_data && !mlc_str_equal(cache, mlc_str("instr")))
        return mlc_parser_error_at(p, op->loc, "cache type has to be 'data' or 'instr'"),
               drop_subscript(&subscript);
    if (!mlc_parse_attr_dict(p, op) || !parse_access_types(p, false, &type, NULL))
        return drop_subscript(&subscript);
    mlc_op_build_attr(p, op, "isWrite", mlc_bool_attr_get(ctx, is_write));
    mlc_op_build_attr(p, op, "localityHint", mlc_i32_attr_get(ctx, (int32_t)locality));
    mlc_op_build_attr(p, op, "isDataCache", mlc_bool_attr_get(ctx, is_data));
    return mlc_resolve_operand(p, &memref, type, op) && resolve_subscript(p, &subscript, op);
}

void
mlc_affine_prefetch_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"map", "localityHint", "isDataCache", "isWrite", NULL};
    mlc_print_str(p, " ");
    mlc_print_operand(p, mlc_op_operand(op, 0));
    print_subscript(p, op, 1);
    mlc_print_str(p, mlc_attr_as_bool(mlc_op_attr(op, "isWrite")) ? ", write, locality<"
                                                                  : ", read, locality<");
    mlc_buf_printf(mlc_printer_buf(p), "%lld",
                   (long long)mlc_attr_as_int(mlc_op_attr(op, "localityHint")));
    mlc_print_str(p, mlc_attr_as_bool(mlc_op_attr(op, "isDataCache")) ? ">, data" : ">, instr");
    mlc_print_attr_dict(p, op, elided);
    mlc_print_str(p, " : ");
    mlc_print_type(p, mlc_value_type(mlc_op_operand(op, 0)));
}

// affine.for.

static bool
parse_bound_map(MlcParser *p, MlcOpBuild *op, MlcAffineMap *map, bool *is_number)
{
    MlcAttr attr;
    int64_t constant;
    MlcContext *ctx = mlc_parser_context(p);
    if (!mlc_parse_attribute(p, mlc_index_type_get(ctx), &attr))
        return false;
    *is_number = mlc_attr_is(attr, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(attr, &constant);
    if (*is_number)
        return *map = mlc_affine_map_constant(ctx, constant), true;
    if (!mlc_attr_is(attr, MLC_ATTR_AFFINE_MAP))
        return mlc_parser_error_at(p, op->loc,
                                   "expected valid affine map representation for loop bounds");
    *map = mlc_affine_map_attr_value(attr);
    return true;
}

// A bound: 4, %n, [min|max] #map(%i)[%n]. Appends its operands, tells how many.
static bool
parse_bound(MlcParser *p, MlcOpBuild *op, const char *word, const char *attr_name,
            int32_t *num_operands)
{
    MlcContext *ctx = mlc_parser_context(p);
    size_t before = op->operands.size;
    MlcOperandRef ref;
    MlcAffineMap map = NULL;
    bool wants_word = mlc_parse_optional_token(p, word);
    MlcLoc loc = mlc_parser_loc(p);
    int found = wants_word ? 0 : mlc_parse_optional_operand(p, &ref);
    if (found < 0)
        return false;
    if (found > 0) {
        MlcAffineExpr symbol = mlc_affine_symbol(ctx, 0);
        map = mlc_affine_map_get(ctx, 0, 1, &symbol, 1);
        if (!mlc_resolve_operand(p, &ref, mlc_index_type_get(ctx), op))
            return false;
    } else {
        bool is_number;
        if (!parse_bound_map(p, op, &map, &is_number) ||
            (!is_number &&
             !parse_dims_and_symbols(p, mlc_affine_map_num_dims(map),
                                     mlc_affine_map_num_symbols(map), "affine map", op)))
            return false;
        if (mlc_affine_map_num_results(map) > 1 && !wants_word)
            return mlc_parser_error_at(
                p, loc, "%s loop bound affine map with multiple results requires '%s' prefix",
                word[1] == 'a' ? "lower" : "upper", word);
    }
    *num_operands = (int32_t)(op->operands.size - before);
    mlc_op_build_attr(p, op, attr_name, mlc_affine_map_attr_get(map));
    return true;
}

static bool
parse_iter_args(MlcParser *p, MlcOpBuild *op, MlcBlockArgRefVec *args, MlcOperandRefVec *inits)
{
    if (!mlc_parse_token(p, "("))
        return false;
    do {
        MlcBlockArgRef arg = {0};
        MlcOperandRef init;
        if (!mlc_parse_block_arg(p, false, &arg) || !mlc_parse_token(p, "=") ||
            !mlc_parse_operand(p, &init))
            return false;
        mlc_vec_push(args, arg);
        mlc_vec_push(inits, init);
    } while (mlc_parse_optional_token(p, ","));
    if (!mlc_parse_token(p, ")") || !mlc_parse_arrow_types(p, &op->result_types))
        return false;
    if (op->result_types.size != inits->size)
        return mlc_parser_error_at(
            p, op->loc, "mismatch between the number of loop-carried values and results");
    return true;
}

bool
mlc_affine_for_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcBlockArgRefVec args = {0};
    MlcOperandRefVec inits = {0};
    MlcBlockArgRef iv = {0};
    int32_t segments[3] = {0};
    int64_t step = 1;
    MlcType index = mlc_index_type_get(ctx);
    bool ok = mlc_parse_block_arg(p, false, &iv) && mlc_parse_token(p, "=") &&
              parse_bound(p, op, "max", "lowerBoundMap", &segments[0]) &&
              (mlc_parse_optional_token(p, "to") ||
               mlc_parser_error(p, "expected 'to' between bounds")) &&
              parse_bound(p, op, "min", "upperBoundMap", &segments[1]);
    if (ok && mlc_parse_optional_token(p, "step")) {
        MlcLoc loc = mlc_parser_loc(p);
        MlcAttr attr;
        ok = mlc_parse_attribute(p, index, &attr);
        if (ok && !mlc_attr_is(attr, MLC_ATTR_INTEGER))
            ok = mlc_parser_error_at(p, loc, "invalid kind of attribute specified");
        else if (ok && (!mlc_attr_try_as_int(attr, &step) || step < 0))
            ok = mlc_parser_error_at(
                p, loc, "expected step to be representable as a positive signed integer");
    }
    iv.type = index;
    mlc_vec_push(&args, iv);
    if (ok && mlc_parse_optional_token(p, "iter_args"))
        ok = parse_iter_args(p, op, &args, &inits);
    for (size_t i = 0; ok && i < inits.size; i++) {
        args.data[i + 1].type = op->result_types.data[i];
        ok = mlc_resolve_operand(p, &inits.data[i], op->result_types.data[i], op);
    }
    segments[2] = (int32_t)inits.size;
    mlc_op_build_attr(p, op, "step", mlc_index_attr_get(ctx, step));
    mlc_op_build_attr(p, op, "operandSegmentSizes", mlc_i32_array_attr_get(ctx, segments, 3));
    ok = ok && mlc_parse_region(p, mlc_op_build_region(p, op), &args) && mlc_parse_attr_dict(p, op);
    mlc_vec_release(&args);
    mlc_vec_release(&inits);
    return ok;
}

static void
print_bound(MlcPrinter *p, MlcOp *op, size_t group, const char *attr_name, const char *word)
{
    MlcAttr attr = mlc_op_attr(op, attr_name);
    MlcAffineMap map = mlc_affine_map_attr_value(attr);
    size_t first, count;
    mlc_op_operand_group(op, group, &first, &count);
    if (mlc_affine_map_num_results(map) == 1) {
        MlcAffineExpr e = mlc_affine_map_result(map, 0);
        size_t inputs = mlc_affine_map_num_inputs(map);
        if (inputs == 0 && mlc_affine_kind(e) == MLC_AFFINE_CONSTANT) {
            mlc_buf_printf(mlc_printer_buf(p), "%lld", (long long)mlc_affine_value(e));
            return;
        }
        if (inputs == 1 && mlc_affine_kind(e) == MLC_AFFINE_SYMBOL) {
            mlc_print_operand(p, mlc_op_operand(op, first));
            return;
        }
    } else {
        mlc_print_str(p, word);
        mlc_print_str(p, " ");
    }
    mlc_print_attribute(p, attr);
    print_dims_and_symbols(p, op, first, count, mlc_affine_map_num_dims(map));
}

void
mlc_affine_for_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"lowerBoundMap", "upperBoundMap", "step",
                                         "operandSegmentSizes", NULL};
    MlcRegion *region = mlc_op_region(op, 0);
    MlcBlock *body = mlc_region_first(region);
    size_t first, count;
    mlc_print_str(p, " ");
    mlc_print_block_arg(p, mlc_block_arg(body, 0), false);
    mlc_print_arg_loc(p, mlc_block_arg(body, 0));
    mlc_print_str(p, " = ");
    print_bound(p, op, 0, "lowerBoundMap", "max");
    mlc_print_str(p, " to ");
    print_bound(p, op, 1, "upperBoundMap", "min");
    int64_t step = mlc_attr_as_int(mlc_op_attr(op, "step"));
    if (step != 1)
        mlc_buf_printf(mlc_printer_buf(p), " step %lld", (long long)step);
    mlc_op_operand_group(op, 2, &first, &count);
    if (count > 0) {
        mlc_print_str(p, " iter_args(");
        for (size_t i = 0; i < count; i++) {
            mlc_print_str(p, i > 0 ? ", " : "");
            mlc_print_operand(p, mlc_block_arg(body, i + 1));
            mlc_print_str(p, " = ");
            mlc_print_operand(p, mlc_op_operand(op, first + i));
        }
        mlc_print_str(p, ") -> (");
        for (size_t i = 0; i < count; i++) {
            mlc_print_str(p, i > 0 ? ", " : "");
            mlc_print_type(p, mlc_value_type(mlc_op_result(op, i)));
        }
        mlc_print_str(p, ")");
    }
    mlc_print_str(p, " ");
    mlc_print_region(p, region, false, count > 0, false);
    mlc_print_attr_dict(p, op, elided);
}

// affine.if #set(%i)[%n] -> (types) { } else { }

bool
mlc_affine_if_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcAttr condition;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_attribute(p, NULL, &condition))
        return false;
    if (!mlc_attr_is(condition, MLC_ATTR_INTEGER_SET))
        return mlc_parser_error_at(p, loc, "invalid kind of attribute specified");
    MlcIntegerSet set = mlc_integer_set_attr_value(condition);
    mlc_op_build_attr(p, op, "condition", condition);
    if (!parse_dims_and_symbols(p, mlc_integer_set_num_dims(set), mlc_integer_set_num_symbols(set),
                                "integer set", op))
        return false;
    if (!mlc_parse_optional_arrow_types(p, &op->result_types))
        return false;
    MlcRegion *then_region = mlc_op_build_region(p, op);
    if (!mlc_parse_region(p, then_region, NULL))
        return false;
    MlcRegion *else_region = mlc_op_build_region(p, op);
    if (mlc_parse_optional_token(p, "else") && !mlc_parse_region(p, else_region, NULL))
        return false;
    return mlc_parse_attr_dict(p, op);
}

void
mlc_affine_if_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const elided[] = {"condition", NULL};
    MlcAttr condition = mlc_op_attr(op, "condition");
    bool has_results = mlc_op_num_results(op) > 0;
    mlc_print_str(p, " ");
    mlc_print_attribute(p, condition);
    print_dims_and_symbols(p, op, 0, mlc_op_num_operands(op),
                           mlc_integer_set_num_dims(mlc_integer_set_attr_value(condition)));
    mlc_print_arrow_types(p, op);
    mlc_print_str(p, " ");
    mlc_print_region(p, mlc_op_region(op, 0), false, has_results, false);
    if (!mlc_region_is_empty(mlc_op_region(op, 1))) {
        mlc_print_str(p, " else ");
        mlc_print_region(p, mlc_op_region(op, 1), false, has_results, false);
    }
    mlc_print_attr_dict(p, op, elided);
}

// affine.parallel (%i, %j) = (0, max(%a, %b)) to (10, %n) step (1, 2) reduce ("addf") -> (f32) { }

typedef struct Bounds {
    MLC_VEC(MlcAffineExpr) results;
    MLC_VEC(int32_t) groups;
    MlcOperandRefVec dims;
} Bounds;

// One list of expressions over the values seen so far: their results, with dims renumbered behind
// those of earlier lists.
static bool
parse_bound_exprs(MlcParser *p, Bounds *bounds, size_t *count)
{
    MlcAffineMap map;
    MlcOperandRefVec dims = {0}, symbols = {0};
    if (!mlc_parse_affine_map_of_operands(p, NULL, &map, &dims, &symbols)) {
        mlc_vec_release(&dims);
        mlc_vec_release(&symbols);
        return false;
    }
    MLC_VEC(MlcAffineExpr) shifted = {0};
    for (size_t i = 0; i < dims.size; i++)
        mlc_vec_push(&shifted,
                     mlc_affine_dim(mlc_parser_context(p), (unsigned)(bounds->dims.size + i)));
    mlc_vec_reserve(&shifted, 1); // both halves may be empty
    for (size_t i = 0; i < symbols.size; i++)
        mlc_vec_push(&shifted, mlc_affine_dim(mlc_parser_context(p),
                                              (unsigned)(bounds->dims.size + dims.size + i)));
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++)
        mlc_vec_push(&bounds->results,
                     mlc_affine_replace(mlc_affine_map_result(map, i), shifted.data, dims.size,
                                        shifted.data + dims.size, symbols.size));
    for (size_t i = 0; i < dims.size; i++)
        mlc_vec_push(&bounds->dims, dims.data[i]);
    for (size_t i = 0; i < symbols.size; i++)
        mlc_vec_push(&bounds->dims, symbols.data[i]);
    *count = mlc_affine_map_num_results(map);
    mlc_vec_release(&shifted);
    mlc_vec_release(&dims);
    mlc_vec_release(&symbols);
    return true;
}

static bool
parse_bounds(MlcParser *p, Bounds *bounds, const char *word)
{
    if (!mlc_parse_token(p, "("))
        return false;
    if (mlc_parse_optional_token(p, ")"))
        return true;
    do {
        size_t count;
        bool grouped = mlc_parse_optional_token(p, word);
        if (grouped && !mlc_parse_token(p, "("))
            return false;
        if (!parse_bound_exprs(p, bounds, &count))
            return false;
        if (grouped && !mlc_parse_token(p, ")"))
            return false;
        if (grouped)
            mlc_vec_push(&bounds->groups, (int32_t)count);
        for (size_t i = 0; !grouped && i < count; i++)
            mlc_vec_push(&bounds->groups, 1);
    } while (mlc_parse_optional_token(p, ","));
    return mlc_parse_token(p, ")");
}

static void
finish_bounds(MlcParser *p, MlcOpBuild *op, const Bounds *bounds, const char *map_name,
              const char *groups_name)
{
    MlcContext *ctx = mlc_parser_context(p);
    MlcAffineMap map = mlc_affine_map_get(ctx, (unsigned)bounds->dims.size, 0, bounds->results.data,
                                          bounds->results.size);
    int64_t n = (int64_t)bounds->groups.size;
    MlcType type = mlc_tensor_type_get(mlc_integer_type_get(ctx, 32, MLC_SIGNLESS), &n, 1, NULL);
    bool splat = n > 0;
    for (int64_t i = 1; i < n; i++)
        splat = splat && bounds->groups.data[i] == bounds->groups.data[0];
    mlc_op_build_attr(p, op, map_name, mlc_affine_map_attr_get(map));
    mlc_op_build_attr(
        p, op, groups_name,
        mlc_dense_attr_get(type, bounds->groups.data, splat ? 4 : (size_t)n * 4, splat));
}

static MlcAttr
parse_reductions(MlcParser *p, MlcOpBuild *op)
{
    static const struct {
        const char *name;
        int64_t kind;
    } kinds[] = {{"addf", 0},  {"addi", 1},     {"assign", 2}, {"maximumf", 3}, {"maxs", 4},
                 {"maxu", 5},  {"minimumf", 6}, {"mins", 7},   {"minu", 8},     {"mulf", 9},
                 {"muli", 10}, {"ori", 11},     {"andi", 12},  {"maxnumf", 13}, {"minnumf", 14}};
    MLC_VEC(MlcAttr) list = {0};
    MlcContext *ctx = mlc_parser_context(p);
    bool ok = mlc_parse_token(p, "(");
    while (ok) {
        MlcStr name;
        size_t i = 0, n = sizeof kinds / sizeof *kinds;
        MlcLoc loc = mlc_parser_loc(p);
        ok = mlc_parse_string(p, &name);
        while (ok && i < n && !mlc_str_equal(name, mlc_str(kinds[i].name)))
            i++;
        if (ok && i == n)
            ok =
                mlc_parser_error_at(p, loc, "invalid reduction value: \"%.*s\"", MLC_STR_FMT(name));
        if (ok)
            mlc_vec_push(&list, mlc_i64_attr_get(ctx, kinds[i].kind));
        if (!ok || !mlc_parse_optional_token(p, ","))
            break;
    }
    ok = ok && mlc_parse_token(p, ")") && mlc_parse_arrow_types(p, &op->result_types);
    MlcAttr attr = ok ? mlc_array_attr_get(ctx, list.data, list.size) : NULL;
    mlc_vec_release(&list);
    return attr;
}

static bool
parse_parallel_rest(MlcParser *p, MlcOpBuild *op, MlcBlockArgRefVec *ivs, Bounds *lower,
                    Bounds *upper)
{
    MlcContext *ctx = mlc_parser_context(p);
    if (!mlc_parse_token(p, "="))
        return false;
    if (!parse_bounds(p, lower, "max") || !mlc_parse_token(p, "to") ||
        !parse_bounds(p, upper, "min"))
        return false;
    finish_bounds(p, op, lower, "lowerBoundsMap", "lowerBoundsGroups");
    finish_bounds(p, op, upper, "upperBoundsMap", "upperBoundsGroups");
    MlcType index = mlc_index_type_get(ctx);
    for (size_t i = 0; i < lower->dims.size; i++)
        if (!mlc_resolve_operand(p, &lower->dims.data[i], index, op))
            return false;
    for (size_t i = 0; i < upper->dims.size; i++)
        if (!mlc_resolve_operand(p, &upper->dims.data[i], index, op))
            return false;
    MLC_VEC(MlcAttr) steps = {0};
    bool given = mlc_parse_optional_token(p, "step");
    if (given && !mlc_parse_token(p, "("))
        return false;
    for (size_t i = 0; given ? i == 0 || mlc_parse_optional_token(p, ",") : i < ivs->size; i++) {
        int64_t step = 1;
        if (given && !mlc_parse_integer(p, &step)) {
            mlc_vec_release(&steps);
            return false;
        }
        mlc_vec_push(&steps, mlc_i64_attr_get(ctx, step));
    }
    mlc_op_build_attr(p, op, "steps", mlc_array_attr_get(ctx, steps.data, steps.size));
    mlc_vec_release(&steps);
    if (given && !mlc_parse_token(p, ")"))
        return false;
    MlcAttr reductions = mlc_array_attr_get(ctx, NULL, 0);
    if (mlc_parse_optional_token(p, "reduce") && !(reductions = parse_reductions(p, op)))
        return false;
    mlc_op_build_attr(p, op, "reductions", reductions);
    return mlc_parse_region(p, mlc_op_build_region(p, op), ivs) && mlc_parse_attr_dict(p, op);
}

bool
mlc_affine_parallel_parse(MlcParser *p, MlcOpBuild *op)
{
    MlcBlockArgRefVec ivs = {0};
    Bounds lower = {0}, upper = {0};
    MlcType index = mlc_index_type_get(mlc_parser_context(p));
    bool ok = mlc_parse_token(p, "(");
    if (ok && !mlc_parse_optional_token(p, ")")) {
        do {
            MlcBlockArgRef iv = {0};
            ok = mlc_parse_block_arg(p, false, &iv);
            iv.type = index;
            mlc_vec_push(&ivs, iv);
        } while (ok && mlc_parse_optional_token(p, ","));
        ok = ok && mlc_parse_token(p, ")");
    }
    ok = ok && parse_parallel_rest(p, op, &ivs, &lower, &upper);
    mlc_vec_release(&ivs);
    mlc_vec_release(&lower.results);
    mlc_vec_release(&lower.groups);
    mlc_vec_release(&lower.dims);
    mlc_vec_release(&upper.results);
    mlc_vec_release(&upper.groups);
    mlc_vec_release(&upper.dims);
    return ok;
}

static void
print_bounds(MlcPrinter *p, MlcOp *op, const char *map_name, const char *groups_name,
             const char *word, size_t first)
{
    MlcAffineMap map = mlc_op_affine_map(op, map_name);
    MlcAttr groups = mlc_op_attr(op, groups_name);
    MlcValueVec operands = {0};
    MLC_VEC(size_t) results = {0};
    for (size_t i = 0; i < mlc_affine_map_num_inputs(map); i++)
        mlc_vec_push(&operands, mlc_op_operand(op, first + i));
    mlc_print_str(p, "(");
    size_t at = 0;
    for (size_t g = 0; g < mlc_int_list_attr_size(groups); g++) {
        int64_t count = 0;
        mlc_int_list_attr_get(groups, g, &count);
        mlc_print_str(p, g > 0 ? ", " : "");
        if (count != 1) {
            mlc_print_str(p, word);
            mlc_print_str(p, "(");
        }
        mlc_vec_clear(&results);
        for (int64_t i = 0; i < count; i++)
            mlc_vec_push(&results, at++);
        mlc_print_affine_map_of_operands(p, mlc_affine_map_sub(map, results.data, results.size),
                                         operands.data);
        if (count != 1)
            mlc_print_str(p, ")");
    }
    mlc_print_str(p, ")");
    mlc_vec_release(&operands);
    mlc_vec_release(&results);
}

void
mlc_affine_parallel_print(MlcPrinter *p, MlcOp *op)
{
    static const char *const names[] = {"addf", "addi",     "assign", "maximumf", "maxs",
                                        "maxu", "minimumf", "mins",   "minu",     "mulf",
                                        "muli", "ori",      "andi",   "maxnumf",  "minnumf"};
    static const char *const elided[] = {"reductions",
                                         "lowerBoundsMap",
                                         "lowerBoundsGroups",
                                         "upperBoundsMap",
                                         "upperBoundsGroups",
                                         "steps",
                                         NULL};
    MlcRegion *region = mlc_op_region(op, 0);
    MlcBlock *body = mlc_region_first(region);
    MlcAttr steps = mlc_op_attr(op, "steps"), reductions = mlc_op_attr(op, "reductions");
    mlc_print_str(p, " (");
    for (size_t i = 0; i < mlc_block_num_args(body); i++) {
        mlc_print_str(p, i > 0 ? ", " : "");
        mlc_print_operand(p, mlc_block_arg(body, i));
    }
    mlc_print_str(p, ") = ");
    size_t num_lower = mlc_affine_map_num_inputs(mlc_op_affine_map(op, "lowerBoundsMap"));
    print_bounds(p, op, "lowerBoundsMap", "lowerBoundsGroups", "max", 0);
    mlc_print_str(p, " to ");
    print_bounds(p, op, "upperBoundsMap", "upperBoundsGroups", "min", num_lower);
    bool unit = true;
    int64_t step;
    for (size_t i = 0; i < mlc_int_list_attr_size(steps); i++)
        unit = unit && mlc_int_list_attr_get(steps, i, &step) && step == 1;
    if (!unit) {
        for (size_t i = 0; i < mlc_int_list_attr_size(steps); i++) {
            mlc_int_list_attr_get(steps, i, &step);
            mlc_buf_printf(mlc_printer_buf(p), "%s%lld", i > 0 ? ", " : " step (", (long long)step);
        }
        mlc_print_str(p, ")");
    }
    if (mlc_op_num_results(op) > 0) {
        for (size_t i = 0; i < mlc_array_attr_size(reductions); i++) {
            int64_t kind = mlc_enum_attr_value(mlc_array_attr_element(reductions, i));
            mlc_buf_printf(mlc_printer_buf(p), "%s\"%s\"", i > 0 ? ", " : " reduce (", names[kind]);
        }
        mlc_print_str(p, ") -> (");
        for (size_t i = 0; i < mlc_op_num_results(op); i++) {
            mlc_print_str(p, i > 0 ? ", " : "");
            mlc_print_type(p, mlc_value_type(mlc_op_result(op, i)));
        }
        mlc_print_str(p, ")");
    }
    mlc_print_str(p, " ");
    mlc_print_region(p, region, false, mlc_op_num_results(op) > 0, false);
    mlc_print_attr_dict(p, op, elided);
}
