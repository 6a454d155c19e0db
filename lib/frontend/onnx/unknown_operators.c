// unknown_operators.c -- operators of a model that mlc does not have: each is told once, at its
// first node, with the number of the others and the nearest name that there is.
#include "operators.h"

#include "mlc/support/cli.h"

enum { MAX_DEPTH = 64 }; // of functions that call each other; deeper ones are refused when imported

typedef struct Unknown {
    const MlcOnnxNode *node; // the first
    int64_t opset;
    size_t others;
} Unknown;

typedef struct Listing {
    MlcOnnxImport *im;
    MlcMap functions;  // whose bodies were listed
    MlcStrMap numbers; // "domain:operator" -> place in `all`
    MLC_VEC(Unknown) all;
    unsigned depth;
} Listing;

static void list_nodes(Listing *list, const MlcOnnxNode *nodes, size_t num_nodes);

static void
list_function(Listing *list, const MlcOnnxFunction *function)
{
    MlcOnnxImport *im = list->im;
    if (!mlc_map_add(&list->functions, function) || list->depth == MAX_DEPTH)
        return;
    int64_t opset = im->opset;
    im->opset = mlc_onnx_function_opset(im, function);
    list->depth++;
    list_nodes(list, function->node.items, function->node.count);
    list->depth--;
    im->opset = opset;
}

static bool
is_known(MlcOnnxImport *im, const MlcOnnxNode *node)
{
    return mlc_onnx_is_default_domain(node->domain)
               ? mlc_onnx_find_operator(node->op_type, im->opset) != NULL
               : mlc_onnx_find_other(node->domain, node->op_type, im->ml_opset) != NULL;
}

static void
add_unknown(Listing *list, const MlcOnnxNode *node)
{
    bool fresh, is_own = mlc_onnx_is_default_domain(node->domain);
    MlcStr key = mlc_arena_printf(&list->im->arena, "%.*s:%.*s",
                                  MLC_STR_FMT(is_own ? mlc_str("") : node->domain),
                                  MLC_STR_FMT(node->op_type));
    MlcStrMapEntry *entry = mlc_str_map_insert(&list->numbers, key, &fresh);
    if (fresh) {
        entry->value = list->all.size;
        mlc_vec_push(&list->all, ((Unknown){node, list->im->opset, 0}));
    } else
        list->all.data[entry->value].others++;
}

// All nodes, those of subgraphs and functions included.
static void
list_nodes(Listing *list, const MlcOnnxNode *nodes, size_t num_nodes)
{
    MlcOnnxImport *im = list->im;
    for (size_t i = 0; i < num_nodes; i++) {
        const MlcOnnxNode *node = &nodes[i];
        const MlcOnnxFunction *function = mlc_onnx_model_function(im, node);
        MlcOnnxFunctionFound found;
        if (mlc_onnx_find_custom(im, node) || mlc_onnx_find_function(im, node, &found))
            continue;
        if (function)
            list_function(list, function);
        else if (!is_known(im, node))
            add_unknown(list, node);
        for (size_t k = 0; k < node->attribute.count; k++) {
            const MlcOnnxAttribute *attribute = &node->attribute.items[k];
            if (attribute->g)
                list_nodes(list, attribute->g->node.items, attribute->g->node.count);
            for (size_t j = 0; j < attribute->graphs.count; j++)
                list_nodes(list, attribute->graphs.items[j].node.items,
                           attribute->graphs.items[j].node.count);
        }
    }
}

// ---- telling

// The nearest operator of the node's domain.
static MlcStr
nearest(const MlcOnnxNode *node)
{
    MlcStrVec names = {0};
    const char *domain;
    const MlcOnnxOperator *row;
    MlcStr own = mlc_onnx_is_default_domain(node->domain) ? mlc_str("") : node->domain;
    for (size_t i = 0; (row = mlc_onnx_operator(i, &domain)); i++)
        if (mlc_str_equal(mlc_str(domain), own))
            mlc_vec_push(&names, mlc_str(row->name));
    MlcStr found = mlc_closest_name(node->op_type, names.data, names.size);
    mlc_vec_release(&names);
    return found;
}

static void
tell(MlcOnnxImport *im, const Unknown *unknown)
{
    MlcOnnxNodeImport n = {.import = im, .node = unknown->node};
    bool is_own = mlc_onnx_is_default_domain(unknown->node->domain);
    MlcBuf hint = {0};
    MlcStr name = nearest(unknown->node);
    if (name.size && !mlc_str_equal(name, unknown->node->op_type))
        mlc_buf_printf(&hint, "; did you mean '%.*s'?", MLC_STR_FMT(name));
    if (unknown->others)
        mlc_buf_printf(&hint, " (and %zu more node%s)", unknown->others,
                       unknown->others == 1 ? "" : "s");
    int64_t opset = im->opset;
    im->opset = unknown->opset;
    if (!is_own)
        mlc_onnx_unknown_domain(&n, mlc_buf_c_str(&hint));
    else if (im->opset == 0)
        mlc_onnx_invalid(&n, "the model imports no opset of the default domain");
    else
        mlc_onnx_unsupported(&n,
                             mlc_onnx_knows_operator(unknown->node->op_type)
                                 ? "not in this opset%s"
                                 : "mlc has no such operator yet%s",
                             mlc_buf_c_str(&hint));
    im->opset = opset;
    mlc_buf_release(&hint);
}

void
mlc_onnx_tell_unknown_operators(MlcOnnxImport *im, const MlcOnnxNode *nodes, size_t num_nodes)
{
    Listing list = {.im = im};
    mlc_str_map_init(&list.numbers, NULL);
    list_nodes(&list, nodes, num_nodes);
    for (size_t i = 0; i < list.all.size; i++)
        tell(im, &list.all.data[i]);
    mlc_map_release(&list.functions);
    mlc_str_map_release(&list.numbers);
    mlc_vec_release(&list.all);
}
