// graph_checks.c -- indices and divisors: what constants say of them, before they are out of sight.
//
// An op whose indices or divisors are constants is looked at here, once: if all are in range it is
// marked (mlc.checked) and its kernel checks nothing, else it is an error. For the others the
// kernel has an assertion (graph-to-linalg), which names the node (mlc.node). The name is an
// attribute, since kernels that differ in nothing else must not become one function.
#include "mlc/dialects/graph_geometry.h"
#include "mlc/ir.h"
#include "mlc/pass.h"

static void
keep_last(MlcStr name, void *user)
{
    *(MlcStr *)user = name;
}

static void
set_node(MlcOp *op)
{
    MlcStr name = {0};
    mlc_loc_visit_names(mlc_op_loc(op), keep_last, &name);
    if (name.size)
        mlc_op_set_attr(op, MLC_GRAPH_NODE, mlc_string_attr_get(mlc_op_context(op), name));
}

static bool
check(MlcPass *pass, MlcOp *op)
{
    int64_t value;
    size_t first;
    switch (mlc_graph_range(op, &value)) {
    case MLC_GRAPH_IN_RANGE:
        mlc_op_set_attr(op, MLC_GRAPH_CHECKED, mlc_unit_attr_get(mlc_op_context(op)));
        mlc_pass_count(pass, "proved", 1);
        return true;
    case MLC_GRAPH_OUT_OF_RANGE:
        return mlc_graph_indexed_dims(op, &first) == 0
                   ? mlc_op_error(op, "divides by 0")
                   : mlc_op_error(op, "index %lld is outside of %s", (long long)value,
                                  mlc_type_text(mlc_value_type(mlc_op_operand(op, 0))));
    case MLC_GRAPH_RANGE_UNKNOWN:
        set_node(op);
        mlc_pass_count(pass, "left-to-check", 1);
    }
    return true;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    bool ok = true;
    MLC_FOR_EACH_PREORDER (op, root)
        if (mlc_graph_is_partial(op) &&
            !mlc_type_is_float(mlc_type_element(mlc_value_type(mlc_op_operand(op, 1)))))
            ok &= check(pass, op);
    return ok;
}

static const char *const dialects[] = {"graph", NULL};

MLC_PASS(graph_checks, .flag = "graph-checks",
         .summary = "Check constant indices and divisors; name nodes of the others",
         .anchor = "func.func", .dependent_dialects = dialects, .run = run)
