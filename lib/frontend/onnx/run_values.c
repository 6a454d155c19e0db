// run_values.c -- values of a model that runs node by node: see run.h.
#include "run.h"

#include "mlc/ir/runtime_type.h"
#include "mlc/support/alloc.h"

#include <stdarg.h>

bool
mlc_onnx_run_fail(MlcOnnxRunner *r, const char *format, ...)
{
    va_list args;
    if (r->error->size)
        return false;
    va_start(args, format);
    mlc_buf_vprintf(r->error, format, args);
    va_end(args);
    return false;
}

static size_t
count_of(const int64_t *dims, size_t from, size_t to)
{
    size_t count = 1;
    for (size_t i = from; i < to; i++)
        count *= (size_t)dims[i];
    return count;
}

bool
mlc_onnx_run_broken(MlcOnnxRunner *r)
{
    return mlc_onnx_run_fail(r,
                             "its inputs, outputs or attributes are not as its operator has them");
}

bool
mlc_onnx_run_no_numbers(MlcOnnxRunner *r)
{
    return mlc_onnx_run_fail(r, "strings, maps and lists of lists are not interpreted");
}

// Counts the bytes; NULL after an error.
static MlcOnnxRunValue *
create(MlcOnnxRunner *r, size_t bytes)
{
    if (bytes > MLC_ONNX_RUN_MAX_MEMORY - *r->all_bytes) {
        mlc_onnx_run_fail(r, "its values are of more than %zu bytes", MLC_ONNX_RUN_MAX_MEMORY);
        return NULL;
    }
    MlcOnnxRunValue *value = mlc_calloc(1, sizeof *value);
    value->num_holders = 1;
    value->bytes = bytes;
    value->all_bytes = r->all_bytes;
    *r->all_bytes += bytes;
    return value;
}

MlcOnnxRunValue *
mlc_onnx_run_tensor(MlcOnnxRunner *r, MlcRtType type, const int64_t *dims, size_t rank)
{
    size_t bytes = mlc_runtime_type_bytes(type), all = 0;
    bool fits = true, is_empty = false;
    for (size_t i = 0; i < rank; i++)
        is_empty |= dims[i] == 0;
    for (size_t i = 0; fits && i < rank; i++)
        fits = dims[i] >= 0 && (is_empty || mlc_mul_size(bytes, (size_t)dims[i], &bytes));
    bytes = is_empty ? 1 : bytes;
    fits = fits && mlc_add_size(bytes, sizeof(MlcOnnxRunValue) + rank * sizeof *dims, &all);
    MlcOnnxRunValue *value = create(r, fits ? all : SIZE_MAX);
    if (!value)
        return NULL;
    int64_t *own = mlc_calloc(rank + 1, sizeof *own);
    for (size_t i = 0; i < rank; i++)
        own[i] = dims[i];
    value->tensor = (MlcRtTensor){type, (int32_t)rank, own, mlc_malloc(bytes)};
    return value;
}

MlcOnnxRunValue *
mlc_onnx_run_list(MlcOnnxRunner *r, int kind, MlcRtType element, MlcOnnxRunValue *const *items,
                  size_t count)
{
    MlcOnnxRunValue *value = create(r, sizeof *value + count * sizeof *items);
    if (!value)
        return NULL;
    value->kind = kind;
    value->element = element;
    value->items = mlc_calloc(count + 1, sizeof *value->items);
    value->num_items = count;
    for (size_t i = 0; i < count; i++) {
        value->items[i] = items[i];
        mlc_onnx_run_hold(items[i]);
    }
    return value;
}

MlcOnnxRunValue *
mlc_onnx_run_scalar(MlcOnnxRunner *r, MlcRtType type, int64_t number)
{
    MlcOnnxRunValue *value = mlc_onnx_run_tensor(r, type, NULL, 0);
    if (value)
        memcpy(value->tensor.data, &number, mlc_runtime_type_bytes(type)); // little-endian
    return value;
}

void
mlc_onnx_run_hold(MlcOnnxRunValue *value)
{
    value->num_holders++;
}

// Lists of lists of tensors: the deepest there are.
void
mlc_onnx_run_drop(MlcOnnxRunValue *value)
{
    if (!value || --value->num_holders)
        return;
    for (size_t i = 0; i < value->num_items; i++)
        mlc_onnx_run_drop(value->items[i]);
    *value->all_bytes -= value->bytes;
    mlc_free((void *)(uintptr_t)value->tensor.dims);
    mlc_free(value->tensor.data);
    mlc_free(value->items);
    mlc_free(value);
}

void
mlc_onnx_run_drop_all(MlcOnnxRunValues *values)
{
    for (size_t i = 0; i < values->size; i++)
        mlc_onnx_run_drop(values->data[i]);
    mlc_vec_release(values);
}

bool
mlc_onnx_run_read(MlcOnnxRunner *r, const MlcOnnxRunValue *value, int64_t *number)
{
    const MlcRtTensor *t = &value->tensor;
    bool is_one = value->kind == MLC_ONNX_RUN_TENSOR && count_of(t->dims, 0, (size_t)t->rank) == 1;
    if (!is_one || (t->type != MLC_RT_I64 && t->type != MLC_RT_BOOL))
        return mlc_onnx_run_fail(r, "a count or a condition is no integer or truth value");
    *number = 0;
    memcpy(number, t->data, mlc_runtime_type_bytes(t->type));
    return true;
}

MlcOnnxRunValue *
mlc_onnx_run_crop(MlcOnnxRunner *r, const MlcRtTensor *from, const int64_t *dims)
{
    size_t rank = (size_t)from->rank, bytes = mlc_runtime_type_bytes(from->type);
    MlcOnnxRunValue *value = mlc_onnx_run_tensor(r, from->type, dims, rank);
    if (!value || mlc_runtime_tensor_bytes(&value->tensor) == 0)
        return value;
    if (rank == 0) {
        memcpy(value->tensor.data, from->data, bytes);
        return value;
    }
    size_t row = (size_t)dims[rank - 1] * bytes, num_rows = count_of(dims, 0, rank - 1);
    for (size_t i = 0; i < num_rows; i++) { // row i of the result, by its indices
        size_t left = i, at = 0, stride = 1;
        for (size_t k = rank - 1; k-- > 0;) {
            at += left % (size_t)dims[k] * stride;
            left /= (size_t)dims[k];
            stride *= (size_t)from->dims[k];
        }
        memcpy((char *)value->tensor.data + i * row,
               (const char *)from->data + at * (size_t)from->dims[rank - 1] * bytes, row);
    }
    return value;
}

// Copies between a tensor and its element `at` along `axis`.
static void
copy_element(const MlcRtTensor *all, size_t axis, int64_t at, void *element, bool puts)
{
    size_t rank = (size_t)all->rank, size = (size_t)all->dims[axis];
    size_t row = count_of(all->dims, axis + 1, rank) * mlc_runtime_type_bytes(all->type);
    size_t num_rows = count_of(all->dims, 0, axis);
    for (size_t i = 0; i < num_rows; i++) {
        char *there = (char *)all->data + (i * size + (size_t)at) * row;
        char *here = (char *)element + i * row;
        memcpy(puts ? there : here, puts ? here : there, row);
    }
}

MlcOnnxRunValue *
mlc_onnx_run_take(MlcOnnxRunner *r, const MlcRtTensor *from, size_t axis, int64_t at)
{
    MlcOnnxRunValue *value;
    int64_t *dims = mlc_calloc((size_t)from->rank + 1, sizeof *dims);
    for (size_t i = 0, k = 0; i < (size_t)from->rank; i++)
        if (i != axis)
            dims[k++] = from->dims[i];
    value = mlc_onnx_run_tensor(r, from->type, dims, (size_t)from->rank - 1);
    mlc_free(dims);
    if (value)
        copy_element(from, axis, at, value->tensor.data, false);
    return value;
}

static bool
is_alike(const MlcOnnxRunValue *a, const MlcOnnxRunValue *b)
{
    bool same = a->kind == MLC_ONNX_RUN_TENSOR && b->kind == MLC_ONNX_RUN_TENSOR &&
                a->tensor.type == b->tensor.type && a->tensor.rank == b->tensor.rank;
    for (int32_t i = 0; same && i < a->tensor.rank; i++)
        same = a->tensor.dims[i] == b->tensor.dims[i];
    return same;
}

MlcOnnxRunValue *
mlc_onnx_run_stack(MlcOnnxRunner *r, const MlcOnnxRunValues *pieces, size_t axis, bool reversed)
{
    const MlcRtTensor *first = &pieces->data[0]->tensor;
    size_t rank = (size_t)first->rank + 1, count = pieces->size;
    for (size_t i = 0; i < count; i++)
        if (!is_alike(pieces->data[0], pieces->data[i]))
            return mlc_onnx_run_fail(r, "iterations give elements of other types or sizes"), NULL;
    int64_t *dims = mlc_calloc(rank, sizeof *dims);
    for (size_t i = 0, k = 0; i < rank; i++)
        dims[i] = i == axis ? (int64_t)count : first->dims[k++];
    MlcOnnxRunValue *value = mlc_onnx_run_tensor(r, first->type, dims, rank);
    mlc_free(dims);
    for (size_t i = 0; value && i < count; i++)
        copy_element(&value->tensor, axis, (int64_t)(reversed ? count - 1 - i : i),
                     pieces->data[i]->tensor.data, true);
    return value;
}

MlcOnnxRunValue *
mlc_onnx_run_find(const MlcOnnxScope *scope, MlcStr name)
{
    for (; name.size && scope; scope = scope->outer) {
        MlcStrMapEntry *entry = mlc_str_map_find(&scope->values, name);
        if (entry)
            return (MlcOnnxRunValue *)(uintptr_t)entry->value;
    }
    return NULL;
}

void
mlc_onnx_run_name(MlcOnnxScope *scope, MlcStr name, MlcOnnxRunValue *value)
{
    bool fresh;
    MlcStrMapEntry *entry = mlc_str_map_insert(&scope->values, name, &fresh);
    if (!fresh)
        mlc_onnx_run_drop((MlcOnnxRunValue *)(uintptr_t)entry->value);
    entry->value = (uint64_t)(uintptr_t)value;
}
