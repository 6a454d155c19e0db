// print_format.h -- an op being printed by its format: what custom directives see.
#ifndef MLC_IR_PRINT_FORMAT_H
#define MLC_IR_PRINT_FORMAT_H

#include "record/format.h"
#include "print_impl.h"

typedef struct MlcFormatPrint {
    MlcPrinter *p;
    MlcOp *op;
    const MlcOpDef *def;
    const MlcFormat *format;
} MlcFormatPrint;

void mlc_format_print_custom(MlcFormatPrint *s, MlcStr name, const uint32_t *const *args,
                             size_t num_args);
bool mlc_format_is_present(MlcOp *op, MlcPlaceRef place);
// The values of a place: first and count among operands or results.
void mlc_format_values(MlcOp *op, MlcPlaceRef place, size_t *first, size_t *count,
                       bool *is_operand);
MlcType mlc_format_type_at(MlcOp *op, size_t i, bool is_operand);
// format_structured.c
void mlc_format_print_structured(MlcFormatPrint *s);

#endif
