// onnx_import.c -- any bytes as a model: imported or refused, and what is imported verifies. Once
// as it is; once with a size for each dimension that is open and a value for each small input, as
// the model's signature has them.
#include "mlc/dialects.h"
#include "mlc/frontend/onnx.h"
#include "mlc/ir.h"

#include <stdlib.h>

static void
ignore(const MlcDiag *diag, void *user)
{
    (void)diag;
    (void)user;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static MlcOp *
import(MlcContext *ctx, const uint8_t *data, size_t size, const MlcOnnxImportOptions *options)
{
    MlcImportStatus status;
    uint64_t num_errors = mlc_context_num_errors(ctx);
    MlcOp *module = mlc_onnx_import_bytes_with(ctx, "fuzz.onnx", data, size, options, &status);
    if (module ? status != MLC_IMPORT_OK || !mlc_verify(module)
               : status == MLC_IMPORT_OK ||
                     (status == MLC_IMPORT_INVALID && mlc_context_num_errors(ctx) == num_errors))
        abort(); // refused without a word
    return module;
}

enum { MAX_INPUTS = 64, MAX_DIMS = 8, MAX_ELEMENTS = 64, ELEMENT_BYTES = 8 };

typedef struct Inputs {
    MlcArena arena;
    MlcStrVec dims;
    MlcOnnxInputValue values[MAX_INPUTS];
    int64_t sizes[MAX_INPUTS][MAX_DIMS];
    size_t num_values;
    const void *data; // of any value
} Inputs;

static void
add_input(Inputs *in, MlcStr name, MlcType type, int64_t size)
{
    int64_t count = 1, *sizes = in->sizes[in->num_values];
    size_t rank = mlc_type_has_rank(type) ? mlc_type_rank(type) : 0;
    for (size_t i = 0; i < rank && i < MAX_DIMS; i++) {
        sizes[i] = mlc_type_dim(type, i) == MLC_DYNAMIC ? size : mlc_type_dim(type, i);
        if (mlc_type_dim(type, i) == MLC_DYNAMIC)
            mlc_vec_push(&in->dims, mlc_arena_printf(&in->arena, "%.*s.%zu=%d", MLC_STR_FMT(name),
                                                     i, (int)size));
        count = sizes[i] < 0 || sizes[i] > MAX_ELEMENTS || count > MAX_ELEMENTS ? MAX_ELEMENTS + 1
                                                                                : count * sizes[i];
    }
    size_t bits = mlc_type_bit_width(mlc_type_element(type));
    if (rank <= MAX_DIMS && count <= MAX_ELEMENTS && bits <= 8 * ELEMENT_BYTES)
        in->values[in->num_values++] =
            (MlcOnnxInputValue){.name = name,
                                .dims = sizes,
                                .rank = rank,
                                .data = in->data,
                                .num_bytes = (size_t)count * ((bits + 7) / 8),
                                .is_constant = in->num_values % 3 == 2};
}

// A byte in the middle of the file says what all sizes are, and its end what is in the values.
static void
import_with_inputs(MlcContext *ctx, const uint8_t *data, size_t size)
{
    uint8_t values[MAX_ELEMENTS * ELEMENT_BYTES] = {0};
    MlcOnnxImportOptions options = {MLC_SIZED(MlcOnnxImportOptions), .only_signature = true};
    MlcOp *module = import(ctx, data, size, &options);
    Inputs in = {.data = values};
    if (!module)
        return;
    mlc_arena_init(&in.arena);
    size_t tail = size < 16 ? size : 16;
    for (size_t i = 0; i < tail; i++)
        values[ELEMENT_BYTES * i] = data[size - 1 - i] & 3;
    MlcOp *func = mlc_symbol_lookup(module, mlc_str("main"));
    MlcBlock *block = mlc_region_first(mlc_op_region(func, 0));
    for (size_t i = 0; i < mlc_block_num_args(block) && in.num_values < MAX_INPUTS; i++)
        add_input(&in, mlc_loc_name_str(mlc_block_arg_loc(block, i)),
                  mlc_value_type(mlc_block_arg(block, i)), size ? data[size / 2] & 7 : 0);
    mlc_op_destroy(module);
    options = (MlcOnnxImportOptions){
        MLC_SIZED(MlcOnnxImportOptions), .needs_sizes = true, .dims = in.dims.data,
        .num_dims = in.dims.size,        .values = in.values, .num_values = in.num_values};
    module = import(ctx, data, size, &options);
    if (module)
        mlc_op_destroy(module);
    mlc_vec_release(&in.dims);
    mlc_arena_release(&in.arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    MlcContext *ctx = mlc_context_create();
    mlc_register_all_dialects(ctx);
    mlc_context_set_diag_handler(ctx, ignore, NULL);
    MlcOp *module = import(ctx, data, size, NULL);
    if (module)
        mlc_op_destroy(module);
    import_with_inputs(ctx, data, size);
    mlc_diag_flush(ctx);
    mlc_context_destroy(ctx);
    return 0;
}
