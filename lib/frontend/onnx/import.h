// import.h -- what the importer's files share: import.c builds the function, ops_*.c know the
// operators.
#ifndef MLC_FRONTEND_ONNX_IMPORT_H
#define MLC_FRONTEND_ONNX_IMPORT_H

#include "tensor.h"

#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"
#include "mlc/support/map.h"

// The files that blobs of the module point into: unmapped when the importer and all blobs are gone.
typedef struct MlcOnnxMapping {
    _Atomic size_t refs;
    MlcFile model;
    MlcOnnxFolder folder;
} MlcOnnxMapping;

// An input or initialiser that mlc has no type for.
typedef struct MlcOnnxRefused {
    MlcStr name;
    const char *why; // "elements of type string"
    bool is_told;    // by a node that reads it
} MlcOnnxRefused;

// The names of the graphs around a subgraph, which it sees.
typedef struct MlcOnnxOuter {
    MlcStrMap values;
    const struct MlcOnnxOuter *outer; // NULL: the model's graph, or a function's body
} MlcOnnxOuter;

// A size that the model computes (computed_sizes.h).
typedef struct MlcOnnxComputedSize {
    MlcAttr name;
    MlcValue *of;   // the number, an i64 of rank 0
    MlcValue *size; // the same, not negative
} MlcOnnxComputedSize;

typedef struct MlcOnnxImport {
    MlcContext *ctx;
    const char *file_name;
    MlcOnnxImportOptions options;
    MlcOnnxReader reader;
    MlcOnnxMapping *mapping;
    MlcArena arena; // messages, lists, scratch; dies with the import
    const MlcOnnxModel *model;
    int64_t opset;    // of the default domain; 0: the model does not import it
    int64_t ml_opset; // of ai.onnx.ml, as above
    MlcStrMap values; // ONNX name -> MlcValue *; NULL for what is refused or made from that
    const MlcOnnxOuter *outer;            // in a subgraph; else NULL
    const struct MlcOnnxOrdered *ordered; // the graph, or function's body, that is imported
    const struct MlcOnnxCut *cut;         // in nodes that a Gradient imports; else NULL
    MlcStrMap refused;                    // inputs and initialisers: name -> MlcOnnxRefused *
    MLC_VEC(MlcOnnxRefused *) all_refused;
    MlcStrMap dim_sizes; // given: a dimension's name, or "x.1" -> size
    bool lacks_sizes;    // and that was told
    MlcStrMap open_dims; // names of dimensions of inputs that have no size
    MlcBlock *body;      // of @main
    bool *is_bound;      // of options.values: a constant
    bool restarts;       // with more of them bound
    MlcStrMap functions; // "domain:name" -> const MlcOnnxFunction *, the model's own operators
    MlcStr scope;        // in the body of a function or a subgraph: the node, "block1/"; else empty
    unsigned call_depth;
    MlcMap lists;              // values that stand for sequences, optionals and maps (lists.h)
    MlcStrMap literal_numbers; // strings of the model -> their numbers (strings_of.h)
    MlcStrVec literals;
    bool declares_text;   // the function that asks the runtime of strings
    MlcPtrVec libraries;  // of the options, open
    MlcOp *stand_ins;     // a module of those values; NULL: there are none
    MlcMap refused_nodes; // of the model's graph, which the next import runs by node (parts.h)
    size_t num_to_part;   // of what is unsupported: told of nodes that the next import runs
    MlcMap pending;       // values of which only a run knows the rank
    MLC_VEC(const MlcOnnxNode *) part_nodes; // that are run, to be told
    MlcStr why;                              // what was unsupported last
    bool is_unknown;                         // and it may be what a run knows
    bool gives_up;                           // nodes that were run are refused by the next import
    MLC_VEC(MlcAttr) size_checks;            // [size, size, node] each: equal when the model runs
    MlcMap found_sizes; // values with dimensions whose size is found in the data (found_sizes.h)
    MlcMap found_most;  // such sizes -> the most each may be
    MLC_VEC(MlcOnnxComputedSize) computed_sizes;
    size_t num_size_names;
    MlcMap cut_values; // values of found sizes -> what there is of them
    MlcBuilder builder;
    size_t num_invalid, num_unsupported;
    const MlcOnnxNode *refused_node; // the last one: it is told once
    size_t num_nodes;                // imported so far
} MlcOnnxImport;

typedef struct MlcOnnxOperator MlcOnnxOperator;

// One node being imported. Absent optional inputs are NULL.
typedef struct MlcOnnxNodeImport {
    MlcOnnxImport *import;
    const MlcOnnxNode *node;
    const MlcOnnxOperator *row; // of its operator
    MlcValue **inputs;
    size_t num_inputs;
    MlcValue **outputs; // one per output, to be set; those not set must not be used by the model
    bool is_trial;      // the first thing that is unsupported is not told, but noted here
    MlcStr refused;     // empty: nothing was
} MlcOnnxNodeImport;

// An attribute of a graph op, and where it comes from: a constant input (which then is no operand),
// or the node's attribute. What a node does not say is left to the op's default.
typedef struct MlcOnnxAttrRow {
    const char *name;
    enum {
        MLC_ONNX_ROW_INT,
        MLC_ONNX_ROW_BOOL, // an integer of the node
        MLC_ONNX_ROW_FLOAT,
        MLC_ONNX_ROW_INTS, // an empty list says nothing, but where it is required
        MLC_ONNX_ROW_PADS, // `pads`, or how `auto_pad` finds them
    } kind;
    const char *as;    // the op's name for it; NULL: the same
    uint8_t input;     // this input, of integers, has it; 0, or absent: the attribute
    const char *sizes; // the op's name for those that are sizes known when the model runs; or NULL
    bool is_required;
    const int64_t *otherwise; // what is left out is this integer; NULL: as the op's record has it
} MlcOnnxAttrRow;

// How one operator, in a range of opset versions of the default domain, becomes graph ops: one op,
// of the node's inputs and attributes as the row says, or what a function makes.
struct MlcOnnxOperator {
    const char *name;
    int16_t since, until;           // opset versions, inclusive
    uint8_t min_inputs, max_inputs; // max UINT8_MAX: any number
    const MlcOpDef *op;             // further inputs than it takes are dropped
    const MlcOnnxAttrRow *attrs;    // the last one has no name; NULL: none
    enum {
        MLC_ONNX_OF_FIRST, // the result's elements are of the first input's type
        MLC_ONNX_OF_SECOND,
        MLC_ONNX_TRUTH, // i1
    } element;
    bool takes_strings; // inputs may be strings: what only moves or compares them sees numbers
    bool takes_lists;   // inputs may be sequences and optionals (lists.h)
    uint16_t one_type; // bit i: input i has elements of the type that the others of these have; for
                       // operators that no schema tells of (schemas.h)
    bool on_f32;       // of f16 and bf16 too: inputs are widened, results are of their type again
    // Both are false after mlc_onnx_invalid or mlc_onnx_unsupported.
    bool (*check)(MlcOnnxNodeImport *n);   // before the op is made; NULL: all is well
    bool (*import)(MlcOnnxNodeImport *n);  // what it becomes, by `op` or not; NULL: one op
    const struct MlcOnnxSizesInput *sizes; // which input says sizes (computed_sizes.h); NULL: none
    // The import of inputs whose sizes are found in the data (found_sizes.h). NULL: as one op that
    // works element by element, if it is one; else such inputs are refused.
    bool (*found)(MlcOnnxNodeImport *n);
};

// The rows of one file, sorted by name; rows of one name cover disjoint opsets.
typedef struct MlcOnnxOperators {
    const MlcOnnxOperator *rows;
    size_t count;
} MlcOnnxOperators;
enum { MLC_ONNX_NEWEST = INT16_MAX, MLC_ONNX_ANY = UINT8_MAX, MLC_ONNX_ALL = UINT16_MAX };
#define MLC_ONNX_OPERATORS(rows)                                                                   \
    {                                                                                              \
        rows, sizeof(rows) / sizeof *(rows)                                                        \
    }
extern const MlcOnnxOperators mlc_onnx_elementwise, mlc_onnx_contractions, mlc_onnx_shapes,
    mlc_onnx_reductions, mlc_onnx_normalization, mlc_onnx_constants, mlc_onnx_losses,
    mlc_onnx_attention, mlc_onnx_state, mlc_onnx_quantization, mlc_onnx_selection,
    mlc_onnx_sampling, mlc_onnx_regions, mlc_onnx_signal, mlc_onnx_control, mlc_onnx_recurrent,
    mlc_onnx_activations, mlc_onnx_bits, mlc_onnx_images, mlc_onnx_found, mlc_onnx_pooling,
    mlc_onnx_random, mlc_onnx_matrices, mlc_onnx_lists, mlc_onnx_texts;
// Of the domains com.microsoft, ai.onnx.preview, ai.onnx.preview.training and ai.onnx.ml; and the
// fused ones of com.microsoft.
extern const MlcOnnxOperators mlc_onnx_microsoft, mlc_onnx_preview, mlc_onnx_training,
    mlc_onnx_ml_features, mlc_onnx_ml_linear, mlc_onnx_ml_maps, mlc_onnx_ml_svm, mlc_onnx_ml_trees,
    mlc_onnx_fused, mlc_onnx_fused_norms, mlc_onnx_fused_attention;

// The operator for a node, or NULL: see also mlc_onnx_find_name.
const MlcOnnxOperator *mlc_onnx_find_operator(MlcStr name, int64_t opset);
// Of another domain. Rows of ai.onnx.ml count its opsets from 1; 0: the model does not say which.
const MlcOnnxOperator *mlc_onnx_find_other(MlcStr domain, MlcStr name, int64_t opset);
// Row `i` of all tables and its domain, empty for ONNX's own; NULL behind the last one.
const MlcOnnxOperator *mlc_onnx_operator(size_t i, const char **domain);
bool mlc_onnx_knows_operator(MlcStr name);         // in any opset
bool mlc_onnx_import_one_op(MlcOnnxNodeImport *n); // the op of its row
bool mlc_onnx_import_row(MlcOnnxNodeImport *n);    // whatever its row says

// The op of a user's dialect that the node means, or NULL; and the nodes that are one.
const MlcOpDef *mlc_onnx_find_custom(MlcOnnxImport *im, const MlcOnnxNode *node);
bool mlc_onnx_import_custom(MlcOnnxNodeImport *n, const MlcOpDef *def);
// The op of it, of the node's inputs and attributes; NULL after an error.
MlcOp *mlc_onnx_build_custom(MlcOnnxNodeImport *n, const MlcOpDef *def);
// Of a node of a domain that nobody knows, or knows otherwise: unsupported, with what would help,
// and with `hint` behind it.
bool mlc_onnx_unknown_domain(MlcOnnxNodeImport *n, const char *hint);
// Tells every operator of the nodes, subgraphs and functions included, that mlc does not have.
void mlc_onnx_tell_unknown_operators(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t num_nodes);
bool mlc_onnx_is_default_domain(MlcStr domain);
// The model's own function that the node calls, or NULL; the opset of the function's nodes: its
// own, where it says one.
const MlcOnnxFunction *mlc_onnx_model_function(MlcOnnxImport *im, const MlcOnnxNode *node);
int64_t mlc_onnx_function_opset(const MlcOnnxImport *im, const MlcOnnxFunction *function);
// What the model declares output `i` to be; NULL: nothing, or it is told elsewhere.
MlcType mlc_onnx_declared_type(MlcOnnxNodeImport *n, size_t i);

// The value of a name here, or in a graph around; NULL: there is none. Its value may be NULL.
MlcStrMapEntry *mlc_onnx_find_value(const MlcOnnxImport *im, MlcStr name);
// That many nodes more are imported. False after an error: they are too many.
bool mlc_onnx_count_nodes(MlcOnnxImport *im, size_t count);

// Report a fault of the model, or of ours, at the node; return false.
bool mlc_onnx_invalid(MlcOnnxNodeImport *n, const char *format, ...) MLC_PRINTF(2, 3);
bool mlc_onnx_unsupported(MlcOnnxNodeImport *n, const char *format, ...) MLC_PRINTF(2, 3);
// Notes that the node is refused for what a run may know: a size, a value, which branch it takes.
void mlc_onnx_note_unknown(MlcOnnxNodeImport *n);

// The nodes of a subgraph of the node, made at the builder: they see the names around it.
// `args` are the values of its inputs, and `results` gets those of its outputs. False after an
// error, or where it has what is not supported.
bool mlc_onnx_import_subgraph(MlcOnnxNodeImport *n, const char *attribute,
                              const MlcOnnxGraph *graph, MlcValue *const *args, size_t num_args,
                              MlcValueVec *results);

// Report at the file; return false: the model, or what is asked of it, is invalid; it is valid, but
// has something that is not supported.
typedef bool (*MlcOnnxReport)(MlcContext *ctx, MlcLoc loc, const char *format, ...);
bool mlc_onnx_report(MlcOnnxImport *im, MlcOnnxReport as, const char *format, ...) MLC_PRINTF(3, 4);
MlcLoc mlc_onnx_file_loc(MlcOnnxImport *im);
bool mlc_onnx_fail_reading(MlcOnnxImport *im); // what the reader says
bool mlc_onnx_check_rank(MlcOnnxImport *im, MlcStr name, size_t rank);
#define mlc_onnx_fail(im, ...) mlc_onnx_report(im, mlc_error, __VA_ARGS__)
#define mlc_onnx_refuse(im, ...) mlc_onnx_report(im, mlc_unsupported, __VA_ARGS__)

// Notes the sizes that the options give to dimensions of inputs. False after an error; what they
// need and lack is refused, and `lacks_sizes` set.
bool mlc_onnx_give_dims(MlcOnnxImport *im, const MlcStrMap *initializers);
// Dimension `i` of a tensor that has a shape, as the model or the options have it. False: unknown.
bool mlc_onnx_dim_size(MlcOnnxImport *im, const MlcOnnxValueInfo *info, size_t i, int64_t *size);
// Where it is unknown: what it is called, as text (mlc/dialects/graph_sizes.h); "" if it has no
// name.
MlcAttr mlc_onnx_dim_text(MlcOnnxImport *im, const MlcOnnxValueInfo *info, size_t i);

// Whether a value that must be known will be: what it is computed from is bound, and the import
// starts again. Not if something was refused already.
bool mlc_onnx_want_value(MlcOnnxImport *im, MlcValue *wanted);
bool mlc_onnx_check_values(MlcOnnxImport *im, const MlcStrMap *initializers); // they are inputs'
bool mlc_onnx_is_bound(const MlcOnnxImport *im, MlcStr input);
// Its constant; NULL after an error: it is not of the declared type.
MlcValue *mlc_onnx_bound_value(MlcOnnxImport *im, MlcStr input, MlcType declared);

// The element type of an ONNX data type; NULL if mlc has none.
MlcType mlc_onnx_element_type(MlcContext *ctx, int64_t data_type);

// A graph.constant of the tensor's elements; NULL after an error, or with what is not supported in
// `*refused`. Numbers of at least 256 bytes are not copied.
MlcValue *mlc_onnx_build_constant(MlcOnnxImport *import, const MlcOnnxTensor *tensor,
                                  const char **refused);

#endif
