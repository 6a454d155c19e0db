// constant_remade.c -- see constant_remade.h.
#include "constant_remade.h"

#include "mlc/support/alloc.h"

#include <stddef.h>

typedef struct Remaking {
    MlcBlob *source;
    bool is_splat;
    MlcRemakeFn make;
    max_align_t recipe[];
} Remaking;

static void
remake(void *to, void *user)
{
    const Remaking *r = user;
    void *temporary;
    const void *from = mlc_blob_borrow(r->source, &temporary);
    r->make(to, from, r->is_splat, r->recipe);
    mlc_blob_give_back(r->source, temporary);
}

static void
release(void *user)
{
    Remaking *r = user;
    mlc_blob_release(r->source);
    mlc_free(r);
}

static MlcAttr
remade_at_once(MlcAttr old, MlcType type, size_t size, MlcRemakeFn make, const void *recipe)
{
    size_t old_size;
    const void *from = mlc_elements_attr_data(old, &old_size);
    void *bytes = mlc_calloc(size + 1, 1);
    make(bytes, from, mlc_elements_attr_is_splat(old), recipe);
    MlcAttr made = mlc_dense_attr_get(type, bytes, size, false);
    mlc_free(bytes);
    return made;
}

MlcAttr
mlc_constant_remade(MlcAttr old, MlcType type, MlcStr key, MlcRemakeFn make, const void *recipe,
                    size_t recipe_size)
{
    size_t size = (size_t)mlc_type_num_elements(type) *
                  mlc_elements_attr_element_bytes(mlc_type_element(type));
    if (!mlc_attr_is(old, MLC_ATTR_DENSE_RESOURCE))
        return remade_at_once(old, type, size, make, recipe);
    Remaking *r = mlc_malloc(sizeof *r + recipe_size);
    *r = (Remaking){mlc_dense_resource_attr_blob(old), mlc_elements_attr_is_splat(old), make};
    memcpy(r->recipe, recipe, recipe_size);
    mlc_blob_retain(r->source);
    MlcBlob *blob = mlc_blob_create_deferred(size, 64, remake, release, r);
    MlcAttr made = mlc_dense_resource_attr_get(type, key, blob);
    mlc_blob_release(blob);
    return made;
}

const void *
mlc_constant_borrow(MlcAttr constant, bool *is_splat, void **temporary)
{
    size_t size;
    *temporary = NULL;
    *is_splat = mlc_elements_attr_is_splat(constant);
    return mlc_attr_is(constant, MLC_ATTR_DENSE_RESOURCE)
               ? mlc_blob_borrow(mlc_dense_resource_attr_blob(constant), temporary)
               : mlc_elements_attr_data(constant, &size);
}

void
mlc_constant_give_back(MlcAttr constant, void *temporary)
{
    if (temporary)
        mlc_blob_give_back(mlc_dense_resource_attr_blob(constant), temporary);
}
