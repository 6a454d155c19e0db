// pointers.c -- what lowered code gets from outside: pointers to inputs, and the runtime's
// services.
//
// The call record and its table are laid out as mlc/runtime/abi.h says; the interpreter may not
// include the runtime's headers, and needs few of the fields. Services have addresses that no
// function has.
#include "interp_impl.h"
#include "mlc/ir/text.h"

enum {
    RECORD_FIELDS = 12,
    RECORD_TABLE = 0,
    RECORD_SCRATCH = 8,
    TABLE_FIELDS = 5,
    TABLE_SERVICES = 1,
    ABI_VERSION = 1
};

static MlcDatum
pointer_to(MlcType type, uint64_t address)
{
    MlcDatum d = {.type = type};
    d.integer = mlc_wide_from_uint(NULL, 64, address);
    return d;
}

static uint64_t *
make_words(MlcInterp *interp, size_t n, uint64_t *address)
{
    MlcBuffer *buffer = mlc_eval_buffer_create(&interp->eval, interp->module, n * sizeof(uint64_t));
    if (!buffer)
        return NULL;
    *address = mlc_buffer_address(buffer);
    uint64_t *words =
        mlc_eval_buffer_data(&interp->eval, interp->module, buffer, 0, n * sizeof *words);
    return memset(words, 0, n * sizeof *words);
}

// The record, with the table and the scratch memory of one task; its other fields are null.
static bool
make_record(MlcInterp *interp, MlcType type, MlcDatum *out)
{
    uint64_t record_address, table_address;
    int64_t scratch_bytes = 0;
    uint64_t *record = make_words(interp, RECORD_FIELDS, &record_address);
    uint64_t *table = make_words(interp, TABLE_FIELDS, &table_address);
    MlcAttr attr = mlc_op_attr(interp->module, "mlc.scratch_bytes");
    if (attr)
        mlc_attr_try_as_int(attr, &scratch_bytes);
    MlcBuffer *scratch =
        mlc_eval_buffer_create(&interp->eval, interp->module, (size_t)scratch_bytes);
    if (!record || !table || !scratch)
        return false;
    table[0] = ABI_VERSION;
    for (size_t i = 0; i < NUM_SERVICES; i++) {
        interp->services[i] = mlc_eval_buffer_create(&interp->eval, interp->module, 0);
        table[TABLE_SERVICES + i] = mlc_buffer_address(interp->services[i]);
    }
    interp->scratch = mlc_buffer_address(scratch);
    record[RECORD_TABLE] = table_address;
    record[RECORD_SCRATCH] = interp->scratch;
    *out = pointer_to(type, record_address);
    return true;
}

// Of "SPEC as TYPE" the two parts.
static bool
split(MlcInterp *interp, MlcStr spec, MlcStr *what, MlcType *type)
{
    static const char word[] = " as ";
    const char *at = memmem(spec.data, spec.size, word, sizeof word - 1);
    if (!at)
        return mlc_op_error(interp->module,
                            "input '%.*s' for a pointer does not say 'as' which type",
                            MLC_STR_FMT(spec));
    *what = mlc_str_n(spec.data, (size_t)(at - spec.data));
    MlcBuf text = {0};
    mlc_buf_append(&text, at + sizeof word - 1, spec.size - what->size - (sizeof word - 1));
    mlc_buf_append(&text, "\0", 2);
    *type = mlc_parse_type(interp->eval.ctx, mlc_str_n(text.data, text.size - 2));
    mlc_buf_release(&text);
    return *type != NULL;
}

bool
mlc_interp_read_pointer(MlcInterp *interp, MlcType type, MlcStr spec, MlcDatum *out)
{
    if (mlc_str_equal(spec, mlc_str("call")))
        return make_record(interp, type, out);
    MlcStr what = {0};
    MlcType pointee = NULL;
    if (!split(interp, spec, &what, &pointee))
        return false;
    if (mlc_type_is(pointee, MLC_TYPE_TENSOR))
        pointee = mlc_memref_type_get(mlc_type_element(pointee), mlc_type_shape(pointee),
                                      mlc_type_rank(pointee), NULL, NULL);
    if (!mlc_type_is(pointee, MLC_TYPE_MEMREF))
        return mlc_op_error(interp->module,
                            "input '%.*s': a pointer points at a tensor or a memref",
                            MLC_STR_FMT(spec));
    MlcDatum memref;
    if (!mlc_interp_read_datum(interp, pointee, what, &memref))
        return false;
    mlc_vec_push(&interp->pointees, memref);
    *out = pointer_to(type, mlc_buffer_address(memref.memref.buffer));
    return true;
}

// call, task, context, number of chunks: each chunk by itself, in the order that the seed asks for.
static bool
parallel_for(MlcEval *e, MlcOp *op, const MlcDatum *args)
{
    uint64_t count = mlc_datum_as_uint(&args[3]);
    size_t mark = mlc_eval_mark(e);
    for (uint64_t i = 0; i < count; i++) {
        int64_t chunk = (int64_t)mlc_eval_order(e, i, count);
        MlcDatum task_args[4] = {args[2], mlc_datum_int(args[3].type, chunk),
                                 mlc_datum_int(args[3].type, chunk + 1),
                                 pointer_to(args[2].type, ((MlcInterp *)e)->scratch)};
        MlcOp *task = mlc_eval_function_at(e, mlc_datum_as_uint(&args[1]));
        if (!task)
            return mlc_op_error(op, "hands over a task that is no function");
        if (!mlc_eval_call(e, op, task, task_args, 4, NULL, 0))
            return false;
        mlc_eval_collect(e, mark, NULL, 0);
    }
    return true;
}

// call, code, message: NUL-terminated.
static bool
fail(MlcEval *e, MlcOp *op, const MlcDatum *args)
{
    MlcBuf text = {0};
    for (uint64_t at = mlc_datum_as_uint(&args[2]);; at++) {
        const char *byte = mlc_eval_pointer(e, op, at, 1, false);
        if (!byte || *byte == '\0')
            break;
        mlc_buf_append(&text, byte, 1);
    }
    mlc_op_error(op, "reports that the model's run fails: %s", mlc_buf_c_str(&text));
    mlc_buf_release(&text);
    return false;
}

bool
mlc_interp_service(MlcEval *e, MlcOp *op, uint64_t address, const MlcDatum *args, size_t num_args)
{
    MlcInterp *interp = (MlcInterp *)e;
    size_t service = 0;
    while (service < NUM_SERVICES &&
           (!interp->services[service] || mlc_buffer_address(interp->services[service]) != address))
        service++;
    switch (service) {
    case SERVICE_PARALLEL_FOR:
        return num_args == 4 ? parallel_for(e, op, args)
                             : mlc_op_error(op, "calls a service with %zu arguments", num_args);
    case SERVICE_KERNEL_BEGIN:
    case SERVICE_KERNEL_END:
        return true; // nobody profiles
    case SERVICE_FAIL:
        return num_args == 3 ? fail(e, op, args)
                             : mlc_op_error(op, "calls a service with %zu arguments", num_args);
    default:
        return mlc_op_error(op, "calls what is no function");
    }
}
