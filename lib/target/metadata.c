// metadata.c -- what attributes and locations say about instructions, as LLVM metadata.
//
// Before anything is translated the module is searched for attributes that become metadata, and all
// their nodes are made at once (metadata_text.c). An op's own go to the last instruction that it
// became; locations are asked for op by op, within the scope that the function's location names.
#include "metadata.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>

#include "metadata_text.h"

// Attributes of ops, and the kinds of metadata that they are; NULL: their op makes something of it.
static const struct {
    const char *attr, *kind;
} kinds[] = {
    {"alias_scopes", "alias.scope"},
    {"noalias_scopes", "noalias"},
    {"access_groups", "llvm.access.group"},
    {"tbaa", "tbaa"},
    {"loop_annotation", "llvm.loop"},
    {"varInfo", NULL},
    {"label", NULL},
    {"dbg_expr", NULL},
    {"scope", NULL},
};
enum { NUM_KINDS = sizeof kinds / sizeof *kinds };

// Bits of the kinds that ops of this definition may have, and one more to tell it from "not known".
static uint64_t
kinds_of(Translator *t, const MlcOpDef *def)
{
    uint64_t bits;
    if (mlc_map_get_u64(&t->metadata_kinds, (uint64_t)(uintptr_t)def, &bits))
        return bits;
    bits = 0;
    for (size_t i = 0; i < def->num_attrs; i++)
        for (size_t k = 0; k < NUM_KINDS; k++)
            if (mlc_str_equal(mlc_str(def->attrs[i].name), mlc_str(kinds[k].attr)))
                bits |= UINT64_C(1) << k;
    mlc_map_set_u64(&t->metadata_kinds, (uint64_t)(uintptr_t)def, bits);
    return bits;
}

// Of several tags LLVM takes none; a single group stands for itself.
static MlcAttr
node_attr(MlcOp *op, size_t k)
{
    MlcAttr attr = mlc_op_attr(op, kinds[k].attr);
    if (!mlc_attr_is(attr, MLC_ATTR_ARRAY))
        return attr;
    size_t n = mlc_array_attr_size(attr);
    bool is_tbaa = strcmp(kinds[k].attr, "tbaa") == 0;
    bool is_alone = is_tbaa || strcmp(kinds[k].attr, "access_groups") == 0;
    if (n == 0 || (is_tbaa && n > 1))
        return NULL;
    return is_alone && n == 1 ? mlc_array_attr_element(attr, 0) : attr;
}

// The scope that a function's location names.
static MlcAttr
scope_of(const MlcOp *function)
{
    MlcLoc loc = mlc_op_loc(function);
    MlcAttr scope = mlc_loc_kind(loc) == MLC_LOC_FUSED ? mlc_loc_metadata(loc) : NULL;
    return scope && mlc_attr_isa(scope, "llvm.di_subprogram") ? scope : NULL;
}

static void
collect_location(MetadataText *text, MlcLoc loc)
{
    MlcAttr scope = mlc_loc_kind(loc) == MLC_LOC_FUSED ? mlc_loc_metadata(loc) : NULL;
    if (mlc_is_debug_scope(scope))
        mlc_metadata_node(text, scope);
    for (size_t i = 0; i < mlc_loc_num_children(loc); i++)
        collect_location(text, mlc_loc_child(loc, i));
}

static void
collect(Translator *t, MetadataText *text, MlcOp *op, bool has_scope)
{
    uint64_t bits = kinds_of(t, mlc_op_def(op));
    for (size_t k = 0; k < NUM_KINDS; k++) {
        MlcAttr attr = bits >> k & 1 ? node_attr(op, k) : NULL;
        MlcAttr tags = bits >> k & 1 && !attr ? mlc_op_attr(op, kinds[k].attr) : NULL;
        if (attr && (kinds[k].kind || mlc_attr_is(attr, MLC_ATTR_DIALECT)))
            mlc_metadata_node(text, attr);
        else if (tags && mlc_array_attr_size(tags) > 1)
            mlc_op_warning(op, "TBAA access tags were not translated, because LLVM only supports a "
                               "single tag per instruction");
    }
    if (has_scope || (bits && mlc_op_attr(op, "varInfo")))
        collect_location(text, mlc_op_loc(op));
}

// Reads the text, and finds the nodes by their numbers.
static bool
read_nodes(Translator *t, MetadataText *text)
{
    MlcBuf ir = {0};
    mlc_metadata_text_finish(text, &ir);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(ir.data, ir.size, "metadata");
    mlc_buf_release(&ir);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(t->llvm, buffer, &module, &message)) {
        mlc_op_error(t->root, "has metadata that LLVM does not take: %s", message);
        LLVMDisposeMessage(message);
        return false;
    }
    size_t n = text->attrs.size;
    ValueVec nodes = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&nodes, NULL);
    LLVMGetNamedMetadataOperands(module, "mlc.nodes", nodes.data);
    MLC_MAP_FOR_EACH (entry, &text->numbers)
        mlc_map_set_u64(&t->metadata, entry->key,
                        (uint64_t)(uintptr_t)LLVMValueAsMetadata(nodes.data[entry->value - 1]));
    for (size_t i = 0; i < text->units.size; i++)
        LLVMAddNamedMetadataOperand(
            t->module, "llvm.dbg.cu",
            LLVMMetadataAsValue(t->llvm, mlc_metadata_of(t, text->units.data[i])));
    mlc_vec_release(&nodes);
    LLVMDisposeModule(module);
    return true;
}

bool
mlc_metadata_create(Translator *t)
{
    MetadataText text = {.ctx = mlc_op_context(t->root)};
    bool has_scope = false, ok = true;
    MLC_FOR_EACH_PREORDER (op, t->root) {
        if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION))
            has_scope = scope_of(op) != NULL;
        collect(t, &text, op, has_scope);
    }
    if (text.unknown)
        ok = mlc_op_error(t->root, "has metadata of a kind that is not translated: '%s'",
                          mlc_dialect_attr_def(text.unknown)->name);
    ok = ok && (text.attrs.size == 0 || read_nodes(t, &text));
    mlc_metadata_text_release(&text);
    t->failed = t->failed || !ok;
    return ok;
}

void
mlc_metadata_release(Translator *t)
{
    mlc_map_release(&t->metadata);
    mlc_map_release(&t->metadata_kinds);
}

LLVMMetadataRef
mlc_metadata_of(Translator *t, MlcAttr attr)
{
    return attr ? mlc_map_get(&t->metadata, attr) : NULL;
}

void
mlc_metadata_set_function(Translator *t, MlcOp *op)
{
    MlcAttr scope = scope_of(op);
    t->scope = mlc_metadata_of(t, scope);
    LLVMSetCurrentDebugLocation2(t->builder, NULL);
    bool has_body = mlc_op_num_regions(op) && !mlc_region_is_empty(mlc_op_region(op, 0));
    if (t->scope && mlc_is_definition(scope) == has_body)
        LLVMSetSubprogram(t->function, t->scope);
}

static void
attach(Translator *t, LLVMValueRef instruction, const char *kind, LLVMMetadataRef node)
{
    LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(t->llvm, kind, (unsigned)strlen(kind)),
                    LLVMMetadataAsValue(t->llvm, node));
}

void
mlc_metadata_set_global(Translator *t, MlcOp *op, LLVMValueRef global)
{
    LLVMMetadataRef node = mlc_metadata_of(t, mlc_op_attr(op, "dbg_expr"));
    t->scope = NULL;
    LLVMSetCurrentDebugLocation2(t->builder, NULL);
    if (node)
        LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(t->llvm, "dbg", 3), node);
}

// NULL: not known. Of several fused ones the first that is counts; what was inlined needs a scope
// of its own, else its caller's place is the one.
static LLVMMetadataRef
translate_location(Translator *t, MlcLoc loc, LLVMMetadataRef scope, LLVMMetadataRef inlined_at)
{
    switch (mlc_loc_kind(loc)) {
    case MLC_LOC_FILE:
        return scope ? LLVMDIBuilderCreateDebugLocation(t->llvm, mlc_loc_line(loc),
                                                        mlc_loc_column(loc), scope, inlined_at)
                     : NULL;
    case MLC_LOC_CALLSITE: {
        LLVMMetadataRef at = translate_location(t, mlc_loc_child(loc, 1), scope, inlined_at);
        at = at ? at : inlined_at;
        LLVMMetadataRef callee = translate_location(t, mlc_loc_child(loc, 0), NULL, at);
        return callee ? callee : at;
    }
    case MLC_LOC_FUSED:
        if (mlc_is_debug_scope(mlc_loc_metadata(loc)))
            scope = mlc_metadata_of(t, mlc_loc_metadata(loc));
        break;
    default:
        break;
    }
    LLVMMetadataRef found = NULL;
    for (size_t i = 0; !found && i < mlc_loc_num_children(loc); i++)
        found = translate_location(t, mlc_loc_child(loc, i), scope, inlined_at);
    return found;
}

void
mlc_metadata_begin_op(Translator *t, MlcOp *op)
{
    if (t->scope)
        LLVMSetCurrentDebugLocation2(t->builder,
                                     translate_location(t, mlc_op_loc(op), t->scope, NULL));
    LLVMBasicBlockRef block = LLVMGetInsertBlock(t->builder);
    t->before = block ? LLVMGetLastInstruction(block) : NULL;
}

void
mlc_metadata_end_op(Translator *t, MlcOp *op)
{
    uint64_t bits = t->metadata.size ? kinds_of(t, mlc_op_def(op)) : 0;
    LLVMBasicBlockRef block = bits ? LLVMGetInsertBlock(t->builder) : NULL;
    LLVMValueRef instruction = block ? LLVMGetLastInstruction(block) : NULL;
    for (size_t k = 0; instruction && instruction != t->before && k < NUM_KINDS; k++) {
        LLVMMetadataRef node = bits >> k & 1 ? mlc_metadata_of(t, node_attr(op, k)) : NULL;
        if (node && kinds[k].kind)
            attach(t, instruction, kinds[k].kind, node);
    }
}

// --- ops that say where the debugger finds a variable

static LLVMMetadataRef
expression_of(Translator *t, MlcOp *op)
{
    MlcAttr expression = mlc_op_attr(op, "locationExpr");
    MlcAttr ops = expression ? mlc_dialect_attr_param(expression, 0) : NULL;
    MLC_VEC(uint64_t) words = {0};
    for (size_t i = 0; ops && i < mlc_array_attr_size(ops); i++) {
        MlcAttr element = mlc_array_attr_element(ops, i), args = mlc_dialect_attr_param(element, 1);
        mlc_vec_push(&words, (uint64_t)mlc_enum_attr_value(mlc_dialect_attr_param(element, 0)));
        for (size_t k = 0; args && k < mlc_array_attr_size(args); k++)
            mlc_vec_push(&words, (uint64_t)mlc_attr_as_int(mlc_array_attr_element(args, k)));
    }
    LLVMMetadataRef made = LLVMDIBuilderCreateExpression(t->debug, words.data, words.size);
    mlc_vec_release(&words);
    return made;
}

// A variable needs a place in a function that the debugger knows; elsewhere there is none to say.
static LLVMValueRef
emit_variable(Translator *t, MlcOp *op, const OpRow *row)
{
    LLVMMetadataRef variable = mlc_metadata_of(t, mlc_op_attr(op, "varInfo"));
    LLVMMetadataRef at = translate_location(t, mlc_op_loc(op), t->scope, NULL);
    if (t->scope && !at)
        at = LLVMDIBuilderCreateDebugLocation(t->llvm, 0, 0, t->scope, NULL);
    LLVMValueRef value = mlc_translate_operand(t, op, 0);
    if (!value || !variable || !at) // a record needs all
        return NULL;
    if (!t->debug)
        t->debug = LLVMCreateDIBuilder(t->module);
    LLVMBasicBlockRef block = LLVMGetInsertBlock(t->builder);
    if (row->code)
        LLVMDIBuilderInsertDeclareRecordAtEnd(t->debug, value, variable, expression_of(t, op), at,
                                              block);
    else
        LLVMDIBuilderInsertDbgValueRecordAtEnd(t->debug, value, variable, expression_of(t, op), at,
                                               block);
    return NULL;
}

static LLVMValueRef
emit_label(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)t, (void)row;
    mlc_op_warning(op, "labels are not translated, because LLVM's C API cannot make them");
    return NULL;
}

static LLVMValueRef
emit_scope(Translator *t, MlcOp *op, const OpRow *row)
{
    LLVMMetadataRef scope = mlc_metadata_of(t, mlc_op_attr(op, "scope"));
    LLVMMetadataRef list = LLVMMDNodeInContext2(t->llvm, &scope, 1);
    unsigned id = LLVMLookupIntrinsicID(row->intrinsic, strlen(row->intrinsic));
    LLVMValueRef callee = LLVMGetIntrinsicDeclaration(t->module, id, NULL, 0);
    LLVMValueRef arg = LLVMMetadataAsValue(t->llvm, list);
    LLVMBuildCall2(t->builder, LLVMIntrinsicGetType(t->llvm, id, NULL, 0), callee, &arg, 1, "");
    return NULL;
}

const OpRow *
mlc_metadata_rows(size_t *num_rows)
{
    static const OpRow rows[] = {
        {.name = "llvm.intr.dbg.declare", .emit = emit_variable, .code = 1},
        {.name = "llvm.intr.dbg.value", .emit = emit_variable},
        {.name = "llvm.intr.dbg.label", .emit = emit_label},
        {.name = "llvm.intr.experimental.noalias.scope.decl",
         .emit = emit_scope,
         .intrinsic = "llvm.experimental.noalias.scope.decl"},
    };
    *num_rows = sizeof rows / sizeof rows[0];
    return rows;
}
