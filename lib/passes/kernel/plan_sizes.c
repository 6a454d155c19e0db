// plan_sizes.c -- see plan_sizes.h.
//
// The model function finds sizes from its inputs by memref.dim and arith. Here each of them becomes
// a text (mlc/dialects/graph_sizes.h), and a number that the runtime computes whenever shapes
// change and passes in one more argument, `%sizes`: first the sizes, then the offset of each
// buffer, which the runtime finds for the shapes at hand. `mlc.shapes` of the module tells it how:
//   sizes    the texts
//   steps    of each, how it is computed: pairs of a kind and a number (MlcRtStepKind)
//   symbols  the names that steps push
//   buffers  array<i64: size that is its bytes, first, last, output> each; alive from first to
//            last; the memory of an output, counted from 1, where that is not 0
//   inputs, outputs  a list for each: the size that each dimension is, -1 where its type has it
//   checks   [size, size, where] each: two that must be equal
//   caches   array<i64: input, output, dimension, and the sizes past, present, room> each
//            (graph-grow-caches); absent: none
// Sizes that the function computes itself (`mlc.computed_sizes`, outline-kernels) are
// among the sizes. What follows from them is read behind the call that sets them; so are outputs of
// such sizes, whose memory the runtime has then, at an offset as buffers have.
#include "plan_sizes.h"

#include "kernel_arguments.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph_sizes.h"
#include "mlc/dialects/memref.h"
#include "mlc/runtime/abi.h"

static_assert((int)MLC_SIZE_STEP_NAME == MLC_RT_STEP_SYMBOL &&
                  (int)MLC_SIZE_STEP_OP == MLC_RT_STEP_OPERATION &&
                  (int)MLC_SIZE_ADD == MLC_RT_ADD && (int)MLC_SIZE_SUB == MLC_RT_SUB &&
                  (int)MLC_SIZE_MUL == MLC_RT_MUL && (int)MLC_SIZE_FLOORDIV == MLC_RT_FLOORDIV &&
                  (int)MLC_SIZE_MAX == MLC_RT_MAX && (int)MLC_SIZE_MIN == MLC_RT_MIN,
              "steps are what the runtime takes them for");

typedef MLC_VEC(MlcAttr) AttrVec;
typedef MLC_VEC(int64_t) IntVec;

struct MlcSizePlan {
    MlcOp *module, *function;
    MlcContext *ctx;
    AttrVec sizes;   // texts, each once
    AttrVec symbols; // names
    MlcMap texts;    // value of the function -> its text
    AttrVec inputs, outputs, dims;
    IntVec buffer_bytes; // per buffer: the number of the size
    IntVec late;         // outputs of computed sizes: arguments, counted from the first input
    size_t num_inputs;
    MlcAttr checks, caches;
    MlcMap loaded; // text -> value
    MlcValue *table;
};

// ---- texts

static int64_t
number_of(MlcSizePlan *p, MlcAttr text)
{
    for (size_t i = 0; i < p->sizes.size; i++)
        if (p->sizes.data[i] == text)
            return (int64_t)i;
    mlc_vec_push(&p->sizes, text);
    return (int64_t)p->sizes.size - 1;
}

static MlcAttr
dim_of_argument(const MlcSizePlan *p, MlcValue *value, int64_t dim)
{
    MlcAttr list = mlc_value_def(value) ? NULL : p->dims.data[mlc_value_index(value)];
    if (!list || dim < 0 || (size_t)dim >= mlc_array_attr_size(list))
        return NULL;
    MlcAttr text = mlc_array_attr_element(list, (size_t)dim);
    return mlc_string_attr_value(text).size ? text : NULL;
}

// The last op that sets a size in the text; NULL: all of it follows from the inputs.
static MlcOp *
setter_of(MlcSizePlan *p, MlcAttr text)
{
    MlcSizeSteps steps = {0};
    MlcOp *last = NULL;
    bool ok = mlc_op_attr(p->module, MLC_COMPUTED_SIZES) &&
              mlc_size_steps(mlc_string_attr_value(text), &steps);
    for (size_t i = 0; ok && i < steps.size; i++) {
        bool is_name = steps.data[i].kind == MLC_SIZE_STEP_NAME;
        MlcOp *setter =
            is_name ? mlc_size_setter(p->function, mlc_size_named(p->ctx, steps.data[i].name))
                    : NULL;
        if (setter && (!last || mlc_op_is_before(last, setter)))
            last = setter;
    }
    mlc_vec_release(&steps);
    return last;
}

static bool
size_op(const MlcOp *op, MlcSizeOp *kind)
{
    const struct {
        bool is;
        MlcSizeOp kind;
    } ops[] = {
        {mlc_arith_addi_isa(op), MLC_SIZE_ADD},  {mlc_arith_subi_isa(op), MLC_SIZE_SUB},
        {mlc_arith_muli_isa(op), MLC_SIZE_MUL},  {mlc_arith_floordivsi_isa(op), MLC_SIZE_FLOORDIV},
        {mlc_arith_maxsi_isa(op), MLC_SIZE_MAX}, {mlc_arith_minsi_isa(op), MLC_SIZE_MIN}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i].is)
            return *kind = ops[i].kind, true;
    return false;
}

static MlcAttr
text_of(MlcSizePlan *p, MlcValue *value)
{
    int64_t number;
    MlcAttr constant = mlc_value_constant(value);
    if (constant && mlc_attr_try_as_int(constant, &number))
        return mlc_size_number(p->ctx, number);
    return mlc_map_get(&p->texts, value);
}

// Ops stand behind what they read, so one walk finds all.
static void
find_texts(MlcSizePlan *p, MlcBlock *body)
{
    MLC_FOR_EACH_OP (op, body) {
        MlcSizeOp kind;
        int64_t dim;
        MlcAttr text = NULL, index;
        if (mlc_memref_dim_isa(op)) {
            index = mlc_value_constant(mlc_op_operand(op, 1));
            if (index && mlc_attr_try_as_int(index, &dim))
                text = dim_of_argument(p, mlc_op_operand(op, 0), dim);
        } else if (mlc_op_attr(op, MLC_SIZE_ATTR) && mlc_op_num_results(op) == 1) {
            text = mlc_op_attr(op, MLC_SIZE_ATTR);
        } else if (size_op(op, &kind)) {
            text = mlc_size_combine(kind, text_of(p, mlc_op_operand(op, 0)),
                                    text_of(p, mlc_op_operand(op, 1)));
        }
        if (text)
            mlc_map_set(&p->texts, mlc_op_result(op, 0), (void *)text);
    }
}

// Bytes of a buffer; NULL: its sizes do not follow from the inputs'.
static MlcAttr
bytes_of(MlcSizePlan *p, MlcOp *alloc)
{
    MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
    int64_t element = (mlc_type_bit_width(mlc_type_element(type)) + 7) / 8;
    MlcAttr bytes = mlc_size_number(p->ctx, element);
    for (size_t i = 0, next = 0; i < mlc_type_rank(type); i++)
        bytes = mlc_size_combine(MLC_SIZE_MUL, bytes,
                                 mlc_type_dim(type, i) == MLC_DYNAMIC
                                     ? text_of(p, mlc_op_operand(alloc, next++))
                                     : mlc_size_number(p->ctx, mlc_type_dim(type, i)));
    return bytes;
}

// ---- what the module says

static int64_t
symbol_number(MlcSizePlan *p, MlcStr name)
{
    MlcAttr attr = mlc_string_attr_get(p->ctx, name);
    for (size_t i = 0; i < p->symbols.size; i++)
        if (p->symbols.data[i] == attr)
            return (int64_t)i;
    mlc_vec_push(&p->symbols, attr);
    return (int64_t)p->symbols.size - 1;
}

// Those that the function computes are sizes in any case: the runtime knows them by that.
static void
add_computed(MlcSizePlan *p)
{
    MlcAttr names = mlc_op_attr(p->module, MLC_COMPUTED_SIZES);
    for (size_t i = 0; names && i < mlc_array_attr_size(names); i++)
        number_of(p, mlc_array_attr_element(names, i));
}

static MlcAttr
steps_of(MlcSizePlan *p, MlcAttr text)
{
    MlcSizeSteps steps = {0};
    IntVec pairs = {0};
    bool ok = mlc_size_steps(mlc_string_attr_value(text), &steps);
    for (size_t i = 0; ok && i < steps.size; i++) {
        const MlcSizeStep *step = &steps.data[i];
        bool is_name = step->kind == MLC_SIZE_STEP_NAME;
        mlc_vec_push(&pairs, (int64_t)step->kind);
        mlc_vec_push(&pairs, is_name ? symbol_number(p, step->name) : step->number);
    }
    MlcAttr list = mlc_i64_array_attr_get(p->ctx, pairs.data, pairs.size);
    mlc_vec_release(&steps);
    mlc_vec_release(&pairs);
    return list;
}

// The sizes of an input's or output's dimensions.
static MlcAttr
sizes_of(MlcSizePlan *p, MlcType type, MlcAttr dims)
{
    IntVec numbers = {0};
    for (size_t i = 0; i < mlc_type_rank(type); i++) {
        MlcAttr text = dims ? mlc_array_attr_element(dims, i) : NULL;
        bool has_text =
            mlc_type_dim(type, i) == MLC_DYNAMIC && text && mlc_string_attr_value(text).size > 0;
        mlc_vec_push(&numbers, has_text ? number_of(p, text) : -1);
    }
    MlcAttr list = mlc_i64_array_attr_get(p->ctx, numbers.data, numbers.size);
    mlc_vec_release(&numbers);
    return list;
}

static MlcAttr
member(MlcAttr dict, const char *name)
{
    return mlc_dict_attr_find(dict, mlc_str(name));
}

// The sizes that the module's list `name` leaves open; whether there are any.
static bool
take_interface(MlcSizePlan *p, const char *name, AttrVec *lists)
{
    MlcAttr list = mlc_op_attr(p->module, name);
    bool any = false;
    for (size_t i = 0; i < mlc_array_attr_size(list); i++) {
        MlcAttr entry = mlc_array_attr_element(list, i);
        MlcType type = mlc_type_attr_value(member(entry, "type"));
        any |= member(entry, "dims") != NULL;
        mlc_vec_push(lists, sizes_of(p, type, member(entry, "dims")));
        mlc_vec_push(&p->dims, member(entry, "dims"));
    }
    return any;
}

static MlcAttr
list_of(MlcSizePlan *p, const AttrVec *list)
{
    return mlc_array_attr_get(p->ctx, list->data, list->size);
}

// `mlc.checks` of the function, [text, text, where] each: the texts become numbers.
static MlcAttr
checks_of(MlcSizePlan *p)
{
    MlcAttr list = mlc_op_attr(p->function, "mlc.checks");
    AttrVec made = {0};
    for (size_t i = 0; list && i < mlc_array_attr_size(list); i++) {
        MlcAttr check = mlc_array_attr_element(list, i), row[3];
        for (size_t k = 0; k < 2; k++)
            row[k] = mlc_i64_attr_get(p->ctx, number_of(p, mlc_array_attr_element(check, k)));
        row[2] = mlc_array_attr_element(check, 2);
        mlc_vec_push(&made, mlc_array_attr_get(p->ctx, row, 3));
    }
    MlcAttr checks = list_of(p, &made);
    mlc_vec_release(&made);
    mlc_op_set_attr(p->function, "mlc.checks", NULL);
    return checks;
}

// `mlc.caches` of the function: the texts become numbers.
static MlcAttr
caches_of(MlcSizePlan *p)
{
    MlcAttr list = mlc_op_attr(p->function, "mlc.caches");
    AttrVec made = {0};
    for (size_t i = 0; list && i < mlc_array_attr_size(list); i++) {
        MlcAttr cache = mlc_array_attr_element(list, i);
        int64_t row[6];
        for (size_t k = 0; k < 6; k++) {
            MlcAttr entry = mlc_array_attr_element(cache, k);
            row[k] = k < 3 ? mlc_attr_as_int(entry) : number_of(p, entry);
        }
        mlc_vec_push(&made, mlc_i64_array_attr_get(p->ctx, row, 6));
    }
    MlcAttr caches = list_of(p, &made);
    mlc_vec_release(&made);
    mlc_op_set_attr(p->function, "mlc.caches", NULL);
    return caches;
}

static void
tell_shapes(MlcSizePlan *p, const MlcBufferPlaces *buffers)
{
    AttrVec steps = {0}, rows = {0};
    for (size_t i = 0; i < p->sizes.size; i++)
        mlc_vec_push(&steps, steps_of(p, p->sizes.data[i]));
    for (size_t i = 0; i < buffers->size; i++) {
        const MlcBufferPlace *buffer = &buffers->data[i];
        int64_t row[] = {p->buffer_bytes.data[i], (int64_t)buffer->first, (int64_t)buffer->last, 0};
        mlc_vec_push(&rows, mlc_i64_array_attr_get(p->ctx, row, 4));
    }
    for (size_t i = 0; i < p->late.size; i++) {
        int64_t row[] = {0, 0, 0, p->late.data[i] - (int64_t)p->num_inputs + 1};
        mlc_vec_push(&rows, mlc_i64_array_attr_get(p->ctx, row, 4));
    }
    MlcNamedAttr entries[] = {
        mlc_named(p->ctx, "sizes", list_of(p, &p->sizes)),
        mlc_named(p->ctx, "steps", list_of(p, &steps)),
        mlc_named(p->ctx, "symbols", list_of(p, &p->symbols)),
        mlc_named(p->ctx, "buffers", list_of(p, &rows)),
        mlc_named(p->ctx, "inputs", list_of(p, &p->inputs)),
        mlc_named(p->ctx, "outputs", list_of(p, &p->outputs)),
        mlc_named(p->ctx, "checks", p->checks),
        mlc_named(p->ctx, "caches", p->caches),
    };
    size_t count = sizeof entries / sizeof *entries - (mlc_array_attr_size(p->caches) == 0);
    mlc_op_set_attr(p->module, "mlc.shapes", mlc_dict_attr_get(p->ctx, entries, count));
    mlc_vec_release(&steps);
    mlc_vec_release(&rows);
}

// ---- the function

// Entry `i` of the table.
static MlcValue *
load_entry(MlcBuilder *b, MlcSizePlan *p, int64_t i)
{
    MlcValue *at = mlc_build_index(b, i);
    MlcValue *number = mlc_memref_load(b, p->table, &at, 1);
    return mlc_arith_index_cast(b, mlc_index_type_get(b->ctx), number);
}

// Where the function begins, or behind the call that sets it.
static MlcValue *
load_size(const MlcBuilder *start, MlcSizePlan *p, MlcAttr text)
{
    MlcValue *value = mlc_map_get(&p->loaded, text);
    MlcBuilder b = *start;
    MlcOp *setter = value ? NULL : setter_of(p, text);
    if (value)
        return value;
    if (setter)
        mlc_builder_after(&b, setter);
    value = load_entry(&b, p, number_of(p, text));
    mlc_map_set(&p->loaded, text, value);
    return value;
}

// Whether the op is a size that something else is given, not only other sizes. What sets one
// gives it.
static bool
is_wanted(const MlcSizePlan *p, MlcOp *op)
{
    if (mlc_op_num_results(op) != 1 || mlc_op_attr(op, MLC_SIZE_ATTR) ||
        !mlc_map_has(&p->texts, mlc_op_result(op, 0)))
        return false;
    MLC_FOR_EACH_USE (use, mlc_op_result(op, 0)) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_num_results(user) != 1 || !mlc_map_has(&p->texts, mlc_op_result(user, 0)))
            return true;
    }
    return false;
}

// All sizes that the body computes are read instead.
static void
read_sizes(MlcSizePlan *p, MlcBlock *body, MlcBuilder *b)
{
    MLC_FOR_EACH_OP (op, body)
        if (is_wanted(p, op))
            mlc_value_replace_uses(mlc_op_result(op, 0),
                                   load_size(b, p, mlc_map_get(&p->texts, mlc_op_result(op, 0))));
    for (MlcOp *op = mlc_block_last(body), *prev; op; op = prev) {
        prev = mlc_op_prev(op);
        if (mlc_op_num_results(op) == 1 && mlc_map_has(&p->texts, mlc_op_result(op, 0)) &&
            !mlc_op_has_uses(op) && !mlc_op_attr(op, MLC_SIZE_ATTR))
            mlc_op_erase(op);
    }
}

static bool
is_late(MlcSizePlan *p, MlcAttr dims)
{
    for (size_t i = 0; dims && i < mlc_array_attr_size(dims); i++)
        if (mlc_string_attr_value(mlc_array_attr_element(dims, i)).size &&
            setter_of(p, mlc_array_attr_element(dims, i)))
            return true;
    return false;
}

// An output of computed sizes is read from the arena's address on, behind what sets the last one.
static void
lower_late_output(MlcSizePlan *p, MlcBlock *body, MlcValue *arg, size_t entry,
                  const MlcMixedList *shape, const MlcBuilder *start)
{
    MlcBuilder b = *start;
    MlcOp *last = NULL;
    MlcValueVec dims = {0};
    for (size_t i = 0; i < shape->size; i++) {
        MlcOp *def = shape->items[i].value ? mlc_value_def(shape->items[i].value) : NULL;
        if (def && (!last || mlc_op_is_before(last, def)))
            last = def;
        if (shape->items[i].value)
            mlc_vec_push(&dims, shape->items[i].value);
    }
    if (last)
        mlc_builder_after(&b, last);
    MlcValue *offset = load_entry(&b, p, (int64_t)(p->sizes.size + entry));
    MlcType type = mlc_value_type(arg);
    MlcValue *view = mlc_memref_view(&b, type, mlc_block_arg(body, MLC_PLAN_ARENA), offset,
                                     dims.data, dims.size);
    mlc_value_replace_uses(arg, view);
    mlc_vec_release(&dims);
}

static bool
lower_arguments(MlcSizePlan *p, MlcBlock *body, size_t first, size_t num_buffers, MlcBuilder *b)
{
    size_t num_late = 0;
    for (size_t i = first; i < mlc_block_num_args(body); i++) {
        MlcType type = mlc_value_type(mlc_block_arg(body, i));
        MlcMixedList shape = {.size = mlc_type_rank(type)};
        MlcAttr dims = p->dims.data[i - first];
        if (mlc_type_has_static_shape(type))
            continue;
        for (size_t k = 0; k < shape.size; k++) {
            shape.items[k] = mlc_mixed(mlc_type_dim(type, k));
            if (mlc_type_dim(type, k) != MLC_DYNAMIC)
                continue;
            MlcAttr text = dims ? mlc_array_attr_element(dims, k) : NULL;
            if (!text || mlc_string_attr_value(text).size == 0)
                return mlc_op_unsupported(p->function, "size %zu of argument %zu is not known", k,
                                          i - first);
            shape.items[k] = mlc_mixed_of(load_size(b, p, text));
        }
        if (num_late < p->late.size && p->late.data[num_late] == (int64_t)(i - first))
            lower_late_output(p, body, mlc_block_arg(body, i), num_buffers + num_late++, &shape, b);
        mlc_argument_to_address(p->function, i, &shape);
    }
    return true;
}

static void
replace_buffers(MlcSizePlan *p, MlcBlock *body, const MlcBufferPlaces *buffers)
{
    for (size_t i = 0; i < buffers->size; i++) {
        MlcOp *alloc = buffers->data[i].alloc;
        MlcValueVec dims = {0};
        MlcBuilder b;
        mlc_builder_init(&b, p->ctx);
        mlc_builder_before(&b, alloc);
        for (size_t k = 0; k < mlc_op_num_operands(alloc); k++)
            mlc_vec_push(&dims, mlc_op_operand(alloc, k));
        MlcValue *offset = load_entry(&b, p, (int64_t)(p->sizes.size + i));
        MlcType type = mlc_value_type(mlc_op_result(alloc, 0));
        MlcValue *arena = mlc_plan_memory_for(body, type, MLC_PLAN_ARENA);
        MlcValue *view = mlc_memref_view(&b, type, arena, offset, dims.data, dims.size);
        mlc_op_replace(alloc, &view, 1);
        mlc_vec_release(&dims);
    }
}

// ---- the interface

static void
release(MlcSizePlan *p)
{
    mlc_vec_release(&p->sizes);
    mlc_vec_release(&p->symbols);
    mlc_vec_release(&p->inputs);
    mlc_vec_release(&p->outputs);
    mlc_vec_release(&p->dims);
    mlc_vec_release(&p->buffer_bytes);
    mlc_vec_release(&p->late);
    mlc_map_release(&p->texts);
    mlc_map_release(&p->loaded);
    mlc_free(p);
}

// A buffer whose bytes nobody can tell stays an allocation.
static void
drop_unknown(MlcSizePlan *p, MlcBufferPlaces *buffers)
{
    size_t kept = 0;
    for (size_t i = 0; i < buffers->size; i++) {
        MlcOp *alloc = buffers->data[i].alloc;
        MlcAttr bytes = p ? bytes_of(p, alloc) : NULL;
        if (!bytes && !mlc_type_has_static_shape(mlc_value_type(mlc_op_result(alloc, 0))))
            continue;
        if (bytes)
            mlc_vec_push(&p->buffer_bytes, number_of(p, bytes));
        buffers->data[kept++] = buffers->data[i];
    }
    buffers->size = kept;
}

MlcSizePlan *
mlc_size_plan_begin(MlcOp *module, MlcOp *function, MlcBufferPlaces *buffers)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(function, 0));
    MlcSizePlan *p = mlc_calloc(1, sizeof *p);
    *p = (MlcSizePlan){.module = module, .function = function, .ctx = mlc_op_context(module)};
    bool any = take_interface(p, "mlc.inputs", &p->inputs);
    p->num_inputs = p->dims.size;
    any |= take_interface(p, "mlc.outputs", &p->outputs);
    any |= mlc_op_attr(module, MLC_COMPUTED_SIZES) != NULL;
    if (!any) {
        release(p);
        drop_unknown(NULL, buffers);
        return NULL;
    }
    add_computed(p);
    for (size_t i = p->num_inputs; i < p->dims.size; i++)
        if (is_late(p, p->dims.data[i]))
            mlc_vec_push(&p->late, (int64_t)i);
    find_texts(p, body);
    drop_unknown(p, buffers);
    MLC_FOR_EACH_OP (op, body) // so that all have their numbers before the table has a type
        if (is_wanted(p, op))
            number_of(p, mlc_map_get(&p->texts, mlc_op_result(op, 0)));
    p->checks = checks_of(p);
    p->caches = caches_of(p);
    return p;
}

bool
mlc_size_plan_finish(MlcSizePlan *p, const MlcBufferPlaces *buffers, size_t memory_args)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(p->function, 0));
    MlcType i64 = mlc_integer_type_get(p->ctx, 64, MLC_SIGNLESS);
    int64_t entries = (int64_t)(p->sizes.size + buffers->size + p->late.size);
    MlcType table = mlc_memref_type_get(i64, &entries, 1, NULL, NULL);
    p->table = mlc_block_insert_arg(body, memory_args, table, mlc_op_loc(p->function));
    MlcBuilder b;
    mlc_builder_init(&b, p->ctx);
    mlc_builder_at_start(&b, body);
    b.loc = mlc_op_loc(p->function);
    read_sizes(p, body, &b);
    bool ok = lower_arguments(p, body, memory_args + 1, buffers->size, &b);
    if (ok) {
        replace_buffers(p, body, buffers);
        tell_shapes(p, buffers);
    }
    release(p);
    return ok;
}
