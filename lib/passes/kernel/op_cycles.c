// op_cycles.c -- see op_cycles.h.
//
// Good to a factor of two, which is all that grain and thresholds need. Ops are asked for their
// types, effects and loops, and their records for what costs much more than an addition: Newton's
// steps of a division, the polynomials of math's functions.
#include "op_cycles.h"

typedef struct Work { // cycles of each kind of unit; they work side by side
    double arithmetic, memory;
} Work;

static double
vectors_of(MlcType type, const MlcTargetDesc *target)
{
    MlcType element = mlc_type_element(type);
    bool is_number = mlc_type_is(element, MLC_TYPE_FLOAT) || mlc_type_is(element, MLC_TYPE_INTEGER);
    double bits = is_number ? mlc_type_bit_width(element) : 64;
    if (mlc_type_is(type, MLC_TYPE_MEMREF) && mlc_type_has_static_shape(type))
        bits *= (double)mlc_type_num_elements(type);
    if (mlc_type_is(type, MLC_TYPE_VECTOR))
        bits *= (double)mlc_type_num_elements(type);
    double vectors = target->vector_bits ? bits / target->vector_bits : 1;
    return vectors > 1 ? vectors : 1;
}

// The widest value that the op takes or gives; of buffers only where all is touched.
static double
width_of(MlcOp *op, const MlcTargetDesc *target)
{
    double widest = 0, buffers = 0;
    size_t num_operands = mlc_op_num_operands(op);
    for (size_t i = 0; i < num_operands + mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(i < num_operands ? mlc_op_operand(op, i)
                                                       : mlc_op_result(op, i - num_operands));
        double vectors = vectors_of(type, target);
        if (mlc_type_is(type, MLC_TYPE_MEMREF))
            buffers = vectors > buffers ? vectors : buffers;
        else if (!mlc_type_is(type, MLC_TYPE_INDEX))
            widest = vectors > widest ? vectors : widest;
    }
    return widest > 0 ? widest : buffers;
}

static bool
is_address(MlcOp *op)
{
    if (mlc_op_has_trait(op, MLC_TRAIT_CONSTANT_LIKE) || mlc_op_has_trait(op, MLC_TRAIT_TERMINATOR))
        return true;
    for (size_t i = 0; i < mlc_op_num_results(op); i++) {
        MlcType type = mlc_value_type(mlc_op_result(op, i));
        if (mlc_type_is(type, MLC_TYPE_INDEX) || mlc_type_is(type, MLC_TYPE_MEMREF))
            return true;
    }
    return false;
}

static Work work_of(MlcOp *op, const MlcTargetDesc *target);

static Work
work_inside(MlcOp *op, const MlcTargetDesc *target)
{
    Work sum = {0};
    for (size_t i = 0; i < mlc_op_num_regions(op); i++)
        MLC_FOR_EACH_BLOCK (block, mlc_op_region(op, i))
            MLC_FOR_EACH_OP (inner, block) {
                Work work = work_of(inner, target);
                sum.arithmetic += work.arithmetic;
                sum.memory += work.memory;
            }
    return sum;
}

int64_t
mlc_most_trips(MlcOp *loop)
{
    MlcAttr most = mlc_op_attr(loop, "mlc.at_most");
    int64_t trips;
    return most && mlc_attr_try_as_int(most, &trips) && trips > 0 ? trips : 0;
}

static double
trips_of(MlcOp *op)
{
    const MlcLoop *loop = mlc_op_interface(op, MLC_INTERFACE_LOOP);
    double trips = 1;
    for (size_t i = 0; loop && i < loop->num_induction_vars(op); i++) {
        int64_t lower, upper, step;
        if (!loop->constant_bounds || !loop->constant_bounds(op, i, &lower, &upper, &step))
            trips *= mlc_most_trips(op) ? (double)mlc_most_trips(op) : MLC_UNKNOWN_TRIPS;
        else
            trips *= upper > lower ? (double)((upper - lower - 1) / step + 1) : 0;
    }
    return trips;
}

static Work
work_of(MlcOp *op, const MlcTargetDesc *target)
{
    if (mlc_op_num_regions(op) > 0) {
        Work inside = work_inside(op, target);
        double trips = trips_of(op);
        return (Work){trips * inside.arithmetic, trips * inside.memory};
    }
    if (is_address(op))
        return (Work){0};
    double ports = target->fma_ports ? target->fma_ports : 1, width = width_of(op, target);
    if (!mlc_op_is_memory_effect_free(op))
        return (Work){.memory = width / ports};
    double additions = mlc_op_def(op)->cost ? mlc_op_def(op)->cost : 1;
    return (Work){.arithmetic = additions * width / ports};
}

static double
slower(Work work)
{
    return work.arithmetic > work.memory ? work.arithmetic : work.memory;
}

double
mlc_op_cycles(MlcOp *op, const MlcTargetDesc *target)
{
    return slower(work_of(op, target));
}

double
mlc_op_body_cycles(MlcOp *loop, const MlcTargetDesc *target)
{
    return slower(work_inside(loop, target));
}

double
mlc_product_cycles(double multiplications, double constant_bytes, const MlcTargetDesc *target)
{
    double busy = multiplications / (target->vector_bits / 32. * target->fma_ports);
    double read =
        constant_bytes > (double)target->l2_bytes ? constant_bytes / target->memory_bandwidth : 0;
    return busy > read ? busy : read;
}
