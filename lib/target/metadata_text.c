// metadata_text.c -- one line of text per node, by tables: which fields a kind of debug information
// has, and which options a loop.
//
// LLVM's C API makes neither distinct nodes nor most kinds of debug information, but it reads text:
// the nodes of a whole module are written, read at once, and live in the context afterwards.
#include "metadata_text.h"

#include "mlc/ir/def.h"

#include <ctype.h>

static void
write_string(MlcBuf *out, MlcStr text)
{
    mlc_buf_append_c(out, "\"");
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (isprint(c) && c != '"' && c != '\\')
            mlc_buf_printf(out, "%c", c);
        else
            mlc_buf_printf(out, "\\%02X", c);
    }
    mlc_buf_append_c(out, "\"");
}

static unsigned
new_node(MetadataText *m, MlcAttr attr)
{
    unsigned number = (unsigned)m->attrs.size;
    mlc_vec_push(&m->attrs, attr);
    if (attr)
        mlc_map_set_u64(&m->numbers, (uint64_t)(uintptr_t)attr, number + 1);
    return number;
}

static MlcAttr
param(MlcAttr attr, const char *name)
{
    const MlcAttrDef *def = mlc_dialect_attr_def(attr);
    for (size_t i = 0; i < def->num_params; i++)
        if (mlc_str_equal(mlc_str(def->params[i].name), mlc_str(name)))
            return mlc_dialect_attr_param(attr, i);
    return NULL;
}

static bool
is_true(MlcAttr attr)
{
    int64_t value;
    return attr && mlc_attr_try_as_int(attr, &value) && value != 0;
}

// The names of an enumeration's bits, those of most bits first, or its one name.
static void
write_cases(MlcBuf *out, MlcAttr attr, const char *prefix)
{
    const MlcAttrDef *def = mlc_dialect_attr_def(attr);
    int64_t left = mlc_enum_attr_value(attr);
    bool first = true;
    for (int bits = def->is_bit_enum ? 64 : 1; bits > 0; bits--)
        for (size_t i = 0; i < def->num_cases; i++) {
            const MlcEnumCase *c = &def->cases[i];
            bool fits = def->is_bit_enum ? c->value && (left & c->value) == c->value &&
                                               __builtin_popcountll((uint64_t)c->value) == bits
                                         : c->value == left;
            if (!fits)
                continue;
            mlc_buf_printf(out, "%s%s%s", first ? "" : " | ", prefix, c->name);
            first = false;
            left = def->is_bit_enum ? left & ~c->value : INT64_MIN;
        }
    if (first)
        mlc_buf_append_c(out, "0");
}

// --- debug information

typedef enum FieldKind {
    TEXT,
    NODE,
    NUMBER,
    FLAG,
    CASE,       // of an enumeration
    BITS,       // of one, with a prefix
    LIST,       // of nodes
    EXPRESSION, // in line
    BOUND,      // a number, a node or an expression
} FieldKind;
typedef struct Field {
    const char *param, *name;
    FieldKind kind;
    const char *prefix; // of BITS; of others: the text where there is no value
} Field;
typedef struct Kind {
    const char *attr, *node;
    bool is_distinct;
    Field fields[16];
} Kind;

static const Kind kinds[] = {
    {"llvm.di_file",
     "DIFile",
     false,
     {{"name", "filename", TEXT, "\"\""}, {"directory", 0, TEXT, "\"\""}}},
    {"llvm.di_compile_unit",
     "DICompileUnit",
     true,
     {{"sourceLanguage", "language", CASE, 0},
      {"file", 0, NODE, 0},
      {"producer", 0, TEXT, 0},
      {"isOptimized", 0, FLAG, 0},
      {"nameTableKind", 0, CASE, 0}}},
    {"llvm.di_subprogram",
     "DISubprogram",
     false, // unless it is a definition
     {{"name", 0, TEXT, 0},
      {"linkageName", 0, TEXT, 0},
      {"scope", 0, NODE, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"type", 0, NODE, 0},
      {"scopeLine", 0, NUMBER, 0},
      {"subprogramFlags", "spFlags", BITS, "DISPFlag"},
      {"compileUnit", "unit", NODE, 0}}},
    {"llvm.di_subroutine_type",
     "DISubroutineType",
     false,
     {{"callingConvention", "cc", CASE, 0}, {"types", 0, LIST, "!{}"}}},
    {"llvm.di_basic_type",
     "DIBasicType",
     false,
     {{"tag", 0, CASE, 0},
      {"name", 0, TEXT, 0},
      {"sizeInBits", "size", NUMBER, 0},
      {"encoding", 0, CASE, 0}}},
    {"llvm.di_derived_type",
     "DIDerivedType",
     false,
     {{"tag", 0, CASE, 0},
      {"name", 0, TEXT, 0},
      {"baseType", 0, NODE, "null"},
      {"sizeInBits", "size", NUMBER, 0},
      {"alignInBits", "align", NUMBER, 0},
      {"offsetInBits", "offset", NUMBER, 0},
      {"dwarfAddressSpace", 0, NUMBER, 0},
      {"extraData", 0, NODE, 0}}},
    {"llvm.di_composite_type",
     "DICompositeType",
     false, // by its tag
     {{"tag", 0, CASE, 0},
      {"name", 0, TEXT, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"scope", 0, NODE, 0},
      {"baseType", 0, NODE, 0},
      {"flags", 0, BITS, "DIFlag"},
      {"sizeInBits", "size", NUMBER, 0},
      {"alignInBits", "align", NUMBER, 0},
      {"elements", 0, LIST, "!{}"},
      {"dataLocation", 0, EXPRESSION, 0},
      {"rank", 0, EXPRESSION, 0},
      {"allocated", 0, EXPRESSION, 0},
      {"associated", 0, EXPRESSION, 0}}},
    {"llvm.di_subrange",
     "DISubrange",
     false,
     {{"count", 0, BOUND, 0},
      {"lowerBound", 0, BOUND, 0},
      {"upperBound", 0, BOUND, 0},
      {"stride", 0, BOUND, 0}}},
    {"llvm.di_lexical_block",
     "DILexicalBlock",
     true,
     {{"scope", 0, NODE, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"column", 0, NUMBER, 0}}},
    {"llvm.di_lexical_block_file",
     "DILexicalBlockFile",
     true,
     {{"scope", 0, NODE, 0}, {"file", 0, NODE, 0}, {"discriminator", 0, NUMBER, "0"}}},
    {"llvm.di_local_variable",
     "DILocalVariable",
     false,
     {{"name", 0, TEXT, 0},
      {"arg", 0, NUMBER, 0},
      {"scope", 0, NODE, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"type", 0, NODE, 0},
      {"alignInBits", "align", NUMBER, 0}}},
    {"llvm.di_global_variable",
     "DIGlobalVariable",
     true,
     {{"name", 0, TEXT, 0},
      {"linkageName", 0, TEXT, 0},
      {"scope", 0, NODE, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"type", 0, NODE, 0},
      {"isLocalToUnit", "isLocal", FLAG, 0},
      {"isDefined", "isDefinition", FLAG, 0},
      {"alignInBits", "align", NUMBER, 0}}},
    {"llvm.di_label",
     "DILabel",
     false,
     {{"scope", 0, NODE, 0},
      {"name", 0, TEXT, "\"\""},
      {"file", 0, NODE, "null"},
      {"line", 0, NUMBER, "0"}}},
    {"llvm.di_module",
     "DIModule",
     false,
     {{"scope", 0, NODE, "null"},
      {"name", 0, TEXT, 0},
      {"configMacros", 0, TEXT, 0},
      {"includePath", 0, TEXT, 0},
      {"apinotes", 0, TEXT, 0},
      {"file", 0, NODE, 0},
      {"line", 0, NUMBER, 0},
      {"isDecl", 0, FLAG, 0}}},
    {"llvm.di_namespace",
     "DINamespace",
     false,
     {{"name", 0, TEXT, 0}, {"scope", 0, NODE, "null"}, {"exportSymbols", 0, FLAG, 0}}},
    {"llvm.di_string_type",
     "DIStringType",
     false,
     {{"tag", 0, CASE, 0},
      {"name", 0, TEXT, 0},
      {"sizeInBits", "size", NUMBER, 0},
      {"alignInBits", "align", NUMBER, 0},
      {"stringLength", 0, NODE, 0},
      {"stringLengthExp", "stringLengthExpression", EXPRESSION, 0},
      {"stringLocationExp", "stringLocationExpression", EXPRESSION, 0},
      {"encoding", 0, CASE, 0}}},
};

static void
write_expression(MlcBuf *out, MlcAttr expression)
{
    MlcAttr ops = expression ? param(expression, "operations") : NULL;
    mlc_buf_append_c(out, "!DIExpression(");
    for (size_t i = 0; ops && i < mlc_array_attr_size(ops); i++) {
        MlcAttr op = mlc_array_attr_element(ops, i), args = param(op, "arguments");
        mlc_buf_append_c(out, i ? ", " : "");
        write_cases(out, param(op, "opcode"), "");
        for (size_t k = 0; args && k < mlc_array_attr_size(args); k++)
            mlc_buf_printf(out, ", %llu",
                           (unsigned long long)mlc_attr_as_int(mlc_array_attr_element(args, k)));
    }
    mlc_buf_append_c(out, ")");
}

// Nodes that the list names are numbered before it.
static unsigned
list_node(MetadataText *m, MlcAttr array, bool is_type_list)
{
    MlcBuf line = {0};
    for (size_t i = 0; i < mlc_array_attr_size(array); i++) {
        MlcAttr element = mlc_array_attr_element(array, i);
        mlc_buf_append_c(&line, i ? ", " : "");
        if (is_type_list && mlc_attr_isa(element, "llvm.di_null_type"))
            mlc_buf_append_c(&line, "null");
        else
            mlc_buf_printf(&line, "!%u", mlc_metadata_node(m, element));
    }
    unsigned number = new_node(m, NULL);
    mlc_buf_printf(&m->lines, "!%u = !{%s}\n", number, mlc_buf_c_str(&line));
    mlc_buf_release(&line);
    return number;
}

static void
write_field(MetadataText *m, MlcBuf *line, const Field *field, MlcAttr value)
{
    int64_t number;
    switch (field->kind) {
    case TEXT:
        write_string(line, mlc_string_attr_value(value));
        break;
    case NODE:
        mlc_buf_printf(line, "!%u", mlc_metadata_node(m, value));
        break;
    case NUMBER:
        mlc_buf_printf(line, "%lld", mlc_attr_try_as_int(value, &number) ? (long long)number : 0);
        break;
    case FLAG:
        mlc_buf_append_c(line, is_true(value) ? "true" : "false");
        break;
    case CASE:
    case BITS:
        write_cases(line, value, field->kind == BITS ? field->prefix : "");
        break;
    case LIST:
        mlc_buf_printf(line, "!%u", list_node(m, value, true));
        break;
    case EXPRESSION:
        write_expression(line, value);
        break;
    case BOUND:
        if (mlc_attr_is(value, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(value, &number))
            mlc_buf_printf(line, "%lld", (long long)number);
        else if (mlc_attr_isa(value, "llvm.di_expression"))
            write_expression(line, value);
        else
            mlc_buf_printf(line, "!%u", mlc_metadata_node(m, value));
        break;
    }
}

// DWARF has no code for "no encoding", and LLVM no name for an enumeration's 0.
static bool
is_left_out(const Field *field, MlcAttr value)
{
    if (!value || (field->kind == TEXT && mlc_string_attr_value(value).size == 0))
        return true;
    return (field->kind == CASE || field->kind == BITS || field->kind == NUMBER) &&
           (mlc_attr_is(value, MLC_ATTR_INTEGER) ? !is_true(value)
                                                 : mlc_enum_attr_value(value) == 0) &&
           strcmp(field->param, "nameTableKind") != 0;
}

static void
write_fields(MetadataText *m, MlcBuf *line, const Kind *kind, MlcAttr attr)
{
    bool first = true;
    for (const Field *field = kind->fields; field->param; field++) {
        MlcAttr value = param(attr, field->param);
        bool is_absent = is_left_out(field, value);
        // A subprogram without flags is a declaration; without the field it would be a definition.
        bool is_needed = field->kind == BITS ? strcmp(field->param, "subprogramFlags") == 0
                                             : field->prefix != NULL;
        if (is_absent && !is_needed)
            continue;
        mlc_buf_printf(line, "%s%s: ", first ? "" : ", ", field->name ? field->name : field->param);
        if (is_absent)
            mlc_buf_append_c(line, field->kind == BITS ? "0" : field->prefix);
        else
            write_field(m, line, field, value);
        first = false;
    }
}

bool
mlc_is_definition(MlcAttr subprogram)
{
    enum { DEFINITION = 8 };
    MlcAttr flags = param(subprogram, "subprogramFlags");
    return flags && (mlc_enum_attr_value(flags) & DEFINITION);
}

static bool
is_distinct(const Kind *kind, MlcAttr attr)
{
    enum { CLASS = 2, ENUMERATION = 4, STRUCTURE = 0x13, UNION = 0x17 };
    if (mlc_attr_isa(attr, "llvm.di_subprogram"))
        return mlc_is_definition(attr);
    if (!mlc_attr_isa(attr, "llvm.di_composite_type"))
        return kind->is_distinct;
    int64_t tag = mlc_enum_attr_value(param(attr, "tag"));
    return tag == CLASS || tag == ENUMERATION || tag == STRUCTURE || tag == UNION;
}

// What contains itself names the outer one by its id.
static MlcAttr
id_of(MlcAttr attr)
{
    return mlc_attr_isa(attr, "llvm.di_composite_type") ? param(attr, "recId")
           : mlc_attr_isa(attr, "llvm.di_subprogram")   ? param(attr, "id")
                                                        : NULL;
}

static bool
is_inner_self(MetadataText *m, MlcAttr attr, unsigned *number)
{
    MlcAttr id = id_of(attr);
    uint64_t found;
    if (!id || !mlc_map_get_u64(&m->numbers, (uint64_t)(uintptr_t)id, &found))
        return false;
    *number = (unsigned)found - 1;
    return true;
}

static void
write_debug_node(MetadataText *m, unsigned number, const Kind *kind, MlcAttr attr)
{
    MlcBuf line = {0};
    MlcAttr id = id_of(attr);
    if (id)
        mlc_map_set_u64(&m->numbers, (uint64_t)(uintptr_t)id, number + 1);
    write_fields(m, &line, kind, attr);
    mlc_buf_printf(&m->lines, "!%u = %s!%s(%s)\n", number,
                   is_distinct(kind, attr) ? "distinct " : "", kind->node, mlc_buf_c_str(&line));
    mlc_buf_release(&line);
}

// A compile unit names its globals, which are known when all is.
static void
write_unit(MetadataText *m, MlcAttr unit)
{
    static const char *const emission[] = {"NoDebug", "FullDebug", "LineTablesOnly",
                                           "DebugDirectivesOnly"};
    MlcBuf line = {0}, globals = {0};
    int64_t kind = mlc_enum_attr_value(param(unit, "emissionKind"));
    write_fields(m, &line, &kinds[1], unit);
    for (size_t i = 0; i < m->globals.size; i++) {
        MlcAttr scope = param(param(m->globals.data[i], "var"), "scope");
        if (scope && mlc_attr_isa(scope, "llvm.di_module"))
            scope = param(scope, "scope");
        else if (scope && mlc_attr_isa(scope, "llvm.di_subprogram"))
            scope = param(scope, "compileUnit");
        if (scope == unit)
            mlc_buf_printf(&globals, "%s!%u", globals.size ? ", " : "",
                           mlc_metadata_node(m, m->globals.data[i]));
    }
    mlc_buf_printf(&m->lines, "!%u = distinct !DICompileUnit(%s, emissionKind: %s%s%s%s)\n",
                   mlc_metadata_node(m, unit), mlc_buf_c_str(&line),
                   kind >= 0 && kind < 4 ? emission[kind] : "NoDebug",
                   globals.size ? ", globals: !{" : "", mlc_buf_c_str(&globals),
                   globals.size ? "}" : "");
    mlc_buf_release(&line);
    mlc_buf_release(&globals);
}

// --- loops

typedef enum OptionKind {
    IF_TRUE,   // a name alone
    EITHER,    // name.disable or name.enable
    AS_BOOL,   // a name and i1
    NEGATED,   // a name and i1, the other way round
    AS_NUMBER, // a name and i32
    FOLLOWUP,  // a name and another loop
} OptionKind;
typedef struct Option {
    const char *group, *param; // of loop_annotation, and of what it holds there; group NULL: itself
    OptionKind kind;
    const char *name;
} Option;

// In the order in which MLIR writes them.
static const Option loop_options[] = {
    {NULL, "disableNonforced", IF_TRUE, "disable_nonforced"},
    {NULL, "mustProgress", IF_TRUE, "mustprogress"},
    {NULL, "isVectorized", AS_NUMBER, "isvectorized"},
    {"vectorize", "disable", NEGATED, "vectorize.enable"},
    {"vectorize", "predicateEnable", AS_BOOL, "vectorize.predicate.enable"},
    {"vectorize", "scalableEnable", AS_BOOL, "vectorize.scalable.enable"},
    {"vectorize", "width", AS_NUMBER, "vectorize.width"},
    {"vectorize", "followupVectorized", FOLLOWUP, "vectorize.followup_vectorized"},
    {"vectorize", "followupEpilogue", FOLLOWUP, "vectorize.followup_epilogue"},
    {"vectorize", "followupAll", FOLLOWUP, "vectorize.followup_all"},
    {"interleave", "count", AS_NUMBER, "interleave.count"},
    {"unroll", "disable", EITHER, "unroll"},
    {"unroll", "count", AS_NUMBER, "unroll.count"},
    {"unroll", "runtimeDisable", AS_BOOL, "unroll.runtime.disable"},
    {"unroll", "full", IF_TRUE, "unroll.full"},
    {"unroll", "followupUnrolled", FOLLOWUP, "unroll.followup_unrolled"},
    {"unroll", "followupRemainder", FOLLOWUP, "unroll.followup_remainder"},
    {"unroll", "followupAll", FOLLOWUP, "unroll.followup_all"},
    {"unrollAndJam", "disable", EITHER, "unroll_and_jam"},
    {"unrollAndJam", "count", AS_NUMBER, "unroll_and_jam.count"},
    {"unrollAndJam", "followupOuter", FOLLOWUP, "unroll_and_jam.followup_outer"},
    {"unrollAndJam", "followupInner", FOLLOWUP, "unroll_and_jam.followup_inner"},
    {"unrollAndJam", "followupRemainderOuter", FOLLOWUP, "unroll_and_jam.followup_remainder_outer"},
    {"unrollAndJam", "followupRemainderInner", FOLLOWUP, "unroll_and_jam.followup_remainder_inner"},
    {"unrollAndJam", "followupAll", FOLLOWUP, "unroll_and_jam.followup_all"},
    {"licm", "disable", IF_TRUE, "licm.disable"},
    {"licm", "versioningDisable", IF_TRUE, "licm_versioning.disable"},
    {"distribute", "disable", NEGATED, "distribute.enable"},
    {"distribute", "followupCoincident", FOLLOWUP, "distribute.followup_coincident"},
    {"distribute", "followupSequential", FOLLOWUP, "distribute.followup_sequential"},
    {"distribute", "followupFallback", FOLLOWUP, "distribute.followup_fallback"},
    {"distribute", "followupAll", FOLLOWUP, "distribute.followup_all"},
    {"pipeline", "disable", AS_BOOL, "pipeline.disable"},
    {"pipeline", "initiationinterval", AS_NUMBER, "pipeline.initiationinterval"},
    {"peeled", "count", AS_NUMBER, "peeled.count"},
    {"unswitch", "partialDisable", IF_TRUE, "unswitch.partial.disable"},
};

static void
write_option(MetadataText *m, MlcBuf *out, const Option *option, MlcAttr value)
{
    int64_t number = 0;
    bool yes = is_true(value);
    // licm.disable is the one that is not of `llvm.loop`.
    const char *prefix = strcmp(option->name, "licm.disable") ? "llvm.loop." : "llvm.";
    switch (option->kind) {
    case IF_TRUE:
        if (yes)
            mlc_buf_printf(out, ", !{!\"%s%s\"}", prefix, option->name);
        break;
    case EITHER:
        mlc_buf_printf(out, ", !{!\"%s%s.%s\"}", prefix, option->name, yes ? "disable" : "enable");
        break;
    case AS_BOOL:
    case NEGATED:
        mlc_buf_printf(out, ", !{!\"%s%s\", i1 %s}", prefix, option->name,
                       yes == (option->kind == AS_BOOL) ? "true" : "false");
        break;
    case AS_NUMBER:
        (void)mlc_attr_try_as_int(value, &number);
        number =
            mlc_attr_type(value) && mlc_type_is_integer(mlc_attr_type(value), 1) ? yes : number;
        mlc_buf_printf(out, ", !{!\"%s%s\", i32 %lld}", prefix, option->name, (long long)number);
        break;
    case FOLLOWUP:
        mlc_buf_printf(out, ", !{!\"%s%s\", !%u}", prefix, option->name,
                       mlc_metadata_node(m, value));
        break;
    }
}

bool
mlc_is_debug_scope(MlcAttr attr)
{
    return attr && (mlc_attr_isa(attr, "llvm.di_subprogram") ||
                    mlc_attr_isa(attr, "llvm.di_lexical_block") ||
                    mlc_attr_isa(attr, "llvm.di_lexical_block_file"));
}

// Where a loop starts or ends.
static void
write_location(MetadataText *m, MlcBuf *out, MlcAttr attr)
{
    MlcLoc loc = mlc_attr_as_loc(attr), file = mlc_loc_find_file(loc);
    MlcAttr scope = mlc_loc_kind(loc) == MLC_LOC_FUSED ? mlc_loc_metadata(loc) : NULL;
    if (file && mlc_is_debug_scope(scope))
        mlc_buf_printf(out, ", !DILocation(line: %u, column: %u, scope: !%u)", mlc_loc_line(file),
                       mlc_loc_column(file), mlc_metadata_node(m, scope));
}

static void
write_loop(MetadataText *m, unsigned number, MlcAttr loop)
{
    MlcBuf line = {0};
    const char *const ends[] = {"startLoc", "endLoc"};
    for (size_t i = 0; i < 2; i++)
        if (param(loop, ends[i]))
            write_location(m, &line, param(loop, ends[i]));
    for (size_t i = 0; i < sizeof loop_options / sizeof *loop_options; i++) {
        const Option *option = &loop_options[i];
        MlcAttr group = option->group ? param(loop, option->group) : loop;
        MlcAttr value = group ? param(group, option->param) : NULL;
        if (value)
            write_option(m, &line, option, value);
    }
    MlcAttr accesses = param(loop, "parallelAccesses");
    if (accesses && mlc_array_attr_size(accesses)) {
        mlc_buf_append_c(&line, ", !{!\"llvm.loop.parallel_accesses\"");
        for (size_t i = 0; i < mlc_array_attr_size(accesses); i++)
            mlc_buf_printf(&line, ", !%u",
                           mlc_metadata_node(m, mlc_array_attr_element(accesses, i)));
        mlc_buf_append_c(&line, "}");
    }
    mlc_buf_printf(&m->lines, "!%u = distinct !{!%u%s}\n", number, number, mlc_buf_c_str(&line));
    mlc_buf_release(&line);
}

// --- memory

// A distinct node: itself, what it belongs to, and a description.
static void
write_alias(MetadataText *m, unsigned number, MlcAttr attr)
{
    MlcAttr text = param(attr, "description");
    MlcBuf line = {0};
    if (mlc_attr_isa(attr, "llvm.alias_scope"))
        mlc_buf_printf(&line, ", !%u", mlc_metadata_node(m, param(attr, "domain")));
    if (text) {
        mlc_buf_append_c(&line, ", !");
        write_string(&line, mlc_string_attr_value(text));
    }
    mlc_buf_printf(&m->lines, "!%u = distinct !{!%u%s}\n", number, number, mlc_buf_c_str(&line));
    mlc_buf_release(&line);
}

static void
write_tbaa(MetadataText *m, unsigned number, MlcAttr attr)
{
    MlcBuf line = {0};
    MlcAttr id = mlc_attr_isa(attr, "llvm.tbaa_tag") ? NULL : param(attr, "id");
    if (mlc_attr_isa(attr, "llvm.tbaa_tag")) {
        mlc_buf_printf(&line, "!%u, !%u, i64 %lld%s",
                       mlc_metadata_node(m, param(attr, "base_type")),
                       mlc_metadata_node(m, param(attr, "access_type")),
                       (long long)mlc_attr_as_int(param(attr, "offset")),
                       is_true(param(attr, "constant")) ? ", i64 1" : "");
    } else if (id) {
        mlc_buf_append_c(&line, "!");
        write_string(&line, mlc_string_attr_value(id));
    }
    MlcAttr members = mlc_attr_isa(attr, "llvm.tbaa_type_desc") ? param(attr, "members") : NULL;
    for (size_t i = 0; members && i < mlc_array_attr_size(members); i++) {
        MlcAttr member = mlc_array_attr_element(members, i);
        mlc_buf_printf(&line, ", !%u, i64 %lld", mlc_metadata_node(m, param(member, "typeDesc")),
                       (long long)mlc_attr_as_int(param(member, "offset")));
    }
    // A root without a name is no other's.
    mlc_buf_printf(&m->lines, "!%u = %s!{%s}\n", number, line.size ? "" : "distinct ",
                   line.size ? mlc_buf_c_str(&line) : "");
    mlc_buf_release(&line);
}

// --- nodes

static const Kind *
kind_of(MlcAttr attr)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (mlc_attr_isa(attr, kinds[i].attr))
            return &kinds[i];
    return NULL;
}

static void
write_node(MetadataText *m, unsigned number, MlcAttr attr)
{
    const Kind *kind = kind_of(attr);
    if (mlc_attr_isa(attr, "llvm.loop_annotation")) {
        write_loop(m, number, attr);
    } else if (mlc_attr_isa(attr, "llvm.access_group")) {
        mlc_buf_printf(&m->lines, "!%u = distinct !{}\n", number);
    } else if (mlc_attr_isa(attr, "llvm.alias_scope") ||
               mlc_attr_isa(attr, "llvm.alias_scope_domain")) {
        write_alias(m, number, attr);
    } else if (mlc_attr_isa(attr, "llvm.tbaa_tag") || mlc_attr_isa(attr, "llvm.tbaa_root") ||
               mlc_attr_isa(attr, "llvm.tbaa_type_desc")) {
        write_tbaa(m, number, attr);
    } else if (mlc_attr_isa(attr, "llvm.di_compile_unit")) {
        mlc_vec_push(&m->units, attr);
    } else if (mlc_attr_isa(attr, "llvm.di_global_variable_expression")) {
        MlcBuf line = {0};
        write_expression(&line, param(attr, "expr"));
        mlc_vec_push(&m->globals, attr);
        mlc_buf_printf(&m->lines, "!%u = !DIGlobalVariableExpression(var: !%u, expr: %s)\n", number,
                       mlc_metadata_node(m, param(attr, "var")), mlc_buf_c_str(&line));
        mlc_buf_release(&line);
    } else if (kind) {
        write_debug_node(m, number, kind, attr);
    } else {
        m->unknown = m->unknown ? m->unknown : attr;
        mlc_buf_printf(&m->lines, "!%u = !{}\n", number);
    }
}

unsigned
mlc_metadata_node(MetadataText *m, MlcAttr attr)
{
    uint64_t found;
    unsigned number;
    if (mlc_map_get_u64(&m->numbers, (uint64_t)(uintptr_t)attr, &found))
        return (unsigned)found - 1;
    if (mlc_attr_kind(attr) == MLC_ATTR_DIALECT && is_inner_self(m, attr, &number)) {
        if (!mlc_attr_isa(attr, "llvm.di_composite_type"))
            mlc_map_set_u64(&m->numbers, (uint64_t)(uintptr_t)attr, number + 1);
        return number;
    }
    if (mlc_attr_is(attr, MLC_ATTR_ARRAY)) {
        number = list_node(m, attr, false);
        mlc_map_set_u64(&m->numbers, (uint64_t)(uintptr_t)attr, number + 1);
        m->attrs.data[number] = attr;
        return number;
    }
    number = new_node(m, attr);
    if (mlc_attr_kind(attr) == MLC_ATTR_DIALECT)
        write_node(m, number, attr);
    else
        mlc_buf_printf(&m->lines, "!%u = !{}\n", number);
    return number;
}

void
mlc_metadata_text_finish(MetadataText *m, MlcBuf *out)
{
    for (size_t i = 0; i < m->units.size; i++)
        write_unit(m, m->units.data[i]);
    mlc_buf_append(out, m->lines.data, m->lines.size);
    // No version of debug information: LLVM would verify it, and print what it finds.
    mlc_buf_append_c(out, "!mlc.nodes = !{");
    for (size_t i = 0; i < m->attrs.size; i++)
        mlc_buf_printf(out, "%s!%zu", i ? ", " : "", i);
    mlc_buf_append_c(out, "}\n");
}

void
mlc_metadata_text_release(MetadataText *m)
{
    mlc_buf_release(&m->lines);
    mlc_map_release(&m->numbers);
    mlc_vec_release(&m->attrs);
    mlc_vec_release(&m->units);
    mlc_vec_release(&m->globals);
}
