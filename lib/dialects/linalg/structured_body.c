// structured_body.c -- the region of a structured op whose record gives its body as text, for ops
// written without it: linalg.matmul's product and sum.
#include "mlc/dialects/linalg_body.h"
#include "mlc/ir.h"

#include "mlc/dialects/linalg.h"
#include "mlc/dialects/arith.h"

enum { MAX_OPERANDS = 64 };

// What `fun` says an elementwise op does; x, and y of two operands.
static const struct {
    const char *fun, *text;
} named_functions[] = {
    {"negf", "neg(x)"},
    {"reciprocal", "1 / x"},
    {"square", "x * x"},
    {"add", "x + y"},
    {"sub", "x - y"},
    {"mul", "x * y"},
    {"div", "x / y"},
    {"div_unsigned", "unsigned_div(x, y)"},
    {"max_signed", "max(x, y)"},
    {"min_signed", "min(x, y)"},
    {"max_unsigned", "unsigned_max(x, y)"},
    {"min_unsigned", "unsigned_min(x, y)"},
    {"powf", "pow(x, y)"},
};

static MlcAttr
attr_or_default(MlcOp *op, const char *name)
{
    int slot = mlc_op_def_attr_slot(mlc_op_def(op), mlc_str(name));
    MlcAttr attr = slot < 0 ? NULL : mlc_op_slot(op, (size_t)slot);
    return attr || slot < 0
               ? attr
               : mlc_context_default_attr(mlc_op_context(op), &mlc_op_def(op)->attrs[slot]);
}

static const char *
case_name(MlcAttr attr)
{
    const MlcAttrDef *def = attr ? mlc_dialect_attr_def(attr) : NULL;
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (def->cases[i].value == mlc_enum_attr_value(attr))
            return def->cases[i].name;
    return "";
}

// The body's text as the op's attributes have it: `fun` names the function, `cast` how conversions
// look at integers.
static void
write_body(MlcOp *op, MlcBuf *text)
{
    const char *body = mlc_op_def(op)->structured->body,
               *fun = case_name(attr_or_default(op, "fun"));
    bool is_unsigned = strcmp(case_name(attr_or_default(op, "cast")), "cast_unsigned") == 0;
    const char *x = is_unsigned ? "unsigned_cast" : "cast";
    if (!*fun) {
        for (const char *at = body; *at; at++) {
            if (is_unsigned && strncmp(at, "cast(", 5) == 0 && (at == body || at[-1] != '_'))
                mlc_buf_append_c(text, "unsigned_");
            mlc_buf_append_char(text, *at);
        }
        return;
    }
    const char *form = NULL;
    for (size_t i = 0; !form && i < sizeof named_functions / sizeof *named_functions; i++)
        if (strcmp(named_functions[i].fun, fun) == 0)
            form = named_functions[i].text;
    if (!form) { // the name is the function's
        mlc_buf_printf(text, "%s(%s(input))", fun, x);
        return;
    }
    bool is_binary = mlc_op_def(op)->structured->num_ins == 2;
    for (; *form; form++) {
        bool is_name =
            (*form == 'x' || *form == 'y') && form[1] != '(' && (form[1] < 'a' || form[1] > 'z');
        if (is_name)
            mlc_buf_printf(text, "%s(%s)", x, *form == 'y' ? "rhs" : is_binary ? "lhs" : "input");
        else
            mlc_buf_append_char(text, *form);
    }
}

// The number of the current iteration of a loop, as i32.
static MlcValue *
loop_index(MlcBuilder *b, int64_t dim)
{
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS);
    return mlc_arith_index_cast(b, i32, mlc_linalg_index(b, dim));
}

// x * 1103515245 + 12345: a step of a linear congruential generator.
static MlcValue *
random_step(MlcBuilder *b, MlcValue *x)
{
    MlcType i32 = mlc_integer_type_get(b->ctx, 32, MLC_SIGNLESS),
            i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    x = mlc_arith_muli(b, x, mlc_arith_trunci(b, i32, mlc_build_int(b, i64, 1103515245)));
    return mlc_arith_addi(b, x, mlc_arith_trunci(b, i32, mlc_build_int(b, i64, 12345)));
}

// rng(min, max, seed, index(0), index(1)): two steps from the seed and the place, scaled to [min,
// max); in the order in which MLIR makes the ops.
static MlcValue *
build_random(MlcBuilder *b, MlcValue *min, MlcValue *max, MlcValue *seed, MlcType element)
{
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS), f64 = mlc_value_type(min);
    MlcValue *offset = mlc_arith_sitofp(b, f64, mlc_build_int(b, i64, 2147483647)),
             *column = loop_index(b, 1), *row = loop_index(b, 0);
    MlcValue *x = random_step(b, mlc_arith_addi(b, row, seed));
    x = random_step(b, mlc_arith_addi(b, column, x));
    x = mlc_arith_addf(b, offset, mlc_arith_sitofp(b, f64, x));
    MlcValue *range = mlc_arith_subf(b, max, min);
    range = mlc_arith_mulf(b, range, mlc_build_float(b, f64, 2.3283064e-10));
    x = mlc_arith_addf(b, mlc_arith_mulf(b, x, range), min);
    if (element == f64)
        return x;
    return mlc_type_is(element, MLC_TYPE_FLOAT) ? mlc_arith_truncf(b, element, x)
                                                : mlc_arith_fptosi(b, element, x);
}

// The results of the op's body at the builder's place; false after a diagnostic.
static bool
build_results(MlcBuilder *b, MlcOp *op, MlcValue *const *args, size_t n, MlcType element,
              MlcValue **results)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    if (strncmp(def->body, "rng(", 4) == 0) {
        if (mlc_value_type(args[0]) != mlc_float_type_get(b->ctx, MLC_FLOAT_F64) ||
            mlc_value_type(args[1]) != mlc_value_type(args[0]) ||
            !mlc_type_is_integer(mlc_value_type(args[2]), 32))
            return mlc_op_error(op, "expected a range of f64 and a seed of i32");
        results[0] = build_random(b, args[0], args[1], args[2], element);
        return true;
    }
    MlcBuf text = {0};
    write_body(op, &text);
    MlcBody body = {.text = mlc_buf_c_str(&text),
                    .is_verified = true,
                    .names = def->names,
                    .values = args,
                    .num_values = n,
                    .attrs = op,
                    .element = element};
    bool ok = mlc_body_build(b, &body, results, def->num_outs) == def->num_outs;
    mlc_buf_release(&text);
    return ok;
}

bool
mlc_structured_build_body(MlcOp *op)
{
    const MlcStructuredDef *def = mlc_op_def(op)->structured;
    size_t n = mlc_op_num_operands(op), num_outs;
    if (!def || !def->body || !def->names)
        return true;
    num_outs = def->num_outs;
    if (n != (size_t)def->num_ins + num_outs || n > MAX_OPERANDS)
        return mlc_op_error(op, "expected %u inputs and %u outputs", def->num_ins, def->num_outs);

    MlcType types[MAX_OPERANDS];
    MlcValue *args[MAX_OPERANDS], *results[MAX_OPERANDS];
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    b.loc = mlc_op_loc(op);
    for (size_t i = 0; i < n; i++)
        types[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcBlock *block = mlc_builder_create_block(&b, mlc_op_region(op, 0), types, n);
    for (size_t i = 0; i < n; i++)
        args[i] = mlc_block_arg(block, i);
    if (!build_results(&b, op, args, n, types[n - 1], results))
        return false;
    mlc_linalg_yield(&b, results, num_outs);
    return true;
}
