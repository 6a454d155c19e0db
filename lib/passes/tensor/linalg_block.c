// linalg_block.c -- products of large matrices in blocks that the caches hold.
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
//
// Where the left side is larger than the second cache too, each panel would fetch all of it from
// farther away. Then blocks of rows are outermost, and the right side is packed before: here, or by
// linalg_pack.c where it is a constant (Goto and van de Geijn, "Anatomy of high-performance matrix
// multiplication"):
//
//   for each block of rows, for each part of the inner dimension:
//     copy of the left part
//     for each panel of columns: sum += copy * packed right part's panel
//
// Each sum adds up the same in the same order, so this is done under `mlc.numerics = "strict"` too;
// parts begin where blocks of the sum do (mlc_sum_blocks).
#include "kernel/kernel_arguments.h"
#include "kernel/kernel_notes.h"
#include "sum_block.h"
#include "tile.h"
#include "windows.h"

#include "mlc/ir.h"

#include "mlc/dialects/linalg_build.h"
#include "mlc/dialects/scf.h"
#include "mlc/dialects/tensor.h"

enum {
    LEAST_ROWS = 96, // that pass a panel: copying a vector costs as much as 4 to 20 of them
    PART_MULTIPLE = 16,
    LEAST_BLOCKS = 3,     // of rows: fewer gain less than packing the right side costs
    MOST_PACKED = 1 << 25 // bytes of a right side that is packed when the kernel runs
};

// On the product while its group is cut: the columns of a packed panel, 0 where panels are copied.
static const char *const mark = "mlc.block";

typedef struct Product {
    size_t right; // operand
    int inner, columns;
    int64_t rows; // iterations of all loops that the right side does not have
    int64_t extent[MLC_SMALL_RANK];
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

// An argument for which all callers pass constants, or what is made of one by reshapes.
static bool
is_constant(MlcOp *module, MlcOp *function, MlcValue *value)
{
    for (MlcOp *def; (def = mlc_value_def(value)) && mlc_op_num_operands(def) == 1;)
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
    MlcType element = mlc_type_element(mlc_value_type(mlc_op_operand(op, p->right)));
    return mlc_ceil_div(mlc_type_bit_width(element), 8);
}

static bool
is_large(MlcOp *op, const Product *p, const MlcTargetDesc *target)
{
    int64_t bytes = p->extent[p->inner] * p->extent[p->columns] * element_bytes(op, p);
    return p->rows >= LEAST_ROWS && bytes > (int64_t)(target->l2_bytes / 2);
}

// The right side is a matrix that can be packed: an argument.
static bool
can_pack(MlcOp *function, MlcOp *op, const Product *p)
{
    MlcValue *right = mlc_op_operand(op, p->right);
    return !mlc_value_def(right) && mlc_type_rank(mlc_value_type(right)) == 2 &&
           mlc_value_block(right) == mlc_region_first(mlc_op_region(function, 0)) &&
           mlc_map_result_dim(mlc_structured_map(op, p->right), 0) == p->inner;
}

// ---- panels and blocks of rows

// Columns of a panel: of even width.
static int64_t
panel_columns(MlcOp *op, const Product *p, const MlcTargetDesc *target)
{
    int64_t vector = mlc_vector_length(op, target),
            present = mlc_ceil_div(p->extent[p->columns], vector);
    return vector * mlc_ceil_div(present, mlc_ceil_div(present, mlc_panel_vectors(1, target)));
}

// Steps of the inner dimension that are a part, with panels of so many columns.
static int64_t
part_of_inner(MlcPass *pass, MlcOp *op, const Product *p, int64_t columns)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    int64_t inner = p->extent[p->inner], most = mlc_target_resident_bytes(target),
            panel = inner * columns * element_bytes(op, p);
    int64_t parts = mlc_ceil_div(panel, most > 0 ? most : panel);
    int64_t each = mlc_pass_option_int(pass, "inner"), sums = mlc_sum_block_size(op),
            multiple = sums ? sums : PART_MULTIPLE;
    return each > 0 ? each : mlc_ceil_div(mlc_ceil_div(inner, parts), multiple) * multiple;
}

// Rows of a packed product whose copy fills the second cache.
static int64_t
most_rows(MlcPass *pass, MlcOp *op, const Product *p)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    int64_t inner = part_of_inner(pass, op, p, panel_columns(op, p, target)),
            rows = (int64_t)target->l2_bytes / (inner * element_bytes(op, p));
    return rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

// Both sides leave the second cache while rows pass, and there are several blocks of them.
static bool
both_are_large(MlcPass *pass, MlcOp *op, const Product *p, bool constant)
{
    int64_t bytes = p->extent[p->inner] * p->extent[p->columns] * element_bytes(op, p);
    return is_large(op, p, mlc_pass_target(pass)) &&
           p->rows >= LEAST_BLOCKS * most_rows(pass, op, p) && (constant || bytes <= MOST_PACKED);
}

// Of a packed product: rows whose copy fills the second cache at most, in blocks that the cores can
// share, and columns whose sums of a block take no more than twice that.
static void
choose_packed(MlcPass *pass, MlcOp *op, const Product *p, int64_t *rows, int64_t *columns)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    int64_t panel = panel_columns(op, p, target), bytes = element_bytes(op, p),
            l2 = (int64_t)target->l2_bytes, all = p->extent[p->columns],
            blocks = mlc_ceil_div(p->rows, most_rows(pass, op, p));
    *columns = mlc_pass_option_int(pass, "columns");
    if (*columns == 0)
        *columns = 2 * l2 / (mlc_ceil_div(p->rows, blocks) * bytes);
    *columns = *columns < panel ? panel : *columns / panel * panel;
    int64_t groups = mlc_ceil_div(all, *columns);
    *columns = mlc_ceil_div(mlc_ceil_div(all, groups), panel) * panel;
    while (blocks * groups % target->cores != 0 && p->rows >= (blocks + 1) * LEAST_ROWS)
        blocks++;
    *rows = mlc_ceil_div(p->rows, blocks);
    int64_t asked = mlc_pass_option_int(pass, "rows");
    *rows = asked < *rows ? asked : *rows;
}

// Batches one by one, and blocks of so many rows and columns: columns outside of rows.
static void
choose_blocks(MlcOp *root, MlcOp *op, const Product *p, int64_t rows, int64_t columns,
              MlcSchedule *s)
{
    MlcAffineMap from = mlc_structured_map(op, 2),
                 to = mlc_structured_map(root, mlc_structured_num_inputs(root));
    size_t rank = mlc_affine_map_num_results(to), n = 0, num_loops = mlc_structured_num_loops(root);
    *s = (MlcSchedule){.unroll = 1};
    for (size_t i = rank; i-- > 0;) {
        int loop = mlc_map_result_dim(from, i);
        int64_t size = p->extent[loop], *cut = &s->sizes[mlc_map_result_dim(to, i)];
        if (loop == p->columns) {
            *cut = columns;
        } else if (mlc_affine_map_uses_dim(mlc_structured_map(op, p->right), (unsigned)loop)) {
            *cut = 1;
        } else if (rows < size) {
            rows = rows < 1 ? 1 : rows;
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
    MlcIndexValues indices;
    MlcOp *op;
    Product p;
} Cutter;

// init + left * right over the `size` steps of the inner dimension from `start` on; operand
// `copied` comes as a copy.
static MlcOp *
build_part(Cutter *c, MlcAffineExpr start, int64_t size, size_t copied, MlcValue *init)
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
        mlc_window_of_operand(mlc_structured_map(c->op, i), &loops, &w);
        MlcType type = mlc_tensor_type_get(element, w.sizes, w.rank, NULL);
        bool is_whole = mlc_window_is_whole(&w, mlc_value_type(operands[i]));
        if (!is_whole)
            operands[i] = mlc_window_extract(&c->b, &c->indices, operands[i], &w, type);
        if (i == copied && (i == c->p.right || !is_whole))
            operands[i] = mlc_build_copy(&c->b, operands[i], NULL, mlc_build_empty(&c->b, type));
    }
    MlcOp *part = mlc_builder_insert(&c->b, mlc_op_clone(c->op, NULL));
    for (size_t i = 0; i < 2; i++)
        mlc_op_set_operand(part, i, operands[i]);
    mlc_op_set_operand(part, 2, init);
    return part;
}

// Cuts the group of `root`, which `op` is or gives its sums to, into panels of columns.
static bool
cut_panels(MlcPass *pass, MlcOp *root, MlcOp *op, const Product *p, int64_t columns)
{
    MlcSchedule schedule;
    choose_blocks(root, op, p, INT64_MAX, columns, &schedule);
    return mlc_tile_group(pass, &root, &schedule);
}

// All but the last part in a loop, which keeps `tile` from taking several for one. Packed parts
// (`columns`: of a panel, else 0) are cut into panels.
static bool
cut_product(MlcPass *pass, MlcOp *op, int64_t columns)
{
    Cutter c = {.op = op};
    if (!read_product(op, &c.p))
        return true;
    MlcContext *ctx = mlc_op_context(op);
    MlcOp *root = mlc_use_owner(mlc_value_first_use(mlc_op_result(op, 0))), *part = NULL;
    MlcValue *sum = mlc_op_operand(op, 2);
    size_t copied = columns ? 1 - c.p.right : c.p.right;
    int64_t inner = c.p.extent[c.p.inner],
            each = part_of_inner(pass, op, &c.p, columns ? columns : c.p.extent[c.p.columns]);
    int64_t main = (inner - 1) / each * each;
    mlc_set_sum_block(op);
    mlc_builder_init(&c.b, ctx);
    mlc_builder_before(&c.b, op);
    if (main > 0) {
        MlcBuilder outside = c.b;
        MlcOp *loop = mlc_build_for(&c.b, 0, main, each, &sum, 1);
        MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
        MlcAffineExpr start = mlc_index_values_expr(&c.indices, ctx, mlc_block_arg(body, 0));
        part = build_part(&c, start, each, copied, mlc_block_arg(body, 1));
        sum = mlc_op_result(part, 0);
        mlc_scf_yield(&c.b, &sum, 1);
        c.b = outside;
        c.indices.block = NULL;
        sum = mlc_op_result(loop, 0);
    }
    MlcOp *last = build_part(&c, mlc_affine_constant(ctx, main), inner - main, copied, sum);
    sum = mlc_op_result(last, 0);
    mlc_op_replace(op, &sum, 1);
    bool ok = !columns || ((!part || cut_panels(pass, part, part, &c.p, columns)) &&
                           cut_panels(pass, root, last, &c.p, columns));
    mlc_index_values_release(&c.indices);
    return ok;
}

// ---- the packed right side

typedef struct Packer {
    MlcBuilder b;
    MlcIndexValues indices;
    MlcValue *matrix; // [inner, columns]
    int64_t panel;    // columns
} Packer;

// Where a slice lies in what it is cut from, through other slices.
static MlcValue *
source_of_slice(MlcOp *slice, MlcIndexValues *indices, MlcWindow *w)
{
    MlcValue *source = mlc_op_operand(slice, 0);
    if (!mlc_window_of_slice(slice, 1, indices, w) || !mlc_window_is_static(w))
        return NULL;
    for (MlcOp *def; mlc_tensor_extract_slice_isa(def = mlc_value_def(source));) {
        MlcWindow outer;
        if (!mlc_window_of_slice(def, 1, indices, &outer) || outer.rank != w->rank)
            return NULL;
        for (size_t i = 0; i < w->rank; i++)
            w->offsets[i] = mlc_affine_add(w->offsets[i], outer.offsets[i]);
        source = mlc_op_operand(def, 0);
    }
    return source;
}

// `rows` rows of `panels` panels that are `width` wide, the first of them number `first`, copied to
// their places in `dest`: all of some rows before the next ones, which lie in other pages.
static MlcValue *
build_panels(Packer *p, MlcAffineExpr row, int64_t rows, int64_t first, int64_t panels,
             int64_t width, MlcValue *dest)
{
    if (panels == 0)
        return dest;
    MlcBuilder outside = p->b;
    MlcOp *loop = mlc_build_for(&p->b, first, first + panels, 1, &dest, 1);
    MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
    MlcAffineExpr number = mlc_index_values_expr(&p->indices, p->b.ctx, mlc_block_arg(body, 0));
    MlcWindow from = {.rank = 2,
                      .offsets = {row, mlc_affine_mul_const(number, p->panel)},
                      .sizes = {rows, width}};
    MlcWindow to = {.rank = 3,
                    .offsets = {number, row, mlc_affine_constant(p->b.ctx, 0)},
                    .sizes = {1, rows, width}};
    MlcType element = mlc_type_element(mlc_value_type(p->matrix)),
            part = mlc_tensor_type_get(element, from.sizes, 2, NULL);
    MlcValue *value = mlc_window_extract(&p->b, &p->indices, p->matrix, &from, part);
    MlcValue *place = mlc_window_extract(&p->b, &p->indices, mlc_block_arg(body, 1), &to, part);
    value = mlc_build_copy(&p->b, value, NULL, place);
    dest = mlc_window_insert(&p->b, &p->indices, value, mlc_block_arg(body, 1), &to);
    mlc_scf_yield(&p->b, &dest, 1);
    p->b = outside;
    p->indices.block = NULL;
    return mlc_op_result(loop, 0);
}

// `matrix`, [inner, columns], as [panels, inner, panel]. What the last panel lacks is never read.
static MlcValue *
build_packed(Packer *p)
{
    enum { ROWS = 16 };
    MlcType type = mlc_value_type(p->matrix);
    int64_t inner = mlc_type_dim(type, 0), columns = mlc_type_dim(type, 1),
            whole = columns / p->panel, rest = columns % p->panel,
            shape[] = {mlc_ceil_div(columns, p->panel), inner, p->panel};
    MlcValue *dest =
        mlc_build_empty(&p->b, mlc_tensor_type_get(mlc_type_element(type), shape, 3, NULL));
    for (int64_t first = 0, rows; first < inner; first += (inner - first) / rows * rows) {
        rows = inner - first < ROWS ? inner - first : ROWS;
        MlcBuilder outside = p->b;
        MlcOp *loop =
            mlc_build_for(&p->b, first, first + (inner - first) / rows * rows, rows, &dest, 1);
        MlcBlock *body = mlc_region_first(mlc_op_region(loop, 0));
        MlcAffineExpr row = mlc_index_values_expr(&p->indices, p->b.ctx, mlc_block_arg(body, 0));
        dest = build_panels(p, row, rows, 0, whole, p->panel, mlc_block_arg(body, 1));
        dest = build_panels(p, row, rows, whole, rest > 0, rest, dest);
        mlc_scf_yield(&p->b, &dest, 1);
        p->b = outside;
        p->indices.block = NULL;
        dest = mlc_op_result(loop, 0);
    }
    return dest;
}

static bool
is_read_in_panels(MlcOp *slice, int64_t panel)
{
    MLC_FOR_EACH_USE (use, mlc_op_result(slice, 0)) {
        MlcAttr attr = mlc_op_attr(mlc_use_owner(use), mark);
        if (!attr || mlc_attr_as_int(attr) != panel)
            return false;
    }
    return mlc_op_has_uses(slice);
}

// The window of [inner, columns] in [panels, inner, panel].
static MlcWindow
window_of_packed(const MlcWindow *w, MlcContext *ctx, int64_t panel)
{
    MlcAffineExpr width = mlc_affine_constant(ctx, panel);
    return (MlcWindow){.rank = 3,
                       .offsets = {mlc_affine_binary(MLC_AFFINE_FLOORDIV, w->offsets[1], width),
                                   w->offsets[0], mlc_affine_constant(ctx, 0)},
                       .sizes = {1, w->sizes[0], w->sizes[1]}};
}

// Windows of windows of a matrix that packed products read become windows of itself, for
// linalg_pack.c to find, or where it is no constant of its panels, which are made before all else.
static void
reread_panels(MlcOp *function, MlcValue *matrix, bool constant, int64_t panel)
{
    Packer p = {.matrix = matrix, .panel = panel};
    MlcOpVec slices = {0};
    MlcWindow w;
    MlcValue *source = matrix;
    MLC_FOR_EACH_PREORDER (op, function)
        if (mlc_tensor_extract_slice_isa(op) && is_read_in_panels(op, panel) &&
            source_of_slice(op, &p.indices, &w) == matrix)
            mlc_vec_push(&slices, op);
    mlc_builder_init(&p.b, mlc_op_context(function));
    mlc_builder_before(&p.b, mlc_block_first(mlc_region_first(mlc_op_region(function, 0))));
    if (!constant && slices.size > 0)
        source = build_packed(&p);
    for (size_t i = 0; i < slices.size; i++) {
        MlcOp *slice = slices.data[i];
        (void)source_of_slice(slice, &p.indices, &w);
        mlc_builder_before(&p.b, slice);
        p.indices.block = NULL;
        MlcWindow place = constant ? w : window_of_packed(&w, p.b.ctx, panel);
        MlcValue *value = mlc_window_extract(&p.b, &p.indices, source, &place,
                                             mlc_value_type(mlc_op_result(slice, 0)));
        mlc_op_replace(slice, &value, 1);
    }
    mlc_index_values_release(&p.indices);
    mlc_vec_release(&slices);
}

// ---- the pass

typedef struct Blocked {
    MlcOp *op;
    MlcValue *matrix; // the right side
    int64_t panel;    // columns of a packed panel, else 0
    bool constant;
} Blocked;
typedef MLC_VEC(Blocked) BlockedVec;

static void
find_products(MlcPass *pass, MlcOp *module, MlcOp *function, BlockedVec *found)
{
    const MlcTargetDesc *target = mlc_pass_target(pass);
    bool always = mlc_pass_option_bool(pass, "always"), pack = mlc_pass_option_bool(pass, "pack");
    MLC_FOR_EACH_BLOCK (block, mlc_op_region(function, 0))
        MLC_FOR_EACH_OP (op, block) {
            Product p;
            if (!read_product(op, &p))
                continue;
            Blocked product = {.op = op, .matrix = mlc_op_operand(op, p.right)};
            product.constant = is_constant(module, function, product.matrix);
            if (can_pack(function, op, &p) &&
                (pack || both_are_large(pass, op, &p, product.constant)))
                product.panel = panel_columns(op, &p, target);
            if (product.panel || always || (is_large(op, &p, target) && !product.constant))
                mlc_vec_push(found, product);
        }
}

static bool
block_product(MlcPass *pass, const Blocked *product)
{
    MlcOp *op = product->op, *root = mlc_structured_root(op);
    Product p;
    MlcSchedule schedule;
    (void)read_product(op, &p);
    int64_t rows = mlc_pass_option_int(pass, "rows"),
            columns = panel_columns(op, &p, mlc_pass_target(pass));
    if (product->panel) {
        choose_packed(pass, op, &p, &rows, &columns);
        mlc_kernel_remark(op, "in blocks of %lld rows and %lld columns%s", (long long)rows,
                          (long long)columns,
                          product->constant ? "" : ", its right side packed when it runs");
    } else {
        mlc_kernel_remark(op, "in panels that are copied: its right side is no constant");
    }
    choose_blocks(root, op, &p, rows, columns, &schedule);
    mlc_op_set_attr(op, mark, mlc_i64_attr_get(mlc_op_context(op), product->panel));
    mlc_pass_count(pass, "products", 1);
    return mlc_tile_group(pass, &root, &schedule);
}

static void
find_marked(MlcOp *function, MlcOpVec *marked)
{
    mlc_vec_clear(marked);
    MLC_FOR_EACH_POSTORDER (op, function)
        if (mlc_op_attr(op, mark))
            mlc_vec_push(marked, op);
}

static bool
block_function(MlcPass *pass, MlcOp *module, MlcOp *function)
{
    BlockedVec found = {0};
    MlcOpVec marked = {0};
    bool ok = true;
    find_products(pass, module, function, &found);
    for (size_t i = 0; ok && i < found.size; i++)
        ok = block_product(pass, &found.data[i]);
    find_marked(function, &marked);
    for (size_t i = 0; ok && i < marked.size; i++)
        ok = cut_product(pass, marked.data[i], mlc_attr_as_int(mlc_op_attr(marked.data[i], mark)));
    for (size_t i = 0; ok && i < found.size; i++)
        if (found.data[i].panel)
            reread_panels(function, found.data[i].matrix, found.data[i].constant,
                          found.data[i].panel);
    find_marked(function, &marked);
    for (size_t i = 0; i < marked.size; i++)
        mlc_op_set_attr(marked.data[i], mark, NULL);
    mlc_vec_release(&found);
    mlc_vec_release(&marked);
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
    {"columns", MLC_OPTION_INT, "0",
     "columns of a block at most, where its right side is packed; 0: as the second cache wants it"},
    {"pack", MLC_OPTION_BOOL, NULL, "right sides packed before, wherever it can be done"},
};

static const char *const dialects[] = {"affine", "arith", "linalg", "scf", "tensor", NULL};

MLC_PASS(linalg_block, .flag = "linalg-block",
         .summary = "Compute products of large matrices in blocks that the caches hold",
         .anchor = "builtin.module", .options = options, .num_options = 5,
         .dependent_dialects = dialects, .run = run)
