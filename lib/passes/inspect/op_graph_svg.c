// op_graph_svg.c -- the ops of a root as a picture, without Graphviz: ops with regions are boxes
// around their blocks, and in a block each op stands in the row below those that it uses.
//
// Sizes are found from the inside out, places from the outside in. Rows are filled in program
// order, so the picture is the same in every run.
#include "op_graph_svg.h"

#include "mlc/support/map.h"

#include <math.h>
#include <stdlib.h>

enum { CHARACTER = 7, ROW = 22, GAP = 14, ROW_GAP = 26, PAD = 10 }; // pixels

typedef enum BoxKind { OP, ARG, BLOCK } BoxKind;
typedef struct Box {
    BoxKind kind;
    const void *what; // op, argument or block
    MlcBuf label;
    uint32_t parent;        // number of the box around it; its own: the root
    uint32_t first, next;   // of its children, and of its siblings; 0: none
    unsigned level;         // row among its siblings
    double x, y, w, h;      // within the parent, in the end of the picture
    double cursor, row_top; // while its children are placed: where the row ends, and begins
} Box;

typedef struct Picture {
    const MlcOpGraphStyle *style;
    MLC_VEC(Box) boxes; // those inside of others behind them
    MlcMap by_thing;    // op, argument or block -> number of its box
} Picture;

static uint32_t
number_of(const Picture *p, const void *what)
{
    uint64_t number = UINT32_MAX;
    mlc_map_get_u64(&p->by_thing, (uint64_t)(uintptr_t)what, &number);
    return (uint32_t)number;
}

static Box *
add_box(Picture *p, BoxKind kind, const void *what, const void *around)
{
    uint32_t number = (uint32_t)p->boxes.size;
    mlc_map_set_u64(&p->by_thing, (uint64_t)(uintptr_t)what, number);
    mlc_vec_push(&p->boxes, (Box){.kind = kind, .what = what});
    Box *box = &p->boxes.data[number];
    box->parent = around ? number_of(p, around) : number;
    return box;
}

static void
label_op(const Picture *p, Box *box, MlcOp *op)
{
    mlc_buf_append_str(&box->label, mlc_op_name(op));
    if (!p->style->result_types || mlc_op_num_results(op) == 0)
        return;
    MlcBuf types = {0};
    for (size_t i = 0; i < mlc_op_num_results(op); i++)
        mlc_buf_printf(&types, "%s%s", i ? ", " : "",
                       mlc_type_text(mlc_value_type(mlc_op_result(op, i))));
    size_t shown = types.size < p->style->max_label ? types.size : p->style->max_label;
    mlc_buf_printf(&box->label, " : %.*s%s", (int)shown, types.data,
                   shown < types.size ? "..." : "");
    mlc_buf_release(&types);
}

// The op of `block` that is, or is around, what makes `value`; NULL: nothing in it.
static MlcOp *
maker_in(const MlcBlock *block, const MlcValue *value)
{
    MlcOp *op = mlc_value_def(value);
    if (!op)
        op = mlc_value_block(value) == block ? NULL : mlc_block_parent(mlc_value_block(value));
    return mlc_block_find_ancestor(block, op);
}

// Below everything that it and the ops in it use; a terminator, below all.
static unsigned
level_of(const Picture *p, MlcOp *op)
{
    MlcBlock *block = mlc_op_block(op);
    unsigned level = 1;
    MLC_FOR_EACH_PREORDER (inner, op)
        MLC_FOR_EACH_OPERAND (value, inner) {
            MlcOp *maker = maker_in(block, value);
            if (maker && maker != op && mlc_map_has(&p->by_thing, maker)) {
                unsigned above = p->boxes.data[number_of(p, maker)].level;
                level = above >= level ? above + 1 : level;
            }
        }
    if (mlc_block_terminator(block) == op)
        MLC_FOR_EACH_OP (other, block)
            if (other != op) {
                unsigned above = p->boxes.data[number_of(p, other)].level;
                level = above >= level ? above + 1 : level;
            }
    return level;
}

static void
add_boxes(Picture *p, MlcOp *root)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        unsigned level = op == root ? 0 : level_of(p, op);
        Box *box = add_box(p, OP, op, op == root ? NULL : mlc_op_block(op));
        box->level = level;
        label_op(p, box, op);
        unsigned number = 0;
        MLC_FOR_EACH_BLOCK_IN_OP (block, op) {
            add_box(p, BLOCK, block, op)->level = number++;
            for (size_t i = 0; i < mlc_block_num_args(block); i++)
                mlc_buf_printf(&add_box(p, ARG, mlc_block_arg(block, i), block)->label, "arg%zu",
                               i);
        }
    }
}

// Puts a child of known size into its parent: into its row, which may have to be opened.
static void
put(Box *parent, Box *child, unsigned *row)
{
    if (child->level != *row) {
        parent->row_top = parent->h + ROW_GAP;
        parent->cursor = PAD;
        *row = child->level;
    }
    child->x = parent->cursor;
    child->y = parent->row_top;
    parent->cursor += child->w + GAP;
    parent->w = fmax(parent->w, parent->cursor - GAP + PAD);
    parent->h = fmax(parent->h, child->y + child->h);
}

static int
by_level(const void *a, const void *b)
{
    const Box *x = *(Box *const *)a, *y = *(Box *const *)b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x < y ? -1 : x > y;
}

// Innermost boxes come last, so going backwards children have their sizes before their parents.
static void
measure(Picture *p)
{
    MLC_VEC(Box *) children = {0};
    for (size_t i = p->boxes.size; i-- > 0;) {
        Box *box = &p->boxes.data[i];
        mlc_vec_clear(&children);
        for (uint32_t c = box->first; c; c = p->boxes.data[c].next)
            mlc_vec_push(&children, &p->boxes.data[c]);
        box->w = CHARACTER * (double)box->label.size + 2 * PAD;
        box->h = box->kind == BLOCK ? PAD : ROW;
        box->row_top = box->h + (box->kind == BLOCK ? 0 : PAD / 2.0);
        box->cursor = PAD;
        unsigned row = children.size ? 0 : 1;
        if (children.size)
            qsort(children.data, children.size, sizeof *children.data, by_level);
        for (size_t c = 0; c < children.size; c++) {
            row = c == 0 ? children.data[c]->level : row;
            put(box, children.data[c], &row);
        }
        box->h += children.size || box->kind == BLOCK ? PAD : 0;
        Box *parent = &p->boxes.data[box->parent];
        box->next = parent->first;
        parent->first = (uint32_t)i;
    }
    mlc_vec_release(&children);
    for (size_t i = 1; i < p->boxes.size; i++) { // parents before their children
        Box *box = &p->boxes.data[i];
        box->x += p->boxes.data[box->parent].x;
        box->y += p->boxes.data[box->parent].y;
    }
}

static void
append_escaped(MlcBuf *out, const MlcBuf *text)
{
    for (size_t i = 0; i < text->size; i++) {
        unsigned char c = (unsigned char)text->data[i];
        if (c == '<' || c == '>' || c == '&' || c == '"' || c < ' ' || c > '~')
            mlc_buf_printf(out, "&#%u;", c < ' ' ? ' ' : c);
        else
            mlc_buf_printf(out, "%c", c);
    }
}

static void
draw_box(const Box *box, MlcBuf *out)
{
    static const char *const styles[] = {
        [OP] = "fill=\"#e8f0fe\" stroke=\"#4060a0\" rx=\"4\"",
        [ARG] = "fill=\"#fff4d6\" stroke=\"#a08030\" rx=\"11\"",
        [BLOCK] = "fill=\"#ffffff\" stroke=\"#a0a0a0\" stroke-dasharray=\"4 3\"",
    };
    mlc_buf_printf(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" %s/>\n", box->x,
                   box->y, box->w, box->h, styles[box->kind]);
    if (box->label.size == 0)
        return;
    mlc_buf_printf(out, "<text x=\"%.0f\" y=\"%.0f\">", box->x + PAD, box->y + 15);
    append_escaped(out, &box->label);
    mlc_buf_append_c(out, "</text>\n");
}

// From the bottom of one box to the top of another.
static void
draw_edge(const Box *from, const Box *to, bool is_control, MlcBuf *out)
{
    double x0 = from->x + from->w / 2, y0 = from->y + from->h, x1 = to->x + to->w / 2, y1 = to->y;
    double bend = fmax(fabs(y1 - y0) / 2, ROW_GAP / 2.0);
    mlc_buf_printf(out, "<path d=\"M%.0f %.0f C%.0f %.0f %.0f %.0f %.0f %.0f\"%s/>\n", x0, y0, x0,
                   y0 + bend, x1, y1 - bend, x1, y1, is_control ? " stroke-dasharray=\"5 4\"" : "");
}

static void
draw_edges(const Picture *p, MlcOp *root, MlcBuf *out)
{
    MLC_FOR_EACH_PREORDER (op, root) {
        const Box *to = &p->boxes.data[number_of(p, op)];
        MLC_FOR_EACH_OPERAND (value, op) {
            MlcOp *def = mlc_value_def(value);
            uint32_t from = number_of(p, def ? (const void *)def : value);
            if (p->style->data_flow && from != UINT32_MAX)
                draw_edge(&p->boxes.data[from], to, false, out);
        }
        MlcOp *prev = op == root ? NULL : mlc_op_prev(op);
        if (p->style->control_flow && prev)
            draw_edge(&p->boxes.data[number_of(p, prev)], to, true, out);
    }
}

void
mlc_op_graph_svg(MlcOp *root, const MlcOpGraphStyle *style, MlcBuf *out)
{
    Picture p = {.style = style};
    mlc_map_init(&p.by_thing);
    add_boxes(&p, root);
    measure(&p);
    double width = p.boxes.data[0].w + 2, height = p.boxes.data[0].h + 2;
    mlc_buf_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                   "viewBox=\"-1 -1 %.0f %.0f\" font-family=\"monospace\" font-size=\"11\">\n"
                   "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
                   "markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">"
                   "<path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
                   width, height, width, height);
    for (size_t i = 0; i < p.boxes.size; i++)
        draw_box(&p.boxes.data[i], out);
    mlc_buf_append_c(out, "<g fill=\"none\" stroke=\"#303030\" marker-end=\"url(#tip)\">\n");
    draw_edges(&p, root, out);
    mlc_buf_append_c(out, "</g>\n</svg>\n");
    for (size_t i = 0; i < p.boxes.size; i++)
        mlc_buf_release(&p.boxes.data[i].label);
    mlc_vec_release(&p.boxes);
    mlc_map_release(&p.by_thing);
}
