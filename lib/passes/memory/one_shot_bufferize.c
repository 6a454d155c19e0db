// one_shot_bufferize.c -- tensors become buffers under MLIR's name and by its calling convention:
// functions return buffers, and write their arguments in place.
//
// Decisions and rewriting are those of `bufferize`, but for what functions say to each other:
// callees come first, and what became of their arguments is told to the analysis of their callers
// by an attribute of calls. A result that may share the memory of something constant, or of what is
// returned beside it, is copied, so that a caller may write each. Without function boundaries,
// arguments and results stay tensors, and arguments are only read. (MLIR's documentation of
// bufferization: the layouts of arguments and results, and its names of options.)
#include "bufferize.h"

#include "mlc/analysis.h"
#include "mlc/dialects/bufferization.h"
#include "mlc/dialects/memref.h"
#include "mlc/ir/symbol.h"

#include <string.h>

typedef enum Layout { LAYOUT_INFER, LAYOUT_IDENTITY, LAYOUT_DYNAMIC } Layout;

typedef struct OneShot {
    MlcCallGraph *graph;
    MlcMap callees; // function -> attribute for calls of it
    bool at_boundaries, analysis_only, copies_first, ignores_parallel, allows_unknown, infers_space;
    const MlcStr *dialects, *not_analysed; // all where none is named; functions
    size_t num_dialects, num_not_analysed;
    Layout boundary, unknown;
    BufferizeOrder order;
    uint64_t seed;
} OneShot;

static bool
is_tensor_type(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) || mlc_type_is(type, MLC_TYPE_UNRANKED_TENSOR);
}

// --- types at boundaries

static MlcType
type_with_layout(MlcType tensor, Layout layout)
{
    MlcContext *ctx = mlc_type_context(tensor);
    if (!mlc_type_has_rank(tensor))
        return mlc_unranked_memref_type_get(mlc_type_element(tensor), NULL);
    if (layout == LAYOUT_IDENTITY)
        return mlc_bufferizer_memref_type(tensor);
    int64_t strides[MLC_RANK_LIMIT];
    size_t rank = mlc_type_rank(tensor);
    for (size_t i = 0; i < rank; i++)
        strides[i] = MLC_DYNAMIC;
    MlcAttr dynamic = mlc_strided_layout_attr_get(ctx, MLC_DYNAMIC, strides, rank);
    return mlc_memref_type_get(mlc_type_element(tensor), mlc_type_shape(tensor), rank, dynamic,
                               NULL);
}

// What arguments have whose layout nobody says: any.
static MlcType
argument_type(MlcType tensor, Layout layout)
{
    return type_with_layout(tensor, layout == LAYOUT_INFER ? LAYOUT_DYNAMIC : layout);
}

// The buffer as one of `type`: a cast, or a copy where the layout wanted may be another.
static MlcValue *
as_type(Bufferization *bufferizer, MlcBuilder *b, MlcValue *buffer, MlcType type, MlcType tensor)
{
    MlcAttr space = mlc_memref_type_memory_space(mlc_value_type(buffer));
    if (space && mlc_type_has_rank(type))
        type = mlc_memref_type_get(mlc_type_element(type), mlc_type_shape(type),
                                   mlc_type_rank(type), mlc_memref_type_layout(type), space);
    if (mlc_value_type(buffer) == type)
        return buffer;
    if (mlc_type_has_rank(type) && !mlc_memref_type_layout(type) &&
        mlc_memref_type_layout(mlc_value_type(buffer)))
        return mlc_bufferizer_copied(&bufferizer->base, b, buffer, tensor);
    return mlc_memref_cast(b, type, buffer);
}

// --- what callers hear

static bool
is_written(Bufferization *bufferizer, MlcValue *arg)
{
    const MlcValueVec *aliases = bufferize_aliases(bufferizer, arg);
    for (size_t i = 0; i < aliases->size; i++)
        MLC_FOR_EACH_USE (use, aliases->data[i]) {
            const MlcBufferize *methods = mlc_bufferize_methods(mlc_use_owner(use));
            if (methods && methods->writes &&
                methods->writes(mlc_use_owner(use), mlc_use_index(use)) &&
                mlc_map_has(&bufferizer->base.in_place, use))
                return true;
        }
    return false;
}

static bool
is_read(Bufferization *bufferizer, MlcValue *arg)
{
    const MlcValueVec *aliases = bufferize_aliases(bufferizer, arg);
    for (size_t i = 0; i < aliases->size; i++)
        MLC_FOR_EACH_USE (use, aliases->data[i])
            if (bufferize_use_reads(use))
                return true;
    return false;
}

// Does result `i` need a buffer of its own? One before it, or a constant, may have that memory.
static bool
needs_copy(Bufferization *bufferizer, MlcOp *ret, size_t i)
{
    MlcValue *value = mlc_op_operand(ret, i);
    if (!bufferize_is_writable(bufferizer, value))
        return true;
    for (size_t k = 0; k < i; k++)
        if (mlc_value_is_tensor(mlc_op_operand(ret, k)) &&
            bufferize_may_share(bufferizer, mlc_op_operand(ret, k), value))
            return true;
    return false;
}

// For each operand of a call: what happens to it, and which result shares its buffer
// (MlcCallBuffer), or -1: no tensor.
static MlcAttr
describe(Bufferization *bufferizer, MlcBlock *entry, MlcOp *ret)
{
    MLC_VEC(int64_t) codes = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++) {
        MlcValue *arg = mlc_block_arg(entry, i);
        int64_t code = -1;
        if (mlc_value_is_tensor(arg)) {
            code = (is_read(bufferizer, arg) ? MLC_CALL_READS : 0) |
                   (is_written(bufferizer, arg) ? MLC_CALL_WRITES : 0);
            for (size_t k = mlc_op_num_operands(ret); k-- > 0;) {
                MlcValue *value = mlc_op_operand(ret, k);
                if (!mlc_value_is_tensor(value) || !bufferize_may_share(bufferizer, arg, value) ||
                    needs_copy(bufferizer, ret, k))
                    continue;
                bool same = bufferize_same(bufferizer, arg, value);
                code = (code & (MLC_CALL_READS | MLC_CALL_WRITES)) | (same ? MLC_CALL_WHOLE : 0) |
                       (int64_t)(k + 1) * MLC_CALL_RESULT;
            }
        }
        mlc_vec_push(&codes, code);
    }
    MlcAttr attr = mlc_i64_array_attr_get(mlc_op_context(ret), codes.data, codes.size);
    mlc_vec_release(&codes);
    return attr;
}

// Of a function that is defined elsewhere: anything may happen to its arguments.
static MlcAttr
describe_unknown(MlcContext *ctx, MlcType type)
{
    MLC_VEC(int64_t) codes = {0};
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        mlc_vec_push(&codes, is_tensor_type(mlc_function_type_inputs(type)[i])
                                 ? MLC_CALL_READS | MLC_CALL_WRITES
                                 : -1);
    MlcAttr attr = mlc_i64_array_attr_get(ctx, codes.data, codes.size);
    mlc_vec_release(&codes);
    return attr;
}

static void
tell_callers(OneShot *o, MlcOp *function, MlcAttr codes)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcAttr parts[2] = {codes, mlc_type_attr_get(methods->type(function))};
    mlc_map_set(&o->callees, function, mlc_array_attr_get(mlc_op_context(function), parts, 2));
}

static bool
describe_calls(OneShot *o, MlcOp *function)
{
    MLC_FOR_EACH_PREORDER (op, function) {
        if (!mlc_op_interface(op, MLC_INTERFACE_CALL) || !mlc_op_has_tensors(op))
            continue;
        MlcOp *callee = mlc_call_graph_callee(o->graph, op);
        MlcAttr known = callee ? mlc_map_get(&o->callees, callee) : NULL;
        if (mlc_op_attr(op, MLC_STAYS_ON_TENSORS))
            continue;
        if (!o->at_boundaries)
            return mlc_op_error(op, "passes tensors, which takes 'bufferize-function-boundaries'");
        if (!known)
            return mlc_op_error(op, "passes tensors to what is not known");
        mlc_op_set_attr(op, MLC_CALL_BUFFERS, known);
    }
    return true;
}

// --- the analysis alone

// As MLIR's tests have it: for each operand of each op with tensors, whether it is in place.
static void
write_decisions(Bufferization *bufferizer, MlcOp *function)
{
    MlcContext *ctx = mlc_op_context(function);
    MLC_FOR_EACH_PREORDER (op, function) {
        MLC_VEC(MlcAttr) words = {0};
        bool any = false;
        const MlcBufferize *methods = mlc_bufferize_methods(op);
        for (size_t i = 0; i < mlc_op_num_operands(op); i++) {
            bool is_tensor = mlc_value_is_tensor(mlc_op_operand(op, i));
            bool decides = methods && ((methods->writes && methods->writes(op, i)) ||
                                       mlc_op_interface(op, MLC_INTERFACE_CALL));
            bool in_place = !decides ? methods || mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR)
                                     : mlc_bufferizer_in_place(&bufferizer->base, op, i);
            any = any || is_tensor;
            mlc_vec_push(&words, mlc_string_attr_get(ctx, mlc_str(!is_tensor ? "none"
                                                                  : in_place ? "true"
                                                                             : "false")));
        }
        if (any)
            mlc_op_set_attr(op, "__inplace_operands_attr__",
                            mlc_array_attr_get(ctx, words.data, words.size));
        mlc_op_set_attr(op, MLC_CALL_BUFFERS, NULL);
        mlc_vec_release(&words);
    }
}

// What is said of the function: how each argument is used, and which one a result is, or -1.
static void
write_boundary(Bufferization *bufferizer, MlcBlock *entry, MlcOp *ret)
{
    static const char *const names[] = {"none", "read", "write", "read-write"};
    MlcContext *ctx = mlc_op_context(ret);
    const MlcFunction *methods = mlc_op_interface(bufferizer->function, MLC_INTERFACE_FUNCTION);
    MlcAttr old = mlc_op_slot(bufferizer->function, methods->arg_attrs_slot);
    MLC_VEC(MlcAttr) dicts = {0};
    MLC_VEC(MlcAttr) same = {0};
    bool any = false;
    for (size_t i = 0; i < mlc_block_num_args(entry); i++) {
        MlcValue *arg = mlc_block_arg(entry, i);
        MlcAttr dict = old ? mlc_array_attr_element(old, i) : mlc_dict_attr_get(ctx, NULL, 0);
        if (mlc_value_is_tensor(arg))
            dict = mlc_dict_attr_with(
                ctx, dict, mlc_str("bufferization.access"),
                mlc_string_attr_get(
                    ctx,
                    mlc_str(names[is_read(bufferizer, arg) + 2 * is_written(bufferizer, arg)])));
        mlc_vec_push(&dicts, dict);
    }
    for (size_t k = 0; k < mlc_op_num_operands(ret); k++) {
        int64_t found = -1;
        for (size_t i = 0; i < mlc_block_num_args(entry); i++)
            if (mlc_value_is_tensor(mlc_op_operand(ret, k)) &&
                mlc_value_is_tensor(mlc_block_arg(entry, i)) &&
                bufferize_same(bufferizer, mlc_op_operand(ret, k), mlc_block_arg(entry, i)))
                found = (int64_t)i;
        any = any || found >= 0;
        mlc_vec_push(&same, mlc_i64_attr_get(ctx, found));
    }
    if (dicts.size > 0)
        mlc_op_set_slot(bufferizer->function, methods->arg_attrs_slot,
                        mlc_array_attr_get(ctx, dicts.data, dicts.size));
    if (any)
        mlc_op_set_attr(ret, "__equivalent_func_args__",
                        mlc_array_attr_get(ctx, same.data, same.size));
    mlc_vec_release(&dicts);
    mlc_vec_release(&same);
}

// --- rewriting

typedef struct Boundary {
    MlcValueVec results;  // buffers, as they are returned; other values as they are
    MlcTypeVec tensors;   // types of results that were tensors; NULL
    MlcMap copied;        // results that are copied: found before anything is rewritten
    MlcValueVec replaced; // arguments that stay tensors: the buffers that stand for them
    MlcValueVec kept;     // the arguments themselves
} Boundary;

static void
enter_function(OneShot *o, Bufferization *bufferizer, MlcBlock *entry, Boundary *boundary)
{
    Layout layout = o->at_boundaries ? o->boundary : o->unknown;
    for (size_t i = 0, n = mlc_block_num_args(entry); i < n; i++) {
        MlcValue *arg = mlc_block_arg(entry, i);
        if (!mlc_value_is_tensor(arg))
            continue;
        MlcType type = argument_type(mlc_value_type(arg), layout);
        MlcLoc loc = mlc_block_arg_loc(entry, i);
        MlcValue *buffer = o->at_boundaries ? mlc_block_insert_arg(entry, i + 1, type, loc)
                                            : mlc_block_add_arg(entry, type, loc);
        mlc_bufferizer_set(&bufferizer->base, arg, buffer);
        if (o->at_boundaries) {
            n++, i++;
        } else {
            mlc_vec_push(&boundary->kept, arg);
            mlc_vec_push(&boundary->replaced, buffer);
        }
    }
}

static void
leave_function(OneShot *o, Bufferization *bufferizer, MlcOp *ret, Boundary *boundary)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(ret));
    mlc_builder_before(&b, ret);
    for (size_t i = 0; i < mlc_op_num_operands(ret); i++) {
        MlcValue *value = mlc_op_operand(ret, i);
        bool is_tensor = mlc_value_is_tensor(value);
        MlcType tensor = mlc_value_type(value);
        mlc_vec_push(&boundary->tensors, is_tensor ? tensor : NULL);
        if (is_tensor) {
            bool copies = mlc_map_has_u64(&boundary->copied, i);
            value = mlc_bufferizer_buffer(&bufferizer->base, value);
            if (copies && o->at_boundaries)
                value = mlc_bufferizer_copied(&bufferizer->base, &b, value, tensor);
            if (o->at_boundaries && o->boundary != LAYOUT_INFER)
                value =
                    as_type(bufferizer, &b, value, type_with_layout(tensor, o->boundary), tensor);
        }
        mlc_vec_push(&boundary->results, value);
    }
    mlc_op_set_operands(ret, boundary->results.data, boundary->results.size);
}

// Ops that stay on tensors need not go through the buffer.
static void
use_tensor_itself(MlcValue *buffer, MlcValue *tensor)
{
    MlcOpVec casts = {0};
    MLC_FOR_EACH_USE (use, buffer)
        if (mlc_bufferization_to_tensor_isa(mlc_use_owner(use)))
            mlc_vec_push(&casts, mlc_use_owner(use));
    for (size_t i = 0; i < casts.size; i++)
        mlc_op_replace(casts.data[i], &tensor, 1);
    mlc_vec_release(&casts);
}

// Arguments and results that stay tensors, once nothing else is one.
static void
keep_tensors(MlcBlock *entry, MlcOp *ret, const Boundary *boundary)
{
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(ret));
    for (size_t i = boundary->replaced.size; i-- > 0;) {
        MlcValue *buffer = boundary->replaced.data[i];
        mlc_builder_at_start(&b, entry);
        b.loc = mlc_value_loc(buffer);
        use_tensor_itself(buffer, boundary->kept.data[i]);
        if (mlc_value_has_uses(buffer))
            mlc_value_replace_uses(buffer, mlc_bufferization_to_memref(&b, mlc_value_type(buffer),
                                                                       boundary->kept.data[i]));
        mlc_block_erase_arg(entry, mlc_value_index(buffer));
    }
    mlc_builder_before(&b, ret);
    for (size_t i = 0; i < boundary->tensors.size; i++)
        if (boundary->tensors.data[i])
            mlc_op_set_operand(ret, i, mlc_bufferization_to_tensor(&b, mlc_op_operand(ret, i)));
}

static MlcType
function_type_of(MlcBlock *entry, MlcOp *ret)
{
    MlcTypeVec inputs = {0}, results = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_vec_push(&inputs, mlc_value_type(mlc_block_arg(entry, i)));
    MLC_FOR_EACH_OPERAND (value, ret)
        mlc_vec_push(&results, mlc_value_type(value));
    MlcType type = mlc_function_type_get(mlc_op_context(ret), inputs.data, inputs.size,
                                         results.data, results.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return type;
}

// What was said of arguments for the analysis goes.
static void
drop_writable(MlcOp *function, const MlcFunction *methods)
{
    MlcAttr args = mlc_op_slot(function, methods->arg_attrs_slot);
    MlcContext *ctx = mlc_op_context(function);
    MLC_VEC(MlcAttr) kept = {0};
    bool any = false;
    for (size_t i = 0; args && i < mlc_array_attr_size(args); i++) {
        MlcAttr dict =
            mlc_dict_attr_with(ctx, mlc_array_attr_element(args, i), mlc_str(MLC_WRITABLE), NULL);
        any = any || mlc_dict_attr_size(dict) > 0;
        mlc_vec_push(&kept, dict);
    }
    if (args)
        mlc_op_set_slot(function, methods->arg_attrs_slot,
                        any ? mlc_array_attr_get(ctx, kept.data, kept.size) : NULL);
    mlc_vec_release(&kept);
}

static bool
rewrite(OneShot *o, Bufferization *bufferizer, MlcBlock *entry, MlcOp *ret)
{
    MlcOp *function = bufferizer->function;
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    Boundary boundary = {0};
    MlcAttr codes = describe(bufferizer, entry, ret);
    for (size_t i = 0; i < mlc_op_num_operands(ret); i++)
        if (mlc_value_is_tensor(mlc_op_operand(ret, i)) && needs_copy(bufferizer, ret, i))
            mlc_map_set_u64(&boundary.copied, i, 1);
    enter_function(o, bufferizer, entry, &boundary);
    bool ok = true;
    MLC_FOR_EACH_OP_SAFE (op, entry)
        ok = ok && (op == ret || mlc_bufferizer_op(&bufferizer->base, op) ||
                    mlc_error(mlc_op_context(op), mlc_op_loc(op), "failed to bufferize op"));
    if (ok) {
        leave_function(o, bufferizer, ret, &boundary);
        mlc_bufferizer_erase_tensor_ops(mlc_op_region(function, 0));
        for (size_t i = mlc_block_num_args(entry); o->at_boundaries && i-- > 0;)
            if (mlc_value_is_tensor(mlc_block_arg(entry, i)))
                mlc_block_erase_arg(entry, i);
        if (!o->at_boundaries)
            keep_tensors(entry, ret, &boundary);
        mlc_op_set_slot(function, methods->type_slot,
                        mlc_type_attr_get(function_type_of(entry, ret)));
        drop_writable(function, methods);
        tell_callers(o, function, codes);
    }
    mlc_vec_release(&boundary.results);
    mlc_vec_release(&boundary.tensors);
    mlc_map_release(&boundary.copied);
    mlc_vec_release(&boundary.replaced);
    mlc_vec_release(&boundary.kept);
    return ok;
}

// --- what stays on tensors

// A filter names the dialects that are bufferized; calls need boundaries.
static bool
stays(const OneShot *o, MlcOp *op)
{
    MlcOp *parent = mlc_op_parent(op);
    if (!mlc_op_has_tensors(op) || (mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR) &&
                                    mlc_op_interface(parent, MLC_INTERFACE_FUNCTION)))
        return false;
    if (!mlc_bufferize_methods(op) && o->allows_unknown)
        return true;
    if (mlc_op_interface(op, MLC_INTERFACE_CALL) && !o->at_boundaries)
        return o->allows_unknown || o->num_dialects > 0;
    MlcStr name = mlc_op_name(op);
    const char *dot = memchr(name.data, '.', name.size);
    MlcStr dialect = {name.data, dot ? (size_t)(dot - name.data) : name.size};
    for (size_t i = 0; i < o->num_dialects; i++)
        if (mlc_str_equal(o->dialects[i], dialect))
            return false;
    return o->num_dialects > 0;
}

static void
mark(const OneShot *o, MlcOp *function)
{
    MlcAttr layout = mlc_bool_attr_get(mlc_op_context(function), o->unknown == LAYOUT_IDENTITY);
    MLC_FOR_EACH_PREORDER (op, function)
        if (op != function && stays(o, op))
            mlc_op_set_attr(op, MLC_STAYS_ON_TENSORS, layout);
}

static void
unmark(MlcOp *function)
{
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_op_discardable(op))
            mlc_op_set_attr(op, MLC_STAYS_ON_TENSORS, NULL);
}

// Does the op make a tensor whose buffer could be in any memory?
static bool
checks_space(MlcOp *op)
{
    const MlcBufferize *methods = mlc_bufferize_methods(op);
    bool makes = methods && mlc_op_num_results(op) == 1 &&
                 mlc_value_is_tensor(mlc_op_result(op, 0)) && mlc_op_num_regions(op) == 0 &&
                 !mlc_op_interface(op, MLC_INTERFACE_CALL) && !mlc_bufferization_to_tensor_isa(op);
    for (size_t i = 0; makes && i < mlc_op_num_operands(op); i++)
        makes = !mlc_value_is_tensor(mlc_op_operand(op, i));
    if (!makes ||
        (mlc_bufferization_alloc_tensor_isa(op) && mlc_bufferization_alloc_tensor_memory_space(op)))
        return true;
    mlc_op_error(op, "could not infer memory space");
    return mlc_error(mlc_op_context(op), mlc_op_loc(op), "failed to bufferize op");
}

// --- functions

static bool
has_tensors(MlcOp *function, MlcType type)
{
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++)
        if (is_tensor_type(mlc_function_type_inputs(type)[i]))
            return true;
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        if (is_tensor_type(mlc_function_type_results(type)[i]))
            return true;
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_op_has_tensors(op))
            return true;
    return false;
}

static bool
bufferize_declaration(OneShot *o, MlcOp *function, const MlcFunction *methods)
{
    MlcType type = methods->type(function);
    MlcTypeVec inputs = {0};
    if (!o->at_boundaries)
        return true;
    for (size_t i = 0; i < mlc_function_type_num_results(type); i++)
        if (is_tensor_type(mlc_function_type_results(type)[i])) {
            mlc_error(mlc_op_context(function), mlc_op_loc(function),
                      "cannot bufferize bodiless function that returns a tensor");
            return mlc_op_error(function, "failed to bufferize op");
        }
    MlcAttr codes = describe_unknown(mlc_op_context(function), type);
    for (size_t i = 0; i < mlc_function_type_num_inputs(type); i++) {
        MlcType input = mlc_function_type_inputs(type)[i];
        mlc_vec_push(&inputs, is_tensor_type(input) ? argument_type(input, o->boundary) : input);
    }
    type =
        mlc_function_type_get(mlc_op_context(function), inputs.data, inputs.size,
                              mlc_function_type_results(type), mlc_function_type_num_results(type));
    mlc_vec_release(&inputs);
    if (!o->analysis_only)
        mlc_op_set_slot(function, methods->type_slot, mlc_type_attr_get(type));
    tell_callers(o, function, codes);
    return true;
}

// Tensors of other people's buffers can be told apart from others' only if they promise to be.
static bool
check_op(MlcOp *op)
{
    return !mlc_bufferization_to_tensor_isa(op) || mlc_bufferization_to_tensor_restrict(op) ||
           mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "to_tensor ops without `restrict` are not supported by One-Shot Analysis");
}

static bool
is_not_analysed(const OneShot *o, MlcOp *function)
{
    for (size_t i = 0; i < o->num_not_analysed; i++)
        if (mlc_str_equal(o->not_analysed[i], mlc_symbol_name(function)))
            return true;
    return false;
}

static bool
bufferize_body(OneShot *o, MlcOp *function, MlcBlock *entry, MlcOp *ret)
{
    bool ok = true;
    Bufferization bufferizer;
    bufferize_init(&bufferizer, function);
    bufferizer.order = o->order;
    bufferizer.seed = o->seed;
    bufferizer.copies_first = o->copies_first || is_not_analysed(o, function);
    bufferizer.ignores_parallel = o->ignores_parallel;
    bufferizer.writes_arguments = o->at_boundaries;
    bufferize_analyze(&bufferizer);
    if (o->analysis_only) {
        tell_callers(o, function, describe(&bufferizer, entry, ret));
        if (o->at_boundaries)
            write_boundary(&bufferizer, entry, ret);
        write_decisions(&bufferizer, function);
    } else {
        ok = rewrite(o, &bufferizer, entry, ret);
    }
    bufferize_release(&bufferizer);
    return ok;
}

static bool
bufferize_function(OneShot *o, MlcOp *function)
{
    const MlcFunction *methods = mlc_op_interface(function, MLC_INTERFACE_FUNCTION);
    MlcType type = methods->type(function);
    MlcRegion *body = mlc_op_region(function, 0);
    if (!mlc_type_is(type, MLC_TYPE_FUNCTION) || !has_tensors(function, type))
        return true;
    if (mlc_region_is_empty(body))
        return bufferize_declaration(o, function, methods);
    MlcBlock *entry = mlc_region_first(body);
    MlcOp *ret = mlc_block_terminator(entry);
    if (!mlc_region_has_one_block(body) || !ret || !mlc_op_has_trait(ret, MLC_TRAIT_RETURN_LIKE))
        return mlc_error(mlc_op_context(function), mlc_op_loc(function),
                         "cannot bufferize a FuncOp with tensors and without a unique ReturnOp");
    mark(o, function);
    bool ok = describe_calls(o, function);
    MLC_FOR_EACH_PREORDER (op, function)
        ok = ok && check_op(op) && (!o->infers_space || checks_space(op));
    ok = ok && bufferize_body(o, function, entry, ret);
    unmark(function);
    return ok;
}
static bool
bufferize_group(OneShot *o, MlcOp *module, size_t group)
{
    size_t count;
    const size_t *nodes = mlc_call_graph_group(o->graph, group, &count);
    for (size_t i = 0; i < count; i++) {
        MlcOp *function = mlc_call_graph_callable(o->graph, nodes[i]);
        if (!mlc_op_interface(function, MLC_INTERFACE_FUNCTION))
            continue;
        if (count > 1 && o->at_boundaries && mlc_op_parent(function) == module)
            return mlc_error(mlc_op_context(function), mlc_op_loc(function),
                             "expected callgraph to be free of circular dependencies");
        if (!bufferize_function(o, function))
            return false;
    }
    return true;
}

// --- options

static bool
parse_layout(MlcPass *pass, const char *option, bool infers, Layout *layout)
{
    static const char *const names[] = {"infer-layout-map", "identity-layout-map",
                                        "fully-dynamic-layout-map"};
    MlcStr name = mlc_pass_option_str(pass, option);
    for (size_t i = infers ? 0 : 1; i < 3; i++)
        if (mlc_str_equal(name, mlc_str(names[i]))) {
            *layout = (Layout)i;
            return true;
        }
    return mlc_error(mlc_pass_context(pass), NULL, "'%s' has no '%.*s'", option, MLC_STR_FMT(name));
}

static bool
parse_order(MlcPass *pass, OneShot *o)
{
    static const char *const names[] = {"bottom-up", "top-down", "bottom-up-from-terminators",
                                        "fuzzer"};
    MlcStr name = mlc_pass_option_str(pass, "analysis-heuristic");
    for (size_t i = 0; i < 4; i++)
        if (mlc_str_equal(name, mlc_str(names[i]))) {
            o->order = (BufferizeOrder)i;
            return true;
        }
    return mlc_error(mlc_pass_context(pass), NULL, "'analysis-heuristic' has no '%.*s'",
                     MLC_STR_FMT(name));
}

static bool
run(MlcPass *pass, MlcOp *module)
{
    OneShot o = {.at_boundaries = mlc_pass_option_bool(pass, "bufferize-function-boundaries"),
                 .analysis_only = mlc_pass_option_bool(pass, "test-analysis-only"),
                 .copies_first = mlc_pass_option_bool(pass, "copy-before-write"),
                 .ignores_parallel = !mlc_pass_option_bool(pass, "check-parallel-regions"),
                 .infers_space = mlc_pass_option_bool(pass, "must-infer-memory-space"),
                 .allows_unknown = mlc_pass_option_bool(pass, "allow-unknown-ops"),
                 .seed = (uint64_t)mlc_pass_option_int(pass, "analysis-fuzzer-seed")};
    o.num_dialects = mlc_pass_option_strs(pass, "dialect-filter", &o.dialects);
    for (size_t i = 0, named = 0; o.at_boundaries && i < o.num_dialects; i++) {
        named += mlc_str_equal(o.dialects[i], mlc_str("func"));
        o.at_boundaries = named > 0 || i + 1 < o.num_dialects;
    }
    o.num_not_analysed = mlc_pass_option_strs(pass, "no-analysis-func-filter", &o.not_analysed);
    if (!parse_layout(pass, "function-boundary-type-conversion", true, &o.boundary) ||
        !parse_layout(pass, "unknown-type-conversion", false, &o.unknown) || !parse_order(pass, &o))
        return false;
    if (o.order == BUFFERIZE_SHUFFLED && !o.analysis_only)
        return mlc_error(mlc_pass_context(pass), NULL,
                         "'analysis-heuristic=fuzzer' is for 'test-analysis-only'");
    o.graph = mlc_call_graph_create(module);
    bool ok = true;
    MLC_FOR_EACH_BLOCK_IN_OP (block, module)
        MLC_FOR_EACH_OP (op, block)
            if (ok && mlc_op_interface(op, MLC_INTERFACE_FUNCTION) &&
                mlc_region_is_empty(mlc_op_region(op, 0)))
                ok = bufferize_function(&o, op);
    for (size_t i = 0; ok && i < mlc_call_graph_num_groups(o.graph); i++)
        ok = bufferize_group(&o, module, i);
    mlc_call_graph_destroy(o.graph);
    mlc_map_release(&o.callees);
    return ok;
}

static bool
converts(const MlcOpDef *op)
{
    return mlc_op_def_interface(op, MLC_INTERFACE_BUFFERIZE) != NULL;
}

static const MlcPassOption options[] = {
    {"bufferize-function-boundaries", MLC_OPTION_BOOL, NULL,
     "functions take and return buffers, too"},
    {"function-boundary-type-conversion", MLC_OPTION_STRING, "infer-layout-map",
     "layout of arguments and results: infer-layout-map (of what is returned; any of arguments), "
     "identity-layout-map or fully-dynamic-layout-map"},
    {"unknown-type-conversion", MLC_OPTION_STRING, "fully-dynamic-layout-map",
     "layout of arguments that stay tensors: identity-layout-map or fully-dynamic-layout-map"},
    {"copy-before-write", MLC_OPTION_BOOL, NULL, "write nothing in place"},
    {"test-analysis-only", MLC_OPTION_BOOL, NULL,
     "change nothing, and say of each operand whether it is in place"},
    {"analysis-heuristic", MLC_OPTION_STRING, "bottom-up",
     "which writes are decided first: bottom-up, top-down, bottom-up-from-terminators or fuzzer"},
    {"analysis-fuzzer-seed", MLC_OPTION_INT, "0", "of the order of `fuzzer`"},
    {"allow-unknown-ops", MLC_OPTION_BOOL, NULL,
     "ops that do not say how they work on buffers stay on tensors"},
    {"must-infer-memory-space", MLC_OPTION_BOOL, NULL,
     "new tensors say their memory space, as 'bufferization.alloc_tensor' can"},
    {"dialect-filter", MLC_OPTION_STRING_LIST, NULL, "only ops of these dialects are bufferized"},
    {"no-analysis-func-filter", MLC_OPTION_STRING_LIST, NULL,
     "functions that write nothing in place"},
    {"check-parallel-regions", MLC_OPTION_BOOL, "true",
     "iterations that may run at once do not write one buffer"},
    {"allow-return-allocs-from-loops", MLC_OPTION_BOOL, NULL,
     "changes nothing: what loops carry is copied into one buffer"},
};
static const char *const dialects[] = {"arith", "bufferization", "linalg", "memref", NULL};

MLC_PASS(one_shot_bufferize, .flag = "one-shot-bufferize",
         .summary = "Turn tensors into buffers, functions into such that return them",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = dialects,
         .converts = converts, .run = run)
