// graph_fold_constants.c -- compute what depends on constants alone: now if that is cheap, else
// once when the model is loaded.
//
// An op whose operands are all constants is evaluated by its own meaning (the slot the interpreter
// uses), as long as its result has at most `max-bytes`, or takes the place of what it was made
// from (with all that is made from it), and it fits into the `max-steps` that all folds of a
// function may take: counted, never timed, so that a model always folds alike. A larger result that
// is only read on the way to others (squares of weights, for their norm) waits and is computed with
// them, so it is never a constant. What is beyond the budget moves, with all that depends on it and
// on constants only, to a private function `@<name>_init`, called once at the start with the
// attribute `mlc.run_once`: its results are prepared data, not part of the artefact.
#include "graph_constants.h"

#include "mlc/dialects/func.h"
#include "mlc/dialects/graph_geometry.h"
#include "mlc/ir/eval.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

#include <stdio.h>

// Results that wait in a row: their memory is needed at the same time.
enum { MOST_WAITING = 4 };

typedef struct Folder {
    MlcPass *pass;
    MlcContext *ctx;
    int64_t max_bytes, steps_left;
    MlcMap computable; // values that depend on constants alone, but are none yet
    MlcMap waiting;    // of these, those that are computed with what reads them: how many in a row
    MlcMap late;       // values computed by ops that move to the initialiser
    MlcOpVec to_move;  // these, in order
} Folder;

static bool
is_static_tensor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) >= 0;
}

static void
find_computable(Folder *f, MlcOp *op)
{
    if (mlc_op_num_operands(op) == 0 || mlc_op_num_results(op) != 1 || mlc_op_num_regions(op) ||
        mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || !mlc_op_is_pure(op) ||
        !is_static_tensor(mlc_value_type(mlc_op_result(op, 0))))
        return;
    MLC_FOR_EACH_OPERAND (value, op)
        if (!mlc_map_has(&f->computable, value) && !mlc_value_constant(value))
            return;
    mlc_map_add(&f->computable, mlc_op_result(op, 0));
}

static bool
is_computable(const Folder *f, MlcOp *op)
{
    return mlc_op_num_results(op) == 1 && mlc_map_has(&f->computable, mlc_op_result(op, 0));
}

static bool
find_bytes(MlcType type, int64_t *bytes)
{
    int64_t width = (int64_t)mlc_elements_attr_element_bytes(mlc_type_element(type));
    return !__builtin_mul_overflow(mlc_type_num_elements(type), width, bytes);
}

static bool
is_only_user(const MlcOp *op, MlcValue *value)
{
    MLC_FOR_EACH_USE (use, value)
        if (mlc_use_owner(use) != op)
            return false;
    return true;
}

static bool
is_waiting(const Folder *f, MlcValue *value)
{
    return mlc_map_has(&f->waiting, value);
}

static bool
is_repeated(MlcOp *op, size_t i, size_t *first)
{
    for (*first = 0; mlc_op_operand(op, *first) != mlc_op_operand(op, i);)
        ++*first;
    return *first < i;
}

// Steps of the op, and of what waits for it.
static int64_t
steps_of(const Folder *f, MlcOp *op)
{
    int64_t steps = mlc_graph_eval_steps(op);
    for (size_t i = 0, first; i < mlc_op_num_operands(op); i++) {
        MlcValue *value = mlc_op_operand(op, i);
        if (is_waiting(f, value) && !is_repeated(op, i, &first) &&
            __builtin_add_overflow(steps, steps_of(f, mlc_value_def(value)), &steps))
            return INT64_MAX;
    }
    return steps;
}

// The bytes of what will be kept of a computable op: its result, or less where that is only read on
// the way to others. `depth` bounds the walk.
static bool
find_bytes_kept(const Folder *f, MlcOp *op, size_t depth, int64_t *bytes)
{
    int64_t sum = 0, part;
    MlcValue *result = mlc_op_result(op, 0);
    if (!find_bytes(mlc_value_type(result), bytes))
        return false;
    if (depth == 0 || !mlc_value_first_use(result))
        return true;
    MLC_FOR_EACH_USE (use, result) {
        MlcOp *user = mlc_use_owner(use);
        if (!is_computable(f, user) || !find_bytes_kept(f, user, depth - 1, &part) ||
            __builtin_add_overflow(sum, part, &sum))
            return true;
    }
    *bytes = sum < *bytes ? sum : *bytes;
    return true;
}

// A result of `bytes`, and what is kept of all else that reads the constant `value` and is computed
// from constants, are together no larger than it: weights in another order, or in parts.
static bool
takes_place_of(const Folder *f, const MlcOp *op, int64_t bytes, MlcValue *value)
{
    int64_t room, other;
    if (mlc_elements_attr_is_splat(mlc_value_constant(value)) ||
        !find_bytes(mlc_value_type(value), &room))
        return false;
    MLC_FOR_EACH_USE (use, value) {
        MlcOp *user = mlc_use_owner(use);
        if (user == op)
            continue;
        if (!is_computable(f, user) || !find_bytes_kept(f, user, MOST_WAITING, &other) ||
            __builtin_add_overflow(bytes, other, &bytes))
            return false;
    }
    return bytes <= room;
}

static bool
takes_place(const Folder *f, MlcOp *op, int64_t bytes)
{
    MLC_FOR_EACH_OPERAND (value, op) {
        if (is_waiting(f, value) ? takes_place(f, mlc_value_def(value), bytes)
                                 : takes_place_of(f, op, bytes, value))
            return true;
    }
    return false;
}

// How many results, with the op's, would wait in a row for the one op that reads it; 0: it cannot
// wait, or is larger than all that it is computed from.
static size_t
num_to_wait(const Folder *f, MlcOp *op, int64_t bytes)
{
    MlcUse *use = mlc_value_first_use(mlc_op_result(op, 0));
    int64_t operand_bytes, largest = 0;
    size_t most = 0;
    if (!use || !is_only_user(mlc_use_owner(use), mlc_op_result(op, 0)) ||
        !is_computable(f, mlc_use_owner(use)))
        return 0;
    MLC_FOR_EACH_OPERAND (value, op) {
        uint64_t n = 0;
        bool is_splat = !mlc_map_get_u64(&f->waiting, (uint64_t)(uintptr_t)value, &n) &&
                        mlc_elements_attr_is_splat(mlc_value_constant(value));
        most = n > most ? n : most;
        if (!is_splat && find_bytes(mlc_value_type(value), &operand_bytes))
            largest = operand_bytes > largest ? operand_bytes : largest;
    }
    return bytes <= largest && most < MOST_WAITING ? most + 1 : 0;
}

typedef enum Verdict {
    FOLD,
    WAIT, // for what reads the result
    MOVE, // to the initialiser
} Verdict;

static Verdict
judge(Folder *f, MlcOp *op)
{
    int64_t bytes;
    if (!find_bytes(mlc_value_type(mlc_op_result(op, 0)), &bytes) ||
        steps_of(f, op) > f->steps_left || mlc_pass_is_late(f->pass))
        return MOVE;
    if (bytes <= f->max_bytes)
        return FOLD;
    size_t row = num_to_wait(f, op, bytes);
    if (row > 0) {
        mlc_map_set_u64(&f->waiting, (uint64_t)(uintptr_t)mlc_op_result(op, 0), row);
        return WAIT;
    }
    return takes_place(f, op, bytes) ? FOLD : MOVE;
}

static MlcAttr
datum_to_constant(MlcOp *op, const MlcDatum *datum)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    size_t size = datum->elements.num_bytes;
    if (size < 256)
        return mlc_dense_attr_get(type, datum->elements.data, size, false);
    MlcBlob *blob = mlc_blob_create_copy(datum->elements.data, size, 64);
    MlcAttr first = mlc_value_constant(mlc_op_operand(op, 0));
    MlcAttr attr = mlc_dense_resource_attr_get(type, mlc_constant_key(first), blob);
    mlc_blob_release(blob);
    return attr;
}

// The op's result by its meaning; false if that is not known or fails.
static bool
evaluate(const Folder *f, MlcEval *e, MlcOp *op, MlcDatum *result)
{
    MlcDatum operands[16];
    size_t n = mlc_op_num_operands(op);
    bool ok = mlc_op_def(op)->eval && n <= 16;
    for (size_t i = 0; ok && i < n; i++) {
        MlcValue *value = mlc_op_operand(op, i);
        size_t first;
        if (is_repeated(op, i, &first))
            operands[i] = operands[first];
        else if (is_waiting(f, value))
            ok = evaluate(f, e, mlc_value_def(value), &operands[i]);
        else
            ok = mlc_datum_from_attr(e, mlc_value_constant(value), &operands[i]);
    }
    *result = (MlcDatum){.type = mlc_value_type(mlc_op_result(op, 0))};
    return ok && mlc_op_def(op)->eval(e, op, operands, result) && mlc_datum_is_elements(result);
}

static MlcAttr
evaluate_to_constant(const Folder *f, MlcOp *op)
{
    MlcDatum result;
    MlcEval e;
    mlc_eval_init(&e, f->ctx);
    MlcAttr value = evaluate(f, &e, op, &result) ? datum_to_constant(op, &result) : NULL;
    mlc_eval_release(&e);
    return value;
}

// To the initialiser, behind what waited for it.
static void
move(Folder *f, MlcOp *op)
{
    if (!mlc_map_add(&f->late, mlc_op_result(op, 0)))
        return;
    MLC_FOR_EACH_OPERAND (value, op)
        if (is_waiting(f, value))
            move(f, mlc_value_def(value));
    mlc_vec_push(&f->to_move, op);
    mlc_op_remark(op, "moved to the initialiser: folding it now is beyond the budget");
}

// Erases what waited and nothing reads any more.
static void
erase_unread(Folder *f, MlcOp *op)
{
    MlcValueVec operands = {0};
    MLC_FOR_EACH_OPERAND (value, op)
        if (is_waiting(f, value))
            mlc_vec_push(&operands, value);
    mlc_map_erase(&f->computable, mlc_op_result(op, 0));
    mlc_map_erase(&f->waiting, mlc_op_result(op, 0));
    mlc_op_erase(op);
    for (size_t i = 0; i < operands.size; i++)
        if (!mlc_value_first_use(operands.data[i]))
            erase_unread(f, mlc_value_def(operands.data[i]));
    mlc_vec_release(&operands);
}

static void
fold(Folder *f, MlcOp *op)
{
    bool is_late = false;
    MLC_FOR_EACH_OPERAND (value, op) {
        bool late = mlc_map_has(&f->late, value);
        is_late |= late;
        if (!late && !is_waiting(f, value) && !mlc_value_constant(value))
            return; // an operand's meaning failed
    }
    Verdict verdict = is_late ? MOVE : judge(f, op);
    if (verdict == MOVE)
        move(f, op);
    if (verdict != FOLD)
        return;
    f->steps_left -= steps_of(f, op);
    MlcAttr value = evaluate_to_constant(f, op);
    if (!value)
        return;
    mlc_value_replace_uses(mlc_op_result(op, 0), mlc_constant_build(op, value));
    erase_unread(f, op);
    mlc_pass_count(f->pass, "folded", 1);
}

// ---- the initialiser

static bool
is_used_outside(Folder *f, MlcOp *op)
{
    MLC_FOR_EACH_USE (use, mlc_op_result(op, 0)) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_num_results(user) != 1 || !mlc_map_has(&f->late, mlc_op_result(user, 0)))
            return true;
    }
    return false;
}

static MlcOp *
make_initializer(Folder *f, MlcOp *func, const MlcValueVec *results)
{
    MlcBuilder b;
    MlcTypeVec types = {0};
    char name[256];
    snprintf(name, sizeof name, "%.200s_init", mlc_symbol_name(func).data);
    for (size_t i = 0; i < results->size; i++)
        mlc_vec_push(&types, mlc_value_type(results->data[i]));
    MlcType type = mlc_function_type_get(f->ctx, NULL, 0, types.data, types.size);
    mlc_vec_release(&types);
    mlc_builder_init(&b, f->ctx);
    mlc_builder_after(&b, func);
    MlcOp *init = mlc_func_func(&b, mlc_str(name), type);
    mlc_func_func_set_sym_visibility(init, mlc_string_attr_get(f->ctx, mlc_str("private")));
    mlc_builder_create_block(&b, mlc_op_region(init, 0), NULL, 0);
    return init;
}

// Moves the ops there, with clones of the constants that they need.
static void
fill_initializer(Folder *f, MlcOp *init, const MlcValueVec *results)
{
    MlcBlock *block = mlc_region_first(mlc_op_region(init, 0));
    MlcBuilder b;
    MlcMap clones;
    mlc_map_init(&clones);
    for (size_t i = 0; i < f->to_move.size; i++) {
        MlcOp *op = f->to_move.data[i];
        mlc_op_remove(op);
        for (size_t k = 0; k < mlc_op_num_operands(op); k++) {
            MlcValue *value = mlc_op_operand(op, k), *clone = mlc_map_get(&clones, value);
            if (mlc_map_has(&f->late, value))
                continue;
            if (!clone) {
                MlcOp *made = mlc_op_clone(mlc_value_def(value), NULL);
                mlc_block_append(block, made);
                clone = mlc_op_result(made, 0);
                mlc_map_set(&clones, value, clone);
            }
            mlc_op_set_operand(op, k, clone);
        }
        mlc_block_append(block, op);
    }
    mlc_builder_init(&b, f->ctx);
    mlc_builder_at_end(&b, block);
    mlc_func_return(&b, results->data, results->size);
    mlc_map_release(&clones);
}

static void
move_to_initializer(Folder *f, MlcOp *func)
{
    MlcValueVec results = {0};
    MlcTypeVec types = {0};
    MlcBuilder b;
    for (size_t i = 0; i < f->to_move.size; i++)
        if (is_used_outside(f, f->to_move.data[i])) {
            mlc_vec_push(&results, mlc_op_result(f->to_move.data[i], 0));
            mlc_vec_push(&types, mlc_value_type(results.data[results.size - 1]));
        }
    MlcOp *init = make_initializer(f, func, &results);
    mlc_builder_init(&b, f->ctx);
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(func, 0)));
    MlcOp *call = mlc_func_call(&b, types.data, types.size, NULL, 0, mlc_symbol_name(init));
    mlc_op_set_attr(call, "mlc.run_once", mlc_unit_attr_get(f->ctx));
    for (size_t i = 0; i < results.size; i++)
        mlc_value_replace_uses(results.data[i], mlc_op_result(call, i));
    // Uses among the moved ops were replaced too: they go back to each other.
    for (size_t i = 0; i < f->to_move.size; i++)
        for (size_t k = 0; k < mlc_op_num_operands(f->to_move.data[i]); k++) {
            MlcValue *value = mlc_op_operand(f->to_move.data[i], k);
            if (mlc_value_def(value) == call)
                mlc_op_set_operand(f->to_move.data[i], k, results.data[mlc_value_index(value)]);
        }
    fill_initializer(f, init, &results);
    mlc_pass_count(f->pass, "moved-to-initialiser", (int64_t)f->to_move.size);
    mlc_vec_release(&results);
    mlc_vec_release(&types);
}

static void
fold_function(MlcPass *pass, MlcOp *func)
{
    Folder f = {.pass = pass,
                .ctx = mlc_pass_context(pass),
                .max_bytes = mlc_pass_option_int(pass, "max-bytes"),
                .steps_left = mlc_pass_option_int(pass, "max-steps")};
    mlc_map_init(&f.computable);
    mlc_map_init(&f.waiting);
    mlc_map_init(&f.late);
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(func, 0))
        MLC_FOR_EACH_OP (op, block)
            find_computable(&f, op);
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(func, 0))
        MLC_FOR_EACH_OP_SAFE (op, block)
            if (is_computable(&f, op))
                fold(&f, op);
    if (f.to_move.size)
        move_to_initializer(&f, func);
    mlc_map_release(&f.computable);
    mlc_map_release(&f.waiting);
    mlc_map_release(&f.late);
    mlc_vec_release(&f.to_move);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcOpVec functions = {0}; // those that are there now: initialisers are added
    MLC_FOR_EACH_OP (op, mlc_region_first(mlc_op_region(root, 0)))
        if (mlc_op_interface(op, MLC_INTERFACE_FUNCTION) && mlc_op_num_regions(op) == 1 &&
            mlc_region_has_one_block(mlc_op_region(op, 0)))
            mlc_vec_push(&functions, op);
    for (size_t i = 0; i < functions.size; i++)
        fold_function(pass, functions.data[i]);
    mlc_vec_release(&functions);
    return true;
}

static const char *const dialects[] = {"func", "graph", NULL};
static const MlcPassOption options[] = {
    {"max-bytes", MLC_OPTION_INT, "1048576",
     "Biggest result that is folded when compiling, in bytes"},
    {"max-steps", MLC_OPTION_INT, "300000000",
     "Steps that all folds of a function may take: elements moved, products, scalar ops"},
};

MLC_PASS(graph_fold_constants, .flag = "graph-fold-constants",
         .summary = "Compute what depends on constants alone, now or once at load",
         .anchor = "builtin.module", .options = options,
         .num_options = sizeof options / sizeof *options, .dependent_dialects = dialects,
         .run = run)
