// io.c -- datums from text and files, and back.
#include <stdio.h>

#include "interp_impl.h"
#include "mlc/ir/text.h"
#include "mlc/support/alloc.h"
#include "mlc/support/file.h"
#include "mlc/support/hash.h"
#include "mlc/support/npy.h"

static bool
complain(MlcInterp *interp, MlcType type, MlcStr spec, const char *what)
{
    return mlc_op_error(interp->module, "input '%.*s' for %s %s", MLC_STR_FMT(spec),
                        mlc_type_text(type), what);
}

// --- places for elements

static bool
is_shaped(MlcType type)
{
    return mlc_type_is_shaped(type);
}

// `shape` stands where the type is static; dynamic dimensions take what the source has.
static bool
fits_shape(MlcType type, const int64_t *shape, size_t rank)
{
    if (!mlc_type_has_rank(type))
        return true;
    if (mlc_type_rank(type) != rank)
        return false;
    for (size_t i = 0; i < rank; i++)
        if (mlc_type_dim(type, i) != MLC_DYNAMIC && mlc_type_dim(type, i) != shape[i])
            return false;
    return true;
}

// A tensor or vector of `shape`, zeroed, of the element type of `type`; memrefs are made from one
// afterwards.
static bool
make_elements(MlcInterp *interp, MlcType type, const int64_t *shape, size_t rank, MlcDatum *out)
{
    MlcType tensor = mlc_type_is(type, MLC_TYPE_VECTOR)
                         ? type
                         : mlc_tensor_type_get(mlc_type_element(type), shape, rank, NULL);
    return mlc_eval_elements_of_rank(&interp->eval, interp->module, tensor, shape, rank, out);
}

// Into the memref's own layout, in a buffer of its own.
static bool
into_memref(MlcInterp *interp, MlcType type, MlcDatum *d)
{
    MlcEval *e = &interp->eval;
    MlcDatum memref;
    if (!mlc_eval_memref_create(e, interp->module, type, d->rank, d->elements.shape, &memref) ||
        !mlc_eval_scatter(e, interp->module, &memref, d->elements.data))
        return false;
    *d = memref;
    return true;
}

static bool
settle(MlcInterp *interp, MlcType type, MlcDatum *d)
{
    if (mlc_type_is(type, MLC_TYPE_MEMREF) || mlc_type_is(type, MLC_TYPE_UNRANKED_MEMREF))
        return into_memref(interp, type, d);
    d->type = type;
    return true;
}

// --- .npy

// The character and size that NumPy has for elements of a type; bf16 and f8 go as raw bytes.
static bool
npy_kind(MlcType element, char *kind, unsigned *item_bytes)
{
    if (!mlc_type_is_float(element) && !mlc_type_is_int_or_index(element))
        return false;
    *item_bytes = (unsigned)mlc_elements_attr_element_bytes(element);
    if (*item_bytes > MLC_NPY_MAX_ITEM_BYTES)
        return false;
    if (mlc_type_is_float(element)) {
        MlcFloatKind format = mlc_float_type_kind(element);
        bool has_name =
            format == MLC_FLOAT_F16 || format == MLC_FLOAT_F32 || format == MLC_FLOAT_F64;
        *kind = has_name ? 'f' : 'V';
        return true;
    }
    bool is_unsigned = mlc_type_is(element, MLC_TYPE_INTEGER) &&
                       mlc_integer_type_signedness(element) == MLC_UNSIGNED;
    *kind = mlc_type_bit_width(element) == 1 ? 'b'
            : *item_bytes > 8                ? 'V'
            : is_unsigned                    ? 'u'
                                             : 'i';
    return true;
}

static bool
from_npy(MlcInterp *interp, MlcType type, MlcStr spec, const MlcFile *file, MlcDatum *out)
{
    MlcNpy npy;
    MlcBuf error = {0};
    if (!mlc_npy_read(file->data, file->size, &npy, &error)) {
        complain(interp, type, spec, mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    char kind;
    unsigned item_bytes;
    MlcType element = mlc_type_element(type);
    if (!npy_kind(element, &kind, &item_bytes) || npy.item_bytes != item_bytes ||
        (npy.kind != kind &&
         !((npy.kind == 'i' || npy.kind == 'u') && (kind == 'i' || kind == 'u'))))
        return complain(interp, type, spec, "has elements of another type");
    if (!is_shaped(type)) {
        if (npy.num_bytes != item_bytes)
            return complain(interp, type, spec, "is no single value");
        mlc_datum_read(&interp->eval, type, npy.data, out);
        return true;
    }
    if (!fits_shape(type, npy.dims, (size_t)npy.rank))
        return complain(interp, type, spec, "has another shape");
    if (!make_elements(interp, type, npy.dims, (size_t)npy.rank, out))
        return false;
    memcpy(out->elements.data, npy.data, npy.num_bytes);
    return settle(interp, type, out);
}

static bool
read_npy(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out)
{
    MlcFile file;
    MlcBuf path = {0}, error = {0};
    mlc_buf_append_str(&path, spec);
    bool ok = mlc_file_open(&file, mlc_buf_c_str(&path), MLC_FILE_READ_ONLY, &error);
    if (!ok)
        mlc_op_error(interp->module, "input %s", mlc_buf_c_str(&error));
    else {
        ok = from_npy(interp, type, spec, &file, out);
        mlc_file_release(&file);
    }
    mlc_buf_release(&path);
    mlc_buf_release(&error);
    return ok;
}

bool
mlc_interp_write_npy(MlcInterp *interp, const MlcDatum *d, const char *path, MlcBuf *error)
{
    char kind;
    unsigned item_bytes;
    if (mlc_interp_contents(interp, d))
        d = mlc_interp_contents(interp, d);
    if (!npy_kind(mlc_type_element(d->type), &kind, &item_bytes) || d->rank > MLC_NPY_MAX_RANK) {
        mlc_buf_append_c(error, "a value that .npy files cannot hold");
        return false;
    }
    const int64_t *shape = mlc_datum_is_memref(d)     ? d->memref.sizes
                           : mlc_datum_is_elements(d) ? d->elements.shape
                                                      : NULL;
    size_t num_bytes = mlc_datum_num_elements(d) * item_bytes;
    MlcBuf out = {0};
    mlc_npy_write_header(&out, kind, item_bytes, shape, (int)d->rank);
    void *at = mlc_buf_reserve(&out, num_bytes + 16);
    bool ok = true;
    if (mlc_datum_is_memref(d))
        ok = mlc_eval_gather(&interp->eval, interp->module, d, at);
    else if (mlc_datum_is_elements(d))
        memcpy(at, d->elements.data, num_bytes);
    else
        mlc_datum_write(at, d);
    out.size += num_bytes;
    ok = ok && mlc_file_write_atomic(path, out.data, out.size, error);
    mlc_buf_release(&out);
    return ok;
}

// --- generated

typedef enum Recipe {
    RECIPE_ZEROS,
    RECIPE_UNDEFINED,
    RECIPE_IOTA,
    RECIPE_RANDOM,
    RECIPE_INTEGERS
} Recipe;

// Uniform in [-1, 1) on a grid of 2^-12, so that most formats hold it and sums of few terms are
// exact in f32; integers in
// [-8, 8). `integers` are that for floats too: products and long sums of them are exact in any
// order.
static MlcDatum
element_for(Recipe recipe, uint64_t seed, MlcType type, uint64_t i)
{
    uint64_t bits = mlc_hash_combine(mlc_hash_u64(seed), i);
    if (recipe == RECIPE_UNDEFINED) {
        MlcDatum d;
        mlc_datum_read(NULL, type, (const uint64_t[2]){UINT64_MAX, UINT64_MAX}, &d);
        return d;
    }
    int64_t number = recipe == RECIPE_ZEROS  ? 0
                     : recipe == RECIPE_IOTA ? (int64_t)i
                                             : (int64_t)(bits % 16) - 8;
    if (!mlc_type_is_float(type))
        return mlc_datum_int(type, number);
    double value =
        recipe == RECIPE_RANDOM ? (double)((int64_t)(bits >> 51) - 4096) / 4096.0 : (double)number;
    return mlc_datum_float(type, value);
}

static bool
generate(MlcInterp *interp, MlcType type, MlcStr spec, Recipe recipe, uint64_t seed, MlcDatum *out)
{
    MlcType element = is_shaped(type) ? mlc_type_element(type) : type;
    bool is_wide_int = mlc_type_is(element, MLC_TYPE_INTEGER) && mlc_type_bit_width(element) > 64;
    if ((!mlc_type_is_float(element) && !mlc_type_is_int_or_index(element)) || is_wide_int)
        return complain(interp, type, spec, "cannot be generated");
    if (!is_shaped(type)) {
        *out = element_for(recipe, seed, type, 0);
        return true;
    }
    if (!mlc_type_has_rank(type) || !mlc_type_has_static_shape(type))
        return complain(interp, type, spec,
                        "has no static shape to generate for; write an attribute, or a .npy file");
    if (!make_elements(interp, type, mlc_type_shape(type), mlc_type_rank(type), out))
        return false;
    for (size_t i = 0, n = mlc_datum_num_elements(out); i < n; i++) {
        MlcDatum value = element_for(recipe, seed, element, i);
        mlc_datum_set_element(out, i, &value);
    }
    return settle(interp, type, out);
}

// The bytes that a planned model function takes as its constants: the module's `mlc.constants`, one
// behind the other, each at a multiple of 64 (docs/internals/memory.md).
static bool
read_constants(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out)
{
    MlcAttr constants = mlc_op_attr(interp->module, "mlc.constants");
    if (!mlc_attr_is(constants, MLC_ATTR_ARRAY) || !mlc_type_is(type, MLC_TYPE_MEMREF) ||
        !mlc_type_has_static_shape(type) ||
        mlc_type_element(type) != mlc_integer_type_get(interp->eval.ctx, 8, MLC_SIGNLESS))
        return complain(interp, type, spec,
                        "is only for a memref of i8 in a module with mlc.constants");
    if (!make_elements(interp, type, mlc_type_shape(type), mlc_type_rank(type), out))
        return false;
    size_t at = 0;
    for (size_t i = 0; i < mlc_array_attr_size(constants); i++) {
        MlcDatum d;
        at = (at + 63) & ~(size_t)63;
        if (!mlc_datum_from_attr(&interp->eval, mlc_array_attr_element(constants, i), &d) ||
            !mlc_datum_is_elements(&d) || at > out->elements.num_bytes ||
            d.elements.num_bytes > out->elements.num_bytes - at)
            return complain(interp, type, spec, "is too small for them, or one has no bytes");
        memcpy((char *)out->elements.data + at, d.elements.data, d.elements.num_bytes);
        at += d.elements.num_bytes;
    }
    return settle(interp, type, out);
}

// --- text

static bool
starts_with(MlcStr s, const char *prefix)
{
    size_t size = strlen(prefix);
    return s.size >= size && memcmp(s.data, prefix, size) == 0;
}

static bool
ends_with(MlcStr s, const char *suffix)
{
    size_t size = strlen(suffix);
    return s.size >= size && memcmp(s.data + s.size - size, suffix, size) == 0;
}

// The text with the type behind it where it has none, so that "1.5" and "dense<0>" are enough.
static MlcAttr
parse_with_type(MlcInterp *interp, MlcType type, MlcStr spec)
{
    MlcBuf text = {0};
    mlc_buf_append_str(&text, spec);
    bool is_bare = !memchr(spec.data, ':', spec.size) && !starts_with(spec, "true") &&
                   !starts_with(spec, "false");
    if (is_bare) {
        MlcType named = type;
        if (mlc_type_is(type, MLC_TYPE_MEMREF))
            named = mlc_tensor_type_get(mlc_type_element(type), mlc_type_shape(type),
                                        mlc_type_rank(type), NULL);
        mlc_buf_append_c(&text, " : ");
        mlc_type_print(named, &text);
    }
    mlc_buf_append(&text, "\0", 2);
    MlcAttr attr = mlc_parse_attr(interp->eval.ctx, mlc_str_n(text.data, text.size - 2));
    mlc_buf_release(&text);
    return attr;
}

static bool
from_text(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out)
{
    MlcAttr attr = parse_with_type(interp, type, spec);
    if (!attr)
        return false; // said so
    MlcDatum d;
    if (!mlc_datum_from_attr(&interp->eval, attr, &d))
        return complain(interp, type, spec, "is no number, and no elements");
    if (mlc_type_element(d.type) != mlc_type_element(type))
        return complain(interp, type, spec, "has elements of another type");
    if (mlc_datum_is_elements(&d) != is_shaped(type))
        return complain(interp, type, spec, "is of another kind");
    if (!is_shaped(type)) {
        *out = d;
        return true;
    }
    if (!fits_shape(type, d.elements.shape, d.rank))
        return complain(interp, type, spec, "has another shape");
    if (!make_elements(interp, type, d.elements.shape, d.rank, out))
        return false;
    memcpy(out->elements.data, d.elements.data, d.elements.num_bytes);
    return settle(interp, type, out);
}

bool
mlc_interp_read_datum(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out)
{
    if (mlc_type_isa(type, "llvm.ptr"))
        return mlc_interp_read_pointer(interp, type, spec, out);
    if (mlc_str_equal(spec, mlc_str("constants")))
        return read_constants(interp, type, spec, out);
    if (mlc_str_equal(spec, mlc_str("undefined"))) // all ones, which is what new memory holds
        return generate(interp, type, spec, RECIPE_UNDEFINED, 0, out);
    if (mlc_str_equal(spec, mlc_str("zeros")))
        return generate(interp, type, spec, RECIPE_ZEROS, 0, out);
    if (mlc_str_equal(spec, mlc_str("iota")))
        return generate(interp, type, spec, RECIPE_IOTA, 0, out);
    if (starts_with(spec, "random:") || starts_with(spec, "integers:")) {
        bool is_random = spec.data[0] == 'r';
        size_t skip = is_random ? 7 : 9;
        MlcWide seed;
        if (!mlc_wide_parse(NULL, 64, mlc_str_n(spec.data + skip, spec.size - skip), &seed))
            return complain(interp, type, spec, "has no seed of 64 bits");
        return generate(interp, type, spec, is_random ? RECIPE_RANDOM : RECIPE_INTEGERS,
                        mlc_wide_low_uint(seed), out);
    }
    if (ends_with(spec, ".npy"))
        return read_npy(interp, type, spec, out);
    return from_text(interp, type, spec, out);
}

const MlcDatum *
mlc_interp_contents(MlcInterp *interp, const MlcDatum *d)
{
    if (d->type && mlc_datum_is_memref(d))
        return d;
    for (size_t i = 0; d->type && mlc_type_isa(d->type, "llvm.ptr") && i < interp->pointees.size;
         ++i) {
        const MlcDatum *memref = &interp->pointees.data[i];
        if (mlc_buffer_address(memref->memref.buffer) == mlc_datum_as_uint(d))
            return memref;
    }
    return NULL;
}

void
mlc_interp_print_datum(MlcInterp *interp, const MlcDatum *d, MlcBuf *out)
{
    const MlcDatum *contents = mlc_interp_contents(interp, d);
    MlcDatum copy = *d;
    if (contents) {
        MlcEval *e = &interp->eval;
        d = contents;
        if (!make_elements(interp, d->type, d->memref.sizes, d->rank, &copy) ||
            !mlc_eval_gather(e, interp->module, d, copy.elements.data)) {
            mlc_buf_append_c(out, "<no contents>");
            return;
        }
    }
    bool is_known =
        copy.type && (mlc_datum_is_elements(&copy) || mlc_type_is_int_or_index(copy.type) ||
                      mlc_type_is_float(copy.type));
    MlcAttr attr = is_known ? mlc_datum_to_attr(&copy) : NULL;
    if (attr)
        mlc_attr_print(attr, out);
    else
        mlc_buf_printf(out, "<%s>", copy.type ? mlc_type_text(copy.type) : "none");
}
