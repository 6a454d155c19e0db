// schemas.h -- what ONNX's operators take, in each opset: tables, written from the `onnx` package.
#ifndef MLC_FRONTEND_ONNX_SCHEMAS_H
#define MLC_FRONTEND_ONNX_SCHEMAS_H

#include <stddef.h>
#include <stdint.h>

enum { MLC_ONNX_SCHEMA_MANY = 255 };

typedef struct MlcOnnxSchema {
    const char *domain, *name;
    int16_t since; // the first opset, until that of the next row
    uint8_t min_inputs, max_inputs, min_outputs, max_outputs; // most: MLC_ONNX_SCHEMA_MANY
    uint8_t is_deprecated;                                    // from there on
    const char *attributes; // "alpha:f axis:i!": sorted, a kind, and ! where it is required
    // "aff02 aff02 b80": a letter for each variable of types, and a mask of the data types that it
    // may be, in that opset or a later one; 0 is no tensor. Behind the last one: as it, or, with a
    // *, each as it likes.
    const char *inputs;
} MlcOnnxSchema;

// Rows sorted by domain, name and opset.
size_t mlc_onnx_num_schemas(void);
const MlcOnnxSchema *mlc_onnx_schema(size_t i);

#endif
