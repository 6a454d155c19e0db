// ub_eval.c -- poison runs as all ones: a NaN, where it is a float.
#include "mlc/ir/eval.h"
#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

bool
mlc_ub_poison_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcType type = results[0].type;
    if (mlc_datum_is_elements(&results[0])) {
        if (!mlc_eval_elements(e, op, type, NULL, &results[0]))
            return false;
        memset(results[0].elements.data, 0xff, results[0].elements.num_bytes);
        return true;
    }
    if (!mlc_type_is_int_or_index(type) && !mlc_type_is_float(type))
        return mlc_eval_error(e, op, "is not known for this type");
    unsigned char *bytes = mlc_eval_alloc(e, mlc_elements_attr_element_bytes(type) + 16);
    memset(bytes, 0xff, mlc_elements_attr_element_bytes(type));
    mlc_datum_read(e, type, bytes, &results[0]);
    return true;
}
