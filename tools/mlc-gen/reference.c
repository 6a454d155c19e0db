// reference.c -- the reference page of a dialect, as Markdown.
#include "gen.h"

static void
print_values(MlcBuf *out, const char *title, const MlcValueDef *values, size_t n)
{
    static const char *const arities[] = {"", "?", "*", "**"};
    if (!n)
        return;
    mlc_buf_printf(out, "%s: ", title);
    for (size_t i = 0; i < n; i++)
        mlc_buf_printf(out, "%s`%s`%s (%s)", i ? ", " : "", values[i].name,
                       arities[values[i].arity], values[i].type ? values[i].type->summary : "");
    mlc_buf_append_c(out, "\n\n");
}

static void
print_attrs(MlcBuf *out, const MlcOpDef *op)
{
    if (!op->num_attrs)
        return;
    mlc_buf_append_c(out, "Attributes: ");
    for (size_t i = 0; i < op->num_attrs; i++) {
        const MlcAttrSlot *slot = &op->attrs[i];
        mlc_buf_printf(out, "%s`%s`%s (%s", i ? ", " : "", slot->name, slot->optional ? "?" : "",
                       slot->constraint ? slot->constraint->summary : "");
        if (slot->default_text)
            mlc_buf_printf(out, "; default `%s`", slot->default_text);
        mlc_buf_append_c(out, ")");
    }
    mlc_buf_append_c(out, "\n\n");
}

static void
print_op(MlcBuf *out, const MlcOpDef *op)
{
    mlc_buf_printf(out, "### `%s`\n\n%s\n\n", op->name, op->summary ? op->summary : "");
    if (op->description)
        mlc_buf_printf(out, "%s\n\n", op->description);
    if (op->format)
        mlc_buf_printf(out, "```\n%s %s\n```\n\n", op->name, op->format->text);
    print_values(out, "Operands", op->operands, op->num_operands);
    print_values(out, "Results", op->results, op->num_results);
    print_attrs(out, op);
}

void
gen_reference(Gen *gen, GenDialect *d, MlcBuf *out)
{
    (void)gen;
    const MlcDialectDef *def = d->def;
    mlc_buf_printf(out, "# `%s`\n\n%s\n\n`?`: optional, `*`: any number.\n\n", def->name,
                   def->summary ? def->summary : "");
    if (def->num_types)
        mlc_buf_append_c(out, "## Types\n\n");
    for (size_t i = 0; i < def->num_types; i++)
        mlc_buf_printf(out, "- `!%s`: %s\n", def->types[i]->name,
                       def->types[i]->summary ? def->types[i]->summary : "");
    if (def->num_attrs)
        mlc_buf_append_c(out, "\n## Attributes\n\n");
    for (size_t i = 0; i < def->num_attrs; i++) {
        const MlcAttrDef *attr = def->attrs[i];
        mlc_buf_printf(out, "- `#%s`: %s", attr->name, attr->summary ? attr->summary : "");
        for (size_t k = 0; k < attr->num_cases; k++)
            mlc_buf_printf(out, "%s`%s`", k ? ", " : " One of ", attr->cases[k].name);
        mlc_buf_append_c(out, "\n");
    }
    mlc_buf_append_c(out, "\n## Ops\n\n");
    for (size_t i = 0; i < def->num_ops; i++)
        print_op(out, def->ops[i]);
}
