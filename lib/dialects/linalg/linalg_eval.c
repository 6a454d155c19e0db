// linalg_eval.c -- what those linalg ops mean that are not structured. (Structured ones mean their
// body at each point.)
#include "mlc/ir/attr.h"
#include "mlc/ir/eval.h"

bool
mlc_linalg_index_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    int64_t dim = mlc_attr_as_int(mlc_op_attr(op, "dim"));
    if (dim < 0 || (uint64_t)dim >= e->num_indices)
        return mlc_eval_error(e, op, "asks for loop %lld of %zu", (long long)dim, e->num_indices);
    results[0] = mlc_datum_index(mlc_eval_context(e), e->indices[dim]);
    return true;
}
