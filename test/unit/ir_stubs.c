// ir_stubs.c -- stands in for the text room until it lands; weak, so that the real ones win.
#include "mlc/ir.h"

struct MlcRelation;
#define WEAK __attribute__((weak))
bool mlc_relations_infer(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results);
bool mlc_relation_verify(MlcOp *op, const struct MlcRelation *relation);
WEAK bool
mlc_relations_infer(MlcContext *ctx, const MlcOpState *state, MlcTypeVec *results)
{
    (void)ctx, (void)state, (void)results;
    return false;
}
WEAK bool
mlc_relation_verify(MlcOp *op, const struct MlcRelation *relation)
{
    (void)op, (void)relation;
    return true;
}
WEAK MlcType
mlc_parse_type(MlcContext *ctx, MlcStr text)
{
    (void)ctx, (void)text;
    return NULL;
}
WEAK MlcAttr
mlc_parse_attr(MlcContext *ctx, MlcStr text)
{
    (void)ctx, (void)text;
    return NULL;
}
WEAK void
mlc_loc_print(MlcContext *ctx, MlcLoc loc, MlcBuf *out)
{
    (void)ctx, (void)loc, (void)out;
}
WEAK void
mlc_type_print(MlcType type, MlcBuf *out)
{
    (void)type, (void)out;
}
WEAK void
mlc_attr_print(MlcAttr attr, MlcBuf *out)
{
    (void)attr, (void)out;
}
WEAK MlcAffineMap
mlc_parse_affine_map(MlcContext *ctx, MlcStr text)
{
    (void)ctx, (void)text;
    return NULL;
}
