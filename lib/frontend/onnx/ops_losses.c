// ops_losses.c -- ONNX operators: losses of scores per class.
//
// A label picks its class' score by a gather along the classes. Labels to be ignored need be no
// class: they pick class 0, and a select drops what they picked.
#include "node.h"

#include <inttypes.h>

// The labels, and which of them are ignored; NULL: none.
typedef struct Labels {
    MlcValue *classes, *ignored;
} Labels;

static bool
read_labels(MlcOnnxNodeImport *n, Labels *labels)
{
    bool ok = true;
    const MlcOnnxAttribute *ignore =
        mlc_onnx_find_attribute(n, "ignore_index", MLC_ONNX_ATTRIBUTE_INT, &ok);
    *labels = (Labels){.classes = n->inputs[1]};
    if (!ok || !ignore)
        return ok;
    MlcType element = mlc_type_element(mlc_value_type(labels->classes));
    MlcType i64 = mlc_onnx_i64(n);
    labels->ignored =
        mlc_onnx_compare(n, &mlc_graph_equal_def, mlc_onnx_cast(n, labels->classes, i64),
                         mlc_onnx_int(n, ignore->i));
    labels->classes =
        mlc_onnx_select(n, labels->ignored, mlc_onnx_build_number(n, element, 0), labels->classes);
    return labels->classes != NULL;
}

// [N, d...] as [N, 1, d...]: at most one of d may be unknown.
static MlcValue *
add_class_dim(MlcOnnxNodeImport *n, MlcValue *labels)
{
    MlcType type = mlc_value_type(labels);
    int64_t dims[MLC_SMALL_RANK + 1] = {0, 1};
    if (!mlc_type_has_rank(type) || mlc_type_rank(type) < 1 ||
        mlc_type_rank(type) >= MLC_SMALL_RANK)
        return mlc_onnx_unsupported(n, "labels of type %s", mlc_type_text(type)), NULL;
    size_t rank = mlc_type_rank(type), num_unknown = 0;
    bool is_static = mlc_type_has_static_shape(type);
    dims[0] = is_static ? mlc_type_dim(type, 0) : 0;
    for (size_t i = 1; i < rank; i++) {
        dims[i + 1] = mlc_type_dim(type, i);
        if (dims[i + 1] == MLC_DYNAMIC)
            dims[i + 1] = -1, num_unknown++;
        if (num_unknown > 1 || (!is_static && dims[i + 1] == 0))
            return mlc_onnx_unsupported(n, "labels of type %s", mlc_type_text(type)), NULL;
    }
    return mlc_onnx_reshape(n, labels, (MlcOnnxInts){dims, rank + 1}, is_static);
}

// -log_probability[label], weighted: per label, or over all of them.
typedef struct Loss {
    MlcValue *each, *weights; // weights: NULL for 1
} Loss;

static bool
build_loss(MlcOnnxNodeImport *n, MlcValue *log_probability, Loss *loss)
{
    Labels labels;
    MlcType element = mlc_type_element(mlc_value_type(log_probability));
    MlcOnnxAttrs along_classes = {0}, of_classes = {0};
    if (!read_labels(n, &labels))
        return false;
    mlc_onnx_add_int(n, &along_classes, "axis", 1);
    MlcValue *picks[] = {log_probability, add_class_dim(n, labels.classes)};
    MlcValue *picked =
        picks[1] ? mlc_onnx_build(n, &mlc_graph_gather_elements_def, picks, 2, &along_classes)
                 : NULL;
    mlc_onnx_add_ints(n, &of_classes, "axes", (MlcOnnxInts){(int64_t[]){1}, 1});
    mlc_onnx_add_bool(n, &of_classes, "keepdims", false);
    picked = mlc_onnx_build_one(n, &mlc_graph_neg_def, picked);
    loss->each = picked // the dimension of 1 goes
                     ? mlc_onnx_build(n, &mlc_graph_reduce_sum_def, &picked, 1, &of_classes)
                     : NULL;
    MlcValue *given = mlc_onnx_input_or_null(n, 2), *zero = NULL;
    if (given)
        loss->weights = mlc_onnx_build(n, &mlc_graph_gather_def,
                                       (MlcValue *[]){given, labels.classes}, 2, NULL);
    if (given &&
        !(loss->each = mlc_onnx_build_two(n, &mlc_graph_mul_def, loss->each, loss->weights)))
        return false;
    if (labels.ignored) {
        zero = mlc_onnx_build_scalar(n, element, 0);
        loss->weights = mlc_onnx_select(
            n, labels.ignored, zero, given ? loss->weights : mlc_onnx_build_scalar(n, element, 1));
        loss->each = mlc_onnx_select(n, labels.ignored, zero, loss->each);
    }
    return loss->each != NULL;
}

static MlcValue *
over_all(MlcOnnxNodeImport *n, const MlcOpDef *op, MlcValue *value)
{
    MlcOnnxAttrs attrs = {0};
    mlc_onnx_add_bool(n, &attrs, "keepdims", false);
    return value ? mlc_onnx_build(n, op, &value, 1, &attrs) : NULL;
}

static bool
reduce_loss(MlcOnnxNodeImport *n, const Loss *loss)
{
    MlcStr reduction = mlc_str("mean");
    if (!mlc_onnx_read_str(n, "reduction", &reduction))
        return false;
    if (mlc_str_equal(reduction, mlc_str("none")))
        return mlc_onnx_set_result(n, loss->each);
    if (mlc_str_equal(reduction, mlc_str("sum")))
        return mlc_onnx_set_result(n, over_all(n, &mlc_graph_reduce_sum_def, loss->each));
    if (!mlc_str_equal(reduction, mlc_str("mean")))
        return mlc_onnx_invalid(n, "attribute 'reduction' is '%.*s'", MLC_STR_FMT(reduction));
    if (!loss->weights)
        return mlc_onnx_set_result(n, over_all(n, &mlc_graph_reduce_mean_def, loss->each));
    return mlc_onnx_set_result(
        n, mlc_onnx_build_two(n, &mlc_graph_div_def,
                              over_all(n, &mlc_graph_reduce_sum_def, loss->each),
                              over_all(n, &mlc_graph_reduce_sum_def, loss->weights)));
}

static bool
import_log_likelihood(MlcOnnxNodeImport *n)
{
    Loss loss = {0};
    return build_loss(n, n->inputs[0], &loss) && reduce_loss(n, &loss);
}

static bool
import_cross_entropy(MlcOnnxNodeImport *n)
{
    Loss loss = {0};
    MlcValue *log_probability = mlc_onnx_log_softmax(n, n->inputs[0], 1);
    if (!log_probability || !build_loss(n, log_probability, &loss) || !reduce_loss(n, &loss))
        return false;
    if (mlc_onnx_has_output(n, 1))
        n->outputs[1] = log_probability;
    return true;
}

static const MlcOnnxOperator rows[] = {
    {"NegativeLogLikelihoodLoss", 12, MLC_ONNX_NEWEST, 2, 3, .import = import_log_likelihood},
    {"SoftmaxCrossEntropyLoss", 12, MLC_ONNX_NEWEST, 2, 3, .import = import_cross_entropy},
};
const MlcOnnxOperators mlc_onnx_losses = MLC_ONNX_OPERATORS(rows);
