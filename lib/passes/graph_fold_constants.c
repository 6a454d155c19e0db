// graph_fold_constants.c -- compute what depends on constants alone: now if that is cheap, else
// once when the model is loaded.
//
// An op whose operands are all constants is evaluated by its own meaning (the slot the interpreter
// uses), as long as its result has at most `max-bytes`, or takes the place of what it was made
// from (with all that are made from it), and it fits into the `max-steps` that all folds of a
// function may take: counted, never timed, so that a model always folds alike. What is beyond the
// budget moves, with all that depends on it and on constants only, to a private function
// `@<name>_init`, called once at the start with the attribute `mlc.run_once`: its results are
// prepared data, not part of the artefact.
#include "graph_constants.h"

#include "mlc/graph.h"
#include "mlc/ir/eval.h"
#include "mlc/pass.h"
#include "mlc/support/map.h"

#include <stdio.h>

typedef struct Folder {
    MlcPass *pass;
    MlcContext *ctx;
    int64_t max_bytes, steps_left;
    MlcMap late;      // values computed by ops that move to the initialiser
    MlcOpVec to_move; // these, in order
} Folder;

static bool
is_static_tensor(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_TENSOR) && mlc_type_has_static_shape(type) &&
           mlc_type_num_elements(type) >= 0;
}

// All operands are constants or computed from constants.
static bool
is_computable(Folder *f, MlcOp *op, bool *is_late)
{
    *is_late = false;
    if (mlc_op_num_operands(op) == 0 || mlc_op_num_results(op) != 1 || mlc_op_num_regions(op) ||
        mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || !mlc_op_is_pure(op) ||
        !is_static_tensor(mlc_value_type(mlc_op_result(op, 0))))
        return false;
    MLC_FOR_EACH_OPERAND (value, op) {
        bool late = mlc_map_has(&f->late, value);
        *is_late |= late;
        if (!late && !mlc_value_constant(value))
            return false;
    }
    return true;
}

static bool
find_bytes(MlcType type, int64_t *bytes)
{
    int64_t width = (int64_t)mlc_elements_attr_element_bytes(mlc_type_element(type));
    return !__builtin_mul_overflow(mlc_type_num_elements(type), width, bytes);
}

// One that takes the place of its only operand, alone or with all others that read that: together
// they are no larger. Weights in another order, or in parts.
static bool
replaces_operand(MlcOp *op)
{
    MlcValue *operand = mlc_op_operand(op, 0);
    int64_t operand_bytes, bytes, all = 0;
    if (mlc_elements_attr_is_splat(mlc_value_constant(operand)) ||
        !find_bytes(mlc_value_type(operand), &operand_bytes))
        return false;
    MLC_FOR_EACH_USE (use, operand) {
        MlcOp *user = mlc_use_owner(use);
        if (mlc_op_num_operands(user) != 1 || mlc_op_num_results(user) != 1 ||
            !mlc_op_def(user)->eval || !is_static_tensor(mlc_value_type(mlc_op_result(user, 0))) ||
            !find_bytes(mlc_value_type(mlc_op_result(user, 0)), &bytes) ||
            __builtin_add_overflow(all, bytes, &all))
            return false;
    }
    return all <= operand_bytes;
}

static bool
is_within_budget(const Folder *f, MlcOp *op)
{
    int64_t bytes;
    return find_bytes(mlc_value_type(mlc_op_result(op, 0)), &bytes) &&
           (bytes <= f->max_bytes || replaces_operand(op)) &&
           mlc_graph_eval_steps(op) <= f->steps_left && !mlc_pass_is_late(f->pass);
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

// The op's result by its meaning; NULL if that is not known or fails.
static MlcAttr
evaluate(MlcOp *op)
{
    MlcDatum operands[16], result = {.type = mlc_value_type(mlc_op_result(op, 0))};
    MlcAttr value = NULL;
    size_t n = mlc_op_num_operands(op);
    MlcEval e;
    if (!mlc_op_def(op)->eval || n > 16)
        return NULL;
    mlc_eval_init(&e, mlc_op_context(op));
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = mlc_datum_from_attr(&e, mlc_value_constant(mlc_op_operand(op, i)), &operands[i]);
    if (ok && mlc_op_def(op)->eval(&e, op, operands, &result) && mlc_datum_is_elements(&result))
        value = datum_to_constant(op, &result);
    mlc_eval_release(&e);
    return value;
}

static void
fold(Folder *f, MlcOp *op)
{
    bool is_late;
    if (!is_computable(f, op, &is_late))
        return;
    if (is_late || !is_within_budget(f, op)) {
        mlc_map_add(&f->late, mlc_op_result(op, 0));
        mlc_vec_push(&f->to_move, op);
        mlc_op_remark(op, "moved to the initialiser: folding it now is beyond the budget");
        return;
    }
    f->steps_left -= mlc_graph_eval_steps(op);
    MlcAttr value = evaluate(op);
    if (!value)
        return;
    MlcValue *constant = mlc_constant_build(op, value);
    mlc_op_replace(op, &constant, 1);
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
    MlcNamedAttr attrs[] = {
        mlc_named(f->ctx, "sym_name", mlc_string_attr_get(f->ctx, mlc_str(name))),
        mlc_named(f->ctx, "sym_visibility", mlc_string_attr_get(f->ctx, mlc_str("private"))),
        mlc_named(
            f->ctx, "function_type",
            mlc_type_attr_get(mlc_function_type_get(f->ctx, NULL, 0, types.data, types.size))),
    };
    mlc_vec_release(&types);
    mlc_builder_init(&b, f->ctx);
    mlc_builder_after(&b, func);
    MlcOp *init = mlc_build_op(&b, "func.func", NULL, 0, NULL, 0, attrs, 3, 1);
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
    mlc_build_op(&b, "func.return", NULL, 0, results->data, results->size, NULL, 0, 0);
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
    MlcNamedAttr attrs[] = {
        mlc_named(f->ctx, "callee", mlc_symbol_ref_attr_get(f->ctx, mlc_symbol_name(init))),
        mlc_named(f->ctx, "mlc.run_once", mlc_unit_attr_get(f->ctx)),
    };
    mlc_builder_init(&b, f->ctx);
    mlc_builder_at_start(&b, mlc_region_first(mlc_op_region(func, 0)));
    MlcOp *call = mlc_build_op(&b, "func.call", types.data, types.size, NULL, 0, attrs, 2, 0);
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
    mlc_map_init(&f.late);
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(func, 0))
        MLC_FOR_EACH_OP_SAFE (op, block)
            fold(&f, op);
    if (f.to_move.size)
        move_to_initializer(&f, func);
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
