// structured_body.c -- the region of a structured op whose record gives its body as text, for ops
// written without it: linalg.matmul's product and sum.
#include "mlc/body.h"
#include "mlc/ir.h"

#include "mlc/dialects/linalg.h"

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
    for (size_t i = 0; def && i < def->num_cases; ++i)
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
        for (const char *at = body; *at; ++at) {
            if (is_unsigned && strncmp(at, "cast(", 5) == 0 && (at == body || at[-1] != '_'))
                mlc_buf_append_c(text, "unsigned_");
            mlc_buf_append_char(text, *at);
        }
        return;
    }
    const char *form = NULL;
    for (size_t i = 0; !form && i < sizeof named_functions / sizeof *named_functions; ++i)
        if (strcmp(named_functions[i].fun, fun) == 0)
            form = named_functions[i].text;
    if (!form) { // the name is the function's
        mlc_buf_printf(text, "%s(%s(input))", fun, x);
        return;
    }
    bool is_binary = mlc_op_def(op)->structured->num_ins == 2;
    for (; *form; ++form) {
        bool is_name =
            (*form == 'x' || *form == 'y') && form[1] != '(' && (form[1] < 'a' || form[1] > 'z');
        if (is_name)
            mlc_buf_printf(text, "%s(%s)", x, *form == 'y' ? "rhs" : is_binary ? "lhs" : "input");
        else
            mlc_buf_append_char(text, *form);
    }
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
    for (size_t i = 0; i < n; ++i)
        types[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, i)));
    MlcBlock *block = mlc_builder_create_block(&b, mlc_op_region(op, 0), types, n);
    for (size_t i = 0; i < n; ++i)
        args[i] = mlc_block_arg(block, i);
    MlcBuf text = {0};
    write_body(op, &text);
    MlcBody body = {.text = mlc_buf_c_str(&text),
                    .names = def->names,
                    .values = args,
                    .num_values = n,
                    .attrs = op,
                    .element = types[n - 1]};
    bool ok = mlc_body_build(&b, &body, results, num_outs) == num_outs;
    mlc_buf_release(&text);
    if (!ok)
        return false;
    mlc_build_op(&b, "linalg.yield", NULL, 0, results, num_outs, NULL, 0, 0);
    return true;
}
