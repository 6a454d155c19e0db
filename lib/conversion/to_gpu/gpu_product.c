// gpu_product.c -- reads loops and maps of a contraction.
#include "gpu_product.h"

#include "mlc/analysis/alias.h"
#include "mlc/analysis/structured.h"
#include "mlc/dialects/arith.h"

static bool
is_zero(MlcAttr number)
{
    int64_t value;
    return mlc_attr_is(number, MLC_ATTR_FLOAT)
               ? mlc_float_attr_as_double(number) == 0
               : mlc_attr_is(number, MLC_ATTR_INTEGER) && mlc_attr_try_as_int(number, &value) &&
                     value == 0;
}

// What a product that reads `operand` of `op` reads: the buffer, or what is inside of a buffer
// padded with zeros.
static MlcValue *
read_source(MlcOp *op, size_t operand, Padding *padding)
{
    MlcValue *buffer = mlc_op_operand(op, operand);
    MlcType type = mlc_value_type(buffer);
    if (!mlc_type_is(type, MLC_TYPE_MEMREF))
        return NULL;
    if (gpu_padding_read(padding, buffer, op) && is_zero(padding->around))
        return padding->source;
    *padding = (Padding){0};
    return mlc_memref_type_layout(type) || !mlc_type_has_static_shape(type) ? NULL : buffer;
}

// Elements for a step of each loop, from the map and the strides of a buffer without gaps.
static bool
read_steps(Product *p, size_t factor)
{
    MlcOp *op = p->op;
    size_t operand = p->factors[factor];
    MlcAffineMap map = mlc_structured_map(op, operand);
    unsigned num_loops = (unsigned)mlc_structured_num_loops(op);
    int64_t stride = 1, *steps = p->steps[factor];
    Padding padding;
    MlcValue *source = p->source[factor] = read_source(op, operand, &padding);
    if (!source || mlc_type_rank(mlc_value_type(source)) == 0)
        return false;
    MlcType type = mlc_value_type(source);
    for (size_t r = mlc_type_rank(type); r-- > 0; stride *= mlc_type_dim(type, r)) {
        int64_t linear[MLC_SMALL_RANK + 1] = {0};
        if (!mlc_affine_linear(mlc_affine_map_result(map, r), num_loops, 0, linear))
            return false;
        linear[num_loops] -= padding.low[r];
        for (unsigned d = 0; d < num_loops; d++)
            steps[d] += stride * linear[d];
        p->start[factor] += stride * linear[num_loops];
        if (!padding.is_padded[r])
            continue;
        EdgeCheck *edge = &p->edges[factor][p->num_edges[factor]++];
        *edge = (EdgeCheck){.start = linear[num_loops], .size = mlc_type_dim(type, r)};
        memcpy(edge->steps, linear, num_loops * sizeof *linear);
    }
    return p->num_edges[factor] > 0 || p->start[factor] >= 0;
}

// Which of the inputs has `loop`: bits 0 and 1.
static unsigned
users_of(MlcOp *op, unsigned loop)
{
    unsigned users = 0;
    for (size_t i = 0; i < 2; i++)
        users |= (unsigned)mlc_affine_map_uses_dim(mlc_structured_map(op, i), loop) << i;
    return users;
}

// Sorts loops into groups; the factor with the result's last loop has the columns.
static bool
read_sides(Product *p)
{
    MlcAffineMap out = mlc_structured_map(p->op, 2);
    size_t rank = mlc_affine_map_num_results(out);
    int last = rank ? mlc_map_result_dim(out, rank - 1) : -1;
    unsigned columns = last >= 0 ? users_of(p->op, (unsigned)last) : 0;
    if (columns != 1 && columns != 2)
        return false;
    p->factors[0] = columns == 1 ? 1 : 0;
    p->factors[1] = 1 - p->factors[0];
    for (size_t s = 0; s < NUM_SIDES; s++)
        p->sides[s].size = 1;
    for (unsigned loop = 0; loop < mlc_structured_num_loops(p->op); loop++) {
        unsigned users = users_of(p->op, loop);
        MlcIterator kind = mlc_structured_iterator(p->op, loop);
        bool is_out = mlc_affine_map_uses_dim(out, loop);
        if (kind == MLC_ITERATOR_WINDOW || users == 0 ||
            is_out != (kind == MLC_ITERATOR_PARALLEL) || (!is_out && users != 3))
            return false;
        LoopGroup *group = &p->sides[!is_out            ? SIDE_DEPTH
                                     : users == 3       ? SIDE_BATCH
                                     : users == columns ? SIDE_COLUMNS
                                                        : SIDE_ROWS];
        group->loops[group->count++] = loop;
        if (__builtin_mul_overflow(group->size, p->sizes[loop], &group->size))
            return false;
    }
    return true;
}

bool
gpu_product_read(Product *p, MlcOp *op)
{
    *p = (Product){.op = op};
    if (!mlc_structured_is_contraction(op) || !mlc_structured_is_small(op) ||
        mlc_structured_num_outputs(op) != 1 || mlc_structured_uses_index(op) ||
        mlc_op_num_operands(op) != 3)
        return false;
    MlcAffineMap out = mlc_structured_map(op, 2);
    mlc_structured_loop_sizes(op, p->sizes);
    for (size_t i = 0; i < mlc_structured_num_loops(op); i++)
        if (p->sizes[i] <= 0) // MLC_DYNAMIC too
            return false;
    if (!mlc_affine_map_is_projected_permutation(out, false) || !read_sides(p))
        return false;
    p->result = mlc_op_operand(op, 2);
    for (size_t i = 0; i < 2; i++) {
        p->element[i] = mlc_type_element(mlc_value_type(mlc_op_operand(op, p->factors[i])));
        if (!read_steps(p, i) || mlc_viewed_buffer(p->source[i]) == mlc_viewed_buffer(p->result))
            return false; // blocks write the result while others read the factors
    }
    return true;
}

// Whether input `i` of the op is bytes that its body widens with their sign, to multiply them.
static bool
is_signed_byte(MlcOp *op, size_t i)
{
    MlcValue *arg = mlc_block_arg(mlc_structured_body(op), i);
    MlcOp *user = mlc_value_has_one_use(arg) ? mlc_use_owner(mlc_value_first_use(arg)) : NULL;
    if (!mlc_type_is_integer(mlc_value_type(arg), 8) || !user || !mlc_arith_extsi_isa(user))
        return false;
    MlcValue *wide = mlc_op_result(user, 0);
    return mlc_value_has_one_use(wide) &&
           mlc_arith_muli_isa(mlc_use_owner(mlc_value_first_use(wide)));
}

bool
gpu_product_is_bytes(const Product *p)
{
    return mlc_type_is_integer(mlc_type_element(mlc_value_type(p->result)), 32) &&
           is_signed_byte(p->op, 0) && is_signed_byte(p->op, 1);
}

MlcType
gpu_product_sum_element(const Product *p)
{
    MlcContext *ctx = mlc_op_context(p->op);
    return gpu_product_is_bytes(p) ? mlc_integer_type_get(ctx, 32, MLC_SIGNLESS)
                                   : mlc_float_type_get(ctx, MLC_FLOAT_F32);
}

int64_t
gpu_product_step(const Product *p, size_t i, ProductSide side)
{
    const LoopGroup *group = &p->sides[side];
    return group->count ? p->steps[i][group->loops[group->count - 1]] : 0;
}

bool
gpu_product_line(const Product *p, size_t i, ProductSide side, int64_t *step)
{
    const LoopGroup *group = &p->sides[side];
    int64_t size = 0; // elements from one of the outer loops to the next
    *step = 0;
    for (size_t k = group->count; k-- > 0;) {
        unsigned loop = group->loops[k];
        if (p->sizes[loop] == 1)
            continue;
        if (size && p->steps[i][loop] != size)
            return false;
        if (!size)
            *step = p->steps[i][loop];
        size = p->steps[i][loop] * p->sizes[loop];
        if (size <= 0)
            return false;
    }
    return true;
}

int64_t
gpu_product_run(const Product *p, size_t i, ProductSide side, int64_t most)
{
    const LoopGroup *group = &p->sides[side];
    if (group->count == 0 || gpu_product_step(p, i, side) != 1)
        return 1;
    unsigned last = group->loops[group->count - 1];
    int64_t run = most;
    for (size_t e = 0; e < p->num_edges[i]; e++)
        if (p->edges[i][e].steps[last] != 0)
            return 1; // an edge may be within
    while (run > 1) {
        bool fits = p->sizes[last] % run == 0 && p->start[i] % run == 0;
        for (size_t d = 0; fits && d < MLC_SMALL_RANK; d++)
            fits = d == last || p->steps[i][d] % run == 0;
        if (fits)
            break;
        run /= 2;
    }
    return run;
}

// Whether the group's loops are one by these steps: each is as far as all of the next.
static bool
is_one_loop(const Product *p, const int64_t *steps, const LoopGroup *group)
{
    for (size_t k = 0; k + 1 < group->count; k++)
        if (steps[group->loops[k]] != steps[group->loops[k + 1]] * p->sizes[group->loops[k + 1]])
            return false;
    return true;
}

static MlcValue *
times(MlcBuilder *b, MlcValue *x, int64_t factor)
{
    return factor == 1 ? x : mlc_arith_muli(b, x, mlc_build_index(b, factor));
}

void
gpu_group_indices(MlcBuilder *b, const LoopGroup *group, const int64_t *sizes, MlcValue *number,
                  MlcValue **ivs)
{
    for (size_t k = group->count; k-- > 0;) {
        MlcValue *size = mlc_build_index(b, sizes[group->loops[k]]);
        ivs[group->loops[k]] = k == 0 ? number : mlc_arith_remui(b, number, size);
        if (k > 0)
            number = mlc_arith_divui(b, number, size);
    }
}

MlcValue *
gpu_product_place(MlcBuilder *b, const Product *p, const int64_t *steps, ProductSide side,
                  MlcValue *number)
{
    const LoopGroup *group = &p->sides[side];
    MlcValue *ivs[MLC_SMALL_RANK], *sum = NULL;
    bool moves = false;
    for (size_t k = 0; k < group->count; k++)
        moves |= steps[group->loops[k]] != 0;
    if (!moves)
        return NULL;
    if (is_one_loop(p, steps, group))
        return times(b, number, steps[group->loops[group->count - 1]]);
    gpu_group_indices(b, group, p->sizes, number, ivs);
    for (size_t k = 0; k < group->count; k++) {
        int64_t step = steps[group->loops[k]];
        MlcValue *term = step ? times(b, ivs[group->loops[k]], step) : NULL;
        sum = sum && term ? mlc_arith_addi(b, sum, term) : term ? term : sum;
    }
    return sum;
}

MlcValue *
gpu_product_offset(MlcBuilder *b, const Product *p, size_t i, ProductSide side, MlcValue *number)
{
    MlcValue *place = gpu_product_place(b, p, p->steps[i], side, number);
    return place ? place : mlc_build_index(b, 0);
}
