// linalg_block.c -- products whose right side is no constant, in blocks that the caches hold.
//
// A product walks panels of its right side: all rows of the left one pass a panel before the next
// one's turn. A constant is packed panel by panel when compiling (linalg_pack.c). Any other matrix
// has the rows of a panel far apart, which the sets of a cache do not hold together (rows a power
// of two apart share a few of them), nor the pages its translation buffer knows. So where the
// matrix is larger than the caches near the core and enough rows pass,
//
//   for each panel of columns, for each block of rows:
//     for each part of the inner dimension: sum += left part * copy of the right part's panel
//
// with parts whose panels stay in the second cache. The sum starts from what the product starts
// from, and what follows the product is done in the last part. `tile` cuts what is inside.
#include "kernel_arguments.h"
#include "kernel_notes.h"
#include "structured.h"

#include "mlc/ir.h"

enum {
    LEAST_ROWS = 96, // that pass a panel: copying a vector costs as much as 4 to 20 of them
    PART_MULTIPLE = 16
};

static const char *const mark = "mlc.block"; // on the product, while its group is cut

typedef struct Product {
    size_t right; // operand
    int inner, columns;
    int64_t rows; // iterations of all loops that the right side does not have
    int64_t extent[MLC_MAX_LOOPS];
} Product;

// ---- which ops

static bool
has_right_side(MlcOp *op, size_t i, const Product *p)
{
    MlcAffineMap map = mlc_structured_map(op, i), left = mlc_structured_map(op, 1 - i);
    size_t rank = mlc_affine_map_num_results(map);
    return rank > 1 && mlc_affine_map_is_projected_permutation(map, false) &&
           mlc_map_result_dim(map, rank - 1) == p->columns &&
           mlc_affine_map_uses_dim(map, (unsigned)p->inner) &&
           mlc_affine_map_uses_dim(left, (unsigned)p->inner) &&
           !mlc_affine_map_uses_dim(left, (unsigned)p->columns);
}

static bool
read_product(MlcOp *op, Product *p)
{
    if (!mlc_op_is_static_structured(op) || !mlc_structured_is_contraction(op))
        return false;
    MlcAffineMap out = mlc_structured_map(op, 2);
    size_t rank = mlc_affine_map_num_results(out), num_reductions = 0;
    *p = (Product){.rows = 1};
    if (rank == 0 || !mlc_affine_map_is_projected_permutation(out, false))
        return false;
    p->columns = mlc_map_result_dim(out, rank - 1);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (mlc_structured_iterator(op, i) != MLC_ITERATOR_PARALLEL) {
            p->inner = (int)i;
            num_reductions++;
        }
    if (num_reductions != 1 || (!has_right_side(op, 0, p) && !has_right_side(op, 1, p)))
        return false;
    p->right = has_right_side(op, 1, p) ? 1 : 0;
    mlc_structured_loop_sizes(op, p->extent);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (!mlc_affine_map_uses_dim(mlc_structured_map(op, p->right), (unsigned)i))
            p->rows *= p->extent[i];
    return true;
}

// An argument for which all callers pass constants, or what is made of one by a reshape.
static bool
is_constant(MlcOp *module, MlcOp *function, MlcValue *value)
{
    MlcOp *def = mlc_value_def(value);
    if (def && mlc_op_num_operands(def) == 1)
        value = mlc_op_operand(def, 0);
    if (mlc_value_def(value) ||
        mlc_value_block(value) != mlc_region_first(mlc_op_region(function, 0)))
        return false;
    MlcKernelCalls calls = {0};
    bool found = mlc_kernel_calls(module, function, mlc_value_index(value), &calls);
    mlc_vec_release(&calls);
    return found;
}

static int64_t
element_bytes(MlcOp *op, const Product *p)
{
    return mlc_type_bit_width(mlc_type_element(mlc_value_type(mlc_op_operand(op, p->right)))) / 8;
}

static bool
is_large(MlcOp *op, const Product *p, const MlcTargetDesc *target)
{
    int64_t bytes = p->extent[p->inner] * p->extent[p->columns] * element_bytes(op, p);
    return p->rows >= LEAST_ROWS && bytes > (int64_t)(target->l2_bytes / 2);
}

// ---- panels and blocks of rows

// The element-wise op that alone reads the product, in the order of its result; else a copy: sums
// of parts are then kept together, and go to their places, which are far apart, only once.
static MlcOp *
make_root(MlcOp *op)
{
    MlcValue *value = mlc_op_result(op, 0);
    MlcUse *use = mlc_value_has_one_use(value) ? mlc_value_first_use(value) : NULL;
    MlcOp *user = use ? mlc_use_owner(use) : NULL;
    if (user && mlc_op_block(user) == mlc_op_block(op) && mlc_op_is_static_structured(user) &&
        mlc_structured_is_elementwise(user)) {
        MlcAffineMap out = mlc_structured_map(user, mlc_structured_num_inputs(user));
        if (mlc_use_index(use) < mlc_structured_num_inputs(user) &&
            mlc_structured_map(user, mlc_use_index(use)) == out &&
            mlc_affine_map_is_projected_permutation(out, false))
            return user;
    }
    MlcBuilder b;
    mlc_builder_init(&b, mlc_op_context(op));
    mlc_builder_after(&b, op);
    MlcValue *place = mlc_build_empty(&b, mlc_value_type(value));
    MlcValue *copy = mlc_build_copy(&b, place, NULL, place);
    mlc_value_replace_uses(value, copy);
    mlc_op_set_operand(mlc_value_def(copy), 0, value);
    return mlc_value_def(copy);
}

// Batches one by one, panels of even width, and then blocks of rows.
static void
choose_blocks(MlcPass *pass, MlcOp *root, MlcOp *op, const Product *p, MlcSchedule *s)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    MlcAffineMap from = mlc_structured_map(op, 2),
                 to = mlc_structured_map(root, mlc_structured_num_inputs(root));
    size_t rank = mlc_affine_map_num_results(to), n = 0, num_loops = mlc_structured_num_loops(root);
    int64_t vector = mlc_vector_length(op, target), rows = mlc_pass_option_int(pass, "rows"),
            present = mlc_ceil_div(p->extent[p->columns], vector);
    int64_t vectors = mlc_ceil_div(present, mlc_ceil_div(present, mlc_panel_vectors(1, target)));
    *s = (MlcSchedule){.unroll = 1};
    for (size_t i = rank; i-- > 0;) {
        int loop = mlc_map_result_dim(from, i);
        int64_t size = p->extent[loop], *cut = &s->sizes[mlc_map_result_dim(to, i)];
        if (loop == p->columns) {
            *cut = vectors * vector;
        } else if (mlc_affine_map_uses_dim(mlc_structured_map(op, p->right), (unsigned)loop)) {
            *cut = 1;
        } else if (rows < size) {
            *cut = mlc_ceil_div(size, mlc_ceil_div(size, rows));
            rows = 1;
        } else {
            rows /= size;
        }
    }
    for (int of_right = 1; of_right >= 0; of_right--) // batches and columns outside of rows
        for (size_t i = 0; i < rank; i++)
            if (mlc_affine_map_uses_dim(mlc_structured_map(op, p->right),
                                        (unsigned)mlc_map_result_dim(from, i)) == (bool)of_right)
                s->order[n++] = (unsigned)mlc_map_result_dim(to, i);
    for (unsigned i = 0; i < num_loops; i++)
        if (mlc_structured_iterator(root, i) != MLC_ITERATOR_PARALLEL)
            s->order[n++] = i;
}

// ---- parts of the inner dimension

typedef struct Cutter {
    MlcBuilder b;
    MlcIvs ivs;
    MlcOp *op;
    Product p;
} Cutter;

// init + left * right over the `size` steps of the inner dimension from `start` on.
static MlcValue *
build_part(Cutter *c, MlcAffineExpr start, int64_t size, MlcValue *init)
{
    MlcValue *operands[2];
    MlcWindow loops = {.rank = mlc_structured_num_loops(c->op)};
    mlc_structured_loop_sizes(c->op, loops.sizes);
    for (size_t i = 0; i < loops.rank; i++)
        loops.offsets[i] = mlc_affine_constant(c->b.ctx, 0);
    loops.offsets[c->p.inner] = start;
    loops.sizes[c->p.inner] = size;
    for (size_t i = 0; i < 2; i++) {
        MlcWindow w;
        operands[i] = mlc_op_operand(c->op, i);
        MlcType element = mlc_type_element(mlc_value_type(operands[i]));
        mlc_operand_window(mlc_structured_map(c->op, i), &loops, &w);
        MlcType type = mlc_tensor_type_get(element, w.sizes, w.rank, NULL);
        if (!mlc_window_is_whole(&w, mlc_value_type(operands[i])))
            operands[i] = mlc_build_extract_slice(&c->b, &c->ivs, operands[i], &w, type);
        if (i == c->p.right)
            operands[i] = mlc_build_copy(&c->b, operands[i], NULL, mlc_build_empty(&c->b, type));
    }
    MlcOp *part = mlc_builder_insert(&c->b, mlc_op_clone(c->op, NULL));
    for (size_t i = 0; i < 2; i++)
        mlc_op_set_operand(part, i, operands[i]);
    mlc_op_set_operand(part, 2, init);
    return mlc_op_result(part, 0);
}

// All but the last part in a loop, which keeps `tile` from taking several for one.
static void
cut_product(MlcPass *pass, MlcOp *op)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    Cutter c = {.op = op};
    if (!read_product(op, &c.p))
        return;
    MlcContext *ctx = mlc_op_context(op);
    MlcValue *sum = mlc_op_operand(op, 2);
    int64_t inner = c.p.extent[c.p.inner], most = (int64_t)(target->l2_bytes / 10 * 3),
            panel = inner * c.p.extent[c.p.columns] * element_bytes(op, &c.p);
    int64_t parts = mlc_ceil_div(panel, most > 0 ? most : panel);
    int64_t each = mlc_pass_option_int(pass, "inner");
    if (each == 0)
        each = mlc_ceil_div(mlc_ceil_div(inner, parts), PART_MULTIPLE) * PART_MULTIPLE;
    int64_t main = (inner - 1) / each * each;
    mlc_builder_init(&c.b, ctx);
    mlc_builder_before(&c.b, op);
    if (main > 0) {
        MlcBuilder outside = c.b;
        MlcOp *loop = mlc_build_for(&c.b, 0, main, each, &sum, 1);
        MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
        MlcAffineExpr start = mlc_ivs_expr(&c.ivs, ctx, mlc_block_arg(body, 0));
        sum = build_part(&c, start, each, mlc_block_arg(body, 1));
        mlc_build_yield(&c.b, &sum, 1);
        c.b = outside;
        c.ivs.block = NULL;
        sum = mlc_op_result(loop, 0);
    }
    sum = build_part(&c, mlc_affine_constant(ctx, main), inner - main, sum);
    mlc_op_replace(op, &sum, 1);
    mlc_ivs_release(&c.ivs);
}

// ---- the pass

static bool
block_function(MlcPass *pass, MlcOp *module, MlcOp *function)
{
    MlcOpVec found = {0}, cut = {0};
    bool ok = true, always = mlc_pass_option_bool(pass, "always");
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0))
        MLC_FOR_EACH_OP (op, block) {
            Product p;
            if (read_product(op, &p) &&
                (always || (is_large(op, &p, mlc_pass_target(pass)) &&
                            !is_constant(module, function, mlc_op_operand(op, p.right)))))
                mlc_vec_push(&found, op);
        }
    for (size_t i = 0; ok && i < found.size; i++) {
        MlcOp *op = found.data[i], *root = make_root(op);
        Product p;
        MlcSchedule schedule;
        (void)read_product(op, &p);
        choose_blocks(pass, root, op, &p, &schedule);
        mlc_kernel_remark(op, "in panels that are copied: its right side is no constant");
        mlc_op_set_attr(op, mark, mlc_unit_attr_get(mlc_op_context(op)));
        ok = mlc_tile_group(pass, &root, &schedule);
        mlc_pass_count(pass, "products", 1);
    }
    MLC_FOR_EACH_POSTORDER (op, function)
        if (mlc_op_attr(op, mark))
            mlc_vec_push(&cut, op);
    for (size_t i = 0; i < cut.size; i++) {
        mlc_op_set_attr(cut.data[i], mark, NULL);
        cut_product(pass, cut.data[i]);
    }
    mlc_vec_release(&found);
    mlc_vec_release(&cut);
    return ok;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MLC_FOR_EACH_OP (function, mlc_region_first(mlc_op_region(root, 0)))
        if (mlc_is_kernel_function(function) && !block_function(pass, root, function))
            return false;
    return true;
}

static const MlcPassOption options[] = {
    {"always", MLC_OPTION_BOOL, NULL, "wherever it can be done, constants too"},
    {"rows", MLC_OPTION_INT, "2048", "rows of a block at most"},
    {"inner", MLC_OPTION_INT, "0", "steps of a part; 0: as the second cache wants it"},
};

static const char *const dialects[] = {"affine", "arith", "linalg", "scf", "tensor", NULL};

MLC_PASS(linalg_block, .flag = "linalg-block",
         .summary = "Compute products of matrices that are no constants in blocks, panels copied",
         .anchor = "builtin.module", .options = options, .num_options = 3,
         .dependent_dialects = dialects, .run = run)
