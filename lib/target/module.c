// module.c -- globals, functions and their blocks. Ops are translated in an order in which
// definitions come first: reverse post-order of the blocks; what cannot be reached is left out.
// Block arguments become phis, filled in at the end.
#include "metadata.h"
#include "translate.h"

#include <llvm-c/Comdat.h>

static MlcStr
string_attr(MlcOp *op, const char *name)
{
    MlcAttr attr = mlc_op_attr(op, name);
    return mlc_attr_is(attr, MLC_ATTR_STRING) ? mlc_string_attr_value(attr) : mlc_str_n("", 0);
}

// Of a block of a GPU: it is of the kernels beside it, and each part has its own.
static bool
is_block_memory(const Translator *t, MlcOp *op)
{
    enum { SHARED = 3, INTERNAL = 1 };
    return t->gpu && mlc_translate_int_attr(op, "addr_space", 0) == SHARED &&
           mlc_translate_int_attr(op, "linkage", 10) <= INTERNAL;
}

static void
set_linkage(const Translator *t, MlcOp *op, LLVMValueRef value)
{
    // In the order of #llvm.linkage.
    static const LLVMLinkage linkages[] = {
        LLVMPrivateLinkage,     LLVMInternalLinkage,     LLVMAvailableExternallyLinkage,
        LLVMLinkOnceAnyLinkage, LLVMWeakAnyLinkage,      LLVMCommonLinkage,
        LLVMAppendingLinkage,   LLVMExternalWeakLinkage, LLVMLinkOnceODRLinkage,
        LLVMWeakODRLinkage,     LLVMExternalLinkage,
    };
    int64_t linkage = mlc_translate_int_attr(op, "linkage", 10);
    if (linkage >= 0 && linkage <= 10)
        LLVMSetLinkage(value, linkages[linkage]);
    int64_t visibility = mlc_translate_int_attr(op, "visibility_", 0);
    if (visibility > 0 && visibility <= 2 && linkage > 1)
        LLVMSetVisibility(value, (LLVMVisibility)visibility);
    // Private to the module, but not to one of its parts.
    if (t->num_parts > 1 && linkage <= 1 && !is_block_memory(t, op)) {
        LLVMSetLinkage(value, LLVMExternalLinkage);
        LLVMSetVisibility(value, LLVMHiddenVisibility);
    }
    int64_t unnamed = mlc_translate_int_attr(op, "unnamed_addr", 0);
    if (unnamed > 0)
        LLVMSetUnnamedAddress(value, unnamed == 2 ? LLVMGlobalUnnamedAddr : LLVMLocalUnnamedAddr);
    MlcStr section = string_attr(op, "section");
    if (section.size > 0)
        LLVMSetSection(value, section.data);
}

// comdat(@table::@selector): known to LLVM by the selector's name alone.
static void
set_comdat(Translator *t, MlcOp *op, LLVMValueRef global)
{
    MlcAttr ref = mlc_op_attr(op, "comdat");
    if (!mlc_attr_is(ref, MLC_ATTR_SYMBOL_REF))
        return;
    MlcStr name = mlc_symbol_ref_attr_name(ref, mlc_symbol_ref_attr_size(ref) - 1);
    LLVMSetComdat(global, LLVMGetOrInsertComdat(t->module, name.data));
}

static void
declare_comdats(Translator *t, MlcOp *table)
{
    static const LLVMComdatSelectionKind kinds[] = {
        LLVMAnyComdatSelectionKind, LLVMExactMatchComdatSelectionKind,
        LLVMLargestComdatSelectionKind, LLVMNoDeduplicateComdatSelectionKind,
        LLVMSameSizeComdatSelectionKind};
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(table, 0))) {
        MlcStr name = string_attr(op, "sym_name");
        bool is_new;
        (void)mlc_str_map_insert(&t->comdats, name, &is_new);
        if (!is_new) {
            t->failed = true;
            mlc_error(mlc_op_context(op), mlc_op_loc(op),
                      "comdat selection symbols must be unique even in different comdat regions");
            continue;
        }
        LLVMSetComdatSelectionKind(LLVMGetOrInsertComdat(t->module, name.data),
                                   kinds[mlc_translate_int_attr(op, "comdat", 0)]);
    }
}

static void
declare_global(Translator *t, MlcOp *op)
{
    MlcAttr type_attr = mlc_op_attr(op, "global_type");
    MlcStr name = string_attr(op, "sym_name");
    LLVMTypeRef type = mlc_attr_is(type_attr, MLC_ATTR_TYPE)
                           ? mlc_translate_type(t, op, mlc_type_attr_value(type_attr))
                           : NULL;
    if (!type)
        return;
    unsigned address_space = (unsigned)mlc_translate_int_attr(op, "addr_space", 0);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(t->module, type, name.data, address_space);
    set_linkage(t, op, global);
    LLVMSetGlobalConstant(global, mlc_op_attr(op, "constant") != NULL);
    LLVMSetThreadLocal(global, mlc_op_attr(op, "thread_local_") != NULL);
    int64_t alignment = mlc_translate_int_attr(op, "alignment", 0);
    if (alignment > 0)
        LLVMSetAlignment(global, (unsigned)alignment);
    set_comdat(t, op, global);
    mlc_str_map_set(&t->symbols, name, global);
    mlc_map_set(&t->globals, op, global);
}

// The initialiser is `value`, or what the region returns: constants, which LLVM's builder folds.
static void
define_global(Translator *t, MlcOp *op)
{
    LLVMValueRef global = mlc_str_map_get(&t->symbols, string_attr(op, "sym_name"));
    MlcAttr value = mlc_op_attr(op, "value");
    LLVMValueRef initialiser = NULL;
    if (!global)
        return;
    mlc_metadata_set_global(t, op, global);
    t->op_failed = false;
    if (value) {
        initialiser = mlc_translate_constant(t, op, value,
                                             mlc_type_attr_value(mlc_op_attr(op, "global_type")));
    } else if (mlc_op_num_regions(op) > 0 && !mlc_region_is_empty(mlc_op_region(op, 0))) {
        MLC_FOR_EACH_OP (inner, mlc_region_first(mlc_op_region(op, 0))) {
            if (mlc_op_is_named(inner, "llvm.return"))
                initialiser = mlc_translate_operand(t, inner, 0);
            else if (!mlc_translate_op(t, inner))
                return;
        }
        if (initialiser && !LLVMIsConstant(initialiser)) {
            mlc_translate_error(t, op, "the initialiser is not constant");
            return;
        }
    } else if (t->is_plain && (LLVMGetLinkage(global) == LLVMExternalWeakLinkage ||
                               mlc_translate_int_attr(op, "linkage", 10) == 10)) {
        return;
    } else if (t->is_plain && (LLVMGetLinkage(global) == LLVMCommonLinkage ||
                               LLVMGetLinkage(global) == LLVMAppendingLinkage)) {
        initialiser = LLVMConstNull(LLVMGlobalGetValueType(global));
    } else if (LLVMGetLinkage(global) != LLVMExternalLinkage) {
        // Shared memory of a GPU has no initialiser; elsewhere undefined is what absent means.
        initialiser = LLVMGetUndef(LLVMGlobalGetValueType(global));
    }
    if (initialiser)
        LLVMSetInitializer(global, initialiser);
}

static void
annotate(Translator *t, LLVMValueRef function, const char *key, LLVMMetadataRef value)
{
    LLVMMetadataRef operands[] = {LLVMValueAsMetadata(function),
                                  LLVMMDStringInContext2(t->llvm, key, strlen(key)), value};
    LLVMAddNamedMetadataOperand(
        t->module, "nvvm.annotations",
        LLVMMetadataAsValue(t->llvm, LLVMMDNodeInContext2(t->llvm, operands, 3)));
}

static void
annotate_kernel(Translator *t, LLVMValueRef function, const char *key, int64_t value)
{
    annotate(
        t, function, key,
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(t->llvm), (uint64_t)value, false)));
}

// Arguments of a kernel that lie where the launch put them, and are not copied: they are counted
// from 1.
static void
annotate_constants(Translator *t, MlcOp *op, LLVMValueRef function)
{
    MlcAttr attrs = mlc_op_attr(op, "arg_attrs");
    MLC_VEC(LLVMMetadataRef) numbers = {0};
    for (size_t i = 0; mlc_attr_is(attrs, MLC_ATTR_ARRAY) && i < mlc_array_attr_size(attrs); i++)
        if (mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str("nvvm.grid_constant")))
            mlc_vec_push(&numbers, LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(t->llvm),
                                                                    i + 1, false)));
    if (numbers.size)
        annotate(t, function, "grid_constant",
                 LLVMMDNodeInContext2(t->llvm, numbers.data, numbers.size));
    mlc_vec_release(&numbers);
}

// A kernel for AMD: its calling convention, and what is known of its workgroups.
static void
set_amd_kernel(Translator *t, MlcOp *op, LLVMValueRef function)
{
    enum { AMDGPU_KERNEL = 91 };
    static const char key[] = "amdgpu-flat-work-group-size", list[] = "reqd_work_group_size";
    MlcStr flat = string_attr(op, "rocdl.flat_work_group_size");
    MlcAttr sizes = mlc_op_attr(op, "rocdl.reqd_work_group_size");
    LLVMSetFunctionCallConv(function, AMDGPU_KERNEL);
    if (flat.size)
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(t->llvm, key, sizeof key - 1, flat.data,
                                                          (unsigned)flat.size));
    LLVMMetadataRef numbers[3];
    int64_t value;
    for (size_t i = 0; i < 3; i++) {
        if (!sizes || !mlc_int_list_attr_get(sizes, i, &value))
            return;
        numbers[i] = LLVMValueAsMetadata(
            LLVMConstInt(LLVMInt32TypeInContext(t->llvm), (uint64_t)value, false));
    }
    LLVMGlobalSetMetadata(function, LLVMGetMDKindIDInContext(t->llvm, list, sizeof list - 1),
                          LLVMMDNodeInContext2(t->llvm, numbers, 3));
}

static void
set_kernel(Translator *t, MlcOp *op, LLVMValueRef function)
{
    static const struct {
        const char *attr;
        const char *keys[3];
    } annotations[] = {
        {"nvvm.maxntid", {"maxntidx", "maxntidy", "maxntidz"}},
        {"nvvm.reqntid", {"reqntidx", "reqntidy", "reqntidz"}},
        {"nvvm.minctasm", {"minctasm", NULL, NULL}},
        {"nvvm.maxnreg", {"maxnreg", NULL, NULL}},
    };
    if (mlc_op_attr(op, "rocdl.kernel")) {
        set_amd_kernel(t, op, function);
        return;
    }
    if (!mlc_op_attr(op, "nvvm.kernel") && !mlc_op_attr(op, "gpu.kernel"))
        return;
    annotate_kernel(t, function, "kernel", 1);
    annotate_constants(t, op, function);
    for (size_t i = 0; i < sizeof annotations / sizeof annotations[0]; i++) {
        MlcAttr attr = mlc_op_attr(op, annotations[i].attr);
        int64_t value;
        if (mlc_attr_is(attr, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(attr, &value))
            annotate_kernel(t, function, annotations[i].keys[0], value);
        for (size_t k = 0;
             attr && k < 3 && annotations[i].keys[k] && !mlc_attr_is(attr, MLC_ATTR_INTEGER); k++)
            if (mlc_int_list_attr_get(attr, k, &value))
                annotate_kernel(t, function, annotations[i].keys[k], value);
    }
}

// A function of the name may be there already: an intrinsic that another op declared.
static void
declare_function(Translator *t, MlcOp *op)
{
    MlcAttr type_attr = mlc_op_attr(op, "function_type");
    MlcStr name = string_attr(op, "sym_name");
    LLVMTypeRef type = mlc_attr_is(type_attr, MLC_ATTR_TYPE)
                           ? mlc_translate_function_type(t, op, mlc_type_attr_value(type_attr))
                           : NULL;
    if (!type)
        return;
    LLVMValueRef function = LLVMAddFunction(t->module, name.data, type);
    set_linkage(t, op, function);
    LLVMSetFunctionCallConv(function, (unsigned)mlc_translate_int_attr(op, "CConv", 0));
    mlc_translate_function_attributes(t, op, function);
    set_kernel(t, op, function);
    set_comdat(t, op, function);
    MlcStr collector = string_attr(op, "garbageCollector");
    if (collector.size)
        LLVMSetGC(function, collector.data);
    int64_t alignment = mlc_translate_int_attr(op, "alignment", 0);
    if (alignment > 0)
        LLVMSetAlignment(function, (unsigned)alignment);
    mlc_str_map_set(&t->symbols, name, function);
}

typedef MLC_VEC(MlcBlock *) BlockVec;

// Blocks that can be reached from `entry` and were not seen yet, in reverse post-order. A stack of
// our own: deep graphs are no problem.
static void
order_blocks(MlcBlock *entry, MlcMap *seen, BlockVec *order)
{
    typedef struct Visit {
        MlcBlock *block;
        size_t next; // successor
    } Visit;
    MLC_VEC(Visit) stack = {0};
    size_t start = order->size;
    mlc_map_add(seen, entry);
    mlc_vec_push(&stack, (Visit){entry, 0});
    while (stack.size > 0) {
        Visit *top = &mlc_vec_last(&stack);
        MlcOp *terminator = mlc_block_last(top->block);
        if (terminator && top->next < mlc_op_num_successors(terminator)) {
            MlcBlock *successor = mlc_op_successor(terminator, top->next++);
            if (mlc_map_add(seen, successor))
                mlc_vec_push(&stack, (Visit){successor, 0});
            continue;
        }
        mlc_vec_push(order, top->block);
        (void)mlc_vec_pop(&stack);
    }
    for (size_t i = start, k = order->size; i + 1 < k; i++) {
        MlcBlock *swapped = order->data[i];
        order->data[i] = order->data[--k];
        order->data[k] = swapped;
    }
    mlc_vec_release(&stack);
}

LLVMBasicBlockRef
mlc_translate_block(Translator *t, MlcOp *op, MlcBlock *block)
{
    LLVMBasicBlockRef translated = mlc_map_get(&t->blocks, block);
    if (!translated)
        mlc_bug("a successor of '%.*s' lies outside the function", MLC_STR_FMT(mlc_op_name(op)));
    return translated;
}

static bool
create_block(Translator *t, MlcOp *op, MlcBlock *block, bool is_entry)
{
    LLVMBasicBlockRef translated = LLVMAppendBasicBlockInContext(t->llvm, t->function, "");
    mlc_map_set(&t->blocks, block, translated);
    LLVMPositionBuilderAtEnd(t->builder, translated);
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        MlcValue *arg = mlc_block_arg(block, i);
        LLVMTypeRef type = mlc_translate_type(t, op, mlc_value_type(arg));
        if (!type)
            return false;
        mlc_map_set(&t->values, arg,
                    is_entry ? LLVMGetParam(t->function, (unsigned)i)
                             : LLVMBuildPhi(t->builder, type, ""));
    }
    return true;
}

// Where operands of number `group` start and how many they are, by an attribute with the sizes of
// groups.
static void
segment(MlcOp *op, const char *sizes_name, size_t group, size_t *first, size_t *count)
{
    MlcAttr sizes = mlc_op_attr(op, sizes_name);
    for (size_t i = 0; i <= group; i++) {
        int64_t size = 0;
        *first += *count;
        *count = sizes && mlc_int_list_attr_get(sizes, i, &size) && size > 0 ? (size_t)size : 0;
    }
}

// The operands that terminator `op` passes to its successor `i`.
static void
successor_operands(MlcOp *op, size_t i, size_t *first, size_t *count)
{
    *first = 0;
    *count = 0;
    if (mlc_op_is_named(op, "llvm.br")) {
        *count = mlc_op_num_operands(op);
    } else if (mlc_op_is_named(op, "llvm.cond_br") || mlc_op_is_named(op, "llvm.invoke")) {
        segment(op, "operandSegmentSizes", 1 + i, first, count);
    } else if (mlc_op_is_named(op, "llvm.switch") && i == 0) {
        segment(op, "operandSegmentSizes", 1, first, count);
    } else if (mlc_op_is_named(op, "llvm.switch")) {
        segment(op, "operandSegmentSizes", 2, first, count);
        *count = 0;
        segment(op, "case_operand_segments", i - 1, first, count);
    }
}

// An LLVM block may reach a phi's block by several edges only with one value. Two successors that
// are one block with different arguments get a block in between.
static LLVMBasicBlockRef
edge_block(Translator *t, MlcOp *terminator, size_t i, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    for (size_t k = 0; k < i; k++) {
        if (mlc_op_successor(terminator, k) != mlc_op_successor(terminator, i))
            continue;
        LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(t->llvm, to, "");
        LLVMPositionBuilderAtEnd(t->builder, between);
        LLVMBuildBr(t->builder, to);
        LLVMSetSuccessor(LLVMGetBasicBlockTerminator(from), (unsigned)i, between);
        return between;
    }
    return from;
}

static bool
add_incoming(Translator *t, MlcOp *terminator, size_t i)
{
    MlcBlock *target = mlc_op_successor(terminator, i);
    size_t first, count;
    successor_operands(terminator, i, &first, &count);
    if (count != mlc_block_num_args(target) || first + count > mlc_op_num_operands(terminator))
        mlc_bug("a verified branch passes %zu values to a block with %zu arguments", count,
                mlc_block_num_args(target));
    if (count == 0)
        return true;
    LLVMBasicBlockRef from = mlc_map_get(&t->blocks, mlc_op_block(terminator));
    LLVMBasicBlockRef edge = edge_block(t, terminator, i, from, mlc_map_get(&t->blocks, target));
    for (size_t k = 0; k < count; k++) {
        LLVMValueRef value = mlc_translate_operand(t, terminator, first + k);
        if (!value)
            return false;
        LLVMAddIncoming(mlc_map_get(&t->values, mlc_block_arg(target, k)), &value, &edge, 1);
    }
    return true;
}

static void
translate_body(Translator *t, MlcOp *op, const MlcMap *seen, const BlockVec *order)
{
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, 0))
        if (mlc_map_has(seen, block) &&
            !create_block(t, op, block, block == mlc_region_first(mlc_op_region(op, 0))))
            return;
    for (size_t i = 0; i < order->size; i++) {
        LLVMPositionBuilderAtEnd(t->builder, mlc_map_get(&t->blocks, order->data[i]));
        MLC_FOR_EACH_OP (inner, order->data[i])
            mlc_translate_op(t, inner);
    }
    for (size_t i = 0; i < order->size && !t->failed; i++) {
        MlcOp *terminator = mlc_block_last(order->data[i]);
        for (size_t k = 0; terminator && k < mlc_op_num_successors(terminator); k++)
            if (!add_incoming(t, terminator, k))
                return;
    }
}

// Nothing compiled for our own runtime throws.
static void
forbid_unwinding(Translator *t)
{
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(t->function, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(t->llvm, nounwind, 0));
}

// Vectors of floats, which kernels compute with, that are wider than callers align the stack to.
static bool
has_wide_vectors(MlcOp *function)
{
    enum { WIDE = 128 }; // bits
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0))
        MLC_FOR_EACH_OP (op, block)
            for (size_t i = 0; i < mlc_op_num_results(op); i++) {
                MlcType type = mlc_value_type(mlc_op_result(op, i));
                if (mlc_type_is(type, MLC_TYPE_VECTOR) &&
                    mlc_type_is(mlc_type_element(type), MLC_TYPE_FLOAT) &&
                    mlc_type_num_elements(type) * mlc_type_bit_width(mlc_type_element(type)) > WIDE)
                    return true;
            }
    return false;
}

// Vectors that leave the registers then lie within cache lines: LLVM keeps the stack as callers
// align it unless told otherwise, and half of them would straddle two.
static void
align_stack(Translator *t)
{
    static const char name[] = "stackrealign";
    LLVMAddAttributeAtIndex(t->function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(t->llvm, name, sizeof name - 1, "", 0));
}

static void
define_function(Translator *t, MlcOp *op)
{
    t->function = mlc_str_map_get(&t->symbols, string_attr(op, "sym_name"));
    if (!t->function)
        return;
    mlc_metadata_set_function(t, op);
    if (mlc_op_num_regions(op) == 0 || mlc_region_is_empty(mlc_op_region(op, 0)))
        return;
    MlcBlock *entry = mlc_region_first(mlc_op_region(op, 0));
    if (mlc_block_num_args(entry) != LLVMCountParams(t->function))
        mlc_bug("a verified function has other arguments than its entry block");
    MlcAttr personality = mlc_op_attr(op, "personality");
    LLVMValueRef handler =
        personality ? mlc_str_map_get(&t->symbols, mlc_symbol_ref_attr_name(personality, 0)) : NULL;
    if (handler)
        LLVMSetPersonalityFn(t->function, handler);
    if (!t->is_plain)
        forbid_unwinding(t);
    if (!t->is_plain && has_wide_vectors(op))
        align_stack(t);
    BlockVec order = {0};
    mlc_map_clear(&t->values);
    mlc_map_clear(&t->blocks);
    MlcMap seen = {0};
    order_blocks(entry, &seen, &order);
    if (t->is_plain) // what cannot be reached is kept
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, 0))
            if (mlc_map_add(&seen, block))
                order_blocks(block, &seen, &order);
    translate_body(t, op, &seen, &order);
    mlc_map_release(&seen);
    mlc_vec_release(&order);
}

static bool
is_function(const MlcOp *op)
{
    return mlc_op_is_named(op, "llvm.func");
}

static bool
is_global(const MlcOp *op)
{
    return mlc_op_is_named(op, "llvm.mlir.global");
}

// Kernels of a GPU stand in gpu.module ops inside the module; the host's code does not see them,
// nor they the host's.
static bool
is_gpu_module(const MlcOp *op)
{
    return mlc_op_is_named(op, "gpu.module");
}

static void
declare_all(Translator *t, MlcBlock *body, bool is_device_code)
{
    MLC_FOR_EACH_OP (op, body) {
        bool wanted = t->gpu == is_device_code;
        if (is_gpu_module(op) && t->gpu && !mlc_region_is_empty(mlc_op_region(op, 0)))
            declare_all(t, mlc_region_first(mlc_op_region(op, 0)), true);
        else if (is_function(op) && wanted)
            declare_function(t, op);
        else if (is_global(op) && wanted)
            declare_global(t, op);
        else if (wanted && mlc_op_is_named(op, "llvm.comdat"))
            declare_comdats(t, op);
        else if (wanted && (mlc_op_is_named(op, "llvm.mlir.global_ctors") ||
                            mlc_op_is_named(op, "llvm.mlir.global_dtors")))
            continue; // when the functions are there
        else if (wanted && !is_gpu_module(op) && !mlc_op_is_named(op, "gpu.binary") &&
                 mlc_op_num_regions(op) + mlc_op_num_results(op) + mlc_op_num_operands(op) > 0)
            mlc_translate_unknown(t, op);
    }
}

// llvm.global_ctors = appending [{ i32 priority, ptr function, ptr data }]
static void
define_ctors(Translator *t, MlcOp *op, bool is_dtors)
{
    const char *name = is_dtors ? "llvm.global_dtors" : "llvm.global_ctors";
    MlcAttr functions = mlc_op_attr(op, is_dtors ? "dtors" : "ctors"),
            priorities = mlc_op_attr(op, "priorities");
    LLVMTypeRef i32 = LLVMInt32TypeInContext(t->llvm), ptr = LLVMPointerTypeInContext(t->llvm, 0),
                members[] = {i32, ptr, ptr};
    LLVMTypeRef entry = LLVMStructTypeInContext(t->llvm, members, 3, false);
    ValueVec entries = {0};
    for (size_t i = 0; i < mlc_array_attr_size(functions); i++) {
        LLVMValueRef function = mlc_str_map_get(
            &t->symbols, mlc_symbol_ref_attr_name(mlc_array_attr_element(functions, i), 0));
        int64_t priority = mlc_attr_as_int(mlc_array_attr_element(priorities, i));
        LLVMValueRef values[] = {LLVMConstInt(i32, (uint64_t)priority, true), function,
                                 LLVMConstNull(ptr)};
        if (function)
            mlc_vec_push(&entries, LLVMConstStructInContext(t->llvm, values, 3, false));
    }
    LLVMValueRef global = LLVMAddGlobal(t->module, LLVMArrayType2(entry, entries.size), name);
    LLVMSetLinkage(global, LLVMAppendingLinkage);
    LLVMSetInitializer(global, LLVMConstArray2(entry, entries.data, entries.size));
    mlc_vec_release(&entries);
}

// Names of block memory mean that of the module at hand.
static void
enter_gpu_module(Translator *t, MlcBlock *body)
{
    MLC_FOR_EACH_OP (op, body)
        if (is_global(op) && is_block_memory(t, op))
            mlc_str_map_set(&t->symbols, string_attr(op, "sym_name"), mlc_map_get(&t->globals, op));
}

static void
define_all(Translator *t, MlcBlock *body, unsigned *number)
{
    if (t->gpu)
        enter_gpu_module(t, body);
    MLC_FOR_EACH_OP (op, body) {
        bool here = t->num_parts <= 1 || *number % t->num_parts == t->part;
        if (is_gpu_module(op) && t->gpu && !mlc_region_is_empty(mlc_op_region(op, 0)))
            define_all(t, mlc_region_first(mlc_op_region(op, 0)), number);
        else if (is_function(op) && here)
            define_function(t, op);
        else if (is_global(op) && (t->num_parts <= 1 || t->part == 0 || is_block_memory(t, op)))
            define_global(t, op);
        else if (mlc_op_is_named(op, "llvm.mlir.global_ctors") ||
                 mlc_op_is_named(op, "llvm.mlir.global_dtors"))
            define_ctors(t, op, mlc_op_is_named(op, "llvm.mlir.global_dtors"));
        *number += is_function(op);
    }
}

// What was not declared, as it is not wanted, is not defined either.
bool
mlc_translate_module(Translator *t)
{
    if (mlc_op_num_regions(t->root) == 0 || mlc_region_is_empty(mlc_op_region(t->root, 0)))
        return true;
    MlcBlock *body = mlc_region_first(mlc_op_region(t->root, 0));
    if (!mlc_metadata_create(t))
        return false;
    declare_all(t, body, is_gpu_module(t->root));
    unsigned number = 0;
    define_all(t, body, &number);
    return !t->failed;
}
