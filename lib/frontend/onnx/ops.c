// ops.c -- finds ONNX's operators in the tables of the files that import them.
//
// A graph op means what the ONNX operator means in its newest opset; what older opsets say with
// attributes or inputs is brought to that form by their rows, so that nothing below knows
// opsets. Inputs that must be known when compiling (a Reshape's shape, Clip's bounds, axes) are
// read from constants. Result types are found by the ops themselves (MLC_INTERFACE_INFER_SHAPES) as
// they are made.
#include "import.h"

static const MlcOnnxOperators *const tables[] = {
    &mlc_onnx_elementwise,   &mlc_onnx_contractions, &mlc_onnx_shapes,    &mlc_onnx_reductions,
    &mlc_onnx_normalization, &mlc_onnx_constants,    &mlc_onnx_losses,    &mlc_onnx_attention,
    &mlc_onnx_state,         &mlc_onnx_quantization, &mlc_onnx_selection, &mlc_onnx_sampling,
    &mlc_onnx_regions,       &mlc_onnx_signal,       &mlc_onnx_control,   &mlc_onnx_recurrent,
    &mlc_onnx_activations,   &mlc_onnx_bits,         &mlc_onnx_images,    &mlc_onnx_pooling,
    &mlc_onnx_random,        &mlc_onnx_matrices,     &mlc_onnx_found,     &mlc_onnx_lists,
    &mlc_onnx_texts,
};

const MlcOnnxOperator *
mlc_onnx_find_operator(MlcStr name, int64_t opset)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const MlcOnnxOperator *row = &tables[t]->rows[i];
            if (mlc_str_equal(name, mlc_str(row->name)) && opset >= row->since &&
                opset <= row->until)
                return row;
        }
    return NULL;
}

// Of other domains.
static const struct {
    const char *name;
    const MlcOnnxOperators *table;
    bool has_opsets;
} domains[] = {
    {"ai.onnx.ml", &mlc_onnx_ml_features, true},
    {"ai.onnx.ml", &mlc_onnx_ml_linear, true},
    {"ai.onnx.ml", &mlc_onnx_ml_maps, true},
    {"ai.onnx.ml", &mlc_onnx_ml_svm, true},
    {"ai.onnx.ml", &mlc_onnx_ml_trees, true},
    {"ai.onnx.preview", &mlc_onnx_preview, false},
    {"ai.onnx.preview.training", &mlc_onnx_training, false},
    {"com.microsoft", &mlc_onnx_microsoft, false},
    {"com.microsoft", &mlc_onnx_fused, false},
    {"com.microsoft", &mlc_onnx_fused_norms, false},
    {"com.microsoft", &mlc_onnx_fused_attention, false},
};

const MlcOnnxOperator *
mlc_onnx_operator(size_t i, const char **domain)
{
    *domain = "";
    for (size_t t = 0; t < sizeof tables / sizeof *tables; i -= tables[t++]->count)
        if (i < tables[t]->count)
            return &tables[t]->rows[i];
    for (size_t d = 0; d < sizeof domains / sizeof *domains; i -= domains[d++].table->count) {
        *domain = domains[d].name;
        if (i < domains[d].table->count)
            return &domains[d].table->rows[i];
    }
    return NULL;
}

const MlcOnnxOperator *
mlc_onnx_find_other(MlcStr domain, MlcStr name, int64_t opset)
{
    for (size_t d = 0; d < sizeof domains / sizeof *domains; d++)
        for (size_t i = 0; i < domains[d].table->count; i++) {
            const MlcOnnxOperator *row = &domains[d].table->rows[i];
            bool is_old_enough = !domains[d].has_opsets || opset == 0 || opset >= row->since;
            if (is_old_enough && mlc_str_equal(domain, mlc_str(domains[d].name)) &&
                mlc_str_equal(name, mlc_str(row->name)))
                return row;
        }
    return NULL;
}

bool
mlc_onnx_knows_operator(MlcStr name)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            if (mlc_str_equal(name, mlc_str(tables[t]->rows[i].name)))
                return true;
    return false;
}
