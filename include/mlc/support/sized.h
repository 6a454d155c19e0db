// sized.h -- records that may grow without breaking who was compiled before.
//
// Such a record begins with `size_t size`, which says how long it was when its program was
// compiled. Fields are only added at its end, and mean by zero what the record meant without them,
// so programs of either age run with libraries of either age.
//
//     MlcGreedyConfig config = {MLC_SIZED(MlcGreedyConfig), .no_fold = true};
//
// Records without a size never change while the SONAME stays.
//
// Ownership: records are copied, what they point at is borrowed.
// Threads: any.
#ifndef MLC_SUPPORT_SIZED_H
#define MLC_SUPPORT_SIZED_H

#include "mlc/support/base.h"

MLC_BEGIN_DECLS

// The first of the initialisers of a T.
#define MLC_SIZED(T) .size = sizeof(T)

// A field that was added later, of a record that may be older; 0 or NULL where it has none.
#define MLC_FIELD(record, field)                                                                   \
    ((record)->size > offsetof(__typeof__(*(record)), field) ? (record)->field : 0)

// Whether `from`, a record of another age, could be copied to the `size` bytes at `to`: zero is put
// where it has nothing. Not if its size is not set, or if it says more than this one can hold. Any
// thread.
static inline bool
mlc_sized_try_copy(void *to, size_t size, const void *from)
{
    const char *bytes = (const char *)from;
    size_t given;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given)
        return false;
    for (size_t i = size; i < given; i++)
        if (bytes[i])
            return false;
    memset(to, 0, size);
    memcpy(to, from, given < size ? given : size);
    memcpy(to, &size, sizeof size);
    return true;
}

// The same, where the caller is a program whose fault it would be: it aborts with the name of the
// type, `what`.
MLC_API void mlc_sized_copy(void *to, size_t size, const void *from, const char *what);

MLC_END_DECLS

#endif
