// query.c -- what a model says about itself.
#include "model.h"

static const char *
header_string(const MlcModel *model, uint32_t offset)
{
    return model->data + model->header.sections[MLC_ARTEFACT_STRINGS].offset + offset;
}

const char *
mlc_model_name(const MlcModel *model)
{
    return header_string(model, model->header.model_name);
}

const char *
mlc_model_isa(const MlcModel *model)
{
    return header_string(model, model->header.isa);
}

const char *
mlc_model_features(const MlcModel *model)
{
    return header_string(model, model->header.features);
}

int32_t
mlc_model_num_inputs(const MlcModel *model)
{
    return model->num_inputs;
}

int32_t
mlc_model_num_outputs(const MlcModel *model)
{
    return model->num_outputs;
}

const MlcRtTensorInfo *
mlc_model_input(const MlcModel *model, int32_t index)
{
    return index >= 0 && index < model->num_inputs ? &model->tensors[index] : NULL;
}

const MlcRtTensorInfo *
mlc_model_output(const MlcModel *model, int32_t index)
{
    return index >= 0 && index < model->num_outputs ? &model->tensors[model->num_inputs + index]
                                                    : NULL;
}

static int32_t
find(const MlcRtTensorInfo *tensors, int32_t count, const char *name)
{
    for (int32_t i = 0; i < count; i++)
        if (strcmp(tensors[i].name, name) == 0)
            return i;
    return -1;
}

int32_t
mlc_model_find_input(const MlcModel *model, const char *name)
{
    return find(model->tensors, model->num_inputs, name);
}

int32_t
mlc_model_find_output(const MlcModel *model, const char *name)
{
    return find(model->tensors + model->num_inputs, model->num_outputs, name);
}

int32_t
mlc_model_num_kernels(const MlcModel *model)
{
    return model->num_kernels;
}

const MlcRtKernelInfo *
mlc_model_kernel(const MlcModel *model, int32_t index)
{
    return index >= 0 && index < model->num_kernels ? &model->kernels[index] : NULL;
}

size_t
mlc_model_arena_bytes(const MlcModel *model)
{
    return model->header.arena_bytes;
}

uint64_t
mlc_model_left_out(const MlcModel *model)
{
    return model->header.left_out;
}

size_t
mlc_model_scratch_bytes(const MlcModel *model)
{
    return model->header.scratch_bytes;
}

size_t
mlc_model_constants_bytes(const MlcModel *model)
{
    return model->header.sections[MLC_ARTEFACT_CONSTANTS].size;
}

size_t
mlc_model_prepared_bytes(const MlcModel *model)
{
    return model->header.prepared_bytes;
}

size_t
mlc_model_text_bytes(const MlcModel *model)
{
    return model->header.sections[MLC_ARTEFACT_TEXT].size;
}
