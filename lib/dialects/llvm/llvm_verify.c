// llvm_verify.c -- what the records cannot say of instructions: memory, casts, aggregates,
// constants and control flow. The texts are MLIR's.
#include "llvm_impl.h"

#include "mlc/support/powers.h"

static const char *
case_name(const MlcAttrDef *def, MlcAttr attr)
{
    for (size_t i = 0; i < def->num_cases; i++)
        if (def->cases[i].value == mlc_enum_attr_value(attr))
            return def->cases[i].name;
    return "";
}

// --- memory

static unsigned
bits_of(MlcType type)
{
    return mlc_llvm_is_ptr(type)                  ? 64
           : mlc_type_is(type, MLC_TYPE_INTEGER)  ? mlc_integer_type_width(type)
           : mlc_type_isa(type, "llvm.ppc_fp128") ? 128
                                                  : mlc_type_bit_width(type);
}

static bool
is_atomic_type(MlcType type)
{
    if (!mlc_llvm_is_ptr(type) && !mlc_type_is(type, MLC_TYPE_INTEGER) && !mlc_llvm_is_float(type))
        return false;
    unsigned bits = bits_of(type);
    return bits >= 8 && mlc_is_power_of_two(bits);
}

static bool
verify_access(MlcOp *op, MlcType type, MlcAttr ordering, int64_t unsupported)
{
    int64_t order = ordering ? mlc_enum_attr_value(ordering) : MLC_LLVM_ATOMIC_ORDERING_NOT_ATOMIC;
    if (order == MLC_LLVM_ATOMIC_ORDERING_NOT_ATOMIC)
        return !mlc_op_attr(op, "syncscope") ||
               mlc_op_error(op, "expected syncscope to be null for non-atomic access");
    if (!is_atomic_type(type))
        return mlc_op_error(op, "unsupported type '%s' for atomic access", mlc_type_text(type));
    if (order == unsupported || order == MLC_LLVM_ATOMIC_ORDERING_ACQ_REL)
        return mlc_op_error(op, "unsupported ordering '%s'",
                            case_name(&mlc_llvm_atomic_ordering_attr_def, ordering));
    return mlc_op_attr(op, "alignment") || mlc_op_error(op, "expected alignment for atomic access");
}

bool
mlc_llvm_load_verify(MlcOp *op)
{
    return verify_access(op, mlc_value_type(mlc_op_result(op, 0)), mlc_llvm_load_ordering_attr(op),
                         MLC_LLVM_ATOMIC_ORDERING_RELEASE);
}

bool
mlc_llvm_store_verify(MlcOp *op)
{
    return verify_access(op, mlc_value_type(mlc_op_operand(op, 0)),
                         mlc_llvm_store_ordering_attr(op), MLC_LLVM_ATOMIC_ORDERING_ACQUIRE);
}

bool
mlc_llvm_alloca_verify(MlcOp *op)
{
    MlcType type = mlc_llvm_alloca_elem_type(op);
    return !mlc_type_isa(type, "llvm.target") ||
           mlc_llvm_target_supports(type, MLC_LLVM_TARGET_LOAD) ||
           mlc_op_error(op, "this target extension type cannot be used in alloca");
}

bool
mlc_llvm_fence_verify(MlcOp *op)
{
    return mlc_llvm_fence_ordering(op) > MLC_LLVM_ATOMIC_ORDERING_MONOTONIC ||
           mlc_op_error(op, "can be given only acquire, release, acq_rel, and seq_cst orderings");
}

static bool
verify_rmw_type(MlcOp *op, const char *operation, MlcType type)
{
    if (operation[0] == 'f')
        return mlc_llvm_is_float(type) || mlc_op_error(op, "expected LLVM IR floating point type");
    if (strcmp(operation, "xchg") == 0)
        return is_atomic_type(type) ||
               mlc_op_error(op, "unexpected LLVM IR type for 'xchg' bin_op");
    unsigned bits = mlc_type_is(type, MLC_TYPE_INTEGER) ? mlc_integer_type_width(type) : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ||
           mlc_op_error(op, "expected LLVM IR integer type");
}

bool
mlc_llvm_atomicrmw_verify(MlcOp *op)
{
    const char *operation =
        case_name(&mlc_llvm_atomic_bin_op_attr_def, mlc_llvm_atomicrmw_bin_op_attr(op));
    if (!verify_rmw_type(op, operation, mlc_value_type(mlc_op_operand(op, 1))))
        return false;
    return mlc_llvm_atomicrmw_ordering(op) >= MLC_LLVM_ATOMIC_ORDERING_MONOTONIC ||
           mlc_op_error(op, "expected at least 'monotonic' ordering");
}

bool
mlc_llvm_cmpxchg_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_operand(op, 2));
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    int64_t success = mlc_llvm_cmpxchg_success_ordering(op);
    int64_t failure = mlc_llvm_cmpxchg_failure_ordering(op);
    if (mlc_llvm_struct_size(result) != 2 || mlc_llvm_struct_member(result, 0) != type ||
        !mlc_type_is_integer(mlc_llvm_struct_member(result, 1), 1))
        return mlc_op_error(op, "failed to verify that result #0 has an LLVM struct type "
                                "consisting of the type of operand #2 and a bool");
    if (!is_atomic_type(type))
        return mlc_op_error(op, "unexpected LLVM IR type");
    if (success < MLC_LLVM_ATOMIC_ORDERING_MONOTONIC ||
        failure < MLC_LLVM_ATOMIC_ORDERING_MONOTONIC)
        return mlc_op_error(op, "ordering must be at least 'monotonic'");
    return (failure != MLC_LLVM_ATOMIC_ORDERING_RELEASE &&
            failure != MLC_LLVM_ATOMIC_ORDERING_ACQ_REL) ||
           mlc_op_error(op, "failure ordering cannot be 'release' or 'acq_rel'");
}

// --- addresses

// From the second index on: what is inside the element type.
static bool
verify_indices(MlcOp *op, MlcType type, MlcAttr indices)
{
    for (size_t i = 1; i < mlc_dense_array_attr_size(indices); i++) {
        int64_t index = mlc_dense_array_attr_int(indices, i);
        if (mlc_type_isa(type, "llvm.struct")) {
            if (index == INT32_MIN)
                return mlc_op_error(op, "expected index %zu indexing a struct to be constant", i);
            if (index < 0 || (size_t)index >= mlc_llvm_struct_size(type))
                return mlc_op_error(op, "index %zu indexing a struct is out of bounds", i);
            type = mlc_llvm_struct_member(type, (size_t)index);
        } else if (mlc_type_isa(type, "llvm.array")) {
            type = mlc_llvm_array_element(type);
        } else if (mlc_type_is(type, MLC_TYPE_VECTOR) || mlc_type_isa(type, "llvm.vec")) {
            type = mlc_llvm_vector_element(type);
        } else {
            return mlc_op_error(op, "type '%s' cannot be indexed (index #%zu)", mlc_type_text(type),
                                i);
        }
    }
    return true;
}

bool
mlc_llvm_getelementptr_verify(MlcOp *op)
{
    MlcAttr indices = mlc_llvm_getelementptr_raw_constant_indices(op);
    size_t num_dynamic = 0;
    for (size_t i = 0; i < mlc_dense_array_attr_size(indices); i++)
        num_dynamic += mlc_dense_array_attr_int(indices, i) == INT32_MIN;
    if (num_dynamic != mlc_op_num_operands(op) - 1)
        return mlc_op_error(
            op, "expected as many dynamic indices as specified in 'rawConstantIndices'");
    return verify_indices(op, mlc_llvm_getelementptr_elem_type(op), indices);
}

// --- casts

bool
mlc_llvm_verify_extension(MlcOp *op)
{
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_llvm_is_vector(from)) {
        if (!mlc_llvm_is_vector(to))
            return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                             "input type is a vector but output type is an integer");
        if (mlc_llvm_vector_size(from) != mlc_llvm_vector_size(to))
            return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                             "input and output vectors are of incompatible shape");
        from = mlc_llvm_vector_element(from);
        to = mlc_llvm_vector_element(to);
    } else if (mlc_llvm_is_vector(to)) {
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "input type is an integer but output type is a vector");
    }
    return mlc_integer_type_width(to) > mlc_integer_type_width(from) ||
           mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "integer width of the output type is smaller or equal to the integer width "
                     "of the input type");
}

static MlcType
element_or_self(MlcType type)
{
    return mlc_llvm_is_vector(type) ? mlc_llvm_vector_element(type) : type;
}

bool
mlc_llvm_bitcast_verify(MlcOp *op)
{
    MlcType from = mlc_value_type(mlc_op_operand(op, 0)), to = mlc_value_type(mlc_op_result(op, 0));
    MlcType from_ptr = element_or_self(from), to_ptr = element_or_self(to);
    if (mlc_llvm_is_ptr(from_ptr) != mlc_llvm_is_ptr(to_ptr))
        return mlc_op_error(op, "can only cast pointers from and to pointers");
    if (!mlc_llvm_is_ptr(to_ptr))
        return true;
    if (mlc_llvm_is_vector(to) && !mlc_llvm_is_vector(from))
        return mlc_op_error(op, "cannot cast pointer to vector of pointers");
    if (!mlc_llvm_is_vector(to) && mlc_llvm_is_vector(from))
        return mlc_op_error(op, "cannot cast vector of pointers to pointer");
    return mlc_llvm_address_space(from_ptr) == mlc_llvm_address_space(to_ptr) ||
           mlc_op_error(op, "cannot cast pointers of different address spaces, use "
                            "'llvm.addrspacecast' instead");
}

// --- vectors and aggregates

// The type at a position of an aggregate; NULL after a diagnostic.
static MlcType
member_at(MlcOp *op, MlcType type, MlcAttr position)
{
    for (size_t i = 0; i < mlc_dense_array_attr_size(position); i++) {
        int64_t index = mlc_dense_array_attr_int(position, i);
        bool is_array = mlc_type_isa(type, "llvm.array");
        if (!is_array && !mlc_type_isa(type, "llvm.struct"))
            return mlc_op_error(op, "expected LLVM IR structure/array type, got: '%s'",
                                mlc_type_text(type)),
                   NULL;
        int64_t size = is_array ? mlc_llvm_array_size(type) : (int64_t)mlc_llvm_struct_size(type);
        if (index < 0 || index >= size)
            return mlc_op_error(op, "position out of bounds: %lld", (long long)index), NULL;
        type =
            is_array ? mlc_llvm_array_element(type) : mlc_llvm_struct_member(type, (size_t)index);
    }
    return type;
}

bool
mlc_llvm_extractvalue_verify(MlcOp *op)
{
    MlcType container = mlc_value_type(mlc_op_operand(op, 0));
    MlcType result = mlc_value_type(mlc_op_result(op, 0));
    MlcType member = member_at(op, container, mlc_llvm_extractvalue_position(op));
    if (!member)
        return false;
    return member == result ||
           mlc_op_error(op,
                        "Type mismatch: extracting from '%s' should produce '%s' but this op "
                        "returns '%s'",
                        mlc_type_text(container), mlc_type_text(member), mlc_type_text(result));
}

bool
mlc_llvm_insertvalue_verify(MlcOp *op)
{
    MlcType container = mlc_value_type(mlc_op_operand(op, 0));
    MlcType value = mlc_value_type(mlc_op_operand(op, 1));
    MlcType member = member_at(op, container, mlc_llvm_insertvalue_position(op));
    if (!member)
        return false;
    return member == value || mlc_op_error(op, "Type mismatch: cannot insert '%s' into '%s'",
                                           mlc_type_text(value), mlc_type_text(container));
}

bool
mlc_llvm_shufflevector_verify(MlcOp *op)
{
    MlcAttr mask = mlc_llvm_shufflevector_mask(op);
    if (!mlc_llvm_vector_is_scalable(mlc_value_type(mlc_op_operand(op, 0))))
        return true;
    for (size_t i = 0; i < mlc_dense_array_attr_size(mask); i++)
        if (mlc_dense_array_attr_int(mask, i) != 0)
            return mlc_op_error(op, "expected a splat operation for scalable vectors");
    return true;
}

bool
mlc_llvm_comparison_verify(MlcOp *op)
{
    return mlc_value_type(mlc_op_result(op, 0)) ==
               mlc_llvm_comparison_type(mlc_value_type(mlc_op_operand(op, 0))) ||
           mlc_op_error(op, "failed to verify that result type has i1 element type and same shape "
                            "as operands");
}

static bool
is_too_big(MlcType vector)
{
    return mlc_llvm_vector_size(vector) * bits_of(mlc_llvm_vector_element(vector)) > 131072;
}

static bool
verify_subvector(MlcOp *op, MlcType whole, MlcType part, const char *doing)
{
    if (is_too_big(whole) || is_too_big(part))
        return mlc_op_error(op, "failed to verify that vectors are not bigger than 2^17 bits.");
    return !mlc_llvm_vector_is_scalable(part) || mlc_llvm_vector_is_scalable(whole) ||
           mlc_op_error(op, "failed to verify that it is not %s fixed-length vectors.", doing);
}

bool
mlc_llvm_intr_vector_insert_verify(MlcOp *op)
{
    return verify_subvector(op, mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_operand(op, 1)), "inserting scalable into");
}

bool
mlc_llvm_intr_vector_extract_verify(MlcOp *op)
{
    return verify_subvector(op, mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_result(op, 0)), "extracting scalable from");
}

bool
mlc_llvm_intr_vector_interleave2_verify(MlcOp *op)
{
    MlcType half = mlc_value_type(mlc_op_operand(op, 0)),
            whole = mlc_value_type(mlc_op_result(op, 0));
    return (mlc_llvm_is_vector(whole) &&
            mlc_llvm_vector_element(half) == mlc_llvm_vector_element(whole) &&
            mlc_llvm_vector_is_scalable(half) == mlc_llvm_vector_is_scalable(whole) &&
            mlc_llvm_vector_size(half) * 2 == mlc_llvm_vector_size(whole)) ||
           mlc_op_error(op, "failed to verify that result has twice as many elements as 'vec1'");
}

// The vector of addresses that goes with a vector of elements.
static bool
verify_addresses(MlcOp *op, MlcType addresses, MlcType elements, unsigned number)
{
    MlcType ptr = mlc_llvm_vector_element(addresses);
    bool is_scalable = mlc_llvm_vector_is_scalable(elements);
    int64_t size = mlc_llvm_vector_size(elements);
    if (size == mlc_llvm_vector_size(addresses) &&
        is_scalable == mlc_llvm_vector_is_scalable(addresses))
        return true;
    const char *name = mlc_type_text(ptr);
    return mlc_op_error(op, "expected operand #%u type to be '!llvm.vec<%s%lld x %s%s>'", number,
                        is_scalable ? "? x " : "", (long long)size, is_scalable ? " " : "",
                        name + strlen("!llvm."));
}

bool
mlc_llvm_intr_masked_gather_verify(MlcOp *op)
{
    return verify_addresses(op, mlc_value_type(mlc_op_operand(op, 0)),
                            mlc_value_type(mlc_op_result(op, 0)), 1);
}

bool
mlc_llvm_intr_masked_scatter_verify(MlcOp *op)
{
    return verify_addresses(op, mlc_value_type(mlc_op_operand(op, 1)),
                            mlc_value_type(mlc_op_operand(op, 0)), 2);
}

// --- constants

static bool
verify_complex(MlcOp *op, MlcType type, MlcAttr value)
{
    if (mlc_llvm_struct_size(type) != 2 ||
        mlc_llvm_struct_member(type, 0) != mlc_llvm_struct_member(type, 1))
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "expected struct type with two elements of the same type, the type of a "
                         "complex constant");
    if (!mlc_attr_is(value, MLC_ATTR_ARRAY) || mlc_array_attr_size(value) != 2)
        return mlc_op_error(
            op, "expected array attribute with two elements, representing a complex constant");
    MlcType re = mlc_attr_type(mlc_array_attr_element(value, 0));
    if (!re || re != mlc_attr_type(mlc_array_attr_element(value, 1)))
        return mlc_op_error(op, "expected array attribute with two elements of the same type");
    MlcType element = mlc_llvm_struct_member(type, 0);
    return mlc_type_is(element, MLC_TYPE_INTEGER) || mlc_type_is(element, MLC_TYPE_FLOAT) ||
           mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "expected struct element types to be floating point type or integer type");
}

bool
mlc_llvm_is_array_of_bytes(MlcType type, size_t size)
{
    return mlc_type_isa(type, "llvm.array") &&
           mlc_type_is_integer(mlc_llvm_array_element(type), 8) &&
           (size_t)mlc_llvm_array_size(type) == size;
}

static bool
verify_float_constant(MlcOp *op, MlcType type, MlcAttr value)
{
    unsigned bits = mlc_type_bit_width(mlc_attr_type(value));
    if (mlc_type_is(type, MLC_TYPE_FLOAT) && mlc_type_bit_width(type) != bits)
        return mlc_op_error(op, "expected float type of width %u", bits);
    return !mlc_type_is(type, MLC_TYPE_INTEGER) || mlc_integer_type_width(type) == bits ||
           mlc_op_error(op, "expected integer type of width %u", bits);
}

bool
mlc_llvm_mlir_constant_verify(MlcOp *op)
{
    MlcAttr value = mlc_llvm_mlir_constant_value(op);
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    if (mlc_attr_is(value, MLC_ATTR_STRING)) {
        size_t size = mlc_string_attr_value(value).size;
        return mlc_llvm_is_array_of_bytes(type, size) ||
               mlc_op_error(op, "expected array type of %zu i8 elements for the string constant",
                            size);
    }
    if (mlc_type_isa(type, "llvm.struct"))
        return verify_complex(op, type, value);
    if (mlc_type_isa(type, "llvm.target"))
        return mlc_op_error(op, "does not support target extension type.");
    switch (mlc_attr_kind(value)) {
    case MLC_ATTR_ARRAY:
    case MLC_ATTR_DENSE_RESOURCE:
    case MLC_ATTR_SPARSE:
    case MLC_ATTR_DENSE_STRING:
        return true;
    case MLC_ATTR_INTEGER:
        return mlc_type_is(type, MLC_TYPE_INTEGER) || mlc_op_error(op, "expected integer type");
    case MLC_ATTR_FLOAT:
        return verify_float_constant(op, type, value);
    case MLC_ATTR_DENSE:
        return !mlc_elements_attr_is_splat(value) || mlc_type_is(type, MLC_TYPE_VECTOR) ||
               mlc_type_isa(type, "llvm.array") ||
               mlc_op_error(op, "expected vector or array type");
    default:
        return mlc_op_error(op, "only supports integer, float, string or elements attributes");
    }
}

bool
mlc_llvm_mlir_zero_verify(MlcOp *op)
{
    MlcType type = mlc_value_type(mlc_op_result(op, 0));
    return !mlc_type_isa(type, "llvm.target") ||
           mlc_llvm_target_supports(type, MLC_LLVM_TARGET_ZERO) ||
           mlc_op_error(op, "target extension type does not support zero-initializer");
}

// --- control flow

bool
mlc_llvm_switch_verify(MlcOp *op)
{
    MlcAttr values = mlc_llvm_switch_case_values(op), weights = mlc_llvm_switch_branch_weights(op);
    size_t num_cases = mlc_op_num_successors(op) - 1;
    size_t num_values = values ? (size_t)mlc_type_num_elements(mlc_attr_type(values)) : 0;
    if (num_values != num_cases)
        return mlc_op_error(op,
                            "expects number of case values to match number of case destinations");
    if (values && mlc_type_element(mlc_attr_type(values)) != mlc_value_type(mlc_op_operand(op, 0)))
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "expects case value type to match condition value type");
    if (weights && mlc_dense_array_attr_size(weights) != num_cases + 1)
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "expects number of branch weights to match number of successors: %zu vs "
                         "%zu",
                         mlc_dense_array_attr_size(weights), num_cases + 1);
    return true;
}

// Only the address of a global is known where nothing runs.
static bool
verify_clause(MlcOp *op, size_t i)
{
    MlcValue *value = mlc_op_operand(op, i);
    MlcOp *def = mlc_value_def(value);
    if (mlc_type_isa(mlc_value_type(value), "llvm.array"))
        return true;
    if (def && mlc_llvm_bitcast_isa(def)) {
        MlcOp *source = mlc_value_def(mlc_op_operand(def, 0));
        if (source && mlc_llvm_mlir_addressof_isa(source))
            return true;
        mlc_error(mlc_op_context(op), mlc_op_loc(op), "constant clauses expected");
        mlc_note(mlc_op_context(op), mlc_op_loc(def),
                 "global addresses expected as operand to bitcast used in clauses for landingpad");
        return false;
    }
    if (def && (mlc_llvm_mlir_zero_isa(def) || mlc_llvm_mlir_addressof_isa(def)))
        return true;
    return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                     "clause #%zu is not a known constant - null, addressof, bitcast", i);
}

bool
mlc_llvm_landingpad_verify(MlcOp *op)
{
    MlcOp *func = mlc_llvm_parent_func(op);
    if (func && !mlc_llvm_func_personality(func))
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "llvm.landingpad needs to be in a function with a personality");
    if (!mlc_llvm_landingpad_cleanup(op) && mlc_op_num_operands(op) == 0)
        return mlc_error(mlc_op_context(op), mlc_op_loc(op),
                         "landingpad instruction expects at least one clause or cleanup attribute");
    for (size_t i = 0; i < mlc_op_num_operands(op); i++)
        if (!verify_clause(op, i))
            return false;
    return true;
}

bool
mlc_llvm_return_verify(MlcOp *op)
{
    MlcOp *func = mlc_llvm_parent_func(op);
    if (!func)
        return true;
    MlcType expected = mlc_llvm_func_result(mlc_type_attr_value(mlc_llvm_func_function_type(func)));
    bool has_value = mlc_op_num_operands(op) > 0, is_void = mlc_type_isa(expected, "llvm.void");
    if (is_void ? !has_value : has_value && mlc_value_type(mlc_op_operand(op, 0)) == expected)
        return true;
    mlc_op_error(op, is_void      ? "expected no operands"
                     : !has_value ? "expected 1 operand"
                                  : "mismatching result types");
    mlc_note(mlc_op_context(op), mlc_op_loc(func), "when returning from function");
    return false;
}

bool
mlc_llvm_call_intrinsic_verify(MlcOp *op)
{
    return strncmp(mlc_llvm_call_intrinsic_intrin(op).data, "llvm.", 5) == 0 ||
           mlc_op_error(op, "intrinsic name must start with 'llvm.'");
}
