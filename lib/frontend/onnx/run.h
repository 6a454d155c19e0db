// run.h -- what the files share that run nodes (mlc/frontend/onnx_run.h): values, and one node.
#ifndef MLC_FRONTEND_ONNX_RUN_PRIVATE_H
#define MLC_FRONTEND_ONNX_RUN_PRIVATE_H

#include "tensor.h"

#include "mlc/ir.h"
#include "mlc/ir/runtime_type.h"
#include "mlc/runtime/tensor.h"
#include "mlc/support/map.h"
#include "mlc/support/vec.h"

// Bytes of all values of a run, at most: loops may put together as much as their counts say, which
// come from the data.
#define MLC_ONNX_RUN_MAX_MEMORY ((size_t)4 << 30)

// A value of the model while it runs, counted by who holds it.
typedef struct MlcOnnxRunValue {
    size_t num_holders;
    size_t bytes, *all_bytes; // its own, and where those of all values are counted: the run's
    enum { MLC_ONNX_RUN_TENSOR, MLC_ONNX_RUN_SEQUENCE, MLC_ONNX_RUN_OPTIONAL } kind;
    MlcRtTensor tensor;             // of that kind: dims and elements are the value's own
    MlcRtType element;              // of lists: of the tensors in it; 0: not known
    struct MlcOnnxRunValue **items; // of lists, held
    size_t num_items;
} MlcOnnxRunValue;
typedef MLC_VEC(MlcOnnxRunValue *) MlcOnnxRunValues;

// The names of a graph that runs, and those around it.
typedef struct MlcOnnxScope {
    MlcStrMap values; // held
    const struct MlcOnnxScope *outer;
} MlcOnnxScope;

typedef struct MlcOnnxRunner {
    MlcContext *ctx;   // of some nodes: what they intern goes with it
    size_t num_nodes;  // that were run
    size_t *all_bytes; // of values
    MlcArena arena;    // the model's messages
    MlcOnnxReader reader;
    const MlcOnnxModel *model;
    MlcMap constants;           // initialisers, read once -> values, held
    const MlcOnnxOpset *opsets; // of the nodes that run: the model's, or a function's
    size_t num_opsets;
    MlcBuf *error;                            // the first fault says most
    MlcRtType types[MLC_ONNX_NUM_DATA_TYPES]; // of ONNX's; 0: none
    unsigned depth;                           // graphs in graphs that run
} MlcOnnxRunner;

// Return false.
bool mlc_onnx_run_fail(MlcOnnxRunner *r, const char *format, ...) MLC_PRINTF(2, 3);
bool mlc_onnx_run_broken(MlcOnnxRunner *r);     // the node is not as its operator has it
bool mlc_onnx_run_no_numbers(MlcOnnxRunner *r); // a value is none that there is here

// ---- values; those that are made are held once

// Elements are not set. NULL after an error: they are more than there may be.
MlcOnnxRunValue *mlc_onnx_run_tensor(MlcOnnxRunner *r, MlcRtType type, const int64_t *dims,
                                     size_t rank);
MlcOnnxRunValue *mlc_onnx_run_list(MlcOnnxRunner *r, int kind, MlcRtType element,
                                   MlcOnnxRunValue *const *items, size_t count); // items are held
MlcOnnxRunValue *mlc_onnx_run_scalar(MlcOnnxRunner *r, MlcRtType type, int64_t number);
void mlc_onnx_run_hold(MlcOnnxRunValue *value);
void mlc_onnx_run_drop(MlcOnnxRunValue *value); // NULL too
void mlc_onnx_run_drop_all(MlcOnnxRunValues *values);
// The one integer, or truth value. False after an error.
bool mlc_onnx_run_read(MlcOnnxRunner *r, const MlcOnnxRunValue *value, int64_t *number);
// Its first `dims[i]` elements along each dimension, of at most as many.
MlcOnnxRunValue *mlc_onnx_run_crop(MlcOnnxRunner *r, const MlcRtTensor *from, const int64_t *dims);
// Element `at` along `axis`, without that dimension; elements put together along a new one.
MlcOnnxRunValue *mlc_onnx_run_take(MlcOnnxRunner *r, const MlcRtTensor *from, size_t axis,
                                   int64_t at);
MlcOnnxRunValue *mlc_onnx_run_stack(MlcOnnxRunner *r, const MlcOnnxRunValues *pieces, size_t axis,
                                    bool reversed);

// ---- names

MlcOnnxRunValue *mlc_onnx_run_find(const MlcOnnxScope *scope, MlcStr name); // not held; or NULL
void mlc_onnx_run_name(MlcOnnxScope *scope, MlcStr name, MlcOnnxRunValue *value); // takes it

// ---- one node, of an operator without subgraphs that this knows of: its outputs get their names

bool mlc_onnx_run_node(MlcOnnxRunner *r, const MlcOnnxNode *node, MlcOnnxScope *scope);

#endif
