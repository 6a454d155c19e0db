// strided.c -- elements moved between strided places.
#include "mlc/support/strided.h"

enum { BLOCK = 16 }; // words in a cache line

// A matrix of words in blocks that stay in the first cache on both sides.
static void
copy_words(char *to, const char *from, MlcStridedDim rows, MlcStridedDim columns)
{
    for (int64_t i = 0; i < rows.size; i += BLOCK)
        for (int64_t j = 0; j < columns.size; j += BLOCK)
            for (int64_t r = i; r < rows.size && r < i + BLOCK; r++)
                for (int64_t c = j; c < columns.size && c < j + BLOCK; c++)
                    memcpy(to + 4 * (r * rows.to + c * columns.to),
                           from + 4 * (r * rows.from + c * columns.from), 4);
}

static void
copy(char *to, const char *from, int64_t width, const MlcStridedDim *dims, size_t rank)
{
    if (rank == 0 || (rank == 1 && dims[0].to == 1 && dims[0].from == 1)) {
        memcpy(to, from, (size_t)(rank ? dims[0].size * width : width));
        return;
    }
    if (rank == 2 && width == 4 && (dims[1].to != 1 || dims[1].from != 1)) {
        copy_words(to, from, dims[0], dims[1]);
        return;
    }
    for (int64_t i = 0; i < dims[0].size; i++)
        copy(to + i * dims[0].to * width, from + i * dims[0].from * width, width, dims + 1,
             rank - 1);
}

void
mlc_strided_copy(void *to, const void *from, size_t width, const MlcStridedDim *dims, size_t rank)
{
    for (size_t i = 0; i < rank; i++)
        if (dims[i].size == 0)
            return;
    copy(to, from, (int64_t)width, dims, rank);
}
