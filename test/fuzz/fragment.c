// fragment.c -- one attribute, type or affine map by itself, as options and builders read them:
// refused, or printed in a form that is read as the same uniqued value.
#include "common.h"

typedef enum Kind { KIND_ATTR, KIND_TYPE, KIND_MAP, NUM_KINDS } Kind;

static const void *
parse(MlcContext *ctx, Kind kind, MlcStr text)
{
    return kind == KIND_ATTR   ? (const void *)mlc_parse_attr(ctx, text)
           : kind == KIND_TYPE ? (const void *)mlc_parse_type(ctx, text)
                               : (const void *)mlc_parse_affine_map(ctx, text);
}

static void
print(Kind kind, const void *value, MlcBuf *out)
{
    if (kind == KIND_ATTR)
        mlc_attr_print((MlcAttr)value, out);
    else if (kind == KIND_TYPE)
        mlc_type_print((MlcType)value, out);
    else
        mlc_affine_map_print((MlcAffineMap)value, out);
}

// Affine expressions are simplified as MLIR does, which is not always all at once: `- 1 - 2`
// becomes
// `- 3` when it is read again. `*value` becomes what comes back when it is read often enough.
static void
settle(MlcContext *ctx, Kind kind, const void **value)
{
    enum { MOST_READINGS = 4 };
    for (int i = 0; i < MOST_READINGS; i++) {
        MlcBuf text = {0};
        print(kind, *value, &text);
        mlc_buf_reserve(&text, 2);
        memset(text.data + text.size, 0, 2);
        bool is_affine = kind == KIND_MAP || memmem(text.data, text.size, "affine_", 7);
        const void *again = is_affine ? parse(ctx, kind, mlc_buf_str(&text)) : NULL;
        mlc_buf_release(&text);
        if (!again || again == *value)
            return;
        *value = again;
    }
}

static void
read_and_check(MlcContext *ctx, Kind kind, MlcStr text)
{
    const void *value = parse(ctx, kind, text);
    if (!value)
        return;
    settle(ctx, kind, &value);
    MlcBuf before = {0}, after = {0};
    print(kind, value, &before);
    mlc_buf_reserve(&before, 2);
    memset(before.data + before.size, 0, 2);
    const void *again = parse(ctx, kind, mlc_buf_str(&before));
    if (again)
        print(kind, again, &after);
    fuzz_check_same("a fragment does not come back", &before, &after);
    // Distinct attributes are equal to nothing.
    if (again != value && !memmem(before.data, before.size, "distinct[", 9)) {
        fprintf(stderr, "two values print as %s\n", mlc_buf_c_str(&before));
        abort();
    }
    mlc_buf_release(&before);
    mlc_buf_release(&after);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = fuzz_context();
    char *text = mlc_malloc(size + 2);
    for (Kind kind = 0; kind < NUM_KINDS; kind++) {
        memcpy(text, data, size);
        text[size] = text[size + 1] = '\0';
        read_and_check(ctx, kind, mlc_str_n(text, size));
    }
    mlc_free(text);
    mlc_context_destroy(ctx);
    return 0;
}
