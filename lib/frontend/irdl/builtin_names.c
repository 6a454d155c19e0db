// builtin_names.c -- MLIR's names of builtin types and attributes, as `irdl.base` has them.
#include "builtin_names.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/type.h"

static const MlcIrdlBuiltin builtins[] = {
    {"!builtin.integer", "{kind: integer}", MLC_TYPE_INTEGER},
    {"!builtin.index", "{kind: index}", MLC_TYPE_INDEX},
    {"!builtin.none", "{kind: none}", MLC_TYPE_NONE},
    {"!builtin.complex", "{kind: complex}", MLC_TYPE_COMPLEX},
    {"!builtin.vector", "{kind: vector}", MLC_TYPE_VECTOR},
    {"!builtin.tensor", "{kind: tensor}", MLC_TYPE_TENSOR},
    {"!builtin.unranked_tensor", "{kind: unranked_tensor}", MLC_TYPE_UNRANKED_TENSOR},
    {"!builtin.memref", "{kind: memref}", MLC_TYPE_MEMREF},
    {"!builtin.unranked_memref", "{kind: unranked_memref}", MLC_TYPE_UNRANKED_MEMREF},
    {"!builtin.function", "{kind: function}", MLC_TYPE_FUNCTION},
    {"!builtin.tuple", "{kind: tuple}", MLC_TYPE_TUPLE},
    {"!builtin.opaque", "{kind: opaque}", MLC_TYPE_OPAQUE},
    {"!builtin.bf16", "{float: bf16}", -1},
    {"!builtin.f16", "{float: f16}", -1},
    {"!builtin.tf32", "{float: tf32}", -1},
    {"!builtin.f32", "{float: f32}", -1},
    {"!builtin.f64", "{float: f64}", -1},
    {"!builtin.f80", "{float: f80}", -1},
    {"!builtin.f128", "{float: f128}", -1},
    {"#builtin.unit", "{attr_kind: unit}", MLC_ATTR_UNIT},
    {"#builtin.integer", "{attr_kind: integer}", MLC_ATTR_INTEGER},
    {"#builtin.float", "{attr_kind: float}", MLC_ATTR_FLOAT},
    {"#builtin.string", "{attr_kind: string}", MLC_ATTR_STRING},
    {"#builtin.array", "{attr_kind: array}", MLC_ATTR_ARRAY},
    {"#builtin.dictionary", "{attr_kind: dict}", MLC_ATTR_DICT},
    {"#builtin.type", "{attr_kind: type}", MLC_ATTR_TYPE},
    {"#builtin.symbol_ref", "{attr_kind: symbol_ref}", MLC_ATTR_SYMBOL_REF},
    {"#builtin.affine_map", "{attr_kind: affine_map}", MLC_ATTR_AFFINE_MAP},
    {"#builtin.integer_set", "{attr_kind: integer_set}", MLC_ATTR_INTEGER_SET},
    {"#builtin.dense_intorfp_elements", "{attr_kind: dense}", MLC_ATTR_DENSE},
    {"#builtin.dense_string_elements", "{attr_kind: dense_string}", MLC_ATTR_DENSE_STRING},
    {"#builtin.dense_resource_elements", "{attr_kind: dense_resource}", MLC_ATTR_DENSE_RESOURCE},
    {"#builtin.sparse_elements", "{attr_kind: sparse}", MLC_ATTR_SPARSE},
    {"#builtin.dense_array", "{attr_kind: dense_array}", MLC_ATTR_DENSE_ARRAY},
    {"#builtin.strided_layout", "{attr_kind: strided_layout}", MLC_ATTR_STRIDED_LAYOUT},
    {"#builtin.distinct", "{attr_kind: distinct}", MLC_ATTR_DISTINCT},
    {"#builtin.opaque", "{attr_kind: opaque}", MLC_ATTR_OPAQUE},
};
enum { NUM_BUILTINS = sizeof builtins / sizeof *builtins };

const MlcIrdlBuiltin *
mlc_irdl_builtin_named(MlcStr name)
{
    for (size_t i = 0; i < NUM_BUILTINS; i++)
        if (mlc_str_equal(name, mlc_str(builtins[i].name)))
            return &builtins[i];
    return NULL;
}

const MlcIrdlBuiltin *
mlc_irdl_builtin_of_kind(int kind, bool is_type)
{
    for (size_t i = 0; i < NUM_BUILTINS; i++)
        if (builtins[i].kind == kind && (builtins[i].name[0] == '!') == is_type)
            return &builtins[i];
    return NULL;
}
