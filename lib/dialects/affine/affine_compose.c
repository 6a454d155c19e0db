// affine_compose.c -- the canonical form of an affine map and its operands, as MLIR 19 has it: the
// order of dimensions and symbols shows in every printed map.
#include "mlc/dialects/affine_compose.h"

#include "mlc/dialects/affine.h"
#include "mlc/support/alloc.h"

MlcValueMap
mlc_value_map_of(MlcAffineMap map, const MlcOp *op, size_t first)
{
    MlcValueMap vm = {.map = map};
    for (size_t i = 0; i < mlc_affine_map_num_inputs(map); i++)
        mlc_vec_push(&vm.operands, mlc_op_operand(op, first + i));
    return vm;
}

void
mlc_value_map_release(MlcValueMap *vm)
{
    mlc_vec_release(&vm->operands);
}

bool
mlc_value_map_is(const MlcValueMap *vm, MlcAffineMap map, const MlcOp *op, size_t first)
{
    if (vm->map != map)
        return false;
    for (size_t i = 0; i < vm->operands.size; i++)
        if (vm->operands.data[i] != mlc_op_operand(op, first + i))
            return false;
    return true;
}

// Expressions for the inputs of a map while they are renumbered; dims first.
static MlcAffineExpr *
new_inputs(const MlcValueMap *vm)
{
    return mlc_calloc(vm->operands.size + 1, sizeof(MlcAffineExpr));
}

static void
set_operands(MlcValueMap *vm, MlcValueVec *operands)
{
    mlc_vec_release(&vm->operands);
    vm->operands = *operands;
}

// Dimensions that are symbols become the last symbols.
static void
promote_symbols(MlcValueMap *vm)
{
    unsigned num_dims = mlc_affine_map_num_dims(vm->map), kept = 0;
    unsigned num_symbols = mlc_affine_map_num_symbols(vm->map);
    MlcContext *ctx = mlc_affine_map_context(vm->map);
    MlcAffineExpr *dims = new_inputs(vm);
    MlcValueVec operands = {0}, promoted = {0};
    for (unsigned i = 0; i < num_dims; i++) {
        MlcValue *value = vm->operands.data[i];
        if (mlc_affine_is_symbol(value)) {
            dims[i] = mlc_affine_symbol(ctx, num_symbols + (unsigned)promoted.size);
            mlc_vec_push(&promoted, value);
        } else {
            dims[i] = mlc_affine_dim(ctx, kept++);
            mlc_vec_push(&operands, value);
        }
    }
    if (promoted.size) {
        for (size_t i = num_dims; i < vm->operands.size; i++)
            mlc_vec_push(&operands, vm->operands.data[i]);
        for (size_t i = 0; i < promoted.size; i++)
            mlc_vec_push(&operands, promoted.data[i]);
        vm->map = mlc_affine_map_replace(vm->map, dims, NULL, kept,
                                         num_symbols + (unsigned)promoted.size);
        set_operands(vm, &operands);
    } else {
        mlc_vec_release(&operands);
    }
    mlc_vec_release(&promoted);
    mlc_free(dims);
}

static bool
map_uses(MlcAffineMap map, unsigned position, bool is_symbol)
{
    for (size_t i = 0; i < mlc_affine_map_num_results(map); i++) {
        MlcAffineExpr e = mlc_affine_map_result(map, i);
        if (is_symbol ? mlc_affine_uses_symbol(e, position) : mlc_affine_uses_dim(e, position))
            return true;
    }
    return false;
}

// The place of `value` among operands[first...], where it is put if it is new.
static unsigned
place_of(MlcValueVec *operands, size_t first, MlcValue *value)
{
    size_t i = first;
    while (i < operands->size && operands->data[i] != value)
        i++;
    if (i == operands->size)
        mlc_vec_push(operands, value);
    return (unsigned)(i - first);
}

// True if the map is as it is left: nothing to promote, each input used, once, and not constant.
static bool
is_canonical(const MlcValueMap *vm)
{
    size_t num_dims = mlc_affine_map_num_dims(vm->map);
    int64_t unused;
    for (size_t i = 0; i < vm->operands.size; i++) {
        bool is_symbol = i >= num_dims;
        size_t first = is_symbol ? num_dims : 0;
        MlcValue *value = vm->operands.data[i];
        if (is_symbol ? mlc_value_constant_int(value, &unused) : mlc_affine_is_symbol(value))
            return false;
        for (size_t j = first; j < i; j++)
            if (vm->operands.data[j] == value)
                return false;
        if (!map_uses(vm->map, (unsigned)(i - first), is_symbol))
            return false;
    }
    return true;
}

void
mlc_value_map_canonicalize(MlcValueMap *vm)
{
    if (is_canonical(vm))
        return;
    promote_symbols(vm);
    MlcContext *ctx = mlc_affine_map_context(vm->map);
    unsigned num_dims = mlc_affine_map_num_dims(vm->map);
    MlcAffineExpr *inputs = new_inputs(vm);
    MlcValueVec operands = {0};
    MlcAffineExpr unused = mlc_affine_constant(ctx, 0);
    for (unsigned i = 0; i < num_dims; i++)
        inputs[i] = map_uses(vm->map, i, false)
                        ? mlc_affine_dim(ctx, place_of(&operands, 0, vm->operands.data[i]))
                        : unused;
    size_t kept_dims = operands.size;
    for (size_t i = num_dims; i < vm->operands.size; i++) {
        MlcValue *value = vm->operands.data[i];
        int64_t constant;
        if (!map_uses(vm->map, (unsigned)(i - num_dims), true))
            inputs[i] = unused;
        else if (mlc_value_constant_int(value, &constant))
            inputs[i] = mlc_affine_constant(ctx, constant);
        else
            inputs[i] = mlc_affine_symbol(ctx, place_of(&operands, kept_dims, value));
    }
    vm->map = mlc_affine_map_replace(vm->map, inputs, inputs + num_dims, (unsigned)kept_dims,
                                     (unsigned)(operands.size - kept_dims));
    set_operands(vm, &operands);
    mlc_free(inputs);
}

// --- composition

// While operands are replaced, dims and symbols only grow, and those replaced are NULL.
typedef struct Composition {
    MlcAffineMap map;
    MlcValueVec dims, symbols;
} Composition;

static MlcAffineExpr
shifted(const MlcValueMap *vm, unsigned dims, unsigned symbols)
{
    MlcContext *ctx = mlc_affine_map_context(vm->map);
    unsigned num_dims = mlc_affine_map_num_dims(vm->map);
    MlcAffineExpr *inputs = new_inputs(vm);
    for (unsigned i = 0; i < vm->operands.size; i++)
        inputs[i] = i < num_dims ? mlc_affine_dim(ctx, dims + i)
                                 : mlc_affine_symbol(ctx, symbols + i - num_dims);
    MlcAffineExpr e = mlc_affine_replace(mlc_affine_map_result(vm->map, 0), inputs, num_dims,
                                         inputs + num_dims, vm->operands.size - num_dims);
    mlc_free(inputs);
    return e;
}

// Nodes of the expression, at most `most`.
static size_t
count_nodes(MlcAffineExpr e, size_t most)
{
    MlcAffineKind kind = mlc_affine_kind(e);
    bool is_leaf =
        kind == MLC_AFFINE_DIM || kind == MLC_AFFINE_SYMBOL || kind == MLC_AFFINE_CONSTANT;
    if (most <= 1 || is_leaf)
        return 1;
    size_t left = count_nodes(mlc_affine_lhs(e), most - 1);
    return 1 + left + (left + 1 < most ? count_nodes(mlc_affine_rhs(e), most - 1 - left) : 0);
}

// An expression may stand in several places of each that it is put into, so chains double in size
// with each step; those are left as they are.
static bool
is_too_long(const Composition *c, MlcOp *apply)
{
    enum { MAX_NODES = 2048 };
    MlcAffineMap map = mlc_affine_apply_map(apply);
    size_t nodes = 0;
    for (size_t i = 0; i < mlc_affine_map_num_results(c->map) && nodes <= MAX_NODES; i++)
        nodes += count_nodes(mlc_affine_map_result(c->map, i), MAX_NODES + 1);
    return c->dims.size + c->symbols.size > MAX_NODES ||
           nodes * count_nodes(mlc_affine_map_result(map, 0), MAX_NODES + 1) > MAX_NODES;
}

// Replaces an operand that affine.apply made.
static bool
replace_input(Composition *c, MlcValueVec *values, size_t i)
{
    MlcOp *def = values->data[i] ? mlc_value_def(values->data[i]) : NULL;
    if (!def || !mlc_affine_apply_isa(def) || is_too_long(c, def))
        return false;
    values->data[i] = NULL;
    MlcContext *ctx = mlc_affine_map_context(c->map);
    MlcValueMap made = mlc_value_map_of(mlc_affine_apply_map(def), def, 0);
    mlc_value_map_canonicalize(&made);
    MlcAffineExpr from =
        values == &c->dims ? mlc_affine_dim(ctx, (unsigned)i) : mlc_affine_symbol(ctx, (unsigned)i);
    MlcAffineExpr to = shifted(&made, (unsigned)c->dims.size, (unsigned)c->symbols.size);
    unsigned num_dims = mlc_affine_map_num_dims(made.map);
    for (size_t j = 0; j < made.operands.size; j++)
        if (j < num_dims)
            mlc_vec_push(&c->dims, made.operands.data[j]);
        else
            mlc_vec_push(&c->symbols, made.operands.data[j]);
    mlc_value_map_release(&made);
    size_t n = mlc_affine_map_num_results(c->map);
    MlcAffineExpr *results = mlc_malloc((n + 1) * sizeof *results);
    for (size_t j = 0; j < n; j++)
        results[j] = mlc_affine_replace_expr(mlc_affine_map_result(c->map, j), from, to);
    c->map = mlc_affine_map_get(ctx, (unsigned)c->dims.size, (unsigned)c->symbols.size, results, n);
    mlc_free(results);
    return true;
}

static bool
replace_one(Composition *c)
{
    for (size_t i = 0; i < c->dims.size; i++)
        if (replace_input(c, &c->dims, i))
            return true;
    for (size_t i = 0; i < c->symbols.size; i++)
        if (replace_input(c, &c->symbols, i))
            return true;
    return false;
}

// Appends the values that are left to `operands`, and their new places to `inputs`.
static unsigned
prune(const MlcValueVec *values, bool are_symbols, MlcContext *ctx, MlcAffineExpr *inputs,
      MlcValueVec *operands)
{
    unsigned kept = 0;
    for (size_t i = 0; i < values->size; i++) {
        if (!values->data[i]) {
            inputs[i] = mlc_affine_constant(ctx, 0);
            continue;
        }
        inputs[i] = are_symbols ? mlc_affine_symbol(ctx, kept) : mlc_affine_dim(ctx, kept);
        kept++;
        mlc_vec_push(operands, values->data[i]);
    }
    return kept;
}

static bool
has_apply(const MlcValueMap *vm)
{
    for (size_t i = 0; i < vm->operands.size; i++) {
        MlcOp *def = mlc_value_def(vm->operands.data[i]);
        if (def && mlc_affine_apply_isa(def))
            return true;
    }
    return false;
}

static void
compose_results(MlcValueMap *vm)
{
    Composition c = {.map = vm->map};
    unsigned num_dims = mlc_affine_map_num_dims(vm->map);
    for (size_t i = 0; i < vm->operands.size; i++)
        if (i < num_dims)
            mlc_vec_push(&c.dims, vm->operands.data[i]);
        else
            mlc_vec_push(&c.symbols, vm->operands.data[i]);
    bool changed = false;
    while (replace_one(&c))
        changed = true;
    if (changed) {
        MlcContext *ctx = mlc_affine_map_context(vm->map);
        MlcValueVec operands = {0};
        MlcAffineExpr *inputs = mlc_malloc((c.dims.size + c.symbols.size + 1) * sizeof *inputs);
        MlcAffineExpr *symbols = inputs + c.dims.size;
        unsigned dims_left = prune(&c.dims, false, ctx, inputs, &operands);
        unsigned symbols_left = prune(&c.symbols, true, ctx, symbols, &operands);
        vm->map = mlc_affine_map_replace(c.map, inputs, symbols, dims_left, symbols_left);
        set_operands(vm, &operands);
        mlc_free(inputs);
    }
    mlc_vec_release(&c.dims);
    mlc_vec_release(&c.symbols);
}

void
mlc_value_map_compose(MlcValueMap *vm)
{
    if (mlc_affine_map_num_results(vm->map) && has_apply(vm))
        compose_results(vm);
    mlc_value_map_canonicalize(vm);
    vm->map = mlc_affine_map_simplify(vm->map);
}

void
mlc_value_map_compose_fully(MlcValueMap *vm)
{
    for (MlcAffineMap before = NULL; has_apply(vm) && vm->map != before;) {
        before = vm->map;
        mlc_value_map_compose(vm);
    }
}

static void
push_inputs(MlcValueVec *to, const MlcValueMap *vm, bool are_symbols)
{
    size_t num_dims = mlc_affine_map_num_dims(vm->map);
    for (size_t i = are_symbols ? num_dims : 0; i < (are_symbols ? vm->operands.size : num_dims);
         i++)
        mlc_vec_push(to, vm->operands.data[i]);
}

MlcValueMap
mlc_value_map_difference(const MlcValueMap *a, const MlcValueMap *b)
{
    MlcContext *ctx = mlc_affine_map_context(a->map);
    unsigned a_dims = mlc_affine_map_num_dims(a->map), b_dims = mlc_affine_map_num_dims(b->map);
    unsigned a_symbols = mlc_affine_map_num_symbols(a->map),
             b_symbols = mlc_affine_map_num_symbols(b->map);
    size_t n = mlc_affine_map_num_results(a->map), m = mlc_affine_map_num_results(b->map);
    MlcValueMap difference = {0};
    push_inputs(&difference.operands, a, false);
    push_inputs(&difference.operands, b, false);
    push_inputs(&difference.operands, a, true);
    push_inputs(&difference.operands, b, true);
    MlcAffineExpr *inputs = new_inputs(b), *results = mlc_malloc((n + 1) * sizeof *results);
    for (unsigned i = 0; i < b->operands.size; i++)
        inputs[i] = i < b_dims ? mlc_affine_dim(ctx, a_dims + i)
                               : mlc_affine_symbol(ctx, a_symbols + i - b_dims);
    for (size_t i = 0; i < n; i++) {
        MlcAffineExpr e = mlc_affine_map_result(b->map, m == 1 ? 0 : i);
        results[i] =
            mlc_affine_sub(mlc_affine_map_result(a->map, i),
                           mlc_affine_replace(e, inputs, b_dims, inputs + b_dims, b_symbols));
    }
    difference.map = mlc_affine_map_get(ctx, a_dims + b_dims, a_symbols + b_symbols, results, n);
    mlc_free(inputs);
    mlc_free(results);
    mlc_value_map_compose_fully(&difference);
    mlc_value_map_compose(&difference);
    return difference;
}

MlcValue *
mlc_value_map_build(MlcBuilder *b, MlcValueMap *vm)
{
    mlc_value_map_compose(vm);
    MlcAffineExpr e = mlc_affine_map_result(vm->map, 0);
    MlcAffineKind kind = mlc_affine_kind(e);
    MlcValue *value;
    if (kind == MLC_AFFINE_CONSTANT)
        value = mlc_build_index(b, mlc_affine_value(e));
    else if (kind == MLC_AFFINE_DIM || kind == MLC_AFFINE_SYMBOL)
        value = vm->operands.data[mlc_affine_position(e) +
                                  (kind == MLC_AFFINE_DIM ? 0 : mlc_affine_map_num_dims(vm->map))];
    else
        value = mlc_affine_apply(b, vm->operands.data, vm->operands.size, vm->map);
    mlc_value_map_release(vm);
    return value;
}

// One symbol per item, constants put in.
static MlcValueMap
map_over_mixed(MlcContext *ctx, const MlcAffineExpr *results, size_t num_results,
               const MlcMixed *symbols, size_t n)
{
    MlcValueMap vm = {0};
    MLC_VEC(MlcAffineExpr) inputs = {0}, exprs = {0};
    for (size_t i = 0; i < n; i++) {
        int64_t constant;
        bool is_constant = mlc_mixed_constant(symbols[i], &constant);
        mlc_vec_push(&inputs, is_constant ? mlc_affine_constant(ctx, constant)
                                          : mlc_affine_symbol(ctx, (unsigned)vm.operands.size));
        if (!is_constant)
            mlc_vec_push(&vm.operands, symbols[i].value);
    }
    for (size_t i = 0; i < num_results; i++)
        mlc_vec_push(&exprs, mlc_affine_replace(results[i], NULL, 0, inputs.data, n));
    vm.map = mlc_affine_map_get(ctx, 0, (unsigned)vm.operands.size, exprs.data, num_results);
    mlc_vec_release(&inputs);
    mlc_vec_release(&exprs);
    return vm;
}

MlcMixed
mlc_mixed_apply(MlcBuilder *b, MlcAffineExpr e, const MlcMixed *symbols, size_t n)
{
    MlcValueMap vm = map_over_mixed(b->ctx, &e, 1, symbols, n);
    mlc_value_map_compose(&vm);
    int64_t constant;
    if (mlc_affine_map_is_constant(vm.map, &constant)) {
        mlc_value_map_release(&vm);
        return mlc_mixed(constant);
    }
    return (MlcMixed){mlc_value_map_build(b, &vm), 0};
}

MlcMixed
mlc_mixed_min(MlcBuilder *b, const MlcMixed *items, size_t n)
{
    MLC_VEC(MlcAffineExpr) results = {0};
    for (size_t i = 0; i < n; i++)
        mlc_vec_push(&results, mlc_affine_symbol(b->ctx, (unsigned)i));
    MlcValueMap vm = map_over_mixed(b->ctx, results.data, n, items, n);
    mlc_vec_release(&results);
    mlc_value_map_compose(&vm);
    bool is_constant = vm.operands.size == 0;
    MlcMixed least = mlc_mixed(0);
    for (size_t i = 0; is_constant && i < n; i++) {
        int64_t value = mlc_affine_value(mlc_affine_map_result(vm.map, i));
        least.constant = i == 0 || value < least.constant ? value : least.constant;
    }
    if (!is_constant)
        least.value = mlc_affine_min(b, vm.operands.data, vm.operands.size, vm.map);
    mlc_value_map_release(&vm);
    return least;
}

MlcAffineMap
mlc_affine_map_without_duplicates(MlcAffineMap map)
{
    size_t n = mlc_affine_map_num_results(map), kept = 0;
    if (n < 2)
        return map;
    size_t *results = mlc_malloc((n + 1) * sizeof *results);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < kept && mlc_affine_map_result(map, results[j]) != mlc_affine_map_result(map, i))
            j++;
        if (j == kept)
            results[kept++] = i;
    }
    if (kept < n)
        map = mlc_affine_map_sub(map, results, kept);
    mlc_free(results);
    return map;
}
