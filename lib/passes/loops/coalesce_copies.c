// coalesce_copies.c -- what an iteration builds in a buffer of its own, to copy it into the one
// that goes round, is built there at once: x[i] = f(x[i]) instead of t[i] = f(x[i]), x = t.
//
// `bufferize` decides on tensors, where a tile that is read and one that is written are of two
// tensors, and must keep both. Loops around the accesses say more: no element of x may be read
// when the one of its index was written (affine_accesses.h). The fresh buffer holds nothing when an
// iteration begins, so what it is not given may as well be what x has.
//
// Other memory that these ops touch must not be x's: x is allocated here, or a destination of the
// function (`mlc.result`), which overlaps no argument. Run when loops are affine.
#include "affine_accesses.h"

#include "mlc/ir.h"
#include "mlc/ir/rewrite.h"
#include "mlc/pass.h"

#include "mlc/dialects/memref.h"

typedef MLC_VEC(MlcAccesses) AccessesVec; // of each op between the allocation and the copy

static MlcValue *
behind_views(MlcValue *value)
{
    for (MlcOp *def;
         (def = mlc_value_def(value)) && mlc_op_interface(def, MLC_INTERFACE_VIEW_LIKE);)
        value = mlc_op_operand(def, 0);
    return value;
}

static bool
is_destination(MlcValue *value)
{
    MlcOp *function = mlc_block_parent(mlc_value_block(value));
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr attrs = methods ? mlc_op_slot(function, methods->arg_attrs_slot) : NULL;
    for (size_t i = 0; attrs && i < mlc_array_attr_size(attrs); i++)
        if (mlc_block_arg(mlc_value_block(value), i) == value)
            return mlc_dict_attr_find(mlc_array_attr_element(attrs, i), mlc_str("mlc.result"));
    return false;
}

// Memory that no other value stands for, but views of it.
static bool
is_own(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    return def ? mlc_memref_alloc_isa(def) : is_destination(value);
}

// Memory of which it is known whether it is another buffer than one that is `own`.
static bool
is_known(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (def)
        return mlc_memref_alloc_isa(def) || mlc_memref_get_global_isa(def);
    return mlc_op_interface(mlc_block_parent(mlc_value_block(value)), MLC_INTERFACE_FUNCTION);
}

// The buffer that `copy` empties is allocated in its block, and all else that uses it comes before.
static bool
is_built_for(MlcOp *copy, MlcOp *alloc)
{
    MlcBlock *block = mlc_op_block(copy);
    if (!alloc || !mlc_memref_alloc_isa(alloc) || mlc_op_block(alloc) != block ||
        mlc_op_num_operands(alloc) > 0)
        return false;
    MLC_FOR_EACH_USE (use, mlc_op_result(alloc, 0)) {
        MlcOp *user = mlc_block_find_ancestor(block, mlc_use_owner(use));
        if (!user || (user != copy && !mlc_op_is_before(user, copy)))
            return false;
    }
    return true;
}

static bool
collect(MlcOp *alloc, MlcOp *copy, AccessesVec *list)
{
    for (MlcOp *op = mlc_op_next(alloc); op != copy; op = mlc_op_next(op)) {
        MlcAccesses accesses = {.op = op};
        bool known = mlc_accesses_collect(&accesses) == NULL;
        mlc_vec_push(list, accesses);
        if (!known)
            return false;
    }
    return true;
}

// Whether `read`, in op number i, is through with an element when any op writes that of `to`.
static bool
is_read_first(const AccessesVec *list, size_t i, const MlcAccess *read, MlcValue *to)
{
    for (size_t j = 0; j <= i; j++)
        for (size_t k = 0; k < list->data[j].list.size; k++) {
            const MlcAccess *write = &list->data[j].list.data[k];
            if (!write->is_write || write->root != to)
                continue;
            if (i == j ? !mlc_access_is_first(&list->data[i], read, write)
                       : !mlc_access_is_apart(&list->data[i], read, &list->data[j], write))
                return false;
        }
    return true;
}

// Whether `to` may stand for `fresh` in these ops.
static bool
may_be_one(const AccessesVec *list, MlcValue *fresh, MlcValue *to)
{
    for (size_t i = 0; i < list->size; i++)
        for (size_t k = 0; k < list->data[i].list.size; k++) {
            const MlcAccess *access = &list->data[i].list.data[k];
            MlcValue *base = behind_views(access->root);
            if (base == fresh && access->root == fresh)
                continue;
            if (base == fresh || !is_known(base))
                return false;
            if (base == to &&
                (access->is_write || access->root != to || !is_read_first(list, i, access, fresh)))
                return false;
        }
    return true;
}

// Every use of the buffer is an access, by an op that collect() looked at.
static bool
is_only_accessed(MlcValue *fresh, const MlcOp *copy)
{
    MLC_FOR_EACH_USE (use, fresh)
        if (mlc_use_owner(use) != copy && !mlc_op_access(mlc_use_owner(use)))
            return false;
    return true;
}

static bool
coalesce(MlcOp *copy)
{
    MlcValue *fresh = mlc_memref_copy_source(copy), *to = mlc_memref_copy_target(copy);
    MlcOp *alloc = mlc_value_def(fresh);
    if (!is_built_for(copy, alloc) || fresh == to || mlc_value_type(fresh) != mlc_value_type(to) ||
        !mlc_value_is_inside(fresh, mlc_op_parent(copy)) ||
        mlc_value_is_inside(to, mlc_op_parent(copy)) || !is_own(to) ||
        !is_only_accessed(fresh, copy))
        return false;
    AccessesVec list = {0};
    bool ok = collect(alloc, copy, &list) && may_be_one(&list, fresh, to);
    for (size_t i = 0; i < list.size; i++)
        mlc_vec_release(&list.data[i].list);
    mlc_vec_release(&list);
    if (!ok)
        return false;
    mlc_op_erase(copy);
    mlc_op_replace(alloc, &to, 1);
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    int64_t count = 0;
    MLC_FOR_EACH_OF_KIND (copy, root, &mlc_memref_copy_def)
        if (mlc_op_interface(mlc_op_parent(copy), MLC_INTERFACE_LOOP))
            count += coalesce(copy);
    mlc_pass_count(pass, "copies-gone", count);
    return true;
}

MLC_PASS(coalesce_copies, .flag = "coalesce-copies",
         .summary = "Build what an iteration hands on where it goes, without a copy",
         .anchor = "func.func", .run = run)
