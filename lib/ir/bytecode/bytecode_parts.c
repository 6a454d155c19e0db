// bytecode_parts.c -- lists and pairs that both formats write alike: parts of types, attributes and
// locations, one after the other, behind their number.
#include "bytecode_read.h"

#include "mlc/ir/attr.h"
#include "mlc/ir/loc.h"
#include "mlc/ir/type.h"

// A list of parts of one kind.
#define GET_LIST(function, Vec, Part, part)                                                        \
    bool function(BytecodeCursor *c, const BytecodeParts *parts, Vec *list)                        \
    {                                                                                              \
        size_t n;                                                                                  \
        bool ok = parts->count(c, &n);                                                             \
        for (size_t i = 0; ok && i < n; i++) {                                                     \
            Part one;                                                                              \
            ok = parts->part(c, &one);                                                             \
            if (ok)                                                                                \
                mlc_vec_push(list, one);                                                           \
        }                                                                                          \
        return ok;                                                                                 \
    }

GET_LIST(bytecode_get_types, MlcTypeVec, MlcType, type)
GET_LIST(bytecode_get_attrs, BytecodeAttrs, MlcAttr, attr)
GET_LIST(bytecode_get_locs, BytecodeLocs, MlcLoc, loc)

MlcType
bytecode_read_list_type(BytecodeCursor *c, const BytecodeParts *parts, bool is_function)
{
    MlcTypeVec inputs = {0}, results = {0};
    MlcType type = NULL;
    if (bytecode_get_types(c, parts, &inputs) &&
        (!is_function || bytecode_get_types(c, parts, &results)))
        type = is_function ? mlc_function_type_get(c->file->ctx, inputs.data, inputs.size,
                                                   results.data, results.size)
                           : mlc_tuple_type_get(c->file->ctx, inputs.data, inputs.size);
    mlc_vec_release(&inputs);
    mlc_vec_release(&results);
    return type;
}

MlcAttr
bytecode_read_array(BytecodeCursor *c, const BytecodeParts *parts)
{
    BytecodeAttrs elements = {0};
    MlcAttr attr = bytecode_get_attrs(c, parts, &elements)
                       ? mlc_array_attr_get(c->file->ctx, elements.data, elements.size)
                       : NULL;
    mlc_vec_release(&elements);
    return attr;
}

MlcAttr
bytecode_read_dict(BytecodeCursor *c, const BytecodeParts *parts)
{
    size_t n;
    MLC_VEC(MlcNamedAttr) entries = {0};
    bool ok = parts->count(c, &n);
    for (size_t i = 0; ok && i < n; i++) {
        MlcStr name;
        MlcNamedAttr entry;
        ok = parts->string(c, &name) && parts->attr(c, &entry.value);
        if (!ok)
            break;
        entry.name = mlc_string_attr_get(c->file->ctx, name);
        mlc_vec_push(&entries, entry);
    }
    MlcAttr attr = ok ? bytecode_make_dict(c, entries.data, entries.size) : NULL;
    mlc_vec_release(&entries);
    return attr;
}

MlcAttr
bytecode_read_sparse(BytecodeCursor *c, const BytecodeParts *parts)
{
    MlcType type;
    MlcAttr indices, values;
    return parts->type(c, &type) && parts->attr(c, &indices) && parts->attr(c, &values)
               ? bytecode_make_sparse(c, type, indices, values)
               : NULL;
}

MlcLoc
bytecode_read_callsite(BytecodeCursor *c, const BytecodeParts *parts)
{
    MlcLoc callee, caller;
    return parts->loc(c, &callee) && parts->loc(c, &caller)
               ? mlc_loc_callsite(c->file->ctx, callee, caller)
               : NULL;
}

MlcLoc
bytecode_read_name_loc(BytecodeCursor *c, const BytecodeParts *parts)
{
    MlcStr name;
    MlcLoc child;
    return parts->string(c, &name) && parts->loc(c, &child)
               ? mlc_loc_name(c->file->ctx, name, child)
               : NULL;
}
