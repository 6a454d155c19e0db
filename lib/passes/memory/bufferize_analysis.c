// bufferize_analysis.c -- which writes may happen in place.
//
// A write through operand v of op W is in place unless a read that wants the old contents can come
// after it: a read of a tensor that may share v's buffer, whose definition does not already contain
// the write. What W makes would share that buffer too, so the same is asked of it and of the writes
// that were decided before. (Springer et al., "One-Shot Bufferization", 2022, whose
// read-after-write conflicts these are, for IR without CFG loops.) Writes are decided from the last
// to the first, so that the values a function returns are favoured; what is inside an op with
// regions is decided before the op's own operands.
#include "bufferize.h"

#include "mlc/dialects/bufferization.h"
#include "mlc/support/hash.h"

enum { SOURCE, DEST }; // operands of an op with `inserts_what`

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
    AliasClass alone = {0};
    alias_class_add(&alone, value, (AliasSpan){0, UINT32_MAX, 0, UINT32_MAX, true, false});
    mlc_vec_push(&bufferizer->classes, alone);
    return n;
}

static uint32_t
find(uint32_t *parents, uint32_t n)
{
    while (parents[n] != n)
        n = parents[n] = parents[parents[n]];
    return n;
}

void
bufferize_unite(Bufferization *bufferizer, MlcValue *a, MlcValue *b, bool whole)
{
    uint32_t na = number_of(bufferizer, a), nb = number_of(bufferizer, b);
    if (whole)
        bufferizer->same.data[find(bufferizer->same.data, nb)] = find(bufferizer->same.data, na);
    uint32_t ra = find(bufferizer->alias.data, na), rb = find(bufferizer->alias.data, nb);
    if (ra == rb)
        return;
    if (bufferizer->classes.data[ra].members.size < bufferizer->classes.data[rb].members.size) {
        uint32_t smaller = ra;
        ra = rb;
        rb = smaller;
    }
    bufferizer->alias.data[rb] = ra;
    alias_class_take(&bufferizer->classes.data[ra], &bufferizer->classes.data[rb]);
}

static const AliasClass *
class_of(Bufferization *bufferizer, MlcValue *value)
{
    return &bufferizer->classes.data[find(bufferizer->alias.data, number_of(bufferizer, value))];
}

const MlcValueVec *
bufferize_aliases(Bufferization *bufferizer, MlcValue *value)
{
    return &class_of(bufferizer, value)->members;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

bool
bufferize_same(Bufferization *bufferizer, MlcValue *a, MlcValue *b)
{
    return find(bufferizer->same.data, number_of(bufferizer, a)) ==
           find(bufferizer->same.data, number_of(bufferizer, b));
}

bool
bufferize_may_share(Bufferization *bufferizer, MlcValue *a, MlcValue *b)
{
    return find(bufferizer->alias.data, number_of(bufferizer, a)) ==
           find(bufferizer->alias.data, number_of(bufferizer, b));
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

// Does control flow lead from the only region back to it, or through several blocks?
static bool
may_loop(MlcOp *op, const MlcRegionBranch *branch)
{
    int next[2];
    return mlc_op_num_regions(op) != 1 || !mlc_region_has_one_block(mlc_op_region(op, 0)) ||
           branch->successors(op, 0, next) != 1 || next[0] >= 0;
}

static bool
may_repeat(MlcOp *op)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    return !mlc_op_interface(op, MLC_INTERFACE_FUNCTION) &&
           !mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) &&
           !(branch && (branch->at_most_once || !may_loop(op, branch)));
}

// Is there a loop around both that does not make `value` anew each time? Operands of a loop are
// read before it, not in it.
static bool
is_in_loop_without(MlcOp *a, MlcOp *b, MlcValue *value)
{
    for (MlcOp *loop = mlc_op_parent(a); loop; loop = mlc_op_parent(loop))
        if (may_repeat(loop) && loop != b && mlc_op_is_ancestor(loop, b) &&
            !mlc_value_is_inside(value, loop))
            return true;
    return false;
}

// The region of `op` that `inner` is in.
static MlcRegion *
region_around(MlcOp *op, MlcOp *inner)
{
    while (mlc_op_parent(inner) != op)
        inner = mlc_op_parent(inner);
    return mlc_block_region(mlc_op_block(inner));
}

// Are they in two regions of one op? Each is left before another is entered.
static bool
are_in_two_regions(MlcOp *a, MlcOp *b)
{
    MlcOp *both = mlc_op_parent(a);
    while (both && !mlc_op_is_ancestor(both, b))
        both = mlc_op_parent(both);
    return both && both != b && mlc_op_interface(both, MLC_INTERFACE_REGION_BRANCH) &&
           region_around(both, a) != region_around(both, b);
}

// What `value` grows out of, in the same buffer or as a part of it: the operand that the op which
// makes it cuts, or writes, or begins its iterations with. NULL: nothing.
static MlcValue *
grown_from(Bufferization *bufferizer, MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    if (!op)
        op = mlc_block_parent(mlc_value_block(value));
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    bool whole;
    for (size_t i = 0; methods && methods->alias && i < mlc_op_num_operands(op); i++) {
        if (!mlc_value_is_tensor(mlc_op_operand(op, i)))
            continue;
        MlcValue *alias = methods->alias(op, i, &whole);
        if (alias && (alias == value || bufferize_same(bufferizer, alias, value)))
            return mlc_op_operand(op, i);
    }
    return NULL;
}

// `insert` puts a part into `dest`: does `value` grow out of that part, cut from `dest`?
static bool
grows_from_part(Bufferization *bufferizer, MlcOp *insert, MlcValue *dest, MlcValue *value)
{
    const MlcBufferize *methods = mlc_bufferize_methods(insert);
    for (; value && value != dest; value = grown_from(bufferizer, value)) {
        MlcOp *extract = mlc_value_def(value);
        if (extract && methods->inserts_what(insert, extract) &&
            bufferize_same(bufferizer, mlc_op_operand(extract, 0), dest))
            return true;
    }
    return false;
}

// Is the operand the destination of an op that puts a part into it?
static bool
is_inserted_into(MlcUse *use)
{
    const MlcBufferize *methods = mlc_bufferize_methods(mlc_use_owner(use));
    return methods && methods->inserts_what && mlc_use_index(use) == DEST;
}

// `read` is by an op that puts a part into the tensor: does `write` stay within that part, which
// was cut from the same tensor? Then what it overwrites is not wanted.
static bool
overwrites_unwanted(Bufferization *bufferizer, MlcUse *read, MlcUse *write)
{
    return is_inserted_into(read) && grows_from_part(bufferizer, mlc_use_owner(read),
                                                     mlc_use_value(read), mlc_use_value(write));
}

// Does `write` put back what `value` shows, where it was cut from? If that is there still, nothing
// changes, and if it has a buffer of its own, that one does not change.
static bool
puts_back_what(Bufferization *bufferizer, MlcUse *write, MlcValue *value)
{
    MlcValue *part = mlc_op_operand(mlc_use_owner(write), SOURCE);
    return is_inserted_into(write) && mlc_value_is_tensor(part) && viewed(part) == value &&
           grows_from_part(bufferizer, mlc_use_owner(write), mlc_use_value(write), part);
}

// One op reads and writes the tensor, element by element?
static bool
reads_before_it_writes(Bufferization *bufferizer, MlcUse *read, MlcUse *write)
{
    MlcOp *op = mlc_use_owner(write);
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    return op == mlc_use_owner(read) && methods->in_step &&
           bufferize_same(bufferizer, mlc_use_value(read), mlc_use_value(write)) &&
           methods->in_step(op, mlc_use_index(read), mlc_use_index(write));
}

bool
bufferize_use_reads(MlcUse *use)
{
    const MlcBufferize *methods = mlc_bufferize_methods(mlc_use_owner(use));
    return !methods || !methods->reads || methods->reads(mlc_use_owner(use), mlc_use_index(use));
}

static bool
conflicts(Bufferization *bufferizer, MlcUse *write, MlcUse *read)
{
    MlcOp *writer = mlc_use_owner(write), *reader = mlc_use_owner(read);
    MlcValue *alias = viewed(mlc_use_value(read));
    if (comes_from(alias, writer))
        return false;
    if (is_in_loop_without(writer, reader, alias))
        return true;
    if (read == write)
        return false;
    if (reader != writer && !mlc_op_is_ancestor(writer, reader) &&
        (mlc_op_is_ancestor(reader, writer) || runs_before(reader, writer) ||
         are_in_two_regions(reader, writer)))
        return false;
    return !overwrites_unwanted(bufferizer, read, write) &&
           !puts_back_what(bufferizer, write, alias) &&
           !reads_before_it_writes(bufferizer, read, write);
}

// May an argument of the function be written? It may say so itself.
static bool
is_writable_argument(Bufferization *bufferizer, MlcValue *arg)
{
    const MlcFunction *methods = mlc_op_interface(bufferizer->function, MLC_INTERFACE_FUNCTION);
    MlcAttr all = mlc_op_slot(bufferizer->function, methods->arg_attrs_slot),
            own = all ? mlc_array_attr_element(all, mlc_value_index(arg)) : NULL,
            says = mlc_dict_attr_find(own, mlc_str(MLC_WRITABLE));
    return bufferizer->writes_arguments && (!says || mlc_attr_as_bool(says));
}

// Memory that belongs to others: arguments of the function, constants, and buffers of others.
static bool
is_writable(Bufferization *bufferizer, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (!def)
        return mlc_block_parent(mlc_value_block(value)) != bufferizer->function ||
               is_writable_argument(bufferizer, value);
    if (mlc_bufferization_to_tensor_isa(def))
        return mlc_bufferization_to_tensor_writable(def) != NULL;
    return mlc_bufferize_methods(def) && !mlc_op_has_trait(def, MLC_TRAIT_CONSTANT_LIKE);
}

bool
bufferize_is_writable(Bufferization *bufferizer, MlcValue *value)
{
    return class_of(bufferizer, value)->all.is_writable;
}

// Is a loop around `op`, whose iterations may run at once, that does not make `value`? Each
// iteration would write the same buffer.
static bool
is_shared_by_iterations(MlcOp *op, MlcValue *value)
{
    for (MlcOp *loop = mlc_op_parent(op); loop && !mlc_value_is_inside(value, loop);
         loop = mlc_op_parent(loop)) {
        const MlcLoop *methods = mlc_op_interface(loop, MLC_INTERFACE_LOOP);
        if (methods && methods->is_parallel(loop))
            return true;
    }
    return false;
}

static bool
is_free_to_write(Bufferization *bufferizer, MlcUse *write)
{
    MlcOp *op = mlc_use_owner(write);
    for (size_t i = 0; i < mlc_op_num_operands(op); i++) // another result of the op
        if (mlc_value_is_tensor(mlc_op_operand(op, i)) &&
            mlc_map_has(&bufferizer->base.in_place, mlc_op_operand_use(op, i)) &&
            bufferize_may_share(bufferizer, mlc_op_operand(op, i), mlc_use_value(write)))
            return false;
    return bufferize_is_writable(bufferizer, mlc_use_value(write)) &&
           (bufferizer->ignores_parallel ||
            !is_shared_by_iterations(op, viewed(mlc_use_value(write))));
}

// Is something to be decided for the operand? A view has its source's buffer in any case.
static bool
is_decided(MlcOp *op, const MlcBufferize *methods, size_t i)
{
    bool whole;
    return (methods->writes && methods->writes(op, i)) ||
           mlc_op_interface(op, MLC_INTERFACE_CALL) ||
           (methods->reads(op, i) && methods->alias && methods->alias(op, i, &whole));
}

// --- where tensors matter

typedef struct Place {
    uint32_t first, last; // of the op, and of what is inside
} Place;

static Place
place_of(Bufferization *bufferizer, MlcOp *op)
{
    uint64_t packed = 0;
    mlc_map_get_u64(&bufferizer->places, (uint64_t)(uintptr_t)op, &packed);
    return (Place){(uint32_t)(packed >> 32), (uint32_t)packed};
}

// Numbers the ops of the function in program order.
static void
place_ops(Bufferization *bufferizer, const MlcOpVec *ops)
{
    for (size_t n = ops->size; n-- > 0;) {
        uint32_t last = (uint32_t)n;
        MLC_FOR_EACH_BLOCK_IN_OP (block, ops->data[n])
            if (mlc_block_last(block))
                last = most(last, place_of(bufferizer, mlc_block_last(block)).last);
        mlc_map_set_u64(&bufferizer->places, (uint64_t)(uintptr_t)ops->data[n],
                        (uint64_t)n << 32 | last);
    }
}

// The last place at which what the op of `use` does with `made`'s contents can come after a write:
// its own, or the end of the outermost loop around it which does not make them anew.
static uint32_t
last_place(Bufferization *bufferizer, MlcUse *use, MlcValue *made)
{
    uint32_t last = place_of(bufferizer, mlc_use_owner(use)).first;
    for (MlcOp *loop = mlc_op_parent(mlc_use_owner(use));
         loop && loop != bufferizer->function && !mlc_value_is_inside(made, loop);
         loop = mlc_op_parent(loop))
        if (may_repeat(loop))
            last = place_of(bufferizer, loop).last;
    return last;
}

static bool
has_twin(MlcUse *use)
{
    MlcOp *op = mlc_use_owner(use);
    size_t written = 0;
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    for (size_t i = 0; methods && i < mlc_op_num_operands(op); i++)
        written += mlc_value_is_tensor(mlc_op_operand(op, i)) && is_decided(op, methods, i);
    return written > 1;
}

static AliasSpan
span_of(Bufferization *bufferizer, MlcValue *value)
{
    MlcValue *made = viewed(value);
    MlcOp *def = mlc_value_def(made);
    if (!def)
        def = mlc_block_parent(mlc_value_block(made));
    AliasSpan span = {.first = place_of(bufferizer, def).first,
                      .first_write = UINT32_MAX,
                      .is_writable = is_writable(bufferizer, value)};
    if (def == bufferizer->function)
        span.first = 0;
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *op = mlc_use_owner(use);
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        uint32_t at = place_of(bufferizer, op).first;
        if (bufferize_use_reads(use))
            span.last = most(span.last, last_place(bufferizer, use, made));
        if (methods && is_decided(op, methods, mlc_use_index(use))) {
            span.first_write = least(span.first_write, at);
            span.last_write = most(span.last_write, at);
            span.has_twin = span.has_twin || has_twin(use);
        }
    }
    return span;
}

// Is there a read of a tensor that may share `value`'s buffer, which wants what was there before
// `write`?
static bool
overwrites(Bufferization *bufferizer, MlcUse *write, MlcValue *value)
{
    const AliasClass *c = class_of(bufferizer, value);
    uint32_t at = place_of(bufferizer, mlc_use_owner(write)).first;
    for (size_t i = 0; (i = alias_class_next(c, i, ALIAS_READ, at, at)) < c->members.size; i++)
        MLC_FOR_EACH_USE (use, c->members.data[i])
            if (bufferize_use_reads(use) && conflicts(bufferizer, write, use))
                return true;
    return false;
}

static bool
is_write_in_place(Bufferization *bufferizer, MlcUse *use)
{
    const MlcBufferize *methods = mlc_bufferize_methods(mlc_use_owner(use));
    return mlc_map_has(&bufferizer->base.in_place, use) && methods->writes &&
           methods->writes(mlc_use_owner(use), mlc_use_index(use));
}

// Is there a write in place, decided before, through a tensor that may share `written`'s buffer,
// and a read of one that may share `read`'s, which wants what was there before?
static bool
spoils(Bufferization *bufferizer, MlcValue *written, MlcValue *read)
{
    const AliasClass *targets = class_of(bufferizer, written),
                     *sources = class_of(bufferizer, read);
    uint32_t from = targets->all.first_write, to = targets->all.last_write;
    MLC_VEC(MlcUse *) reads = {0};
    uint32_t first = UINT32_MAX, last = 0;
    for (size_t i = 0;
         (i = alias_class_next(sources, i, ALIAS_READ, from, to)) < sources->members.size; i++) {
        first = least(first, sources->spans.data[i].first);
        last = most(last, sources->spans.data[i].last);
        MLC_FOR_EACH_USE (use, sources->members.data[i])
            if (bufferize_use_reads(use))
                mlc_vec_push(&reads, use);
    }
    bool found = false;
    for (size_t i = 0;
         !found && reads.size > 0 &&
         (i = alias_class_next(targets, i, ALIAS_WRITTEN, first, last)) < targets->members.size;
         i++)
        MLC_FOR_EACH_USE (write, targets->members.data[i])
            for (size_t k = 0; is_write_in_place(bufferizer, write) && k < reads.size; k++)
                found = found || conflicts(bufferizer, write, reads.data[k]);
    mlc_vec_release(&reads);
    return found;
}

// Does one op write both in place, or would with `write`? Then each result needs a buffer.
static bool
are_written_by_one(Bufferization *bufferizer, MlcUse *write, MlcValue *a, MlcValue *b)
{
    const AliasClass *c = class_of(bufferizer, a);
    for (size_t i = 0; (i = alias_class_next(c, i, ALIAS_TWIN, 0, 0)) < c->members.size; i++) {
        MLC_FOR_EACH_USE (use, c->members.data[i]) {
            MlcOp *op = mlc_use_owner(use);
            if (use != write && !mlc_map_has(&bufferizer->base.in_place, use))
                continue;
            for (size_t k = 0; k < mlc_op_num_operands(op); k++)
                if (mlc_op_operand_use(op, k) != use &&
                    mlc_map_has(&bufferizer->base.in_place, mlc_op_operand_use(op, k)) &&
                    bufferize_may_share(bufferizer, mlc_op_operand(op, k), b))
                    return true;
        }
    }
    return false;
}

// Is the memory of `value` written in place, as was decided before?
static bool
is_written(Bufferization *bufferizer, MlcValue *value)
{
    const MlcValueVec *aliases = bufferize_aliases(bufferizer, value);
    for (size_t i = 0; i < aliases->size; i++)
        MLC_FOR_EACH_USE (use, aliases->data[i])
            if (is_write_in_place(bufferizer, use))
                return true;
    return false;
}

// May a tensor and one that is cut from it, or is it, have one buffer? Else the latter is copied.
static bool
can_share(Bufferization *bufferizer, MlcValue *value, MlcValue *alias)
{
    return bufferize_may_share(bufferizer, alias, value) ||
           (!spoils(bufferizer, value, alias) && !spoils(bufferizer, alias, value) &&
            (bufferize_is_writable(bufferizer, value) || !is_written(bufferizer, alias)) &&
            (bufferize_is_writable(bufferizer, alias) || !is_written(bufferizer, value)));
}

static void
decide(Bufferization *bufferizer, MlcOp *op, const MlcBufferize *methods, size_t i)
{
    MlcUse *use = mlc_op_operand_use(op, i);
    bool whole = true;
    MlcValue *alias = methods->alias ? methods->alias(op, i, &whole) : NULL;
    if (mlc_map_has(&bufferizer->base.in_place, use))
        return;
    if (methods->writes && methods->writes(op, i)) {
        MlcValue *value = mlc_use_value(use);
        if ((bufferizer->copies_first && mlc_op_num_results(op) > 0) ||
            !is_free_to_write(bufferizer, use) || overwrites(bufferizer, use, value))
            return;
        // In place, the result shares the operand's buffer with what others write and read there.
        if (alias && !bufferize_may_share(bufferizer, alias, value) &&
            (overwrites(bufferizer, use, alias) || spoils(bufferizer, value, alias) ||
             spoils(bufferizer, alias, value) || are_written_by_one(bufferizer, use, value, alias)))
            return;
        mlc_map_set(&bufferizer->base.in_place, use, use);
    } else if (alias && is_decided(op, methods, i)) {
        // A view that may be copied, as what a function gives back.
        if (!can_share(bufferizer, mlc_use_value(use), alias))
            return;
        mlc_map_set(&bufferizer->base.in_place, use, use);
    }
    if (alias)
        bufferize_unite(bufferizer, mlc_use_value(use), alias, whole);
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

// The views that are each buffer, as lists: `first` of one, and the one behind each; none: NONE.
typedef struct SameLists {
    MLC_VEC(uint32_t) first, next;
} SameLists;
static const uint32_t NONE = UINT32_MAX;

static bool
is_put_back(Bufferization *bufferizer, const SameLists *lists, MlcOp *insert,
            const MlcBufferize *methods)
{
    MlcValue *source = mlc_op_operand(insert, SOURCE), *dest = mlc_op_operand(insert, DEST);
    uint32_t n = find(bufferizer->same.data, number_of(bufferizer, source));
    for (n = lists->first.data[n]; n != NONE; n = lists->next.data[n]) {
        MlcOp *extract = mlc_value_def(bufferizer->values.data[n]);
        if (extract && methods->inserts_what(insert, extract) &&
            bufferize_same(bufferizer, mlc_op_operand(extract, 0), dest))
            return true;
    }
    return false;
}

// Asked before anything is rewritten: bodies of loops lose their tensor ops while their users are
// still to come.
static void
find_put_back(Bufferization *bufferizer, const MlcOpVec *ops)
{
    SameLists lists = {0};
    size_t n = bufferizer->values.size;
    mlc_vec_reserve(&lists.first, n);
    mlc_vec_reserve(&lists.next, n);
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&lists.first, NONE);
    for (size_t i = 0; i < n; i++) {
        uint32_t *first = &lists.first.data[find(bufferizer->same.data, (uint32_t)i)];
        mlc_vec_push(&lists.next, *first);
        if (viewed(bufferizer->values.data[i]) != bufferizer->values.data[i])
            *first = (uint32_t)i;
    }
    for (size_t i = 0; i < ops->size; i++) {
        const MlcBufferize *methods = mlc_bufferize_methods(ops->data[i]);
        if (methods && methods->inserts_what &&
            is_put_back(bufferizer, &lists, ops->data[i], methods))
            mlc_map_add(&bufferizer->base.put_back, ops->data[i]);
    }
    mlc_vec_release(&lists.first);
    mlc_vec_release(&lists.next);
}

static void
reverse(MlcOpVec *ops)
{
    for (size_t i = 0; i < ops->size / 2; i++) {
        MlcOp *op = ops->data[i];
        ops->data[i] = ops->data[ops->size - 1 - i];
        ops->data[ops->size - 1 - i] = op;
    }
}

// Ends of regions, what makes their tensors, what makes those of that, and so on; then the rest.
static void
from_terminators(const MlcOpVec *bottom_up, MlcOpVec *out)
{
    MlcMap seen;
    mlc_map_init(&seen);
    for (size_t n = 0; n < bottom_up->size; n++)
        if (mlc_op_has_trait(bottom_up->data[n], MLC_TRAIT_TERMINATOR) &&
            mlc_map_add(&seen, bottom_up->data[n]))
            mlc_vec_push(out, bottom_up->data[n]);
    for (size_t n = 0; n < out->size; n++)
        MLC_FOR_EACH_OPERAND (value, out->data[n]) {
            MlcOp *def = mlc_value_def(value);
            if (def && mlc_value_is_tensor(value) && mlc_map_add(&seen, def))
                mlc_vec_push(out, def);
        }
    for (size_t n = 0; n < bottom_up->size; n++)
        if (mlc_map_add(&seen, bottom_up->data[n]))
            mlc_vec_push(out, bottom_up->data[n]);
    mlc_map_release(&seen);
}

// The ops, from top to bottom, in the order in which their writes are decided.
static void
put_in_order(const Bufferization *bufferizer, MlcOpVec *ops)
{
    if (bufferizer->order == BUFFERIZE_TOP_DOWN)
        return;
    reverse(ops);
    if (bufferizer->order == BUFFERIZE_FROM_TERMINATORS) {
        MlcOpVec ordered = {0};
        from_terminators(ops, &ordered);
        mlc_vec_release(ops);
        *ops = ordered;
    }
    uint64_t random = bufferizer->seed;
    for (size_t i = ops->size; bufferizer->order == BUFFERIZE_SHUFFLED && i > 1; i--) {
        random = mlc_hash_u64(random + i);
        size_t k = random % i;
        MlcOp *op = ops->data[i - 1];
        ops->data[i - 1] = ops->data[k];
        ops->data[k] = op;
    }
}

static bool
same(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b)
{
    return bufferize_same((Bufferization *)bufferizer, a, b);
}

static bool
may_share(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b)
{
    return bufferize_may_share((Bufferization *)bufferizer, a, b);
}

static void
unite(MlcBufferizer *bufferizer, MlcValue *a, MlcValue *b, bool whole)
{
    bufferize_unite((Bufferization *)bufferizer, a, b, whole);
}

void
bufferize_init(Bufferization *bufferizer, MlcOp *function)
{
    *bufferizer = (Bufferization){.base = {.same = same, .may_share = may_share, .unite = unite},
                                  .function = function};
}

static void
hand_on(Bufferization *bufferizer, MlcOp *op)
{
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    if (methods && methods->hand_on)
        methods->hand_on(op, &bufferizer->base);
}

// Only one of its regions runs, once.
static bool
is_choice(MlcOp *op)
{
    const MlcRegionBranch *branch = mlc_op_interface(op, MLC_INTERFACE_REGION_BRANCH);
    return branch && branch->at_most_once;
}

// What an op that stays on tensors gives, to its regions too, may be what it gets.
static void
unite_of_unknown(Bufferization *bufferizer, MlcOp *op)
{
    MlcValueVec all = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        mlc_vec_push(&all, value);
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_vec_push(&all, mlc_op_result(op, i));
    MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
        for (size_t i = 0; i < mlc_block_num_args(block); i++)
            mlc_vec_push(&all, mlc_block_arg(block, i));
        MlcOp *last = mlc_block_last(block);
        for (size_t i = 0; last && i < mlc_op_num_operands(last); i++)
            mlc_vec_push(&all, mlc_op_operand(last, i));
    }
    MlcValue *first = NULL;
    for (size_t i = 0; i < all.size; i++) {
        if (!mlc_value_is_tensor(all.data[i]))
            continue;
        if (first)
            bufferize_unite(bufferizer, first, all.data[i], false);
        first = all.data[i];
    }
    mlc_vec_release(&all);
}

// Views first, whoever reads them: a slice shares its source's buffer in any case. Then the parts
// that iterations contribute, which cannot be put aside. Then choices between tensors: they may
// copy, so what they may share keeps nobody from that.
static void
decide_what_must_be(Bufferization *bufferizer, const MlcOpVec *ops)
{
    for (size_t n = 0; n < ops->size; n++) {
        MlcOp *op = ops->data[n];
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        if (!is_choice(op))
            hand_on(bufferizer, op);
        if (!methods && mlc_op_attr(op, MLC_STAYS_ON_TENSORS))
            unite_of_unknown(bufferizer, op);
        for (size_t i = 0; methods && i < mlc_op_num_operands(op); i++)
            if (mlc_value_is_tensor(mlc_op_operand(op, i)) && !is_decided(op, methods, i))
                decide(bufferizer, op, methods, i);
    }
    for (size_t n = ops->size; n-- > 0;) {
        const MlcBufferize *methods = mlc_bufferize_methods(ops->data[n]);
        if (methods && methods->inserts_what && mlc_op_num_results(ops->data[n]) == 0)
            decide(bufferizer, ops->data[n], methods, DEST);
    }
    for (size_t n = 0; n < ops->size; n++)
        if (is_choice(ops->data[n]))
            hand_on(bufferizer, ops->data[n]);
}

void
bufferize_analyze(Bufferization *bufferizer)
{
    MlcOpVec ops = {0}, ordered = {0};
    MLC_FOR_EACH_PREORDER (op, bufferizer->function) {
        mlc_vec_push(&ops, op);
        number_values(bufferizer, op);
    }
    place_ops(bufferizer, &ops);
    for (size_t i = 0; i < bufferizer->values.size; i++) {
        AliasClass *alone = &bufferizer->classes.data[i];
        alone->all = alone->spans.data[0] = span_of(bufferizer, bufferizer->values.data[i]);
    }
    decide_what_must_be(bufferizer, &ops);
    for (size_t n = 0; n < ops.size; n++)
        mlc_vec_push(&ordered, ops.data[n]);
    put_in_order(bufferizer, &ordered);
    for (size_t n = 0; n < ordered.size; n++) {
        MlcOp *op = ordered.data[n];
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        hand_on(bufferizer, op);
        for (size_t i = 0; methods && i < mlc_op_num_operands(op); i++)
            if (mlc_value_is_tensor(mlc_op_operand(op, i)) && is_decided(op, methods, i))
                decide(bufferizer, op, methods, i);
    }
    find_put_back(bufferizer, &ops);
    mlc_vec_release(&ops);
    mlc_vec_release(&ordered);
}

void
bufferize_release(Bufferization *bufferizer)
{
    for (size_t i = 0; i < bufferizer->classes.size; i++)
        alias_class_release(&bufferizer->classes.data[i]);
    mlc_vec_release(&bufferizer->classes);
    mlc_map_release(&bufferizer->places);
    mlc_vec_release(&bufferizer->values);
    mlc_vec_release(&bufferizer->alias);
    mlc_vec_release(&bufferizer->same);
    mlc_map_release(&bufferizer->numbers);
    mlc_map_release(&bufferizer->base.in_place);
    mlc_map_release(&bufferizer->base.put_back);
    mlc_map_release(&bufferizer->base.buffers);
    mlc_map_release(&bufferizer->base.chosen);
}
