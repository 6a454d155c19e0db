// ops_found.c -- ONNX operators that choose: NonMaxSuppression and Unique, whose number of results
// is found in the data.
#include "found_sizes.h"
#include "strings_of.h"

#include <inttypes.h>

static MlcValue *
at_least_zero(MlcOnnxNodeImport *n, MlcValue *value)
{
    return mlc_onnx_build_two(n, &mlc_graph_max_def, value, mlc_onnx_int(n, 0));
}

// ---- NonMaxSuppression

// One number, left out: `otherwise`.
static MlcValue *
scalar_input(MlcOnnxNodeImport *n, size_t i, MlcType element, double otherwise)
{
    int64_t none = 0;
    MlcValue *value = mlc_onnx_input_or_null(n, i);
    if (!value)
        return mlc_onnx_build_number(n, element, otherwise);
    MlcType type = mlc_value_type(value);
    if (mlc_type_element(type) != element || !mlc_type_has_static_shape(type) ||
        mlc_type_num_elements(type) != 1)
        return mlc_onnx_invalid(n, "input %zu has type %s, expected one element of type %s", i,
                                mlc_type_text(type), mlc_type_text(element)),
               NULL;
    return mlc_onnx_reshape(n, value, (MlcOnnxInts){&none, 0}, true);
}

// How many of a class there may be: all boxes, or as many as the model says.
static bool
read_most(MlcOnnxNodeImport *n, int64_t boxes, int64_t *most)
{
    MlcOnnxInts given = {0};
    *most = boxes;
    if (!mlc_onnx_input_or_null(n, 2))
        return *most = 0, true;
    if (!mlc_value_constant(n->inputs[2]))
        return *most = boxes == MLC_DYNAMIC ? INT64_MAX : boxes, true;
    if (!mlc_onnx_constant_ints(n, 2, &given))
        return false;
    if (given.count != 1)
        return mlc_onnx_invalid(n, "input 2 must be a scalar");
    int64_t wanted = given.items[0] > 0 ? given.items[0] : 0;
    return *most = boxes == MLC_DYNAMIC || wanted < boxes ? wanted : boxes, true;
}

static bool
check_overlap(MlcOnnxNodeImport *n)
{
    double overlap = 0;
    MlcValue *given = mlc_onnx_input_or_null(n, 3);
    if (!given || !mlc_value_constant(given))
        return true;
    if (!mlc_onnx_constant_float(n, 3, &overlap))
        return false;
    return (overlap >= 0 && overlap <= 1) ||
           mlc_onnx_invalid(n, "'iou_threshold' is %g, not within 0 and 1", overlap);
}

static bool
import_suppression(MlcOnnxNodeImport *n)
{
    MlcType boxes = mlc_value_type(n->inputs[0]), scores = mlc_value_type(n->inputs[1]);
    MlcType f32 = mlc_float_type_get(mlc_onnx_context_of(n), MLC_FLOAT_F32);
    int64_t center = 0, most, first = 0, one = 1;
    if (!mlc_onnx_read_int(n, "center_point_box", &center) || !check_overlap(n))
        return false;
    if (center != 0 && center != 1)
        return mlc_onnx_invalid(n, "'center_point_box' is %" PRId64 ", expected 0 or 1", center);
    if (mlc_type_element(boxes) != f32 || mlc_type_element(scores) != f32)
        return mlc_onnx_invalid(n, "boxes and scores have types %s and %s, expected f32",
                                mlc_type_text(boxes), mlc_type_text(scores));
    if (!mlc_type_has_rank(boxes) || !mlc_type_has_rank(scores))
        return mlc_onnx_unsupported(n, "inputs of types %s and %s", mlc_type_text(boxes),
                                    mlc_type_text(scores));
    if (mlc_type_rank(scores) != 3 || mlc_type_rank(boxes) != 3)
        return mlc_onnx_invalid(n, "boxes and scores have types %s and %s, expected rank 3",
                                mlc_type_text(boxes), mlc_type_text(scores));
    if (!read_most(n, mlc_type_dim(scores, 2), &most))
        return false;
    MlcValue *operands[] = {n->inputs[0], n->inputs[1], scalar_input(n, 2, mlc_onnx_i64(n), 0),
                            scalar_input(n, 3, f32, 0), scalar_input(n, 4, f32, 0)};
    MlcOnnxAttrs attrs = {0}, over = {0};
    mlc_onnx_add_int(n, &attrs, "most", most);
    mlc_onnx_add_bool(n, &attrs, "is_centered", center == 1);
    mlc_onnx_add_bool(n, &attrs, "has_threshold", mlc_onnx_input_or_null(n, 4) != NULL);
    MlcValue *rows = mlc_onnx_build_typed(n, &mlc_graph_non_max_suppression_def, mlc_onnx_i64(n),
                                          operands, 5, &attrs);
    if (!rows)
        return false;
    // Behind the last one are rows of -1.
    MlcValue *batches = mlc_onnx_slice(n, rows, (MlcOnnxInts){&first, 1}, (MlcOnnxInts){&one, 1},
                                       (MlcOnnxInts){&one, 1}, (MlcOnnxInts){0});
    MlcValue *is_there =
        mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, batches, mlc_onnx_int(n, 0));
    is_there = mlc_onnx_cast(n, is_there, mlc_onnx_i64(n));
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    MlcValue *count =
        is_there ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &is_there, 1, &over) : NULL;
    return mlc_onnx_give_found(n, 0, at_least_zero(n, rows), 0, count, "the number of boxes");
}

// ---- Unique

enum { MAX_COLUMNS = 64 };   // of what is compared: each is sorted by
enum { MAX_STRINGS = 1024 }; // each is compared with each

typedef struct Unique {
    MlcValue *rows; // [count, columns]
    int64_t count, columns;
    MlcValue *order;           // places of rows in order, equal ones by place
    MlcValue *is_first, *size; // in that order: whether a row differs from the one before; how many
} Unique;

static MlcValue *
vector(MlcOnnxNodeImport *n, MlcValue *value, int64_t size)
{
    return value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){&size, 1}, true) : NULL;
}

// Elements, or rows, of the first dimension at these places, which there are.
static MlcValue *
pick(MlcOnnxNodeImport *n, MlcValue *value, MlcValue *places)
{
    return mlc_onnx_gather_there(n, value, places, 0);
}

// Places in ascending order of a vector.
static MlcValue *
sort(MlcOnnxNodeImport *n, MlcValue *value, int64_t size)
{
    int64_t row[] = {1, size};
    value = value ? mlc_onnx_reshape(n, value, (MlcOnnxInts){row, 2}, true) : NULL;
    return value ? vector(n,
                          mlc_onnx_build_typed(n, &mlc_graph_argsort_def, mlc_onnx_i64(n), &value,
                                               1, NULL),
                          size)
                 : NULL;
}

// By the last column, then by the one before: sorting keeps the order of what is equal.
static void
sort_rows(MlcOnnxNodeImport *n, Unique *u)
{
    int64_t axis = 1;
    u->order = mlc_onnx_build_places(n, u->count, 0, 1);
    for (int64_t i = u->columns; i-- > 0;) {
        int64_t next = i + 1;
        MlcValue *column = mlc_onnx_slice(n, u->rows, (MlcOnnxInts){&i, 1}, (MlcOnnxInts){&next, 1},
                                          (MlcOnnxInts){&axis, 1}, (MlcOnnxInts){0});
        column = pick(n, vector(n, column, u->count), u->order);
        u->order = pick(n, u->order, sort(n, column, u->count));
    }
}

static void
find_first(MlcOnnxNodeImport *n, Unique *u)
{
    int64_t axis = 0, zero = 0, one = 1, last = u->count - 1;
    MlcOnnxInts along = {&axis, 1}, none = {0};
    MlcValue *sorted = pick(n, u->rows, u->order);
    MlcOnnxAttrs over = {0}, sum = {0};
    MlcType i1 = mlc_integer_type_get(mlc_onnx_context_of(n), 1, MLC_SIGNLESS);
    if (!sorted)
        return;
    MlcValue *before =
        mlc_onnx_slice(n, sorted, (MlcOnnxInts){&zero, 1}, (MlcOnnxInts){&last, 1}, along, none);
    MlcValue *behind =
        mlc_onnx_slice(n, sorted, (MlcOnnxInts){&one, 1}, (MlcOnnxInts){&u->count, 1}, along, none);
    MlcValue *same = mlc_onnx_compare(n, &mlc_graph_equal_def, before, behind);
    same = mlc_onnx_cast(n, same, mlc_onnx_i64(n));
    mlc_onnx_add_ints(n, &over, "axes", (MlcOnnxInts){&one, 1});
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    same = same ? mlc_onnx_build(n, &mlc_graph_reduce_min_def, &same, 1, &over) : NULL;
    MlcValue *differs = mlc_onnx_compare(n, &mlc_graph_equal_def, same, mlc_onnx_int(n, 0));
    MlcValue *begin = mlc_onnx_cast(n, mlc_onnx_build_ints(n, &one, &one, 1), i1);
    MlcValue *parts[] = {begin, differs};
    u->is_first = u->count == 1 ? begin : differs ? mlc_onnx_concat(n, parts, 2, 0) : NULL;
    MlcValue *ones = mlc_onnx_cast(n, u->is_first, mlc_onnx_i64(n));
    mlc_onnx_add_bool(n, &sum, "keepdims", false);
    u->size = ones ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &ones, 1, &sum) : NULL;
}

// For each place of a permutation where it is.
static MlcValue *
inverse_of(MlcOnnxNodeImport *n, MlcValue *order, int64_t size)
{
    return sort(n, order, size);
}

// The groups' numbers by falling age, instead of in order: `*firsts` are put so, and
// `*group` numbers are renamed.
static void
put_by_age(MlcOnnxNodeImport *n, const Unique *u, MlcValue **firsts, MlcValue **counts,
           MlcValue **group)
{
    MlcValue *places = mlc_onnx_build_places(n, u->count, 0, 1);
    MlcValue *is_there = mlc_onnx_compare(n, &mlc_graph_less_def, places, u->size);
    MlcValue *age = mlc_onnx_select(n, is_there, *firsts, mlc_onnx_int(n, u->count));
    MlcValue *order = sort(n, age, u->count);
    *firsts = pick(n, *firsts, order);
    *counts = pick(n, *counts, order);
    *group = pick(n, order ? inverse_of(n, order, u->count) : NULL, *group);
}

static bool
give_unique(MlcOnnxNodeImport *n, Unique *u, MlcValue *x, size_t axis, bool sorted)
{
    int64_t row[] = {1, u->count}, one = 1, zero = 0, end = u->count;
    MlcOnnxInts along = {&zero, 1};
    static const char what[] = "the number of different elements";
    sort_rows(n, u);
    find_first(n, u);
    if (!u->is_first || !u->size)
        return false;
    MlcValue *starts =
        mlc_onnx_build_typed(n, &mlc_graph_true_places_def, mlc_onnx_i64(n), &u->is_first, 1, NULL);
    MlcValue *firsts = pick(n, u->order, at_least_zero(n, starts));
    // From one start to the next, or to the end.
    MlcValue *is_there =
        mlc_onnx_compare(n, &mlc_graph_greater_or_equal_def, starts, mlc_onnx_int(n, 0));
    starts = mlc_onnx_select(n, is_there, starts, mlc_onnx_int(n, u->count));
    MlcValue *next = starts ? mlc_onnx_slice(n, starts, (MlcOnnxInts){&one, 1},
                                             (MlcOnnxInts){&end, 1}, along, (MlcOnnxInts){0})
                            : NULL;
    MlcValue *ends[] = {next, mlc_onnx_build_ints(n, &end, &one, 1)};
    size_t skipped = u->count == 1; // which has no next one
    MlcValue *counts = mlc_onnx_build_two(
        n, &mlc_graph_sub_def, next ? mlc_onnx_concat(n, ends + skipped, 2 - skipped, 0) : NULL,
        starts);
    // In order each row's group is the number of starts up to it; then as the rows stand.
    MlcValue *ones = mlc_onnx_cast(n, u->is_first, mlc_onnx_i64(n));
    ones = ones ? mlc_onnx_reshape(n, ones, (MlcOnnxInts){row, 2}, true) : NULL;
    MlcValue *group = vector(n, mlc_onnx_build_one(n, &mlc_graph_running_sum_def, ones), u->count);
    group = mlc_onnx_build_two(n, &mlc_graph_sub_def, group, mlc_onnx_int(n, 1));
    group = pick(n, group, u->order ? inverse_of(n, u->order, u->count) : NULL);
    if (!sorted)
        put_by_age(n, u, &firsts, &counts, &group);
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_int(n, &attrs, "axis", (int64_t)axis);
    MlcValue *operands[] = {x, firsts};
    MlcValue *values = firsts && counts && group
                           ? mlc_onnx_build(n, &mlc_graph_gather_def, operands, 2, &attrs)
                           : NULL;
    if (!values)
        return false;
    if (mlc_onnx_has_output(n, 2))
        n->outputs[2] = group;
    return mlc_onnx_give_found(n, 0, values, axis, u->size, what) &&
           mlc_onnx_give_found(n, 1, firsts, 0, u->size, what) &&
           mlc_onnx_give_found(n, 3, counts, 0, u->size, what);
}

// For strings [count] how many of them are less: numbers in the same order, by comparing all.
static MlcValue *
ranks_of_strings(MlcOnnxNodeImport *n, MlcValue *strings, int64_t count)
{
    int64_t row[] = {1, count}, column[] = {count, 1}, square[] = {count, count}, axis = 0;
    MlcOnnxAttrs over = {0};
    MlcValue *both[2] = {mlc_onnx_reshape(n, strings, (MlcOnnxInts){column, 2}, true),
                         mlc_onnx_reshape(n, strings, (MlcOnnxInts){row, 2}, true)};
    for (size_t i = 0; i < 2; i++)
        both[i] = mlc_onnx_expand(n, both[i], (MlcOnnxInts){square, 2});
    MlcValue *is_less = mlc_onnx_text(n, "less", mlc_onnx_i64(n), both, 2);
    mlc_onnx_add_ints(n, &over, "axes", (MlcOnnxInts){&axis, 1});
    mlc_onnx_add_bool(n, &over, "keepdims", false);
    return is_less ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &is_less, 1, &over) : NULL;
}

// What rows are compared by: their elements, of strings numbers in the same order.
static MlcValue *
sortable(MlcOnnxNodeImport *n, MlcValue *rows, const Unique *u)
{
    int64_t count = u->count * u->columns, shape[] = {u->count, u->columns};
    if (rows && mlc_onnx_is_strings(n->import, rows)) {
        if (count > MAX_STRINGS)
            return mlc_onnx_unsupported(n, "%" PRId64 " strings", count), NULL;
        rows = ranks_of_strings(n, rows, count);
    }
    return rows ? mlc_onnx_reshape(n, rows, (MlcOnnxInts){shape, 2}, true) : NULL;
}

static bool
import_unique(MlcOnnxNodeImport *n)
{
    bool has_axis = false;
    int64_t axis = 0, sorted = 1, perm[MLC_SMALL_RANK];
    MlcValue *x = n->inputs[0];
    for (size_t i = 0; i < n->node->attribute.count; i++)
        has_axis |= mlc_str_equal(n->node->attribute.items[i].name, mlc_str("axis"));
    if (!mlc_onnx_read_int(n, "sorted", &sorted) ||
        (has_axis && !mlc_onnx_read_axis(n, "axis", mlc_value_type(x), &axis)))
        return false;
    if (!mlc_type_has_small_rank(mlc_value_type(x)) ||
        !mlc_type_has_static_shape(mlc_value_type(x)))
        return mlc_onnx_unsupported(n, "an input of type %s", mlc_type_text(mlc_value_type(x)));
    if (!has_axis)
        x = mlc_onnx_reshape(n, x, (MlcOnnxInts){&(int64_t){-1}, 1}, false);
    if (!x)
        return false;
    MlcType type = mlc_value_type(x);
    size_t rank = mlc_type_rank(type);
    Unique u = {.count = mlc_type_dim(type, (size_t)axis), .columns = 1};
    for (size_t i = 0; i < rank; i++) { // the axis first, the others in order
        perm[i] = i == 0 ? axis : (int64_t)i <= axis ? (int64_t)i - 1 : (int64_t)i;
        u.columns *= (int64_t)i == axis ? 1 : mlc_type_dim(type, i);
    }
    if (u.columns > MAX_COLUMNS || u.count == 0 || u.columns == 0)
        return mlc_onnx_unsupported(n, "%" PRId64 " elements in each of %" PRId64 " parts",
                                    u.columns, u.count);
    u.rows = sortable(n, mlc_onnx_transpose(n, x, (MlcOnnxInts){perm, rank}), &u);
    return u.rows && give_unique(n, &u, x, (size_t)axis, sorted != 0);
}

static const MlcOnnxOperator rows[] = {
    {"NonMaxSuppression", 10, MLC_ONNX_NEWEST, 2, 5, .import = import_suppression,
     .found = mlc_onnx_rule_suppression},
    {"Unique", 11, MLC_ONNX_NEWEST, 1, 1, .import = import_unique, .takes_strings = true},
};
const MlcOnnxOperators mlc_onnx_found = MLC_ONNX_OPERATORS(rows);
