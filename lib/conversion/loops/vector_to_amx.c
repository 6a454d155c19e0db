// vector_to_amx.c -- products of bytes on vectors of two dimensions become those of tile registers.
//
// A contraction adds to sums [M, N] the products of bytes [M, K] by [K, N], both in runs of four
// along K, as they were loaded: [M, 4 K] and [K, 4 N]. Its sums come from zero, from memory or from
// such a contraction, through scf.for or not, and go to memory or to another: only then do they
// stay in registers. What else is done with sums leaves all that they meet as it is.
#include "mlc/dialects/amx.h"
#include "mlc/dialects/arith.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/vector.h"
#include "mlc/ir.h"
#include "mlc/machine.h"
#include "mlc/pass.h"

enum { RUN = MLC_DOT_RUN };

typedef struct Factor {
    MlcOp *load;
    bool is_unsigned;
} Factor;

typedef struct Converter {
    const MlcTargetDesc *target;
    MlcContext *ctx;
    MlcMap loads; // vector.load -> the tile in its place
    MlcMap sums;  // values that are sums of one family, all of them tiles
    MlcOpVec products;
} Converter;

static bool
is_integer(MlcType element, unsigned bits)
{
    return mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) == bits;
}

static bool
fits(const Converter *c, MlcType tile)
{
    int64_t bytes = mlc_type_bit_width(mlc_type_element(tile)) / 8;
    return mlc_type_rank(tile) == 2 && !mlc_vector_type_has_scalable(tile) &&
           mlc_type_dim(tile, 0) <= (int64_t)c->target->tile_rows &&
           mlc_type_dim(tile, 1) * bytes <= (int64_t)c->target->tile_row_bytes;
}

// A load or store of a matrix along the last two dimensions of a buffer.
static bool
is_matrix_access(const Converter *c, MlcType tile, MlcType buffer)
{
    return fits(c, tile) && mlc_type_rank(buffer) >= 2 &&
           mlc_type_element(buffer) == mlc_type_element(tile);
}

static bool
reads(MlcOp *op, size_t i, const unsigned *loops, size_t n)
{
    MlcAttr attr = mlc_array_attr_element(mlc_vector_contract_indexing_maps(op), i);
    MlcAffineMap map = mlc_affine_map_attr_value(attr);
    if (mlc_affine_map_num_results(map) != n || mlc_affine_map_num_dims(map) != 4)
        return false;
    for (size_t r = 0; r < n; r++)
        if (mlc_affine_map_result(map, r) != mlc_affine_dim(mlc_op_context(op), loops[r]))
            return false;
    return true;
}

// extend(shape_cast(load)) of bytes in runs of four.
static bool
read_factor(const Converter *c, MlcValue *value, Factor *f)
{
    MlcOp *extend = mlc_value_def(value);
    f->is_unsigned = mlc_arith_extui_isa(extend);
    if (!f->is_unsigned && !mlc_arith_extsi_isa(extend))
        return false;
    MlcOp *cast = mlc_value_def(mlc_op_operand(extend, 0));
    f->load = mlc_vector_shape_cast_isa(cast) ? mlc_value_def(mlc_op_operand(cast, 0)) : NULL;
    if (!mlc_vector_load_isa(f->load))
        return false;
    MlcType bytes = mlc_op_result_type(f->load, 0), runs = mlc_op_result_type(cast, 0);
    return is_integer(mlc_type_element(bytes), 8) &&
           is_matrix_access(c, bytes, mlc_op_operand_type(f->load, 0)) &&
           mlc_type_rank(runs) == 3 && mlc_type_dim(runs, 2) == RUN &&
           mlc_type_dim(runs, 0) == mlc_type_dim(bytes, 0);
}

static bool
is_product(const Converter *c, MlcOp *op)
{
    static const unsigned lhs[] = {0, 2, 3}, rhs[] = {2, 1, 3}, acc[] = {0, 1};
    Factor factor;
    if (!mlc_vector_contract_isa(op) || mlc_vector_contract_kind(op) != MLC_VECTOR_KIND_ADD)
        return false;
    MlcType type = mlc_op_result_type(op, 0);
    return is_integer(mlc_type_element(type), 32) && fits(c, type) && reads(op, 0, lhs, 3) &&
           reads(op, 1, rhs, 3) && reads(op, 2, acc, 2) &&
           read_factor(c, mlc_op_operand(op, 0), &factor) &&
           read_factor(c, mlc_op_operand(op, 1), &factor);
}

// ---- families of sums

static bool
is_zero(MlcValue *value)
{
    int64_t zero;
    MlcAttr constant = mlc_value_constant(value);
    return constant && mlc_attr_is(constant, MLC_ATTR_DENSE) &&
           mlc_elements_attr_is_splat(constant) &&
           mlc_attr_try_as_int(mlc_elements_attr_element(constant, 0), &zero) && zero == 0;
}

static bool add_sum(Converter *c, MlcValue *value);

// What `loop` carries as number `i`: what goes in, what is carried, what is yielded, what comes
// out.
static bool
add_carried(Converter *c, MlcOp *loop, size_t i)
{
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    return add_sum(c, mlc_op_operand(loop, 3 + i)) && add_sum(c, mlc_block_arg(body, 1 + i)) &&
           add_sum(c, mlc_op_operand(mlc_block_terminator(body), i)) &&
           add_sum(c, mlc_op_result(loop, i));
}

static bool
add_user(Converter *c, MlcUse *use)
{
    MlcOp *user = mlc_use_owner(use), *parent = mlc_op_parent(user);
    size_t i = mlc_use_index(use);
    if (is_product(c, user))
        return i == 2 && add_sum(c, mlc_op_result(user, 0));
    if (mlc_scf_for_isa(user))
        return i >= 3 && add_carried(c, user, i - 3);
    if (mlc_scf_yield_isa(user))
        return mlc_scf_for_isa(parent) && add_carried(c, parent, i);
    return mlc_vector_store_isa(user) && i == 0 &&
           is_matrix_access(c, mlc_op_operand_type(user, 0), mlc_op_operand_type(user, 1));
}

static bool
add_sum(Converter *c, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (is_zero(value) || !mlc_map_add(&c->sums, value))
        return true;
    if (!def) {
        MlcOp *loop = mlc_block_parent(mlc_value_block(value));
        if (!mlc_scf_for_isa(loop) || mlc_value_index(value) == 0 ||
            !add_carried(c, loop, mlc_value_index(value) - 1))
            return false;
    } else if (mlc_scf_for_isa(def)) {
        if (!add_carried(c, def, mlc_value_index(value)))
            return false;
    } else if (is_product(c, def)) {
        mlc_vec_push(&c->products, def);
        if (!add_sum(c, mlc_op_operand(def, 2)))
            return false;
    } else if (!mlc_vector_load_isa(def) ||
               !is_matrix_access(c, mlc_value_type(value), mlc_op_operand_type(def, 0))) {
        return false;
    }
    MLC_FOR_EACH_USE (use, value)
        if (!add_user(c, use))
            return false;
    return true;
}

// ---- the rewrite

static MlcValue *
tile_of_load(Converter *c, MlcOp *load)
{
    MlcValue *tile = mlc_map_get(&c->loads, load);
    if (tile)
        return tile;
    MlcValueVec indices = {0};
    for (size_t i = 1; i < mlc_op_num_operands(load); i++)
        mlc_vec_push(&indices, mlc_op_operand(load, i));
    MlcBuilder b;
    mlc_builder_init(&b, c->ctx);
    mlc_builder_before(&b, load);
    tile = mlc_amx_tile_load(&b, mlc_op_result_type(load, 0), mlc_op_operand(load, 0), indices.data,
                             indices.size);
    mlc_vec_release(&indices);
    mlc_map_set(&c->loads, load, tile);
    return tile;
}

static void
erase_if_dead(MlcOp *op)
{
    if (!op || mlc_op_has_uses(op))
        return;
    MlcOp *before = mlc_op_num_operands(op) ? mlc_value_def(mlc_op_operand(op, 0)) : NULL;
    bool is_load = mlc_vector_load_isa(op);
    mlc_op_erase(op);
    if (!is_load)
        erase_if_dead(before);
}

static MlcOp *
convert_product(Converter *c, MlcOp *op)
{
    Factor lhs, rhs;
    MlcBuilder b;
    MlcAttr unit = mlc_unit_attr_get(c->ctx);
    (void)read_factor(c, mlc_op_operand(op, 0), &lhs);
    (void)read_factor(c, mlc_op_operand(op, 1), &rhs);
    MlcValue *rows = tile_of_load(c, lhs.load), *panel = tile_of_load(c, rhs.load);
    MlcOp *extended[] = {mlc_value_def(mlc_op_operand(op, 0)),
                         mlc_value_def(mlc_op_operand(op, 1))};
    mlc_builder_init(&b, c->ctx);
    mlc_builder_before(&b, op);
    MlcValue *result = mlc_amx_tile_muli(&b, rows, panel, mlc_op_operand(op, 2));
    MlcOp *product = mlc_value_def(result);
    if (lhs.is_unsigned)
        mlc_op_set_attr(product, "isZextLhs", unit);
    if (rhs.is_unsigned)
        mlc_op_set_attr(product, "isZextRhs", unit);
    mlc_op_replace(op, &result, 1);
    erase_if_dead(extended[0]);
    if (extended[1] != extended[0])
        erase_if_dead(extended[1]);
    return product;
}

// A tile of zeros for each use of a constant: it becomes sums in place.
static void
make_zeros(Converter *c, MlcOp *user)
{
    for (size_t i = 0; i < mlc_op_num_operands(user); i++) {
        MlcValue *value = mlc_op_operand(user, i);
        bool is_sum = mlc_amx_tile_muli_isa(user)
                          ? i == 2
                          : i >= 3 && mlc_map_has(&c->sums, mlc_op_result(user, i - 3));
        if (!is_sum || !is_zero(value))
            continue;
        MlcBuilder b;
        mlc_builder_init(&b, c->ctx);
        mlc_builder_before(&b, user);
        mlc_op_set_operand(user, i, mlc_amx_tile_zero(&b, mlc_value_type(value)));
    }
}

static void
convert_store(Converter *c, MlcOp *store)
{
    MlcValueVec indices = {0};
    MlcBuilder b;
    for (size_t i = 2; i < mlc_op_num_operands(store); i++)
        mlc_vec_push(&indices, mlc_op_operand(store, i));
    mlc_builder_init(&b, c->ctx);
    mlc_builder_before(&b, store);
    mlc_amx_tile_store(&b, mlc_op_operand(store, 1), indices.data, indices.size,
                       mlc_op_operand(store, 0));
    mlc_vec_release(&indices);
    mlc_op_erase(store);
}

// All values of the family by now: products first, since loops and stores refer to them.
static void
convert_family(Converter *c)
{
    MlcOpVec stores = {0}, loops = {0}, loads = {0};
    MLC_MAP_FOR_EACH (entry, &c->sums) {
        MlcValue *value = mlc_map_entry_key(entry);
        MlcOp *def = mlc_value_def(value);
        if (mlc_vector_load_isa(def))
            mlc_vec_push(&loads, def);
        if (mlc_scf_for_isa(def))
            mlc_vec_push(&loops, def);
        MLC_FOR_EACH_USE (use, value)
            if (mlc_vector_store_isa(mlc_use_owner(use)))
                mlc_vec_push(&stores, mlc_use_owner(use));
    }
    for (size_t i = 0; i < stores.size; i++)
        convert_store(c, stores.data[i]);
    for (size_t i = 0; i < loops.size; i++)
        make_zeros(c, loops.data[i]);
    for (size_t i = 0; i < loads.size; i++) {
        MlcValue *tile = tile_of_load(c, loads.data[i]);
        mlc_op_replace(loads.data[i], &tile, 1);
    }
    for (size_t i = 0; i < c->products.size; i++)
        make_zeros(c, convert_product(c, c->products.data[i]));
    mlc_vec_release(&stores);
    mlc_vec_release(&loops);
    mlc_vec_release(&loads);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    Converter c = {.target = mlc_pass_target(pass), .ctx = mlc_pass_context(pass)};
    MlcOpVec candidates = {0};
    MlcMap done = {0};
    if (c.target->tile_registers == 0)
        return true;
    MLC_FOR_EACH_PREORDER (op, root)
        if (is_product(&c, op))
            mlc_vec_push(&candidates, op);
    for (size_t i = 0; i < candidates.size; i++) {
        if (mlc_map_has(&done, candidates.data[i]))
            continue;
        mlc_map_clear(&c.sums);
        mlc_vec_clear(&c.products);
        bool are_tiles = add_sum(&c, mlc_op_result(candidates.data[i], 0));
        for (size_t k = 0; k < c.products.size; k++)
            mlc_map_add(&done, c.products.data[k]);
        if (are_tiles) {
            convert_family(&c);
            mlc_pass_count(pass, "tile-products", (int64_t)c.products.size);
        }
    }
    mlc_vec_release(&candidates);
    mlc_vec_release(&c.products);
    mlc_map_release(&done);
    mlc_map_release(&c.loads);
    mlc_map_release(&c.sums);
    return true;
}

static bool
converts(const MlcOpDef *op)
{
    return op == &mlc_vector_contract_def;
}

static const char *const dialects[] = {"amx", "vector", NULL};

MLC_PASS(vector_to_amx, .flag = "vector-to-amx",
         .summary = "Make products of bytes on matrices those of tile registers",
         .anchor = "func.func", .dependent_dialects = dialects, .converts = converts, .run = run)
