// blob.h -- bytes of a big constant: mapped or owned, reference counted, never uniqued by value,
// hashed when asked.
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
MLC_API void mlc_blob_retain(MlcBlob *blob);
MLC_API void mlc_blob_release(MlcBlob *blob);
MLC_API const void *mlc_blob_data(const MlcBlob *blob);
MLC_API size_t mlc_blob_size(const MlcBlob *blob); // bytes
MLC_API size_t mlc_blob_alignment(const MlcBlob *blob);
MLC_API uint64_t mlc_blob_hash(MlcBlob *blob); // of the bytes; computed once, thread safe

MLC_END_DECLS

#endif
