// eval_window.c -- rectangular windows: what slices of tensors, vectors and memrefs share.
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"

bool
mlc_eval_mixed(MlcEval *e, MlcOp *op, MlcAttr list, const MlcDatum *operands, size_t *used,
               int64_t *out)
{
    for (size_t i = 0; i < mlc_int_list_attr_size(list); i++) {
        if (!mlc_int_list_attr_get(list, i, &out[i]))
            return mlc_eval_error(e, op, "has a list that is not of integers");
        if (out[i] == MLC_DYNAMIC)
            out[i] = mlc_datum_as_int(&operands[(*used)++]);
    }
    return true;
}

void
mlc_eval_dropped_dims(MlcAttr static_sizes, MlcType type, bool *dropped)
{
    size_t num_sizes = mlc_int_list_attr_size(static_sizes), kept = 0, rank = mlc_type_rank(type);
    for (size_t i = 0; i < num_sizes; i++) {
        int64_t size = 0;
        mlc_int_list_attr_get(static_sizes, i, &size);
        dropped[i] = size == 1 && num_sizes - i > rank - kept &&
                     (kept == rank || mlc_type_dim(type, kept) != 1);
        kept += !dropped[i];
    }
    // Units that stood where the result has a unit were kept; if that leaves too many, the last
    // ones go.
    for (size_t i = num_sizes; i-- > 0 && kept > rank;) {
        int64_t size = 0;
        mlc_int_list_attr_get(static_sizes, i, &size);
        if (size == 1 && !dropped[i])
            dropped[i] = true, --kept;
    }
}

bool
mlc_eval_check_window(MlcEval *e, MlcOp *op, size_t rank, const int64_t *shape,
                      const int64_t *offsets, const int64_t *sizes, const int64_t *strides,
                      bool *is_empty)
{
    *is_empty = false;
    for (size_t i = 0; i < rank; i++) {
        if (sizes[i] < 0)
            return mlc_eval_error(e, op, "has a window of size %lld in dimension %zu",
                                  (long long)sizes[i], i);
        *is_empty |= sizes[i] == 0;
    }
    for (size_t i = 0; i < rank && !*is_empty; i++) {
        int64_t last;
        if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &last) ||
            __builtin_add_overflow(last, offsets[i], &last))
            last = strides[i] < 0 ? INT64_MIN : INT64_MAX;
        if (offsets[i] < 0 || offsets[i] >= shape[i] || last < 0 || last >= shape[i])
            return mlc_eval_error(
                e, op, "reaches from %lld to %lld in dimension %zu, which has %lld elements",
                (long long)offsets[i], (long long)last, i, (long long)shape[i]);
    }
    return true;
}

static void
copy_window(const MlcDatum *elements, const int64_t *offsets, const int64_t *sizes,
            const int64_t *strides, char *packed, bool is_write)
{
    size_t rank = elements->rank, bytes = mlc_datum_element_bytes(elements);
    int64_t index[MLC_RANK_LIMIT] = {0};
    const int64_t *shape = elements->elements.shape;
    // Contiguous elements of the last dimension go together.
    int64_t run = rank > 0 && strides[rank - 1] == 1 ? sizes[rank - 1] : 1;
    size_t outer = run > 1 || (rank > 0 && strides[rank - 1] == 1) ? rank - 1 : rank;
    do {
        int64_t at = 0;
        for (size_t i = 0; i < rank; i++)
            at = at * shape[i] + offsets[i] + (i < outer ? index[i] * strides[i] : 0);
        char *place = (char *)elements->elements.data + (size_t)at * bytes;
        memcpy(is_write ? place : packed, is_write ? packed : place, bytes * (size_t)run);
        packed += bytes * (size_t)run;
    } while (mlc_next_index(index, sizes, outer));
}

bool
mlc_eval_read_window(MlcEval *e, MlcOp *op, const MlcDatum *elements, const int64_t *offsets,
                     const int64_t *sizes, const int64_t *strides, void *packed)
{
    bool is_empty;
    if (!mlc_eval_check_window(e, op, elements->rank, elements->elements.shape, offsets, sizes,
                               strides, &is_empty))
        return false;
    if (!is_empty)
        copy_window(elements, offsets, sizes, strides, packed, false);
    return true;
}

bool
mlc_eval_write_window(MlcEval *e, MlcOp *op, MlcDatum *elements, const int64_t *offsets,
                      const int64_t *sizes, const int64_t *strides, const void *packed)
{
    bool is_empty;
    if (!mlc_eval_check_window(e, op, elements->rank, elements->elements.shape, offsets, sizes,
                               strides, &is_empty))
        return false;
    if (!is_empty) // only read through
        copy_window(elements, offsets, sizes, strides, (char *)(uintptr_t)packed, true);
    return true;
}
