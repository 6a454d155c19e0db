// nvvm_instructions.c -- finds the row of an op, and writes its templates.
#include "mlc/dialects/nvvm_instructions.h"

#include "mlc/ir.h"
#include "nvvm_impl.h"

const MlcNvvmInstruction *
mlc_nvvm_instruction(MlcStr name)
{
    static const char dialect[] = "nvvm.";
    size_t skip = sizeof dialect - 1;
    if (name.size <= skip || memcmp(name.data, dialect, skip) != 0)
        return NULL;
    MlcStr op = mlc_str_n(name.data + skip, name.size - skip);
    for (size_t i = 0; i < mlc_nvvm_num_instructions; i++) {
        MlcStr pattern = mlc_str(mlc_nvvm_instructions[i].op);
        bool is_prefix = pattern.data[pattern.size - 1] == '*';
        size_t size = pattern.size - is_prefix;
        if (is_prefix ? op.size > size && memcmp(op.data, pattern.data, size) == 0
                      : mlc_str_equal(op, pattern))
            return &mlc_nvvm_instructions[i];
    }
    return NULL;
}

bool
mlc_nvvm_is_assembly(const MlcNvvmInstruction *row, const MlcOp *op)
{
    if (!row->assembly || !row->intrinsic)
        return row->assembly != NULL;
    return row->num_operands >= 0 && mlc_op_num_operands(op) > (size_t)row->num_operands;
}

static bool
is_named(MlcStr name, const char *text)
{
    return mlc_str_equal(name, mlc_str(text));
}

// What `name` stands for: an attribute's case or number, or a count of operands. Nothing if the
// attribute is not there, or false.
static void
append_value(MlcBuf *out, const MlcOp *op, MlcStr name)
{
    if (is_named(name, "operands") || is_named(name, "tail")) {
        mlc_buf_append_uint(out, mlc_op_num_operands(op) - is_named(name, "tail"));
        return;
    }
    MlcAttr attr = mlc_op_attr_str(op, name);
    const MlcAttrDef *def = attr ? mlc_dialect_attr_def(attr) : NULL;
    int64_t value = 0;
    for (size_t i = 0; def && i < def->num_cases; i++)
        if (def->cases[i].value == mlc_enum_attr_value(attr))
            mlc_buf_append_c(out, def->cases[i].name);
    if (def || !attr)
        return;
    if (mlc_attr_is(attr, MLC_ATTR_UNIT))
        mlc_buf_append_c(out, "true");
    else if (mlc_type_is_integer(mlc_attr_type(attr), 1))
        mlc_buf_append_c(out, mlc_attr_as_bool(attr) ? "true" : "");
    else if (mlc_attr_try_as_int(attr, &value))
        mlc_buf_append_int(out, value);
}

static void
append_list(MlcBuf *out, const MlcOp *op, size_t first)
{
    for (size_t i = first; i < mlc_op_num_operands(op); i++)
        mlc_buf_printf(out, "%s$%zu", i > first ? ", " : "", mlc_op_num_results(op) + i);
}

// What stands between `<` and `>`.
static void
expand_one(MlcBuf *out, const MlcOp *op, MlcStr inside)
{
    static const char list[] = "list:";
    const char *question = memchr(inside.data, '?', inside.size);
    size_t size = question ? (size_t)(question - inside.data) : inside.size;
    const char *equals = memchr(inside.data, '=', size);
    MlcStr name = {inside.data, equals ? (size_t)(equals - inside.data) : size};
    if (is_named(inside, "op")) {
        MlcStr full = mlc_op_name(op);
        mlc_buf_append(out, full.data + 5, full.size - 5); // without "nvvm."
    } else if (size > sizeof list - 1 && memcmp(inside.data, list, sizeof list - 1) == 0) {
        append_list(out, op, (size_t)(inside.data[sizeof list - 1] - '0'));
    } else if (!question) {
        append_value(out, op, name);
    } else {
        MlcBuf value = {0};
        append_value(&value, op, name);
        MlcStr want = {equals ? equals + 1 : NULL,
                       equals ? (size_t)(question - equals - 1) : (size_t)0};
        if (equals ? mlc_str_equal(mlc_buf_str(&value), want) : value.size > 0)
            mlc_buf_append(out, question + 1, inside.size - size - 1);
        mlc_buf_release(&value);
    }
}

void
mlc_nvvm_expand(MlcBuf *out, const MlcOp *op, const char *text)
{
    for (const char *open; (open = strchr(text, '<'));) {
        const char *close = strchr(open, '>');
        if (!close)
            mlc_bug("an instruction's template without '>': %s", text);
        mlc_buf_append(out, text, (size_t)(open - text));
        expand_one(out, op, mlc_str_n(open + 1, (size_t)(close - open - 1)));
        text = close + 1;
    }
    mlc_buf_append_c(out, text);
}
