// verify_impl.h -- private: the parts of the verifier. Each reports at most one fault per op, as
// MLIR does.
#ifndef MLC_IR_VERIFY_IMPL_H
#define MLC_IR_VERIFY_IMPL_H

#include "mlc/ir/interfaces.h"
#include "op/op_impl.h"

bool mlc_verify_record(MlcOp *op); // counts, constraints and relations of the definition
bool mlc_relation_verify(MlcOp *op, const MlcRelation *relation);
// The types of a place, appended to `out`.
void mlc_types_at(MlcOp *op, MlcPlaceRef place, MlcTypeVec *out);
bool mlc_verify_region_shapes(MlcOp *op);
bool mlc_verify_position(MlcOp *op);      // what traits say of where it stands
bool mlc_verify_structure(MlcOp *op);     // of blocks and parents, before all else
bool mlc_verify_traits(MlcOp *op);        // what needs only the op
bool mlc_verify_region_traits(MlcOp *op); // what needs the ops inside, which have been verified
bool mlc_verify_structured(MlcOp *op);    // loops, maps, sizes and body
bool mlc_verify_access(MlcOp *op);        // of an op with MLC_INTERFACE_ACCESS
bool mlc_verify_branch(MlcOp *op, const MlcBranch *branch);
bool mlc_verify_loop(MlcOp *op); // whose record has `loop`
bool mlc_verify_loop_values(MlcOp *op, const MlcLoop *loop);
bool mlc_verify_signatures(MlcOp *op, const MlcRegionSignature *signatures);
bool mlc_verify_region_branch(MlcOp *op,
                              const MlcRegionBranch *branch); // after its regions were verified

#endif
