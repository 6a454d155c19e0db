// blob.h -- bytes of a big constant: mapped, owned, or made when they are asked for; reference
// counted, never uniqued by value, hashed when asked.
//
// Ownership: by references: who made one or retained it releases it; bytes are borrowed till then.
// Threads: any, several at a time.
#ifndef MLC_IR_BLOB_H
#define MLC_IR_BLOB_H

#include "mlc/ir/fwd.h"

MLC_BEGIN_DECLS

// `release(user)` is called when the last reference goes; NULL: the bytes outlive the context.
MLC_API MlcBlob *mlc_blob_create(const void *data, size_t size, size_t alignment,
                                 void (*release)(void *user), void *user);
MLC_API MlcBlob *mlc_blob_create_copy(const void *data, size_t size, size_t alignment);
// Fresh and zeroed; `*data` may be written until the blob becomes an attribute.
MLC_API MlcBlob *mlc_blob_create_empty(size_t size, size_t alignment, void **data);
// `make(to, user)` fills `size` zeroed bytes, the same ones whenever it is called: when the data is
// first asked for, which keeps them, and for everyone who borrows before. In any thread, in several
// at a time. `release(user)` as above. `alignment` is at most 64.
MLC_API MlcBlob *mlc_blob_create_deferred(size_t size, size_t alignment,
                                          void (*make)(void *to, void *user),
                                          void (*release)(void *user), void *user);
MLC_API void mlc_blob_retain(MlcBlob *blob);
MLC_API void mlc_blob_release(MlcBlob *blob);
MLC_API const void *mlc_blob_data(const MlcBlob *blob);
// The data for one reader, who gives it back: what is there, or bytes made for it alone, which are
// its `*temporary` (NULL: none were).
MLC_API const void *mlc_blob_borrow(const MlcBlob *blob, void **temporary);
MLC_API void mlc_blob_give_back(const MlcBlob *blob, void *temporary);
// Whether the data has yet to be made.
MLC_API bool mlc_blob_is_deferred(const MlcBlob *blob);
// Fills mlc_blob_size zeroed bytes at `to`.
MLC_API void mlc_blob_copy_to(const MlcBlob *blob, void *to);
MLC_API size_t mlc_blob_size(const MlcBlob *blob); // bytes
MLC_API size_t mlc_blob_alignment(const MlcBlob *blob);
MLC_API uint64_t mlc_blob_hash(MlcBlob *blob); // of the bytes; computed once, thread safe

MLC_END_DECLS

#endif
