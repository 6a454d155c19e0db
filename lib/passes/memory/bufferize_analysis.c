// bufferize_analysis.c -- which writes may happen in place.
//
// A write through operand v of op W is in place unless a read that wants the old contents can come
// after it: a read of a tensor that may share v's buffer, whose definition does not already contain
// the write. What W makes would share that buffer too, so the same is asked of it and of the writes
// that were decided before. (Springer et al., "One-Shot Bufferization", 2022, whose
// read-after-write conflicts these are, for IR without CFG loops.) Writes are decided from the last
// to the first, so that the values a function returns are favoured.
#include "bufferize.h"

static uint32_t
number_of(Bufferization *bufferizer, MlcValue *value)
{
    const MlcMapEntry *entry = mlc_map_find(&bufferizer->numbers, (uint64_t)(uintptr_t)value);
    if (entry)
        return (uint32_t)entry->value;
    uint32_t n = (uint32_t)bufferizer->values.size;
    mlc_map_set_u64(&bufferizer->numbers, (uint64_t)(uintptr_t)value, n);
    mlc_vec_push(&bufferizer->values, value);
    mlc_vec_push(&bufferizer->alias, n);
    mlc_vec_push(&bufferizer->same, n);
    MlcValueVec members = {0};
    mlc_vec_push(&members, value);
    mlc_vec_push(&bufferizer->members, members);
    return n;
}

static uint32_t
find(uint32_t *parents, uint32_t n)
{
    while (parents[n] != n)
        n = parents[n] = parents[parents[n]];
    return n;
}

static void
unite(Bufferization *bufferizer, MlcValue *a, MlcValue *b, bool whole)
{
    uint32_t na = number_of(bufferizer, a), nb = number_of(bufferizer, b);
    if (whole)
        bufferizer->same.data[find(bufferizer->same.data, nb)] = find(bufferizer->same.data, na);
    uint32_t ra = find(bufferizer->alias.data, na), rb = find(bufferizer->alias.data, nb);
    if (ra == rb)
        return;
    bufferizer->alias.data[rb] = ra;
    MlcValueVec *from = &bufferizer->members.data[rb];
    for (size_t i = 0; i < from->size; i++)
        mlc_vec_push(&bufferizer->members.data[ra], from->data[i]);
    mlc_vec_release(from);
}

static const MlcValueVec *
aliases_of(Bufferization *bufferizer, MlcValue *value)
{
    return &bufferizer->members.data[find(bufferizer->alias.data, number_of(bufferizer, value))];
}

bool
bufferize_same(Bufferization *bufferizer, MlcValue *a, MlcValue *b)
{
    return find(bufferizer->same.data, number_of(bufferizer, a)) ==
           find(bufferizer->same.data, number_of(bufferizer, b));
}

// Does `a` run, in program order, before `b`? Neither is inside the other.
static bool
runs_before(MlcOp *a, MlcOp *b)
{
    for (MlcOp *outer = a; outer; outer = mlc_op_parent(outer)) {
        MlcOp *other = mlc_op_block(outer) ? mlc_block_find_ancestor(mlc_op_block(outer), b) : NULL;
        if (other)
            return other != outer && mlc_op_is_before(outer, other);
    }
    return false;
}

// Is `value` made by `op`, inside it, or after it? Then its contents already have what op wrote.
static bool
comes_from(MlcValue *value, MlcOp *op)
{
    MlcOp *def = mlc_value_def(value);
    if (!def) {
        MlcOp *owner = mlc_block_parent(mlc_value_block(value));
        return mlc_op_is_ancestor(op, owner) ||
               (!mlc_op_is_ancestor(owner, op) && runs_before(op, owner));
    }
    return mlc_op_is_ancestor(def, op) || mlc_op_is_ancestor(op, def) || runs_before(op, def);
}

// The tensor whose contents `value` has: it may be a view, which is cut out later than what it
// shows was written.
static MlcValue *
viewed(MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    const MlcBufferize *methods = def ? mlc_bufferize_methods(def) : NULL;
    bool whole;
    for (size_t i = 0; methods && methods->alias && i < mlc_op_num_operands(def); i++)
        if (mlc_value_is_tensor(mlc_op_operand(def, i)) &&
            !(methods->writes && methods->writes(def, i)) &&
            methods->alias(def, i, &whole) == value)
            return viewed(mlc_op_operand(def, i));
    return value;
}

// Is there a loop around both that does not make `value` anew each time? Operands of a loop are
// read before it, not in it.
static bool
is_in_loop_without(MlcOp *a, MlcOp *b, MlcValue *value)
{
    for (MlcOp *loop = mlc_op_parent(a); loop; loop = mlc_op_parent(loop))
        if (mlc_op_interface(loop, MLC_INTERFACE_LOOP) && loop != b &&
            mlc_op_is_ancestor(loop, b) && !mlc_value_is_inside(value, loop))
            return true;
    return false;
}

// `reader` puts a part into the tensor; is what `writer` writes just that part, taken from the same
// tensor?
static bool
is_put_back(Bufferization *bufferizer, MlcUse *read, MlcUse *write)
{
    MlcOp *insert = mlc_use_owner(read);
    const MlcBufferize *methods = mlc_bufferize_methods(insert);
    if (!methods || !methods->inserts_what || !methods->writes(insert, mlc_use_index(read)))
        return false;
    const MlcValueVec *aliases = aliases_of(bufferizer, mlc_use_value(write));
    for (size_t i = 0; i < aliases->size; i++) {
        MlcOp *extract = mlc_value_def(aliases->data[i]);
        if (!extract || !methods->inserts_what(insert, extract) ||
            !bufferize_same(bufferizer, mlc_op_operand(extract, 0), mlc_use_value(read)))
            continue;
        // The write went into the part (or into something cut from it), and the part is what is put
        // back.
        for (MlcValue *v = mlc_use_value(write); v;) {
            if (bufferize_same(bufferizer, v, aliases->data[i]))
                return true;
            MlcOp *def = mlc_value_def(v);
            if (!def) { // a loop's argument: look at what it was before the loop
                MlcOp *loop = mlc_block_parent(mlc_value_block(v));
                size_t first_arg, first_operand, count;
                const MlcLoop *methods_of_loop = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
                if (!methods_of_loop || !methods_of_loop->iter_args)
                    return false;
                methods_of_loop->iter_args(loop, &first_arg, &first_operand, &count);
                size_t arg = mlc_value_index(v);
                if (arg < first_arg || arg >= first_arg + count)
                    return false;
                v = mlc_op_operand(loop, first_operand + arg - first_arg);
                continue;
            }
            v = mlc_op_num_operands(def) > 0 && mlc_value_is_tensor(mlc_op_operand(def, 0))
                    ? mlc_op_operand(def, 0)
                    : NULL;
        }
    }
    return false;
}

// Asked before anything is rewritten: bodies of loops lose their tensor ops while their users are
// still to come.
static bool
puts_back(Bufferization *bufferizer, MlcOp *insert, const MlcBufferize *methods, size_t source,
          size_t dest)
{
    const MlcValueVec *aliases = aliases_of(bufferizer, mlc_op_operand(insert, source));
    for (size_t i = 0; i < aliases->size; i++) {
        MlcOp *extract = mlc_value_def(aliases->data[i]);
        if (extract && methods->inserts_what(insert, extract) &&
            bufferize_same(bufferizer, aliases->data[i], mlc_op_operand(insert, source)) &&
            bufferize_same(bufferizer, mlc_op_operand(extract, 0), mlc_op_operand(insert, dest)))
            return true;
    }
    return false;
}

static bool
use_reads(MlcUse *use)
{
    const MlcBufferize *methods = mlc_bufferize_methods(mlc_use_owner(use));
    return !methods || !methods->reads || methods->reads(mlc_use_owner(use), mlc_use_index(use));
}

static bool
conflicts(Bufferization *bufferizer, MlcUse *write, MlcValue *alias, MlcUse *read)
{
    MlcOp *writer = mlc_use_owner(write), *reader = mlc_use_owner(read);
    alias = viewed(alias);
    if (comes_from(alias, writer))
        return false;
    if (read == write)
        return is_in_loop_without(writer, writer, alias);
    if (is_put_back(bufferizer, read, write))
        return false;
    if (reader != writer && !mlc_op_is_ancestor(writer, reader)) {
        bool before = mlc_op_is_ancestor(reader, writer) || runs_before(reader, writer);
        if (before && !is_in_loop_without(writer, reader, alias))
            return false;
    }
    return true;
}

// Memory that belongs to others: arguments of the function, and constants.
static bool
is_writable(Bufferization *bufferizer, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def)
        return mlc_block_parent(mlc_value_block(value)) != bufferizer->function;
    return !mlc_op_has_trait(def, MLC_TRAIT_CONSTANT_LIKE);
}

static bool
can_write_in_place(Bufferization *bufferizer, MlcUse *write)
{
    const MlcValueVec *aliases = aliases_of(bufferizer, mlc_use_value(write));
    for (size_t i = 0; i < aliases->size; i++) {
        if (!is_writable(bufferizer, aliases->data[i]))
            return false;
        MLC_FOR_EACH_USE (read, aliases->data[i])
            if (use_reads(read) && conflicts(bufferizer, write, aliases->data[i], read))
                return false;
    }
    return true;
}

// Is there a write in place, decided before, through a tensor that may share `written`'s buffer,
// and a read of one that may share `read`'s, which wants what was there before?
static bool
spoils(Bufferization *bufferizer, MlcValue *written, MlcValue *read)
{
    const MlcValueVec *targets = aliases_of(bufferizer, written),
                      *sources = aliases_of(bufferizer, read);
    for (size_t i = 0; i < targets->size; i++)
        MLC_FOR_EACH_USE (write, targets->data[i]) {
            if (!mlc_map_has(&bufferizer->base.in_place, write) || use_reads(write))
                continue;
            for (size_t k = 0; k < sources->size; k++)
                MLC_FOR_EACH_USE (use, sources->data[k])
                    if (use_reads(use) && conflicts(bufferizer, write, sources->data[k], use))
                        return true;
        }
    return false;
}

static void
decide(Bufferization *bufferizer, MlcOp *op, const MlcBufferize *methods, size_t i)
{
    MlcUse *use = mlc_op_operand_use(op, i);
    bool whole = true;
    MlcValue *alias = methods->alias ? methods->alias(op, i, &whole) : NULL;
    if (methods->writes && methods->writes(op, i)) {
        if (!can_write_in_place(bufferizer, use))
            return;
        // In place, the result shares the operand's buffer with what others write and read there.
        if (alias &&
            find(bufferizer->alias.data, number_of(bufferizer, alias)) !=
                find(bufferizer->alias.data, number_of(bufferizer, mlc_use_value(use))) &&
            (spoils(bufferizer, mlc_use_value(use), alias) ||
             spoils(bufferizer, alias, mlc_use_value(use))))
            return;
        mlc_map_set(&bufferizer->base.in_place, use, use);
    }
    if (alias)
        unite(bufferizer, mlc_use_value(use), alias, whole);
}

// Arguments of a loop's body are united with what is yielded for them, as the loop's results are:
// one buffer goes round.
static void
unite_loop(Bufferization *bufferizer, MlcOp *loop)
{
    const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
    if (!methods || !methods->iter_args)
        return;
    size_t first_arg, first_operand, count;
    methods->iter_args(loop, &first_arg, &first_operand, &count);
    MlcBlock *body = mlc_region_first(methods->body(loop));
    for (size_t i = 0; i < count; i++)
        if (mlc_value_is_tensor(mlc_op_result(loop, i)))
            unite(bufferizer, mlc_block_arg(body, first_arg + i), mlc_op_result(loop, i), true);
}

// All tensors get their numbers first, so that the tables do not move while classes are read.
static void
number_values(Bufferization *bufferizer, MlcOp *op)
{
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        if (mlc_value_is_tensor(mlc_op_result(op, i)))
            number_of(bufferizer, mlc_op_result(op, i));
    MLC_FOR_EACH_BLOCK_IN_OP (block, op)
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            if (mlc_value_is_tensor(mlc_block_arg(block, i)))
                number_of(bufferizer, mlc_block_arg(block, i));
}

void
bufferize_analyze(Bufferization *bufferizer)
{
    MlcOpVec ops = {0};
    MLC_FOR_EACH_PREORDER (op, bufferizer->function) {
        mlc_vec_push(&ops, op);
        number_values(bufferizer, op);
    }
    // Views first, whoever reads them: a slice shares its source's buffer in any case.
    for (size_t n = 0; n < ops.size; n++) {
        MlcOp *op = ops.data[n];
        unite_loop(bufferizer, op);
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        for (size_t i = 0; methods && i < mlc_op_num_operands(op); i++)
            if (mlc_value_is_tensor(mlc_op_operand(op, i)) &&
                !(methods->writes && methods->writes(op, i)))
                decide(bufferizer, op, methods, i);
    }
    for (size_t n = ops.size; n-- > 0;) {
        MlcOp *op = ops.data[n];
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        for (size_t i = 0; methods && i < mlc_op_num_operands(op); i++)
            if (mlc_value_is_tensor(mlc_op_operand(op, i)) && methods->writes &&
                methods->writes(op, i))
                decide(bufferizer, op, methods, i);
    }
    for (size_t n = 0; n < ops.size; n++) {
        const MlcBufferize *methods = mlc_bufferize_methods(ops.data[n]);
        if (methods && methods->inserts_what && puts_back(bufferizer, ops.data[n], methods, 0, 1))
            mlc_map_add(&bufferizer->base.put_back, ops.data[n]);
    }
    mlc_vec_release(&ops);
}

void
bufferize_release(Bufferization *bufferizer)
{
    for (size_t i = 0; i < bufferizer->members.size; i++)
        mlc_vec_release(&bufferizer->members.data[i]);
    mlc_vec_release(&bufferizer->members);
    mlc_vec_release(&bufferizer->values);
    mlc_vec_release(&bufferizer->alias);
    mlc_vec_release(&bufferizer->same);
    mlc_map_release(&bufferizer->numbers);
    mlc_map_release(&bufferizer->base.in_place);
    mlc_map_release(&bufferizer->base.put_back);
    mlc_map_release(&bufferizer->base.buffers);
    mlc_map_release(&bufferizer->base.chosen);
}
