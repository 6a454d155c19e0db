// yaml_reference.c -- the reference page of a dialect, as Markdown: what its records say, in words.
//
// Sentences about parts (`doc`, `description`) and formats as they were written are asked of the
// YAML itself, since the records do not keep them: nobody needs them when a program runs. What is
// only machinery (sizes of segments, numbers of enumerations' cases) is left out.
#include "yaml_reference.h"

#include "mlc/ir/interfaces.h"
#include "mlc/ir/rewrite.h"
#include "mlc/ir/rule.h"
#include "yaml_semantics.h"

// What a trait says about an op; NULL: follows from what else the page shows.
static const char *const trait_words[MLC_TRAIT_COUNT] = {
    [MLC_TRAIT_NO_MEMORY_EFFECT] = "has no effect on memory",
    [MLC_TRAIT_SPECULATABLE] = "may be computed where it would not have been",
    [MLC_TRAIT_RECURSIVE_MEMORY_EFFECTS] = "has the effects of the ops inside",
    [MLC_TRAIT_RECURSIVELY_SPECULATABLE] = "may be computed early if all ops inside may",
    [MLC_TRAIT_COMMUTATIVE] = "operands commute",
    [MLC_TRAIT_IDEMPOTENT] = "applied to its own result, it changes nothing",
    [MLC_TRAIT_INVOLUTION] = "applied twice, it gives its operand back",
    [MLC_TRAIT_CONSTANT_LIKE] = "is a constant",
    [MLC_TRAIT_TERMINATOR] = "ends a block",
    [MLC_TRAIT_RETURN_LIKE] = "gives its operands to the op around it",
    [MLC_TRAIT_ISOLATED] = "its regions use no value from outside",
    [MLC_TRAIT_SINGLE_BLOCK] = "its regions are one block each",
    [MLC_TRAIT_NO_REGION_ARGUMENTS] = "its regions have no arguments",
    [MLC_TRAIT_NO_TERMINATOR] = "its blocks need no terminator",
    [MLC_TRAIT_GRAPH_REGION] = "the order of the ops inside says nothing",
    [MLC_TRAIT_SYMBOL] = "is a symbol",
    [MLC_TRAIT_SYMBOL_TABLE] = "holds symbols",
    [MLC_TRAIT_AFFINE_SCOPE] = "values at its top are symbols of affine maps",
    [MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE] = "memory of `alloca` inside ends with it",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_TYPE] = "operands and results are of one type",
    [MLC_TRAIT_SAME_OPERANDS_TYPE] = "operands are of one type",
    [MLC_TRAIT_SAME_OPERANDS_ELEMENT_TYPE] = "operands have one element type",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_ELEMENT_TYPE] =
        "operands and results have one element type",
    [MLC_TRAIT_SAME_OPERANDS_SHAPE] = "operands have one shape",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_SHAPE] = "operands and results have one shape",
    [MLC_TRAIT_SAME_OPERANDS_AND_RESULT_RANK] = "operands and results have one rank",
    [MLC_TRAIT_RESULTS_ARE_BOOL_LIKE] = "results are truth values, or vectors or tensors of them",
    [MLC_TRAIT_ELEMENTWISE] = "works element by element on vectors and tensors",
    [MLC_TRAIT_PARALLEL] = "its iterations may run at once",
    [MLC_TRAIT_DESTINATION_STYLE] = "a result takes the place of each tensor among its outputs",
    [MLC_TRAIT_HAS_DEFAULT_DIALECT] = "ops inside may be written without the prefix of a dialect",
    [MLC_TRAIT_ALWAYS_INLINE_BODY] = "its body may always be inlined",
    [MLC_TRAIT_BROADCAST] = "operands are first stretched to one shape, as numpy does",
    [MLC_TRAIT_OWN_FOLDS] = "constants are folded by its own rules alone",
    [MLC_TRAIT_PROPAGATES_POISON] = "poison in, poison out",
    [MLC_TRAIT_MOVES_ELEMENTS] = "moves elements and computes nothing",
};

// What an interface lets others do with an op.
static const char *const interface_words[MLC_INTERFACE_COUNT] = {
    [MLC_INTERFACE_INFER_TYPES] = "result types follow from the operands",
    [MLC_INTERFACE_BRANCH] = "branches",
    [MLC_INTERFACE_REGION_BRANCH] = "control flow between regions",
    [MLC_INTERFACE_REGION_TERMINATOR] = "ends a region of control flow",
    [MLC_INTERFACE_LOOP] = "loop",
    [MLC_INTERFACE_CALL] = "call",
    [MLC_INTERFACE_CALLABLE] = "callable",
    [MLC_INTERFACE_FUNCTION] = "function",
    [MLC_INTERFACE_MEMORY_EFFECTS] = "effects on memory by its attributes or types",
    [MLC_INTERFACE_SPECULATION] = "whether it may be computed early depends on its operands",
    [MLC_INTERFACE_STRUCTURED] = "structured: loops, maps and a body",
    [MLC_INTERFACE_TILING] = "tiling",
    [MLC_INTERFACE_BUFFERIZE] = "bufferization",
    [MLC_INTERFACE_VIEW_LIKE] = "its result is a view of an operand",
    [MLC_INTERFACE_INFER_SHAPES] = "shape inference",
    [MLC_INTERFACE_ROWS] = "works row by row",
    [MLC_INTERFACE_WINDOWS] = "windows: is one of a tensor, or reads one",
    [MLC_INTERFACE_SYMBOL_USER] = "checks the symbols it names",
    [MLC_INTERFACE_INT_RANGE] = "ranges of integers",
    [MLC_INTERFACE_FASTMATH] = "fast-math flags",
    [MLC_INTERFACE_SLOT_ALLOCATION] = "memory that may become values",
    [MLC_INTERFACE_SLOT_USE] = "use of memory that may become values",
    [MLC_INTERFACE_RUNTIME_CHECK] = "checks at run time on demand",
};

typedef struct Page {
    const MlcReference *of;
    MlcBuf *out;
} Page;

static const MlcYaml *
node_of(const Page *p, const void *part)
{
    return mlc_map_get(&p->of->loader->nodes, part);
}

static const char *
text_at(const MlcYaml *node, const char *key)
{
    const MlcYaml *item = mlc_yaml_get(node, key);
    return mlc_yaml_is_scalar(item) && item->text.size ? item->text.data : NULL;
}

static void
print_paragraph(const Page *p, const char *text)
{
    if (!text)
        return;
    mlc_buf_append_c(p->out, text);
    mlc_buf_append_c(p->out, text[strlen(text) - 1] == '\n' ? "\n" : "\n\n");
}

// "a, b and c" one after the other.
static void
print_phrase(const Page *p, size_t *n, const char *text)
{
    mlc_buf_printf(p->out, "%s%s", (*n)++ ? "; " : "", text);
}

// A definition is shown by its name, anything else by the words of messages.
static void
print_constraint(const Page *p, const MlcConstraint *c)
{
    if (!c)
        return;
    if (c->kind == MLC_CONSTRAINT_DIALECT_ATTR)
        mlc_buf_printf(p->out, "`#%s`", c->names[0]);
    else if (c->kind == MLC_CONSTRAINT_DIALECT_TYPE)
        mlc_buf_printf(p->out, "`!%s`", c->names[0]);
    else
        mlc_buf_append_c(p->out, c->summary);
}

static void
end_item(const Page *p, const void *part)
{
    const char *doc = text_at(node_of(p, part), "doc");
    mlc_buf_printf(p->out, "%s%s\n", doc ? ": " : "", doc ? doc : "");
}

static const char *const arities[] = {"", ", optional", ", any number", ", lists of any number"};

static void
print_values(const Page *p, const char *title, const MlcValueDef *values, size_t n)
{
    static const char *const effects[] = {"read", "written", "allocated", "freed"};
    if (n)
        mlc_buf_printf(p->out, "**%s**\n\n", title);
    for (size_t i = 0; i < n; i++) {
        mlc_buf_printf(p->out, "- `%s` (", values[i].name);
        print_constraint(p, values[i].type);
        mlc_buf_append_c(p->out, arities[values[i].arity]);
        for (size_t k = 0; k < 4; k++)
            if (values[i].effects >> k & 1)
                mlc_buf_printf(p->out, ", %s", effects[k]);
        mlc_buf_append_c(p->out, ")");
        end_item(p, &values[i]);
    }
    if (n)
        mlc_buf_append_c(p->out, "\n");
}

// Sizes of segments are written down by the ops' syntax, never by hand.
static bool
is_machinery(const MlcOpDef *op, size_t i)
{
    return i + 1 == op->facts.operand_sizes || i + 1 == op->facts.result_sizes;
}

static void
print_attrs(const Page *p, const MlcOpDef *op)
{
    bool any = false;
    for (size_t i = 0; i < op->num_attrs; i++) {
        const MlcAttrSlot *slot = &op->attrs[i];
        if (is_machinery(op, i))
            continue;
        if (!any)
            mlc_buf_append_c(p->out, "**Attributes**\n\n");
        any = true;
        mlc_buf_printf(p->out, "- `%s` (", slot->name);
        print_constraint(p, slot->constraint);
        if (slot->optional)
            mlc_buf_append_c(p->out, ", optional");
        if (slot->default_text)
            mlc_buf_printf(p->out, ", `%s` if not given", slot->default_text);
        mlc_buf_append_c(p->out, ")");
        end_item(p, slot);
    }
    if (any)
        mlc_buf_append_c(p->out, "\n");
}

// ", takes `inits`, yields `results`", as the file says it.
static void
print_signature(const Page *p, const MlcRegionDef *region)
{
    static const char *const keys[] = {"args", "yields"}, *const words[] = {"takes", "yields"};
    for (size_t k = 0; k < 2; k++) {
        const MlcYaml *list = mlc_yaml_get(node_of(p, region), keys[k]);
        if (!list)
            continue;
        mlc_buf_printf(p->out, ", %s%s", words[k], list->num_items ? "" : " nothing");
        for (size_t i = 0; i < list->num_items; i++)
            mlc_buf_printf(p->out, "%s `%s`", i ? "," : "",
                           mlc_yaml_as_str(list->items[i], "").data);
    }
}

static void
print_regions(const Page *p, const MlcOpDef *op)
{
    static const char *const shapes[] = {"any blocks", "one block", "at least one block",
                                         "at most one block"};
    if (op->num_regions)
        mlc_buf_append_c(p->out, "**Regions**\n\n");
    for (size_t i = 0; i < op->num_regions; i++) {
        const MlcRegionDef *region = &op->regions[i];
        bool one = mlc_op_def_has_trait(op, MLC_TRAIT_SINGLE_BLOCK);
        mlc_buf_printf(p->out, "- `%s` (%s%s", region->name,
                       one && region->shape == MLC_REGION_ANY ? "at most one block"
                                                              : shapes[region->shape],
                       arities[region->arity]);
        print_signature(p, region);
        mlc_buf_append_c(p->out, ")");
        end_item(p, region);
    }
    if (op->num_regions)
        mlc_buf_append_c(p->out, "\n");
    if (op->num_successors)
        mlc_buf_append_c(p->out, "**Successors**\n\n");
    for (size_t i = 0; i < op->num_successors; i++) {
        mlc_buf_printf(p->out, "- `%s`", op->successors[i].name);
        if (op->successors[i].arity)
            mlc_buf_printf(p->out, " (%s)", arities[op->successors[i].arity] + 2);
        end_item(p, &op->successors[i]);
    }
    if (op->num_successors)
        mlc_buf_append_c(p->out, "\n");
}

static void
print_structured_rows(const Page *p, const MlcYaml *list, const char *word)
{
    MLC_YAML_FOR_EACH (item, list) {
        const char *map = text_at(item, "map");
        const char *type = text_at(item, "type");
        const char *doc = text_at(item, "doc");
        mlc_buf_printf(p->out, "- `%s` (%s", text_at(item, "name"), word);
        if (type)
            mlc_buf_printf(p->out, ", %s", type);
        mlc_buf_append_c(p->out, ")");
        if (map)
            mlc_buf_printf(p->out, " `%s`", map);
        mlc_buf_printf(p->out, "%s%s\n", doc ? ": " : "", doc ? doc : "");
    }
}

// "m parallel, n parallel, k reduction": the first map names the loops.
static void
print_loops(const Page *p, const MlcOpDef *op, const MlcYaml *iterators)
{
    const char *name = op->structured->maps[0];
    size_t n = 0;
    mlc_buf_append_c(p->out, "**Loops**: ");
    MLC_YAML_FOR_EACH (word, iterators) {
        name += name ? strspn(name, "(, ") : 0;
        size_t length = name ? strcspn(name, ",)") : 0;
        mlc_buf_printf(p->out, "%s", n++ ? ", " : "");
        if (length)
            mlc_buf_printf(p->out, "`%.*s` ", (int)length, name);
        mlc_buf_append_c(p->out, word->text.data);
        name += length;
    }
    for (size_t i = 0; i < op->structured->num_symbols; i++)
        mlc_buf_printf(p->out, "%s `s%zu` is `%s`", i ? "," : ";", i, op->structured->symbols[i]);
    mlc_buf_append_c(p->out, ".\n\n");
}

static void
print_structured(const Page *p, const MlcOpDef *op)
{
    const MlcYaml *node = mlc_yaml_get(node_of(p, op), "structured");
    const MlcStructuredDef *s = op->structured;
    if (!s)
        return;
    if (s->num_loops)
        print_loops(p, op, mlc_yaml_get(node, "iterators"));
    else if (s->num_outs)
        mlc_buf_append_c(p->out,
                         "**Loops**: one for each dimension of the output, all parallel.\n\n");
    print_structured_rows(p, mlc_yaml_get(node, "ins"), "in");
    print_structured_rows(p, mlc_yaml_get(node, "outs"), "out");
    if (s->num_ins + s->num_outs)
        mlc_buf_append_c(p->out, "\n");
    if (s->body)
        mlc_buf_printf(p->out, "**Body**: `%s`\n\n", s->body);
}

// Of a structured op with implied groups, its region goes without saying.
static void
print_traits(const Page *p, const MlcOpDef *op, bool implied)
{
    size_t n = 0;
    MlcBuf *out = p->out;
    uint64_t traits = op->traits & ~(implied ? MLC_TRAIT_BIT(SINGLE_BLOCK) : 0);
    for (size_t i = 0; i < MLC_TRAIT_COUNT; i++) {
        if (!(traits >> i & 1) || !trait_words[i])
            continue;
        mlc_buf_append_c(out, n ? "" : "**Traits**: ");
        if (i == MLC_TRAIT_NO_MEMORY_EFFECT && (traits & MLC_TRAITS_PURE) == MLC_TRAITS_PURE)
            print_phrase(p, &n, "pure");
        else if (i != MLC_TRAIT_SPECULATABLE || !(traits & MLC_TRAIT_BIT(NO_MEMORY_EFFECT)))
            print_phrase(p, &n, trait_words[i]);
    }
    if (op->implicit_terminator && !implied) {
        mlc_buf_printf(out, "%s`%s` ends its regions, and need not be written",
                       n ? "; " : "**Traits**: ", op->implicit_terminator);
        n++;
    }
    for (size_t i = 0; op->parents && op->parents[i]; i++, n++)
        mlc_buf_printf(out, "%s`%s`",
                       i   ? " or "
                       : n ? "; stands in "
                           : "**Traits**: stands in ",
                       op->parents[i]);
    mlc_buf_append_c(out, n ? ".\n\n" : "");
}

static void
print_interfaces(const Page *p, const MlcOpDef *op)
{
    size_t n = 0;
    for (size_t i = 0; i < op->num_interfaces; i++) {
        const char *words = interface_words[op->interfaces[i].id];
        if (!words)
            continue;
        mlc_buf_append_c(p->out, n ? "" : "**Interfaces**: ");
        print_phrase(p, &n, words);
    }
    mlc_buf_append_c(p->out, n ? ".\n\n" : "");
}

static void
print_bound(const Page *p, const MlcOpDef *op, const char *word, MlcLoopBound bound)
{
    mlc_buf_printf(p->out, " %s ", word);
    if (bound.operands)
        mlc_buf_printf(p->out, "`%s`", op->operands[bound.operands - 1].name);
    if (bound.operands && bound.attr)
        mlc_buf_append_c(p->out, " and ");
    if (bound.attr)
        mlc_buf_printf(p->out, "`%s`", op->attrs[bound.attr - 1].name);
}

// What the record's `loop` says: "from `lowerBound` to `upperBound` by `step`".
static void
print_loop(const Page *p, const MlcOpDef *op)
{
    const MlcLoopDef *loop = op->loop;
    if (!loop)
        return;
    bool is_counted = loop->lower.operands || loop->lower.attr;
    mlc_buf_append_c(p->out, "**Loop**:");
    if (is_counted) {
        print_bound(p, op, "from", loop->lower);
        print_bound(p, op, "to", loop->upper);
        print_bound(p, op, "by", loop->step);
    }
    if (loop->inits)
        mlc_buf_printf(p->out, "%s values begin as `%s`", is_counted ? ";" : "",
                       op->operands[loop->inits - 1].name);
    mlc_buf_append_c(p->out, ".\n\n");
}

static const MlcSemantics *
semantics_of(const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_SEMANTICS)
            return op->interfaces[i].methods;
    return NULL;
}

static void
print_semantics(const Page *p, const MlcOpDef *op)
{
    const MlcSemantics *s = semantics_of(op);
    if (s)
        mlc_buf_printf(p->out, "**Means**: %s.\n\n", mlc_yaml_semantics_words(s));
}

static void
print_requirements(const Page *p, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_interfaces; i++) {
        const MlcRequirements *all = op->interfaces[i].methods;
        for (size_t k = 0; op->interfaces[i].id == MLC_INTERFACE_REQUIREMENTS && k < all->num_rules;
             k++)
            mlc_buf_printf(p->out, "%s`%s`%s", k ? ", " : "**Requires**: ", all->rules[k]->name,
                           k + 1 == all->num_rules ? ".\n\n" : "");
    }
}

// What the record's `access` says: "reads `result` of `memref` at `indices` through `map`".
static void
print_access(const Page *p, const MlcOpDef *op)
{
    const MlcMemoryAccess *a = NULL;
    for (size_t i = 0; i < op->num_interfaces; i++)
        if (op->interfaces[i].id == MLC_INTERFACE_ACCESS)
            a = op->interfaces[i].methods;
    if (!a)
        return;
    mlc_buf_append_c(p->out, "**Access**: ");
    if (!a->value)
        mlc_buf_append_c(p->out, "names");
    else if (a->is_write)
        mlc_buf_printf(p->out, "writes `%s` to", op->operands[a->value - 1].name);
    else
        mlc_buf_printf(p->out, "reads `%s` of", op->results[a->value - 1].name);
    mlc_buf_printf(p->out, " `%s` at `%s`", op->operands[a->memref].name,
                   op->operands[a->indices].name);
    if (a->map)
        mlc_buf_printf(p->out, " through `%s`", op->attrs[a->map - 1].name);
    if (a->permutation)
        mlc_buf_printf(p->out, ", dimensions by `%s`", op->attrs[a->permutation - 1].name);
    if (a->in_bounds)
        mlc_buf_printf(p->out, ", inside where `%s` says so", op->attrs[a->in_bounds - 1].name);
    if (a->mask)
        mlc_buf_printf(p->out, ", in lanes of `%s`", op->operands[a->mask - 1].name);
    if (a->twin)
        mlc_buf_printf(p->out, "; %s a map it is `%s`", a->map ? "without" : "with", a->twin);
    mlc_buf_append_c(p->out, ".\n\n");
}

static bool
has_hook(const Page *p, const void *slot)
{
    return mlc_map_has(&p->of->loader->symbols, slot);
}

// What is done with the op, and where that is written.
static void
print_meaning(const Page *p, const MlcOpDef *op)
{
    bool runs = has_hook(p, &op->eval) || op->body || (op->structured && op->structured->body);
    bool pure = (op->traits & MLC_TRAIT_BIT(NO_MEMORY_EFFECT)) &&
                !mlc_op_def_has_trait(op, MLC_TRAIT_OWN_FOLDS);
    size_t n = 0;
    mlc_buf_append_c(p->out, "**Knows how to**: ");
    if (runs)
        print_phrase(p, &n, "run in the interpreter");
    if (has_hook(p, &op->fold))
        print_phrase(p, &n, runs && pure ? "fold, also constants by running" : "fold");
    else if (runs && pure && op->num_operands)
        print_phrase(p, &n, "fold constants by running");
    if (p->of->has_rules(p->of->user, op)) {
        print_phrase(p, &n, "");
        mlc_buf_printf(p->out, "simplify by rules (`%s.rules`)", p->of->dialect->name);
    }
    if (has_hook(p, &op->patterns) || op->num_canonical)
        print_phrase(p, &n, "simplify by patterns");
    for (size_t i = 0; i < op->num_canonical; i++)
        mlc_buf_printf(p->out, "%s%s%s", i ? ", " : " (", op->canonical[i].name,
                       i + 1 == op->num_canonical ? ")" : "");
    if (has_hook(p, &op->verify) || has_hook(p, &op->verify_regions))
        print_phrase(p, &n, "check more than its record says");
    mlc_buf_append_c(p->out, n ? ".\n\n" : "be read, checked and printed.\n\n");
}

static bool
next_pass(const char **text, MlcStr *pass)
{
    if (!*text || !**text)
        return false;
    *pass = mlc_str_n(*text, strcspn(*text, " "));
    *text += pass->size + (pass->data[pass->size] == ' ');
    return true;
}

// What it becomes by its record, and who makes something else of it.
static void
print_conversions(const Page *p, const MlcOpDef *op)
{
    for (size_t i = 0; i < op->num_lowers_to; i++) {
        const MlcLowering *to = &op->lowers_to[i];
        mlc_buf_printf(p->out, "%s`%s`", i ? ", " : "**Lowers to**: ", to->op);
        for (size_t k = 0; k < to->num_attrs; k++)
            mlc_buf_printf(p->out, "%s`%s` as `%s`", k ? ", " : ", with ", to->attrs[2 * k + 1],
                           to->attrs[2 * k]);
    }
    if (op->num_lowers_to)
        mlc_buf_append_c(p->out, ".\n\n");
    const char *passes = p->of->passes(p->of->user, op);
    size_t n = 0;
    for (MlcStr pass; next_pass(&passes, &pass);)
        mlc_buf_printf(p->out, "%s`%.*s`", n++ ? ", " : "**Converted by**: ", MLC_STR_FMT(pass));
    mlc_buf_append_c(p->out, n ? ".\n\n" : "");
}

static void
print_op(const Page *p, const MlcOpDef *op)
{
    const MlcYaml *node = node_of(p, op);
    const char *format = text_at(node, "format");
    bool implied = op->structured && !mlc_yaml_get(node, "operands");
    mlc_buf_printf(p->out, "### `%s`\n\n", op->name);
    print_paragraph(p, op->summary);
    print_paragraph(p, text_at(node, "description"));
    if (format)
        mlc_buf_printf(p->out, "```\n%s %s\n```\n\n", op->name, format);
    if (op->body)
        mlc_buf_printf(p->out, "**Each element**: `%s`\n\n", op->body);
    print_structured(p, op);
    if (implied) {
        mlc_buf_append_c(p->out, "**Results**: one for each output that is a tensor.\n\n");
    } else {
        print_values(p, "Operands", op->operands, op->num_operands);
        print_values(p, "Results", op->results, op->num_results);
    }
    print_attrs(p, op);
    if (!implied)
        print_regions(p, op);
    print_traits(p, op, implied);
    print_interfaces(p, op);
    print_semantics(p, op);
    if (!semantics_of(op))
        print_loop(p, op);
    print_access(p, op);
    print_requirements(p, op);
    print_meaning(p, op);
    print_conversions(p, op);
}

static void
print_params(const Page *p, const MlcParamDef *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mlc_buf_printf(p->out, "  - `%s` (", params[i].name);
        print_constraint(p, params[i].constraint);
        mlc_buf_append_c(p->out, params[i].is_list ? ", any number" : "");
        if (params[i].default_text)
            mlc_buf_printf(p->out, ", `%s` if not given", params[i].default_text);
        else if (params[i].optional)
            mlc_buf_append_c(p->out, ", optional");
        mlc_buf_append_c(p->out, ")");
        end_item(p, &params[i]);
    }
}

// A type or an attribute: what it is, else what messages call it, as a sentence.
static void
print_sentence(const Page *p, const void *def, const char *summary)
{
    const char *description = text_at(node_of(p, def), "description");
    const char *text = description ? description : summary ? summary : "";
    size_t n = strlen(text);
    if (!n)
        return;
    bool lower = text[0] >= 'a' && text[0] <= 'z';
    mlc_buf_append_char(p->out, lower ? (char)(text[0] - 'a' + 'A') : text[0]);
    mlc_buf_printf(p->out, "%s%s", text + 1, text[n - 1] == '.' ? "" : ".");
}

static void
print_attr(const Page *p, const MlcAttrDef *attr)
{
    mlc_buf_printf(p->out, "- `#%s`: ", attr->name);
    print_sentence(p, attr, attr->summary);
    for (size_t i = 0; i < attr->num_cases; i++) {
        const char *word = attr->is_bit_enum ? " Any of " : " One of ";
        mlc_buf_printf(p->out, "%s`%s`", i ? ", " : word, attr->cases[i].name);
    }
    if (attr->is_bit_enum)
        mlc_buf_printf(p->out, ", with `%s` between them", attr->separator);
    mlc_buf_append_c(p->out, attr->num_cases ? ".\n" : "\n");
    if (!attr->num_cases)
        print_params(p, attr->params, attr->num_params);
}

static void
print_words(const Page *p, const char *before, const MlcYaml *words)
{
    size_t n = 0;
    MLC_YAML_FOR_EACH (word, words)
        mlc_buf_printf(p->out, "%s`%s`", n++ ? ", " : before, word->text.data);
}

// Attributes of the dialect that ops of others carry.
static void
print_discardable(const Page *p)
{
    const MlcDialectDef *def = p->of->dialect;
    if (def->num_discardable)
        mlc_buf_append_c(p->out, "## Attributes of other ops\n\n");
    for (size_t i = 0; i < def->num_discardable; i++) {
        const MlcAttrSlot *slot = &def->discardable[i];
        const MlcYaml *node = node_of(p, slot);
        mlc_buf_printf(p->out, "- `%s.%s` (%s): %s", def->name, slot->name,
                       slot->constraint->summary, text_at(node, "summary"));
        print_words(p, " On ", mlc_yaml_get(node, "on"));
        print_words(p, "; written by ", mlc_yaml_get(node, "written_by"));
        print_words(p, "; read by ", mlc_yaml_get(node, "read_by"));
        mlc_buf_append_c(p->out, ".\n");
    }
}

// Passes with the number of ops that they convert, of those of the dialect.
static void
print_passes(const Page *p)
{
    MLC_VEC(MlcStr) passes = {0};
    MLC_VEC(size_t) counts = {0};
    for (size_t i = 0; i < p->of->dialect->num_ops; i++) {
        const char *text = p->of->passes(p->of->user, p->of->dialect->ops[i]);
        for (MlcStr pass; next_pass(&text, &pass);) {
            size_t k = 0;
            while (k < passes.size && !mlc_str_equal(passes.data[k], pass))
                k++;
            if (k == passes.size) {
                mlc_vec_push(&passes, pass);
                mlc_vec_push(&counts, 0);
            }
            counts.data[k]++;
        }
    }
    for (size_t k = 0; k < passes.size; k++)
        mlc_buf_printf(p->out, "%s`%.*s` (%zu)",
                       k ? ", " : "Passes that convert its ops: ", MLC_STR_FMT(passes.data[k]),
                       counts.data[k]);
    if (passes.size)
        mlc_buf_printf(p->out, ", of %zu.\n\n", p->of->dialect->num_ops);
    mlc_vec_release(&passes);
    mlc_vec_release(&counts);
}

static void
print_constants(const Page *p, const char *const *names)
{
    for (size_t i = 0; names && names[i]; i++)
        mlc_buf_printf(p->out, "%s`%s`",
                       i == 0         ? "What folds to a constant becomes "
                       : names[i + 1] ? ", "
                                      : " or ",
                       names[i]);
    mlc_buf_append_c(p->out, names && *names ? ".\n\n" : "");
}

void
mlc_yaml_reference(const MlcReference *reference, MlcBuf *out)
{
    const MlcDialectDef *def = reference->dialect;
    const Page page = {reference, out}, *p = &page;
    mlc_buf_printf(out, "# `%s`\n\n", def->name);
    print_paragraph(p, def->summary);
    print_paragraph(p, text_at(node_of(p, def), "description"));
    print_passes(p);
    print_constants(p, def->constants);
    if (def->num_types)
        mlc_buf_append_c(out, "## Types\n\n");
    for (size_t i = 0; i < def->num_types; i++) {
        const MlcTypeDef *type = def->types[i];
        mlc_buf_printf(out, "- `!%s`: ", type->name);
        print_sentence(p, type, type->summary);
        mlc_buf_append_c(out, "\n");
        print_params(p, type->params, type->num_params);
    }
    if (def->num_attrs)
        mlc_buf_append_c(out, def->num_types ? "\n## Attributes\n\n" : "## Attributes\n\n");
    for (size_t i = 0; i < def->num_attrs; i++)
        print_attr(p, def->attrs[i]);
    print_discardable(p);
    if (def->num_ops)
        mlc_buf_append_c(out, def->num_types || def->num_attrs ? "\n## Ops\n\n" : "## Ops\n\n");
    for (size_t i = 0; i < def->num_ops; i++)
        print_op(p, def->ops[i]);
}
