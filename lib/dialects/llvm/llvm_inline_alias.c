// llvm_inline_alias.c -- what is known of memory accesses when their function is inlined.
//
// Scopes hold for one execution of a body: each copy gets its own. A `noalias` argument becomes a
// scope: accesses that are based on it alone are in it, those that cannot be based on it say so.
// What an access is based on is found through address arithmetic, selections and block arguments.
#include "llvm_inline.h"

#include "llvm_impl.h"
#include "mlc/ir.h"
#include "mlc/support/map.h"

static bool
has_slot(const MlcOp *op, const char *name)
{
    return mlc_op_def_attr_slot(mlc_op_def(op), mlc_str(name)) >= 0;
}

// Whether the op says of what it accesses which scopes it is in.
static bool
is_access(const MlcOp *op)
{
    return has_slot(op, "alias_scopes") && has_slot(op, "noalias_scopes");
}

static void
append(MlcOp *op, const char *name, MlcAttr more)
{
    MlcAttr old = mlc_op_attr(op, name);
    if (!more || mlc_array_attr_size(more) == 0)
        return;
    MLC_VEC(MlcAttr) all = {0};
    for (size_t i = 0; old && i < mlc_array_attr_size(old); i++)
        mlc_vec_push(&all, mlc_array_attr_element(old, i));
    for (size_t i = 0; i < mlc_array_attr_size(more); i++)
        mlc_vec_push(&all, mlc_array_attr_element(more, i));
    mlc_op_set_attr(op, name, mlc_array_attr_get(mlc_op_context(op), all.data, all.size));
    mlc_vec_release(&all);
}

// --- scopes of their own

// The same attribute, but for its first parameter, its identity; `domain`, if it is a scope.
static MlcAttr
fresh(MlcContext *ctx, MlcAttr attr, MlcAttr domain)
{
    MlcAttr params[3];
    size_t n = mlc_dialect_attr_num_params(attr);
    for (size_t i = 0; i < n; i++)
        params[i] = mlc_dialect_attr_param(attr, i);
    params[0] = mlc_distinct_attr_create(ctx, mlc_unit_attr_get(ctx));
    if (domain)
        params[1] = domain;
    return mlc_dialect_attr_get(ctx, mlc_dialect_attr_def(attr), params, n);
}

static MlcAttr
own(MlcContext *ctx, MlcMap *map, MlcAttr attr)
{
    bool is_new;
    bool is_scope = mlc_dialect_attr_def(attr) == &mlc_llvm_alias_scope_attr_def;
    MlcAttr domain = is_scope ? own(ctx, map, mlc_dialect_attr_param(attr, 1)) : NULL;
    MlcMapEntry *entry = mlc_map_insert(map, (uint64_t)(uintptr_t)attr, &is_new);
    if (is_new)
        entry->value = (uint64_t)(uintptr_t)fresh(ctx, attr, domain);
    return (MlcAttr)(uintptr_t)entry->value;
}

static void
own_list(MlcMap *map, MlcOp *op, const char *name)
{
    MlcAttr list = mlc_op_attr(op, name);
    MlcContext *ctx = mlc_op_context(op);
    MLC_VEC(MlcAttr) scopes = {0};
    for (size_t i = 0; list && i < mlc_array_attr_size(list); i++)
        mlc_vec_push(&scopes, own(ctx, map, mlc_array_attr_element(list, i)));
    if (list)
        mlc_op_set_attr(op, name, mlc_array_attr_get(ctx, scopes.data, scopes.size));
    mlc_vec_release(&scopes);
}

static void
own_scopes(MlcMap *map, MlcOp *op)
{
    if (mlc_llvm_intr_experimental_noalias_scope_decl_isa(op))
        mlc_op_set_attr(op, "scope", own(mlc_op_context(op), map, mlc_op_attr(op, "scope")));
    if (!is_access(op))
        return;
    own_list(map, op, "alias_scopes");
    own_list(map, op, "noalias_scopes");
}

// --- arguments without aliases

typedef struct NoAlias {
    MlcOp *mark; // a copy of the pointer, until it is resolved
    MlcAttr scope;
} NoAlias;

typedef MLC_VEC(NoAlias) NoAliasVec;

MlcValue *
mlc_llvm_mark_no_alias(MlcBuilder *b, MlcValue *argument)
{
    MlcValue *mark = mlc_llvm_intr_ssa_copy(b, argument);
    mlc_op_set_attr(mlc_value_def(mark), "llvm.noalias", mlc_unit_attr_get(b->ctx));
    return mark;
}

static bool
is_mark(const MlcOp *op)
{
    return op && mlc_llvm_intr_ssa_copy_isa(op) && mlc_op_attr(op, "llvm.noalias");
}

// Marks stand before the call, in the order of the arguments.
static void
find_marks(const MlcInlining *in, NoAliasVec *all)
{
    MlcOp *first = in->call;
    while (mlc_op_prev(first) && is_mark(mlc_op_prev(first)))
        first = mlc_op_prev(first);
    for (; first != in->call; first = mlc_op_next(first))
        mlc_vec_push(all, ((NoAlias){.mark = first}));
}

static void
make_scopes(const MlcInlining *in, NoAliasVec *all)
{
    MlcContext *ctx = mlc_op_context(in->call);
    MlcStr name = mlc_symbol_ref_attr_name(mlc_op_attr(in->call, "callee"), 0);
    MlcAttr id = mlc_distinct_attr_create(ctx, mlc_unit_attr_get(ctx));
    MlcAttr params[3] = {id, mlc_string_attr_get(ctx, name)};
    MlcAttr domain = mlc_dialect_attr_get(ctx, &mlc_llvm_alias_scope_domain_attr_def, params, 2);
    MlcBuilder b;
    mlc_builder_init(&b, ctx);
    mlc_builder_before(&b, in->call);
    for (size_t i = 0; i < all->size; i++) {
        params[0] = mlc_distinct_attr_create(ctx, mlc_unit_attr_get(ctx));
        params[1] = domain;
        params[2] = NULL;
        all->data[i].scope = mlc_dialect_attr_get(ctx, &mlc_llvm_alias_scope_attr_def, params, 3);
        mlc_llvm_intr_experimental_noalias_scope_decl(&b, all->data[i].scope);
    }
}

typedef struct Origins { // values that a pointer may be based on
    MlcValueVec found, todo;
    MlcMap seen;
    size_t argument;
    bool is_known;
} Origins;

static void
from_predecessor(MlcOp *terminator, size_t i, void *user)
{
    Origins *o = user;
    MlcValue *value = mlc_branch_operand(terminator, i, o->argument);
    if (value)
        mlc_vec_push(&o->todo, value);
    else
        o->is_known = false;
}

static void
step(Origins *o, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (def && (mlc_llvm_getelementptr_isa(def) || mlc_llvm_addrspacecast_isa(def))) {
        mlc_vec_push(&o->todo, mlc_op_operand(def, 0));
    } else if (def && mlc_llvm_select_isa(def)) {
        mlc_vec_push(&o->todo, mlc_op_operand(def, 1));
        mlc_vec_push(&o->todo, mlc_op_operand(def, 2));
    } else if (!def && mlc_value_block(value) !=
                           mlc_region_first(mlc_block_region(mlc_value_block(value)))) {
        size_t before = o->todo.size;
        o->argument = mlc_value_index(value);
        o->is_known = true;
        mlc_block_visit_predecessors(mlc_value_block(value), from_predecessor, o);
        if (o->is_known)
            return;
        o->todo.size = before;
        mlc_vec_push(&o->found, value);
    } else {
        mlc_vec_push(&o->found, value);
    }
}

static void
find_origins(Origins *o, MlcValue *pointer)
{
    mlc_vec_push(&o->todo, pointer);
    while (o->todo.size > 0) {
        bool is_new;
        MlcValue *value = mlc_vec_pop(&o->todo);
        mlc_map_insert(&o->seen, (uint64_t)(uintptr_t)value, &is_new);
        if (is_new)
            step(o, value);
    }
}

// Values that the op reads or writes memory through; of a call, all that it is given.
static void
find_accessed(MlcOp *op, Origins *o)
{
    if (mlc_llvm_load_isa(op) || mlc_llvm_cmpxchg_isa(op) || mlc_llvm_atomicrmw_isa(op)) {
        find_origins(o, mlc_op_operand(op, 0));
    } else if (mlc_llvm_store_isa(op)) {
        find_origins(o, mlc_op_operand(op, 1));
    } else if (mlc_llvm_call_isa(op)) {
        MLC_FOR_EACH_OPERAND (value, op)
            find_origins(o, value);
    } else {
        MLC_FOR_EACH_OPERAND (value, op)
            if (mlc_dialect_type_def(mlc_value_type(value)) == &mlc_llvm_ptr_type_def)
                find_origins(o, value);
    }
}

static bool
is_based_on(const Origins *o, const MlcOp *mark)
{
    for (size_t i = 0; i < o->found.size; i++)
        if (mlc_value_def(o->found.data[i]) == mark)
            return true;
    return false;
}

// Any origin that is neither a marked argument nor known to be apart from all of them could be
// either; then nothing is said.
static void
add_scopes(MlcOp *op, const NoAliasVec *all)
{
    Origins o = {0};
    bool is_known = true, has_others = mlc_llvm_call_isa(op);
    find_accessed(op, &o);
    for (size_t i = 0; i < o.found.size; i++) {
        MlcOp *def = mlc_value_def(o.found.data[i]);
        bool is_apart = def && (mlc_llvm_alloca_isa(def) || mlc_llvm_mlir_addressof_isa(def));
        has_others |= is_apart;
        is_known &= is_apart || is_mark(def) || (def && mlc_op_constant(def)) ||
                    (def && mlc_llvm_mlir_zero_isa(def));
    }
    MLC_VEC(MlcAttr) in = {0}, out = {0};
    for (size_t i = 0; is_known && i < all->size; i++) {
        if (!is_based_on(&o, all->data[i].mark))
            mlc_vec_push(&out, all->data[i].scope);
        else if (!has_others)
            mlc_vec_push(&in, all->data[i].scope);
    }
    MlcContext *ctx = mlc_op_context(op);
    append(op, "noalias_scopes", mlc_array_attr_get(ctx, out.data, out.size));
    append(op, "alias_scopes", mlc_array_attr_get(ctx, in.data, in.size));
    mlc_vec_release(&in);
    mlc_vec_release(&out);
    mlc_vec_release(&o.found);
    mlc_vec_release(&o.todo);
    mlc_map_release(&o.seen);
}

static void
resolve_marks(const MlcInlining *in, MlcRegion *copy)
{
    NoAliasVec all = {0};
    find_marks(in, &all);
    if (all.size)
        make_scopes(in, &all);
    if (all.size)
        MLC_FOR_EACH_BLOCK (block, copy)
            MLC_FOR_EACH_OP (op, block)
                if (is_access(op))
                    add_scopes(op, &all);
    for (size_t i = 0; i < all.size; i++) {
        MlcValue *pointer = mlc_op_operand(all.data[i].mark, 0);
        mlc_op_replace(all.data[i].mark, &pointer, 1);
    }
    mlc_vec_release(&all);
}

// ---

void
mlc_llvm_inline_metadata(const MlcInlining *in, MlcRegion *copy)
{
    MlcMap scopes = {0};
    MLC_FOR_EACH_BLOCK (block, copy)
        MLC_FOR_EACH_OP (top, block)
            MLC_FOR_EACH_PREORDER (op, top)
                own_scopes(&scopes, op);
    mlc_map_release(&scopes);
    resolve_marks(in, copy);
    MlcAttr groups = mlc_op_attr(in->call, "access_groups");
    MlcAttr scope = mlc_op_attr(in->call, "alias_scopes");
    MlcAttr others = mlc_op_attr(in->call, "noalias_scopes");
    if (!groups && !scope && !others)
        return;
    MLC_FOR_EACH_BLOCK (block, copy)
        MLC_FOR_EACH_OP (top, block)
            MLC_FOR_EACH_PREORDER (op, top) {
                if (op == top && has_slot(op, "access_groups"))
                    append(op, "access_groups", groups);
                if (!is_access(op))
                    continue;
                append(op, "alias_scopes", scope);
                append(op, "noalias_scopes", others);
            }
}

// --- places of loops

static MlcAttr
subprogram_of(MlcOp *op)
{
    MlcOp *func = mlc_op_parent(op);
    while (func && !mlc_op_interface(func, MLC_INTERFACE_FUNCTION))
        func = mlc_op_parent(func);
    return func ? mlc_llvm_subprogram_of(mlc_op_loc(func)) : NULL;
}

void
mlc_llvm_inline_loop_places(const MlcInlining *in, MlcRegion *copy)
{
    MlcAttr subprogram = subprogram_of(in->call);
    MlcContext *ctx = mlc_op_context(in->call);
    if (!subprogram)
        return;
    MLC_FOR_EACH_BLOCK (block, copy) {
        MlcOp *end = mlc_block_last(block);
        MlcAttr loop =
            end && has_slot(end, "loop_annotation") ? mlc_op_attr(end, "loop_annotation") : NULL;
        MLC_VEC(MlcAttr) params = {0};
        for (size_t i = 0; loop && i < mlc_dialect_attr_num_params(loop); i++) {
            MlcAttr param = mlc_dialect_attr_param(loop, i);
            if (mlc_attr_is(param, MLC_ATTR_LOC)) {
                MlcLoc loc = mlc_loc_callsite(ctx, mlc_attr_as_loc(param), mlc_op_loc(in->call));
                param = mlc_loc_attr(ctx, mlc_loc_fused(ctx, &loc, 1, subprogram));
            }
            mlc_vec_push(&params, param);
        }
        if (loop)
            mlc_op_set_attr(end, "loop_annotation",
                            mlc_dialect_attr_get(ctx, &mlc_llvm_loop_annotation_attr_def,
                                                 params.data, params.size));
        mlc_vec_release(&params);
    }
}
