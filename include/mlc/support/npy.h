// npy.h -- NumPy's .npy files: one array, a short header of text before its bytes.
//
// Ownership: `data` points into the bytes that were given.
// Threads: any.
#ifndef MLC_SUPPORT_NPY_H
#define MLC_SUPPORT_NPY_H

#include "mlc/support/base.h"
#include "mlc/support/buf.h"

MLC_BEGIN_DECLS

enum {
    MLC_NPY_MAX_RANK = 32,
    MLC_NPY_MAX_ITEM_BYTES = 64,      // of others than texts
    MLC_NPY_MAX_CHARACTERS = 1 << 24, // of a text
};

typedef struct MlcNpy {
    char kind; // 'f' float, 'i' and 'u' integers, 'b' bool, 'c' complex, 'V' bytes (bfloat16 has no
               // name there), 'U' text: characters of four bytes each, with zeros behind them
    unsigned item_bytes; // little-endian, if more than one
    int rank;
    int64_t dims[MLC_NPY_MAX_RANK];
    const void *data; // dense and row-major, in the bytes given; as aligned as they are
    size_t num_bytes;
} MlcNpy;

// Reads a header and checks that the data is all there. Appends what is wrong to `error` (no path,
// no full stop) and returns false for damaged files, and for what is not read: big-endian and
// column-major arrays, structures, objects.
MLC_API MLC_NODISCARD bool mlc_npy_read(const void *bytes, size_t size, MlcNpy *npy, MlcBuf *error);

// Appends the header of an array, to be followed by its bytes; `data` then stands at a multiple
// of 64.
MLC_API void mlc_npy_write_header(MlcBuf *out, char kind, unsigned item_bytes, const int64_t *dims,
                                  int rank);

MLC_END_DECLS

#endif
