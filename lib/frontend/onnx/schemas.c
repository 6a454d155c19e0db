// schemas.c -- see schemas.h.
#include "schemas.h"

static const MlcOnnxSchema schemas[] = {
#include "schemas.inc"
};

size_t
mlc_onnx_num_schemas(void)
{
    return sizeof schemas / sizeof *schemas;
}

const MlcOnnxSchema *
mlc_onnx_schema(size_t i)
{
    return &schemas[i];
}
