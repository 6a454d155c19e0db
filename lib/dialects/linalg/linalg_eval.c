// linalg_eval.c -- what those linalg ops mean that are not structured. (Structured ones mean their
// body at each point.)
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"

bool
mlc_linalg_index_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    int64_t dim = mlc_attr_as_int(mlc_op_attr(op, "dim"));
    if ((uint64_t)dim >= e->num_indices) // folding: it is in no loop yet
        return false;
    results[0] = mlc_datum_index(mlc_eval_context(e), e->indices[dim]);
    return true;
}
