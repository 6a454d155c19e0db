// vector_rows.c -- takes vectors apart into rows and lanes, and puts them together.
#include "vector_dims.h"

#include <assert.h>

#include "mlc/dialects/vector.h"

static bool
is_vector(MlcType type)
{
    return mlc_type_is(type, MLC_TYPE_VECTOR);
}

int64_t
vector_row_length(MlcType type)
{
    size_t rank = is_vector(type) ? mlc_type_rank(type) : 0;
    return rank ? mlc_type_dim(type, rank - 1) : 1;
}

int64_t
vector_num_rows(MlcType type)
{
    return is_vector(type) ? mlc_type_num_elements(type) / vector_row_length(type) : 1;
}

MlcType
vector_row_type(MlcType type)
{
    int64_t length = vector_row_length(type);
    return mlc_vector_type_get(mlc_type_element(type), &length, 1, NULL);
}

bool
vector_is_scalable(MlcType type)
{
    for (size_t i = 0; is_vector(type) && i < mlc_type_rank(type); i++)
        if (mlc_vector_type_is_scalable(type, i))
            return true;
    return false;
}

// Where number `linear` lies in the leading `n` dimensions.
static void
position_of(MlcType type, size_t n, int64_t linear, int64_t *position)
{
    for (size_t i = n; i-- > 0;) {
        position[i] = linear % mlc_type_dim(type, i);
        linear /= mlc_type_dim(type, i);
    }
}

MlcValue *
vector_row(MlcBuilder *b, MlcValue *vector, int64_t row)
{
    MlcType type = mlc_value_type(vector);
    size_t rank = mlc_type_rank(type);
    int64_t position[MLC_RANK_LIMIT];
    if (rank <= 1)
        return vector;
    position_of(type, rank - 1, row, position);
    return mlc_vector_extract(b, vector_row_type(type), vector, NULL, 0, position, rank - 1);
}

MlcValue *
vector_lane(MlcBuilder *b, MlcValue *value, size_t element)
{
    MlcType type = mlc_value_type(value);
    int64_t position[MLC_RANK_LIMIT];
    if (!is_vector(type))
        return value;
    position_of(type, mlc_type_rank(type), (int64_t)element, position);
    return mlc_vector_extract(b, mlc_type_element(type), value, NULL, 0, position,
                              mlc_type_rank(type));
}

MlcValue *
vector_zeros(MlcBuilder *b, MlcType type)
{
    MlcType element = mlc_type_element(type);
    MlcAttr zero = mlc_type_is_float(element) ? mlc_float_attr_get(element, 0)
                                              : mlc_integer_attr_get(element, 0);
    return mlc_build_constant(b, mlc_dense_attr_splat(type, zero));
}

// The rows that lanes come from: one or two.
typedef struct Rows {
    size_t source[2], row[2], count;
} Rows;

// Where the lane's row is among them; 2: there is no room for it.
static size_t
find_row(Rows *rows, size_t source, size_t row)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->source[i] == source && rows->row[i] == row)
            return i;
    if (rows->count == 2)
        return 2;
    rows->source[rows->count] = source;
    rows->row[rows->count] = row;
    return rows->count++;
}

static bool
is_one_lane(const Lane *lanes, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (lanes[i].source != lanes[0].source || lanes[i].element != lanes[0].element)
            return false;
    return true;
}

// A row as it is, or a shuffle of two of one length; NULL if it takes more.
static MlcValue *
shuffle_of_rows(MlcBuilder *b, MlcValue *const *sources, const Lane *lanes, size_t n)
{
    Rows rows = {0};
    size_t length = 0;
    bool is_whole = true;
    MLC_VEC(MlcAttr) mask = {0};
    for (size_t i = 0; i < n; i++) {
        MlcType type = mlc_value_type(sources[lanes[i].source]);
        size_t own = is_vector(type) && mlc_type_rank(type) ? (size_t)vector_row_length(type) : 0;
        size_t which = own && (length == 0 || own == length)
                           ? find_row(&rows, lanes[i].source, lanes[i].element / own)
                           : 2;
        if (which == 2) {
            mlc_vec_release(&mask);
            return NULL;
        }
        length = own;
        size_t lane = which * length + lanes[i].element % length;
        is_whole = is_whole && lane == i;
        mlc_vec_push(&mask, mlc_i64_attr_get(b->ctx, (int64_t)lane));
    }
    MlcValue *row[2] = {NULL, NULL};
    for (size_t i = 0; i < rows.count; i++)
        row[i] = vector_row(b, sources[rows.source[i]], (int64_t)rows.row[i]);
    MlcAttr list = mlc_array_attr_get(b->ctx, mask.data, mask.size);
    mlc_vec_release(&mask);
    if (is_whole && n == length)
        return row[0];
    return mlc_vector_shuffle(b, row[0], row[rows.count - 1], list);
}

MlcValue *
vector_of_lanes(MlcBuilder *b, MlcValue *const *sources, const Lane *lanes, size_t n)
{
    int64_t length = (int64_t)n;
    MlcType element = mlc_type_element(mlc_value_type(sources[lanes[0].source]));
    MlcType type = mlc_vector_type_get(element, &length, 1, NULL);
    bool is_one = n > 1 && is_one_lane(lanes, n);
    MlcValue *made = is_one ? NULL : shuffle_of_rows(b, sources, lanes, n);
    if (made && mlc_value_type(made) == type)
        return made;
    MlcValueVec scalars = {0};
    for (size_t i = 0; i < (is_one ? 1 : n); i++)
        mlc_vec_push(&scalars, vector_lane(b, sources[lanes[i].source], lanes[i].element));
    made = is_one ? mlc_vector_broadcast(b, type, scalars.data[0])
                  : mlc_vector_from_elements(b, type, scalars.data, n);
    mlc_vec_release(&scalars);
    return made;
}

MlcValue *
vector_of_rows(MlcBuilder *b, MlcType type, MlcValue *const *rows)
{
    size_t rank = mlc_type_rank(type);
    int64_t position[MLC_RANK_LIMIT];
    if (rank == 1)
        return rows[0];
    if (rank == 0)
        return mlc_vector_broadcast(b, type, vector_lane(b, rows[0], 0));
    MlcValue *made = vector_zeros(b, type);
    for (int64_t i = 0; i < vector_num_rows(type); i++) {
        position_of(type, rank - 1, i, position);
        made = mlc_vector_insert(b, rows[i], made, NULL, 0, position, rank - 1);
    }
    return made;
}

MlcValue *
vector_combine(MlcBuilder *b, int64_t kind, MlcValue *x, MlcValue *y)
{
    // By the number of the kind's bit.
    static const char *const ops[][2] = {
        {"arith.addi", "arith.addf"}, {"arith.muli", "arith.mulf"}, {"arith.minui", NULL},
        {"arith.minsi", NULL},        {NULL, "arith.minnumf"},      {"arith.maxui", NULL},
        {"arith.maxsi", NULL},        {NULL, "arith.maxnumf"},      {"arith.andi", NULL},
        {"arith.ori", NULL},          {"arith.xori", NULL},         {NULL, "arith.minimumf"},
        {NULL, "arith.maximumf"},
    };
    static_assert(MLC_VECTOR_KIND_MAXIMUMF == 1 << 12, "the table has a row for each kind");
    MlcType element = mlc_type_element(mlc_value_type(x));
    const char *name = ops[__builtin_ctzll((uint64_t)kind)][mlc_type_is_float(element)];
    return mlc_build(b, name, NULL, x, y);
}
