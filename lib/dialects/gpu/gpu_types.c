// gpu_types.c -- the text of matrices that a subgroup holds and of compiled objects.
#include "mlc/dialects/gpu.h"

#include "mlc/ir.h"
#include "mlc/ir/asm.h"
#include "mlc/ir/text.h"

enum { MAX_DIMS = 8 };

// `16x16xf16`, in whatever pieces it comes: numbers, and words that begin with `x`.
static bool
parse_shape(MlcParser *p, int64_t *sizes, size_t *count, MlcType *element)
{
    MlcStr word;
    if (!mlc_parse_integer(p, &sizes[0]) || !mlc_parse_keyword_any(p, &word))
        return false;
    *count = 1;
    size_t i = 0;
    while (i < word.size && word.data[i] == 'x') {
        int64_t size = 0;
        size_t first = ++i;
        while (i < word.size && word.data[i] >= '0' && word.data[i] <= '9' && size < INT32_MAX)
            size = size * 10 + (word.data[i++] - '0');
        if (i == first)
            break;
        if (*count == MAX_DIMS)
            return mlc_parser_error(p, "MMAMatrixType must have exactly two dimensions");
        sizes[(*count)++] = size;
    }
    if (i == word.size)
        return mlc_parse_type_into(p, element);
    MlcBuf text = {0};
    mlc_buf_append(&text, word.data + i, word.size - i);
    *element = mlc_parse_type(mlc_parser_context(p), mlc_buf_str(&text));
    mlc_buf_release(&text);
    return *element != NULL || mlc_parser_error(p, "expected non-function type");
}

static bool
is_element(MlcType type)
{
    if (mlc_type_is_float(type))
        return mlc_float_type_kind(type) == MLC_FLOAT_F16 ||
               mlc_float_type_kind(type) == MLC_FLOAT_F32;
    if (!mlc_type_is(type, MLC_TYPE_INTEGER))
        return false;
    uint32_t width = mlc_type_bit_width(type);
    return mlc_integer_type_signedness(type) == MLC_SIGNLESS ? width == 32 : width == 8;
}

MlcType
mlc_gpu_mma_matrix_type_parse(MlcParser *p, const MlcTypeDef *def)
{
    MlcContext *ctx = mlc_parser_context(p);
    int64_t sizes[MAX_DIMS];
    size_t count;
    MlcType element;
    MlcStr operand;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_token(p, "<") || !parse_shape(p, sizes, &count, &element) ||
        !mlc_parse_token(p, ",") || !mlc_parse_string(p, &operand) || !mlc_parse_token(p, ">"))
        return NULL;
    const char *fault = NULL;
    if (!mlc_str_equal(operand, mlc_str("AOp")) && !mlc_str_equal(operand, mlc_str("BOp")) &&
        !mlc_str_equal(operand, mlc_str("COp")))
        fault = "operand expected to be one of AOp, BOp or COp";
    else if (count != 2)
        fault = "MMAMatrixType must have exactly two dimensions";
    else if (!is_element(element))
        fault = "MMAMatrixType elements must be SI8, UI8, I32, F16, or F32";
    if (fault)
        return mlc_parser_error_at(p, loc, "%s", fault), NULL;
    MlcAttr params[] = {
        mlc_dense_array_attr_get(mlc_integer_type_get(ctx, 64, MLC_SIGNLESS), sizes, count),
        mlc_type_attr_get(element), mlc_string_attr_get(ctx, operand)};
    return mlc_dialect_type_get(ctx, def, params, 3);
}

void
mlc_gpu_mma_matrix_type_print(MlcPrinter *p, MlcType type)
{
    MlcAttr shape = mlc_dialect_type_param(type, 0);
    mlc_print_str(p, "<");
    for (size_t i = 0; i < mlc_dense_array_attr_size(shape); i++)
        mlc_buf_printf(mlc_printer_buf(p), "%lldx", (long long)mlc_dense_array_attr_int(shape, i));
    mlc_print_type(p, mlc_type_attr_value(mlc_dialect_type_param(type, 1)));
    mlc_print_str(p, ", ");
    mlc_print_attribute(p, mlc_dialect_type_param(type, 2));
    mlc_print_str(p, ">");
}

// --- #gpu.object<target, properties = {...}, offload = "...">

static const struct {
    const char *name;
    int32_t value;
} formats[] = {{"offload", MLC_GPU_COMPILATION_TARGET_OFFLOAD},
               {"assembly", MLC_GPU_COMPILATION_TARGET_ASSEMBLY},
               {"bin", MLC_GPU_COMPILATION_TARGET_BIN},
               {"fatbin", MLC_GPU_COMPILATION_TARGET_FATBIN}};

// The format and its `=`; fatbin where there is none.
static bool
parse_object_format(MlcParser *p, int32_t *value)
{
    MlcLoc loc = mlc_parser_loc(p);
    *value = MLC_GPU_COMPILATION_TARGET_FATBIN;
    for (size_t i = 0; i < 4; i++)
        if (mlc_parse_optional_token(p, formats[i].name)) {
            *value = formats[i].value;
            return mlc_parse_token(p, "=") || mlc_parser_error_at(p, loc, "expected an equal sign");
        }
    MlcStr word;
    return !mlc_parse_optional_keyword_any(p, &word) ||
           mlc_parser_error_at(p, loc, "expected keyword for GPU object format");
}

// A parameter that cannot be read is told as other definitions' are, which their format reads.
static bool
parse_of_kind(MlcParser *p, const MlcAttrDef *def, size_t i, MlcAttrKind kind, MlcAttr *attr)
{
    MlcLoc loc = mlc_parser_loc(p);
    return (mlc_parse_attribute(p, NULL, attr) &&
            (mlc_attr_is(*attr, kind) ||
             mlc_parser_error_at(p, loc, "invalid kind of attribute specified"))) ||
           mlc_parser_error(p, "failed to parse %s parameter '%s' which is to be a `%s`",
                            def->record, def->params[i].name, def->params[i].upstream);
}

MlcAttr
mlc_gpu_object_attr_parse(MlcParser *p, const MlcAttrDef *def, MlcType type)
{
    (void)type;
    MlcContext *ctx = mlc_parser_context(p);
    MlcAttr params[4] = {0};
    int32_t format;
    MlcLoc loc = mlc_parser_loc(p);
    if (!mlc_parse_token(p, "<") || !mlc_parse_attribute(p, NULL, &params[0]) ||
        !mlc_parse_token(p, ","))
        return NULL;
    if (mlc_parse_optional_token(p, "properties") &&
        (!mlc_parse_token(p, "=") || !parse_of_kind(p, def, 3, MLC_ATTR_DICT, &params[3]) ||
         !mlc_parse_token(p, ",")))
        return NULL;
    if (!parse_object_format(p, &format) ||
        !parse_of_kind(p, def, 2, MLC_ATTR_STRING, &params[2]) || !mlc_parse_token(p, ">"))
        return NULL;
    if (!mlc_dialect_attr_def(params[0]))
        return mlc_parser_error_at(p, loc,
                                   "the target attribute must implement or promise the "
                                   "`gpu::TargetAttrInterface`"),
               NULL;
    params[1] =
        mlc_enum_attr_get(ctx, mlc_context_attr(ctx, mlc_str("gpu.compilation_target")), format);
    return mlc_dialect_attr_get(ctx, def, params, 4);
}

void
mlc_gpu_object_attr_print(MlcPrinter *p, MlcAttr attr)
{
    int64_t format = mlc_enum_attr_value(mlc_dialect_attr_param(attr, 1));
    MlcAttr properties = mlc_dialect_attr_param(attr, 3);
    mlc_print_str(p, "<");
    mlc_print_attribute(p, mlc_dialect_attr_param(attr, 0));
    mlc_print_str(p, ", ");
    if (properties) {
        mlc_print_str(p, "properties = ");
        mlc_print_attribute(p, properties);
        mlc_print_str(p, ", ");
    }
    for (size_t i = 0; i < 3; i++)
        if (formats[i].value == format) {
            mlc_print_str(p, formats[i].name);
            mlc_print_str(p, " = ");
        }
    mlc_print_attribute(p, mlc_dialect_attr_param(attr, 2));
    mlc_print_str(p, ">");
}

bool
mlc_gpu_select_object_attr_verify(const MlcErrorSink *sink, const MlcAttr *params)
{
    int64_t index;
    if (!params[0] || mlc_dialect_attr_def(params[0]))
        return true;
    if (!mlc_attr_try_as_int(params[0], &index))
        return mlc_sink_error(sink, "the target attribute must be a GPU Target attribute");
    return index >= 0 || mlc_sink_error(sink, "the object index must be positive");
}
