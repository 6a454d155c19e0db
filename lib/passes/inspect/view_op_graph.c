// view_op_graph.c -- the ops of a root as a graph, on stderr: as a picture (op_graph_svg.c), or in
// Graphviz's language: ops with
// regions are boxes around their blocks, values are arrows from what makes them to what uses them.
#include "mlc/pass.h"

#include "op_graph_svg.h"

#include "mlc/ir.h"
#include "mlc/support/map.h"

#include <stdio.h>

typedef struct Node {
    uint32_t id;
    uint32_t cluster; // 0: none
} Node;

typedef struct Edge {
    Node from, to;
    int label; // operand number; -1: none
    bool is_control;
} Edge;

typedef struct DataEdge {
    MlcValue *value;
    Node to;
    int label;
} DataEdge;

typedef struct Graph {
    MlcBuf out;
    int depth;
    uint32_t counter;
    size_t max_label;
    bool attrs, data_flow, control_flow, result_types;
    MlcMap colours; // definition -> number
    MlcMap nodes;   // value -> Node
    MLC_VEC(DataEdge) data;
    MLC_VEC(Edge) edges;
} Graph;

static void
line(Graph *g)
{
    mlc_buf_printf(&g->out, "%*s", 2 * g->depth, "");
}

static void
append_escaped(MlcBuf *out, MlcStr text)
{
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '\\' || c == '"')
            mlc_buf_printf(out, "\\%c", c);
        else if (c == '\n' || c == '\t')
            mlc_buf_printf(out, c == '\n' ? "\\n" : "\\t");
        else if (c < ' ' || c > '~')
            mlc_buf_printf(out, "\\%o", c);
        else
            mlc_buf_printf(out, "%c", c);
    }
}

static void
append_cut(const Graph *g, MlcBuf *out, const char *text)
{
    size_t n = strlen(text);
    mlc_buf_printf(out, "%.*s%s", (int)(n < g->max_label ? n : g->max_label), text,
                   n > g->max_label ? "..." : "");
}

// Big element lists and arrays are left out.
static void
append_attr(const Graph *g, MlcBuf *out, MlcAttr attr)
{
    enum { LIMIT = 16 };
    MlcType type = mlc_attr_is(attr, MLC_ATTR_DENSE) ? mlc_attr_type(attr) : NULL;
    if (type && mlc_elements_attr_is_splat(attr)) {
        mlc_buf_printf(out, "%s", mlc_attr_text(attr));
    } else if (type && mlc_type_num_elements(type) > LIMIT) {
        for (size_t i = 0; i < mlc_type_rank(type); i++)
            mlc_buf_printf(out, "[");
        mlc_buf_printf(out, "...");
        for (size_t i = 0; i < mlc_type_rank(type); i++)
            mlc_buf_printf(out, "]");
        mlc_buf_printf(out, " : %s", mlc_type_text(type));
    } else if (mlc_attr_is(attr, MLC_ATTR_ARRAY) && mlc_array_attr_size(attr) > LIMIT) {
        mlc_buf_printf(out, "[...]");
    } else {
        append_cut(g, out, mlc_attr_text(attr));
    }
}

static void
append_label(const Graph *g, MlcBuf *out, MlcOp *op)
{
    MlcStr name = mlc_op_name(op);
    mlc_buf_append_str(out, name);
    if (g->result_types) {
        MlcBuf types = {0};
        for (size_t i = 0; i < mlc_op_num_results(op); i++)
            mlc_buf_printf(&types, "%s%s", i ? ", " : "",
                           mlc_type_text(mlc_value_type(mlc_op_result(op, i))));
        mlc_buf_printf(&types, "%c", '\0');
        mlc_buf_printf(out, " : (");
        append_cut(g, out, mlc_buf_str(&types).data);
        mlc_buf_printf(out, ")");
        mlc_buf_release(&types);
    }
    if (!g->attrs)
        return;
    MlcAttr attrs = mlc_op_all_attrs(op);
    mlc_buf_printf(out, "\n");
    for (size_t i = 0; i < mlc_dict_attr_size(attrs); i++) {
        MlcNamedAttr attr = mlc_dict_attr_entry(attrs, i);
        mlc_buf_printf(out, "\n%s: ", mlc_string_attr_value(attr.name).data);
        append_attr(g, out, attr.value);
    }
}

// `colour` < 0: none.
static Node
emit_node(Graph *g, MlcStr label, const char *shape, double colour)
{
    Node node = {.id = ++g->counter};
    line(g);
    mlc_buf_printf(&g->out, "v%u [", node.id);
    if (colour >= 0)
        mlc_buf_printf(&g->out, "fillcolor = \"%f 1.0 1.0\", ", colour);
    mlc_buf_printf(&g->out, "label = \"");
    append_escaped(&g->out, label);
    mlc_buf_printf(&g->out, "\", shape = %s%s];\n", shape, colour >= 0 ? ", style = filled" : "");
    return node;
}

// The box's anchor; close_cluster ends it.
static Node
open_cluster(Graph *g, MlcStr label)
{
    uint32_t cluster = ++g->counter;
    line(g);
    mlc_buf_printf(&g->out, "subgraph cluster_%u {\n", cluster);
    g->depth++;
    Node anchor = emit_node(g, mlc_str(" "), "plain", -1);
    line(g);
    mlc_buf_printf(&g->out, "label = \"");
    append_escaped(&g->out, label);
    mlc_buf_printf(&g->out, "\";\n");
    anchor.cluster = cluster;
    return anchor;
}

static void
close_cluster(Graph *g)
{
    g->depth--;
    line(g);
    mlc_buf_printf(&g->out, "}\n");
}

static void
set_node(Graph *g, MlcValue *value, Node node)
{
    mlc_map_set_u64(&g->nodes, (uint64_t)(uintptr_t)value, (uint64_t)node.id << 32 | node.cluster);
}

static Node visit_op(Graph *g, MlcOp *op);

static void
visit_block(Graph *g, MlcBlock *block)
{
    open_cluster(g, mlc_str(""));
    for (size_t i = 0; i < mlc_block_num_args(block); i++) {
        char label[32];
        int n = snprintf(label, sizeof label, "arg%zu", i);
        set_node(g, mlc_block_arg(block, i),
                 emit_node(g, mlc_str_n(label, (size_t)n), "ellipse", -1));
    }
    Node last = {0};
    MLC_FOR_EACH_OP (op, block) {
        Node node = visit_op(g, op);
        if (g->control_flow && last.id)
            mlc_vec_push(&g->edges, (Edge){last, node, -1, true});
        last = node;
    }
    close_cluster(g);
}

// Recurses as deep as regions nest, which the parser limits.
static Node
visit_op(Graph *g, MlcOp *op)
{
    MlcBuf label = {0};
    append_label(g, &label, op);
    Node node;
    if (mlc_op_num_regions(op)) {
        node = open_cluster(g, mlc_buf_str(&label));
        MLC_FOR_EACH_BLOCK_IN_OP (block, op)
            visit_block(g, block);
        close_cluster(g);
    } else {
        uint64_t number = 0;
        mlc_map_get_u64(&g->colours, (uint64_t)(uintptr_t)mlc_op_def(op), &number);
        node = emit_node(g, mlc_buf_str(&label), "ellipse",
                         (double)number / (double)mlc_map_size(&g->colours));
    }
    mlc_buf_release(&label);
    size_t n = mlc_op_num_operands(op);
    for (size_t i = 0; g->data_flow && i < n; i++)
        mlc_vec_push(&g->data, (DataEdge){mlc_op_operand(op, i), node, n == 1 ? -1 : (int)i});
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        set_node(g, mlc_op_result(op, i), node);
    return node;
}

static void
emit_edge(Graph *g, Edge edge)
{
    line(g);
    mlc_buf_printf(&g->out, "v%u -> v%u [", edge.from.id, edge.to.id);
    if (!edge.from.cluster && !edge.to.cluster && edge.label >= 0)
        mlc_buf_printf(&g->out, "label = \"%d\", ", edge.label);
    else if (!edge.from.cluster && !edge.to.cluster)
        mlc_buf_printf(&g->out, "label = \"\", ");
    if (edge.to.cluster)
        mlc_buf_printf(&g->out, "lhead = cluster_%u, ", edge.to.cluster);
    if (edge.from.cluster)
        mlc_buf_printf(&g->out, "ltail = cluster_%u, ", edge.from.cluster);
    mlc_buf_printf(&g->out, "style = %s];\n", edge.is_control ? "dashed" : "solid");
}

static void
write_dot(const MlcPass *pass, MlcOp *root, MlcBuf *out)
{
    Graph g = {.max_label = (size_t)mlc_pass_option_int(pass, "max-label-len"),
               .attrs = mlc_pass_option_bool(pass, "print-attrs"),
               .data_flow = mlc_pass_option_bool(pass, "print-data-flow-edges"),
               .control_flow = mlc_pass_option_bool(pass, "print-control-flow-edges"),
               .result_types = mlc_pass_option_bool(pass, "print-result-types")};
    MLC_FOR_EACH_POSTORDER (op, root) {
        bool is_new;
        MlcMapEntry *entry =
            mlc_map_insert(&g.colours, (uint64_t)(uintptr_t)mlc_op_def(op), &is_new);
        if (is_new)
            entry->value = mlc_map_size(&g.colours) - 1;
    }
    mlc_buf_printf(&g.out, "digraph G {\n  compound = true;\n");
    g.depth = 1;
    visit_op(&g, root);
    for (size_t i = 0; i < g.data.size; i++) {
        uint64_t word = 0;
        mlc_map_get_u64(&g.nodes, (uint64_t)(uintptr_t)g.data.data[i].value, &word);
        Node from = {(uint32_t)(word >> 32), (uint32_t)word};
        mlc_vec_push(&g.edges, (Edge){from, g.data.data[i].to, g.data.data[i].label, false});
    }
    for (size_t i = 0; i < g.edges.size; i++)
        emit_edge(&g, g.edges.data[i]);
    mlc_buf_printf(&g.out, "}\n");
    mlc_buf_append(out, g.out.data, g.out.size);
    mlc_buf_release(&g.out);
    mlc_vec_release(&g.data);
    mlc_vec_release(&g.edges);
    mlc_map_release(&g.colours);
    mlc_map_release(&g.nodes);
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcStr format = mlc_pass_option_str(pass, "format");
    MlcBuf out = {0};
    MlcOpGraphStyle style = {.data_flow = mlc_pass_option_bool(pass, "print-data-flow-edges"),
                             .control_flow = mlc_pass_option_bool(pass, "print-control-flow-edges"),
                             .result_types = mlc_pass_option_bool(pass, "print-result-types"),
                             .max_label = (size_t)mlc_pass_option_int(pass, "max-label-len")};
    if (mlc_str_equal(format, mlc_str("dot")))
        write_dot(pass, root, &out);
    else if (mlc_str_equal(format, mlc_str("svg")))
        mlc_op_graph_svg(root, &style, &out);
    else
        return mlc_op_error(root, "cannot be drawn as '%.*s', but as 'dot' or 'svg'",
                            (int)format.size, format.data);
    fwrite(out.data, 1, out.size, stderr);
    mlc_buf_release(&out);
    return true;
}

static const MlcPassOption options[] = {
    {"format", MLC_OPTION_STRING, "dot", "dot (Graphviz's language) or svg (a picture)"},
    {"max-label-len", MLC_OPTION_INT, "20",
     "Characters of an attribute or of types that are shown"},
    {"print-attrs", MLC_OPTION_BOOL, "true", "Print attributes of operations"},
    {"print-control-flow-edges", MLC_OPTION_BOOL, "false", "Print control flow edges"},
    {"print-data-flow-edges", MLC_OPTION_BOOL, "true", "Print data flow edges"},
    {"print-result-types", MLC_OPTION_BOOL, "true", "Print result types of operations"},
};

MLC_PASS(view_op_graph, .flag = "view-op-graph",
         .summary = "Print a graph of an operation, for Graphviz or as a picture",
         .options = options, .num_options = sizeof options / sizeof *options, .run = run)
