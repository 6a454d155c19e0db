// llvm_eval.c -- what the llvm dialect's own ops mean: memory by pointers, control flow, vectors.
// Arithmetic has arith's and math's meanings (llvm.yaml). Pointers are numbers in the interpreter's
// address space; aggregates are not known here.
#include "mlc/ir/attr.h"
#include "mlc/ir/diag.h"
#include "mlc/ir/eval.h"
#include "mlc/ir/type.h"
#include "mlc/support/alloc.h"

// --- types

static bool
is_pointer(MlcType type)
{
    return mlc_type_isa(type, "llvm.ptr");
}

static size_t
round_up(size_t size, size_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

// Bytes and alignment in memory as the common 64-bit targets have them; false for types without a
// size, or with one that cannot be counted.
static bool
layout_of(MlcType type, size_t *size, size_t *alignment)
{
    if (is_pointer(type)) {
        *size = *alignment = 8;
    } else if (mlc_type_is_float(type) || mlc_type_is_int_or_index(type)) {
        *size = mlc_elements_attr_element_bytes(type);
        *alignment = *size < 16 ? *size : 16;
    } else if (mlc_type_is(type, MLC_TYPE_VECTOR)) {
        *size = (size_t)mlc_type_num_elements(type) *
                mlc_elements_attr_element_bytes(mlc_type_element(type));
        *alignment = *size;
    } else if (mlc_type_isa(type, "llvm.array")) {
        if (!layout_of(mlc_type_attr_value(mlc_dialect_type_param(type, 0)), size, alignment))
            return false;
        if (!mlc_mul_size(*size, (size_t)mlc_attr_as_int(mlc_dialect_type_param(type, 1)), size))
            return false;
    } else {
        return false;
    }
    return true;
}

static MlcDatum
pointer(MlcType type, uint64_t address)
{
    MlcDatum d = {.type = type};
    d.integer = mlc_wide_from_uint(NULL, 64, address);
    return d;
}

static bool
unknown_type(MlcEval *e, MlcOp *op, MlcType type)
{
    return mlc_eval_error(e, op, "works on type '%s', which the interpreter does not know",
                          mlc_type_text(type));
}

// --- constants

bool
mlc_llvm_mlir_constant_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcType type = results[0].type;
    if (!mlc_datum_from_attr(e, mlc_op_attr(op, "value"), &results[0]))
        return unknown_type(e, op, type);
    return true;
}

static bool
fill(MlcEval *e, MlcOp *op, int byte, MlcDatum *result)
{
    MlcType type = result->type;
    if (is_pointer(type)) {
        *result = pointer(type, 0);
    } else if (mlc_datum_is_elements(result)) {
        if (!mlc_eval_elements(e, op, type, NULL, result))
            return false;
        memset(result->elements.data, byte, result->elements.num_bytes);
    } else if (mlc_type_is_float(type) || mlc_type_is_int_or_index(type)) {
        unsigned char *bytes = mlc_eval_alloc(e, mlc_elements_attr_element_bytes(type) + 16);
        memset(bytes, byte, mlc_elements_attr_element_bytes(type));
        mlc_datum_read(e, type, bytes, result);
    } else {
        return unknown_type(e, op, type);
    }
    return true;
}

bool
mlc_llvm_mlir_zero_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return fill(e, op, 0, &results[0]);
}

bool
mlc_llvm_mlir_undef_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    return !mlc_eval_is_folding(e) && fill(e, op, 0xff, &results[0]);
}

// Where a constant text lies: in a buffer that is made when somebody asks first.
static bool
address_of_text(MlcEval *e, MlcOp *op, MlcOp *global, MlcDatum *result)
{
    MlcStr text = mlc_string_attr_value(mlc_op_attr(global, "value"));
    void **word = mlc_eval_memory(e, global);
    if (!*word) {
        MlcBuffer *buffer = mlc_eval_buffer_create(e, op, text.size);
        void *bytes = buffer ? mlc_eval_buffer_data(e, op, buffer, 0, text.size) : NULL;
        if (!bytes)
            return false;
        memcpy(bytes, text.data, text.size);
        *word = buffer;
    }
    *result = pointer(result->type, mlc_buffer_address(*word));
    return true;
}

// Of functions and texts: no other globals of the llvm dialect come from our lowerings.
bool
mlc_llvm_mlir_addressof_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands;
    MlcOp *symbol =
        mlc_eval_is_folding(e) ? NULL : mlc_eval_symbol(e, op, mlc_op_attr(op, "global_name"));
    if (!symbol)
        return false;
    if (mlc_attr_is(mlc_op_attr(symbol, "value"), MLC_ATTR_STRING))
        return address_of_text(e, op, symbol, &results[0]);
    if (!mlc_op_interface(symbol, MLC_INTERFACE_FUNCTION))
        return mlc_eval_error(e, op,
                              "takes the address of a global, which the interpreter does not know");
    results[0] = pointer(results[0].type, mlc_eval_function_address(e, op, symbol));
    return true;
}

// --- memory

bool
mlc_llvm_alloca_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = mlc_type_attr_value(mlc_op_attr(op, "elem_type"));
    size_t size, alignment, bytes;
    if (!layout_of(type, &size, &alignment))
        return unknown_type(e, op, type);
    if (!mlc_mul_size(round_up(size, alignment), (size_t)mlc_datum_as_uint(&operands[0]), &bytes))
        return mlc_eval_error(e, op, "has more bytes than can be counted");
    MlcBuffer *buffer = mlc_eval_buffer_create(e, op, bytes);
    if (!buffer)
        return false;
    mlc_eval_buffer_free_on_exit(e, buffer);
    results[0] = pointer(results[0].type, mlc_buffer_address(buffer));
    return true;
}

bool
mlc_llvm_getelementptr_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr indices = mlc_op_attr(op, "rawConstantIndices");
    MlcType type = mlc_type_attr_value(mlc_op_attr(op, "elem_type"));
    uint64_t address = mlc_datum_as_uint(&operands[0]);
    size_t used = 1, size, alignment;
    for (size_t i = 0; i < mlc_int_list_attr_size(indices); i++) {
        int64_t index = 0;
        mlc_int_list_attr_get(indices, i, &index);
        if (index == INT32_MIN) // dynamic
            index = mlc_datum_as_int(&operands[used++]);
        if (i > 0 && !mlc_type_isa(type, "llvm.array"))
            return unknown_type(e, op, type);
        type = i > 0 ? mlc_type_attr_value(mlc_dialect_type_param(type, 0)) : type;
        if (!layout_of(type, &size, &alignment))
            return unknown_type(e, op, type);
        address += (uint64_t)index * round_up(size, alignment);
    }
    results[0] = pointer(results[0].type, address);
    return true;
}

bool
mlc_llvm_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    size_t size, alignment;
    if (!layout_of(type, &size, &alignment) || mlc_type_isa(type, "llvm.array"))
        return unknown_type(e, op, type);
    const void *at = mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[0]), size, false);
    if (!at)
        return false;
    uint64_t address;
    if (is_pointer(type))
        results[0] = pointer(type, *(uint64_t *)memcpy(&address, at, sizeof address));
    else
        mlc_datum_read(e, type, at, &results[0]);
    return true;
}

bool
mlc_llvm_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    MlcType type = operands[0].type;
    size_t size, alignment;
    if (!layout_of(type, &size, &alignment) || mlc_type_isa(type, "llvm.array"))
        return unknown_type(e, op, type);
    void *at = mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[1]), size, true);
    if (!at)
        return false;
    if (is_pointer(type))
        memcpy(at, &operands[0].integer.word, size);
    else
        mlc_datum_write(at, &operands[0]);
    return true;
}

static bool
lane_is_on(MlcEval *e, const MlcDatum *mask, size_t lane)
{
    MlcDatum bit;
    mlc_datum_element(e, mask, lane, &bit);
    return mlc_datum_as_bool(&bit);
}

// pointer, mask, pass_thru
bool
mlc_llvm_intr_masked_load_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcType type = results[0].type;
    if (!mlc_eval_elements(e, op, type, NULL, &results[0]))
        return false;
    if (mlc_op_num_operands(op) > 2)
        memcpy(results[0].elements.data, operands[2].elements.data, results[0].elements.num_bytes);
    size_t size = mlc_datum_element_bytes(&results[0]);
    for (size_t i = 0; i < mlc_datum_num_elements(&results[0]); i++) {
        if (!lane_is_on(e, &operands[1], i))
            continue;
        const void *at =
            mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[0]) + i * size, size, false);
        if (!at)
            return false;
        memcpy((char *)results[0].elements.data + i * size, at, size);
    }
    return true;
}

// value, pointer, mask
bool
mlc_llvm_intr_masked_store_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t size = mlc_datum_element_bytes(&operands[0]);
    for (size_t i = 0; i < mlc_datum_num_elements(&operands[0]); i++) {
        if (!lane_is_on(e, &operands[2], i))
            continue;
        void *at = mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[1]) + i * size, size, true);
        if (!at)
            return false;
        memcpy(at, (char *)operands[0].elements.data + i * size, size);
    }
    return true;
}

// to, from, bytes
bool
mlc_llvm_intr_memcpy_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t size = (size_t)mlc_datum_as_uint(&operands[2]);
    if (size == 0)
        return true;
    const void *from = mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[1]), size, false);
    void *to = from ? mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[0]), size, true) : NULL;
    if (to)
        memmove(to, from, size);
    return to != NULL;
}

bool
mlc_llvm_intr_memset_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t size = (size_t)mlc_datum_as_uint(&operands[2]);
    void *to = size ? mlc_eval_pointer(e, op, mlc_datum_as_uint(&operands[0]), size, true) : NULL;
    if (to)
        memset(to, (int)mlc_datum_as_int(&operands[1]), size);
    return to != NULL || size == 0;
}

bool
mlc_llvm_ptrtoint_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!mlc_type_is_int_or_index(results[0].type))
        return unknown_type(e, op, results[0].type);
    results[0] = mlc_datum_int(results[0].type, mlc_datum_as_int(&operands[0]));
    return true;
}

bool
mlc_llvm_inttoptr_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    if (!is_pointer(results[0].type))
        return unknown_type(e, op, results[0].type);
    results[0] = pointer(results[0].type, mlc_datum_as_uint(&operands[0]));
    return true;
}

// --- control flow

bool
mlc_llvm_br_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    return mlc_eval_branch(e, op, 0, operands, mlc_op_num_operands(op));
}

bool
mlc_llvm_cond_br_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)results;
    size_t taken = mlc_datum_as_bool(&operands[0]) ? 0 : 1, first, count;
    mlc_op_operand_group(op, 1 + taken, &first, &count);
    return mlc_eval_branch(e, op, taken, operands + first, count);
}

bool
mlc_llvm_unreachable_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    (void)operands, (void)results;
    return mlc_eval_error(e, op, "is reached");
}

// By name, or through a pointer, which is then the first operand.
bool
mlc_llvm_call_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr name = mlc_op_attr(op, "callee");
    size_t num_operands = mlc_op_num_operands(op), num_results = mlc_op_num_results(op);
    if (name) {
        MlcOp *callee = mlc_eval_symbol(e, op, name);
        return callee && mlc_eval_call(e, op, callee, operands, num_operands, results, num_results);
    }
    return num_operands > 0 &&
           mlc_eval_call_address(e, op, mlc_datum_as_uint(&operands[0]), operands + 1,
                                 num_operands - 1, results, num_results);
}

// --- vectors

static bool
is_lane(MlcEval *e, MlcOp *op, const MlcDatum *vector, int64_t lane)
{
    if (lane >= 0 && (uint64_t)lane < mlc_datum_num_elements(vector))
        return true;
    return mlc_eval_error(e, op, "accesses element %lld of %zu", (long long)lane,
                          mlc_datum_num_elements(vector));
}

bool
mlc_llvm_extractelement_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t lane = mlc_datum_as_int(&operands[1]);
    if (!is_lane(e, op, &operands[0], lane))
        return false;
    mlc_datum_element(e, &operands[0], (size_t)lane, &results[0]);
    return true;
}

bool
mlc_llvm_insertelement_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    int64_t lane = mlc_datum_as_int(&operands[2]);
    if (!is_lane(e, op, &operands[0], lane) ||
        !mlc_eval_copy_elements(e, op, &operands[0], &results[0]))
        return false;
    mlc_datum_set_element(&results[0], (size_t)lane, &operands[1]);
    return true;
}

// A mask of -1 is poison: zeros come out.
bool
mlc_llvm_shufflevector_eval(MlcEval *e, MlcOp *op, const MlcDatum *operands, MlcDatum *results)
{
    MlcAttr mask = mlc_op_attr(op, "mask");
    int64_t half = (int64_t)mlc_datum_num_elements(&operands[0]);
    if (!mlc_eval_elements(e, op, results[0].type, NULL, &results[0]))
        return false;
    for (size_t i = 0; i < mlc_int_list_attr_size(mask); i++) {
        int64_t lane = -1;
        MlcDatum value;
        mlc_int_list_attr_get(mask, i, &lane);
        if (lane < 0)
            continue;
        if (lane >= 2 * half)
            return mlc_eval_error(e, op, "takes element %lld of %lld", (long long)lane,
                                  (long long)(2 * half));
        mlc_datum_element(e, &operands[lane >= half], (size_t)(lane % half), &value);
        mlc_datum_set_element(&results[0], i, &value);
    }
    return true;
}
