// llvm_inline.c -- what calls of LLVM functions may be inlined, and what their bodies need there.
//
// An argument passed by value is a copy in the caller's frame. Memory that the callee takes from
// the stack is taken in the caller's entry block instead, where it is taken once, its life marked;
// memory of unknown size is given back when the body ends.
#include "llvm_inline.h"

#include "llvm_impl.h"
#include "llvm_layout.h"

// --- what may be

static bool
may_inline_call(const MlcInlining *in)
{
    static const char *const refused[] = {"noduplicate",       "noinline",      "optnone",
                                          "presplitcoroutine", "returns_twice", "strictfp"};
    if (!mlc_llvm_call_isa(in->call) || !mlc_llvm_func_isa(in->callable))
        return false;
    MlcType type = mlc_type_attr_value(mlc_op_attr(in->callable, "function_type"));
    if (mlc_llvm_func_is_variadic(type) || mlc_op_attr(in->callable, "personality") ||
        mlc_op_attr(in->callable, "no_inline") || mlc_op_attr(in->callable, "optimize_none"))
        return false;
    MlcAttr arguments = mlc_op_attr(in->callable, "arg_attrs");
    for (size_t i = 0; arguments && i < mlc_array_attr_size(arguments); i++)
        if (mlc_dict_attr_find(mlc_array_attr_element(arguments, i), mlc_str("llvm.inalloca")))
            return false;
    MlcAttr passed = mlc_op_attr(in->callable, "passthrough");
    for (size_t i = 0; passed && i < mlc_array_attr_size(passed); i++) {
        MlcAttr word = mlc_array_attr_element(passed, i);
        for (size_t r = 0; r < sizeof refused / sizeof *refused; r++)
            if (mlc_attr_is(word, MLC_ATTR_STRING) &&
                mlc_str_equal(mlc_string_attr_value(word), mlc_str(refused[r])))
                return false;
    }
    return true;
}

static bool
may_inline_op(const MlcInlining *in, MlcOp *op)
{
    (void)in;
    return !mlc_llvm_intr_vastart_isa(op); // whose arguments would be the caller's
}

// --- arguments

static MlcValue *
constant(MlcBuilder *b, MlcType type, int64_t value)
{
    return mlc_llvm_mlir_constant(b, type, mlc_integer_attr_get(type, value));
}

static int64_t
int_or(MlcAttr attr, int64_t otherwise)
{
    int64_t value = otherwise;
    return attr && mlc_attr_try_as_int(attr, &value) ? value : otherwise;
}

static MlcAttr
argument_attr(MlcOp *func, size_t i, const char *name)
{
    MlcAttr all = mlc_op_attr(func, "arg_attrs");
    return all && i < mlc_array_attr_size(all)
               ? mlc_dict_attr_find(mlc_array_attr_element(all, i), mlc_str(name))
               : NULL;
}

// The alignment of what a pointer points at, in bytes, raised to what is wanted where it can be.
static int64_t
aligned_to(MlcValue *pointer, int64_t wanted)
{
    MlcOp *def = mlc_value_def(pointer);
    if (def && mlc_llvm_alloca_isa(def)) {
        int64_t has = int_or(mlc_op_attr(def, "alignment"), 1);
        if (has >= wanted)
            return has;
        mlc_op_set_attr(def, "alignment", mlc_i64_attr_get(mlc_op_context(def), wanted));
        return wanted;
    }
    if (def && mlc_llvm_mlir_addressof_isa(def)) {
        MlcOp *global = mlc_symbol_lookup_ref(def, mlc_op_attr(def, "global_name"));
        return global ? int_or(mlc_op_attr(global, "alignment"), 1) : 1;
    }
    MlcOp *func = def ? NULL : mlc_block_parent(mlc_value_block(pointer));
    return func && mlc_llvm_func_isa(func)
               ? int_or(argument_attr(func, mlc_value_index(pointer), "llvm.align"), 1)
               : 1;
}

static MlcValue *
copy_of(MlcBuilder *b, const MlcInlining *in, MlcValue *pointer, MlcType element, int64_t alignment,
        int64_t bytes)
{
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcBuilder entry = *b;
    mlc_builder_at_start(&entry, mlc_region_first(in->into));
    entry.loc = mlc_op_loc(in->callable);
    MlcValue *copy =
        mlc_llvm_alloca(&entry, mlc_value_type(pointer), constant(&entry, i64, 1), element);
    mlc_llvm_alloca_set_alignment(mlc_value_def(copy), mlc_i64_attr_get(b->ctx, alignment));
    b->loc = entry.loc;
    mlc_llvm_intr_memcpy(b, copy, pointer, constant(b, i64, bytes), false);
    b->loc = mlc_op_loc(in->call);
    return copy;
}

static bool
only_reads_arguments(MlcOp *func)
{
    MlcAttr memory = mlc_op_attr(func, "memory");
    if (!memory)
        return false;
    enum { NONE, READ }; // of LLVM's ModRef: then write, both
    int64_t of_arguments = mlc_enum_attr_value(mlc_dialect_attr_param(memory, 1));
    return of_arguments == NONE || of_arguments == READ;
}

static MlcValue *
pass_by_value(MlcBuilder *b, const MlcInlining *in, MlcValue *pointer, MlcType element,
              int64_t wanted)
{
    MlcLlvmLayout layout;
    if (!mlc_llvm_layout(element, &layout))
        return pointer;
    int64_t natural = (int64_t)layout.alignment;
    if (only_reads_arguments(in->callable) &&
        (wanted <= natural || aligned_to(pointer, wanted) >= wanted))
        return pointer;
    return copy_of(b, in, pointer, element, wanted > natural ? wanted : natural,
                   (int64_t)layout.bytes);
}

static MlcValue *
inline_argument(MlcBuilder *b, const MlcInlining *in, size_t i, MlcValue *value)
{
    MlcAttr element = argument_attr(in->callable, i, "llvm.byval");
    if (element)
        return pass_by_value(b, in, value, mlc_type_attr_value(element),
                             int_or(argument_attr(in->callable, i, "llvm.align"), 1));
    return argument_attr(in->callable, i, "llvm.noalias") ? mlc_llvm_mark_no_alias(b, value) : value;
}

// --- the stack

typedef struct Moved { // a slot of the callee's entry block
    MlcOp *alloca;
    MlcAttr count;
    bool has_life; // to be marked
} Moved;

typedef MLC_VEC(Moved) MovedVec;

static bool
has_life_marks(MlcOp *alloca)
{
    MLC_FOR_EACH_USE (use, mlc_op_result(alloca, 0)) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_llvm_intr_lifetime_start_isa(user) || mlc_llvm_intr_lifetime_end_isa(user))
            return true;
    }
    return false;
}

// Where the frame of `op` begins; NULL if the call is there itself.
static MlcBlock *
frame_of(MlcOp *op)
{
    for (MlcOp *parent; (parent = mlc_op_parent(op)); op = parent) {
        if (!mlc_op_has_trait(parent, MLC_TRAIT_ISOLATED) &&
            !mlc_op_has_trait(parent, MLC_TRAIT_AUTOMATIC_ALLOCATION_SCOPE))
            continue;
        return mlc_region_first(mlc_op_region_of(op));
    }
    return NULL;
}

// Slots of constant size in the first block; true if there are others anywhere.
static bool
find_slots(MlcRegion *copy, MovedVec *moved)
{
    bool any_other = false;
    MLC_FOR_EACH_BLOCK (block, copy)
        MLC_FOR_EACH_OP (op, block) {
            if (!mlc_llvm_alloca_isa(op))
                continue;
            MlcAttr count = mlc_value_constant(mlc_op_operand(op, 0));
            any_other |= !count;
            if (count && block == mlc_region_first(copy))
                mlc_vec_push(moved,
                             ((Moved){op, count, int_or(count, 1) != 0 && !has_life_marks(op)}));
        }
    return any_other;
}

static void
move_slots(MlcBuilder *b, const MovedVec *moved, MlcBlock *frame)
{
    mlc_builder_at_start(b, frame);
    for (size_t i = 0; i < moved->size; i++) {
        const Moved *m = &moved->data[i];
        b->loc = mlc_op_loc(m->alloca);
        MlcValue *count =
            mlc_llvm_mlir_constant(b, mlc_value_type(mlc_op_operand(m->alloca, 0)), m->count);
        if (m->has_life) {
            MlcBuilder start = *b;
            mlc_builder_before(&start, m->alloca);
            mlc_llvm_intr_lifetime_start(&start, mlc_op_result(m->alloca, 0),
                                               int_or(m->count, 1));
        }
        mlc_op_move_after(m->alloca, mlc_value_def(count));
        mlc_op_set_operand(m->alloca, 0, count);
        mlc_builder_after(b, m->alloca);
    }
}

static void
end_slots(MlcBuilder *b, const MovedVec *moved, MlcRegion *copy, MlcValue *stack, MlcLoc loc)
{
    MLC_FOR_EACH_BLOCK (block, copy) {
        MlcOp *end = mlc_block_terminator(block);
        if (!end || !mlc_op_has_trait(end, MLC_TRAIT_RETURN_LIKE))
            continue;
        mlc_builder_before(b, end);
        b->loc = loc;
        if (stack)
            mlc_llvm_intr_stackrestore(b, stack);
        for (size_t i = 0; i < moved->size; i++) {
            b->loc = mlc_op_loc(moved->data[i].alloca);
            if (moved->data[i].has_life)
                mlc_llvm_intr_lifetime_end(
                    b, mlc_op_result(moved->data[i].alloca, 0),
                    int_or(moved->data[i].count, 1));
        }
    }
}

static void
inline_slots(const MlcInlining *in, MlcRegion *copy)
{
    MlcBlock *frame = frame_of(in->call);
    if (!frame)
        return;
    MovedVec moved = {0};
    MlcLoc loc = mlc_op_loc(in->call);
    bool any_other = find_slots(copy, &moved);
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(in->call));
    MlcValue *stack = NULL;
    if (any_other) {
        mlc_builder_at_start(&b, mlc_region_first(copy));
        b.loc = loc;
        stack = mlc_llvm_intr_stacksave(&b, mlc_llvm_pointer(b.ctx));
    }
    move_slots(&b, &moved, frame);
    end_slots(&b, &moved, copy, stack, loc);
    mlc_vec_release(&moved);
}

// ---

static void
inlined(const MlcInlining *in, MlcRegion *copy)
{
    inline_slots(in, copy);
    mlc_llvm_inline_metadata(in, copy);
    mlc_llvm_inline_loop_places(in, copy);
}

const MlcInliner mlc_llvm_inliner = {.may_call = may_inline_call,
                                     .may_op = may_inline_op,
                                     .argument = inline_argument,
                                     .inlined = inlined,
                                     .branch = &mlc_llvm_br_def};
