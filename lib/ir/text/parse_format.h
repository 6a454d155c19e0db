// parse_format.h -- an op being read by its format: what custom directives see.
#ifndef MLC_IR_PARSE_FORMAT_H
#define MLC_IR_PARSE_FORMAT_H

#include "record/format.h"
#include "parse_impl.h"

typedef struct MlcFormatGroup { // an operand or result group
    MlcOperandRefVec refs;
    MlcTypeVec types;
    MLC_VEC(int32_t) segments; // of a variadic of variadics
    bool has_types;            // the format gave them
    const char *types_at;
} MlcFormatGroup;

typedef struct MlcPlainFormat MlcPlainFormat;

// What completing an op's types asks of its definition, found once per parser.
typedef struct MlcFormatInfo {
    const MlcOpDef *def;
    MlcType *only_operand, *only_result; // by group: the one type its constraint allows, or NULL
    bool has_sizes;                      // segment sizes of any kind
    bool can_infer;                      // has MLC_INTERFACE_INFER_TYPES
    bool same_operands, same_all;        // the traits
    MlcPlainFormat *plain;               // NULL: the format is not plain (parse_plain.c)
} MlcFormatInfo;

struct MlcFormatParse {
    MlcParser *p;
    const MlcFormatInfo *info;
    MlcOpBuild *op;
    const MlcOpDef *def;
    const MlcFormat *format;
    MlcFormatGroup *operands, *results; // by group
    MlcFormatGroup all_operands, all_results;
    size_t capacity;
    bool has_all_operands;                         // `operands` was read: distribute them
    MlcTypeVec operand_types, result_types;        // by value, in completion
    MLC_VEC(size_t) operand_firsts, result_firsts; // one more than there are groups
    MLC_VEC(uint8_t) result_known;
    size_t variadic_regions;
};

// The arguments of a custom directive: nodes one after the other.
typedef struct MlcFormatArgs {
    const uint32_t *nodes[12];
    size_t count;
} MlcFormatArgs;
void mlc_format_args(const uint32_t *node, MlcFormatArgs *args);
static inline MlcPlaceRef
mlc_format_arg_place(const MlcFormatArgs *args, size_t i)
{
    return mlc_format_place(args->nodes[i][2]);
}

MlcFormatGroup *mlc_format_group(MlcFormatParse *s, MlcPlaceRef place);
void mlc_format_set_attr(MlcFormatParse *s, MlcPlaceRef place, MlcAttr value);
MlcAttr mlc_format_get_attr(MlcFormatParse *s, MlcPlaceRef place); // NULL: not read
void mlc_format_add_type(MlcFormatParse *s, MlcPlaceRef place, MlcType type);

// parse_custom.c. Whether there is such a directive.
bool mlc_format_is_custom(MlcStr name);
// parse_custom.c. 1: read, 0: nothing there (only if `optional`), -1: error.
int mlc_format_parse_custom(MlcFormatParse *s, MlcStr name, const MlcFormatArgs *args,
                            bool optional);
// format_structured.c: ins(...) outs(...) (-> types)?
bool mlc_format_parse_structured(MlcFormatParse *s);

#endif
