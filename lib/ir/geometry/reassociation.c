// reassociation.c -- groups of dimensions: read, written, composed, inferred.
#include "mlc/ir/reassociation.h"

#include <assert.h>
#include <string.h>

bool
mlc_groups_read(MlcAttr attr, MlcGroups *groups)
{
    int64_t next = 0, index;
    groups->size = 0;
    if (!attr || mlc_array_attr_size(attr) > MLC_RANK_LIMIT)
        return false;
    for (size_t i = 0; i < mlc_array_attr_size(attr); i++) {
        MlcAttr group = mlc_array_attr_element(attr, i);
        for (size_t k = 0; k < mlc_int_list_attr_size(group); k++)
            if (!mlc_int_list_attr_get(group, k, &index) || index != next++)
                return false;
        if ((size_t)next == mlc_groups_first(groups, i) || next > MLC_RANK_LIMIT)
            return false;
        groups->ends[groups->size++] = (size_t)next;
    }
    return true;
}

MlcAttr
mlc_groups_attr(MlcContext *ctx, const MlcGroups *groups)
{
    MlcAttr lists[MLC_RANK_LIMIT], dims[MLC_RANK_LIMIT];
    for (size_t i = 0; i < groups->size; i++) {
        size_t first = mlc_groups_first(groups, i), n = groups->ends[i] - first;
        for (size_t k = 0; k < n; k++)
            dims[k] = mlc_i64_attr_get(ctx, (int64_t)(first + k));
        lists[i] = mlc_array_attr_get(ctx, dims, n);
    }
    return mlc_array_attr_get(ctx, lists, groups->size);
}

void
mlc_groups_push(MlcGroups *groups, size_t num_dims)
{
    size_t first = groups->size ? groups->ends[groups->size - 1] : 0;
    assert(groups->size < MLC_RANK_LIMIT);
    groups->ends[groups->size++] = first + num_dims;
}

bool
mlc_groups_equal(const MlcGroups *a, const MlcGroups *b)
{
    return a->size == b->size &&
           (a->size == 0 || memcmp(a->ends, b->ends, a->size * sizeof *a->ends) == 0);
}

bool
mlc_groups_compose(const MlcGroups *a, const MlcGroups *b, MlcGroups *out)
{
    const MlcGroups *finer = a->size > b->size ? a : b, *coarser = finer == a ? b : a;
    out->size = 0;
    if (a->size == b->size)
        return false;
    if (coarser->size == 0)
        return true;
    if (finer->size != coarser->ends[coarser->size - 1])
        return false;
    for (size_t i = 0; i < coarser->size; i++)
        out->ends[out->size++] = finer->ends[coarser->ends[i] - 1];
    return true;
}

// Takes dimensions from the left until their product is the next one of `target`. A dynamic
// dimension stands for itself; ones to the right of all join the last group.
bool
mlc_groups_infer(const int64_t *shape, size_t rank, const int64_t *target, size_t target_rank,
                 MlcGroups *out)
{
    size_t dim = 0;
    out->size = 0;
    if (rank <= target_rank || rank > MLC_RANK_LIMIT)
        return false;
    for (; dim < rank && out->size < target_rank; dim++) {
        int64_t want = target[out->size], product = 1;
        while (dim < rank - 1 && shape[dim] != MLC_DYNAMIC && product * shape[dim] < want)
            product *= shape[dim++];
        if (shape[dim] == MLC_DYNAMIC || want == MLC_DYNAMIC) {
            if (shape[dim] != want || product != 1)
                return false;
        } else if (product * shape[dim] != want) {
            return false;
        }
        out->ends[out->size++] = dim + 1;
    }
    if (out->size != target_rank)
        return false;
    for (size_t i = dim; i < rank; i++)
        if (shape[i] != MLC_DYNAMIC && shape[i] != 1)
            return false;
    if (out->size)
        out->ends[out->size - 1] = rank;
    return true;
}
