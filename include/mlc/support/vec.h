// vec.h -- growable arrays of any type.
//
//     MLC_VEC(int) v = {0};
//     mlc_vec_push(&v, 42);
//     for (size_t i = 0; i < v.size; i++) use(v.data[i]);
//     mlc_vec_release(&v);
//
// Two MLC_VEC(T) are two types: give it a typedef to pass one to a function. Arguments `v` are
// evaluated more than once. Elements are moved with memcpy when the array grows, so keep no pointer
// to one across a push.
//
// Ownership: the struct is the caller's to release; elements are plain copies.
// Threads: a list belongs to one at a time; several may read while nobody changes it.
#ifndef MLC_SUPPORT_VEC_H
#define MLC_SUPPORT_VEC_H

#include <assert.h>

#include "mlc/support/alloc.h"

#define MLC_VEC(T)                                                                                 \
    struct {                                                                                       \
        T *data;                                                                                   \
        size_t size;     /* elements */                                                            \
        size_t capacity; /* elements */                                                            \
    }

MLC_BEGIN_DECLS

typedef MLC_VEC(MlcStr) MlcStrVec;
typedef MLC_VEC(void *) MlcPtrVec;

// Memory for at least `needed` elements, doubling; sets *capacity. The macros below are the
// interface.
MLC_NODISCARD static inline void *
mlc_vec_grow(void *data, size_t *capacity, size_t needed, size_t element_size)
{
    size_t count = *capacity < 4 ? 4 : *capacity;
    while (count < needed)
        if (!mlc_mul_size(count, 2, &count))
            mlc_out_of_memory(SIZE_MAX);
    size_t bytes;
    if (!mlc_mul_size(count, element_size, &bytes))
        mlc_out_of_memory(SIZE_MAX);
    *capacity = count;
    return mlc_realloc(data, bytes);
}

MLC_END_DECLS

#define mlc_vec_reserve(v, n)                                                                      \
    ((size_t)(n) <= (v)->capacity                                                                  \
         ? (void)0                                                                                 \
         : (void)((v)->data = (__typeof__((v)->data))mlc_vec_grow(                                 \
                      (v)->data, &(v)->capacity, (size_t)(n), sizeof *(v)->data)))

// Appends; a compound literal may stand there without more parentheses.
#define mlc_vec_push(v, ...)                                                                       \
    (mlc_vec_reserve((v), (v)->size + 1), (void)((v)->data[(v)->size++] = (__VA_ARGS__)))

// Removes the last element and is its value; the array must not be empty.
#define mlc_vec_pop(v) (assert((v)->size > 0), (v)->data[--(v)->size])
#define mlc_vec_last(v) ((v)->data[(v)->size - 1])

// New elements are zero bytes.
#define mlc_vec_resize(v, n)                                                                       \
    do {                                                                                           \
        size_t mlc_vec_n_ = (n);                                                                   \
        mlc_vec_reserve((v), mlc_vec_n_);                                                          \
        if (mlc_vec_n_ > (v)->size)                                                                \
            memset((void *)((v)->data + (v)->size), 0,                                             \
                   (mlc_vec_n_ - (v)->size) * sizeof *(v)->data);                                  \
        (v)->size = mlc_vec_n_;                                                                    \
    } while (0)

// Forgets the elements, keeps the memory.
#define mlc_vec_clear(v) ((void)((v)->size = 0))

#define mlc_vec_release(v)                                                                         \
    (mlc_free((v)->data), (void)((v)->data = NULL), (void)((v)->size = (v)->capacity = 0))

#endif
