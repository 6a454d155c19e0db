// graph_lower_trees.c -- graph.tree_ensemble: all rows of a block walk down a tree step by step.
//
// A walk is a chain of loads that each wait for the one before, and a branch at each node would be
// guessed wrong every other time. So there are no branches: every walk of a tree takes as many
// steps as the tree is deep, a leaf above that depth leads to itself, and a comparison picks the
// next node by arithmetic. The walks of a block's rows (of a few rows: also of several trees) take
// a step each before the next step begins, so dozens of chains are in flight.
// docs/internals/trees.md has what else was measured.
//
// A node is four words: bits of the threshold, column, right child, left child. Leaves
// at the full depth are no nodes: they are numbers beyond the last one, as places of weights.
#include "graph_lower_text.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/graph_geometry.h"

#include <inttypes.h>
#include <math.h>

enum {
    WALKS = 64,           // that take a step together, where there are as many
    MAX_ROWS = 128,       // of a block
    ROW_BYTES = 16 << 10, // of a block's rows: half of a first cache
    OPEN_ROWS = 64,       // of a block, of nobody knows how many rows
    OPEN_TREES = 16,      // that walk together then
    WORDS = 4,            // of a node
};

// ---- tables

// How far from the root a node is, at least and at most; INT32_MAX: nothing leads there.
typedef struct Distance {
    int32_t least, most;
} Distance;

// The trees as they are compiled: nodes, then leaves above the depth of their group as nodes.
typedef struct Tables {
    MlcGraphTrees trees;
    int64_t group;       // trees that walk together
    Distance *distances; // of nodes
    int32_t *depths;     // of trees, each that of the deepest one of its group
    int32_t *leaves;     // new place of each leaf
    size_t num_shallow;  // leaves that are nodes too, the first ones
} Tables;

static size_t
child_of(const MlcGraphTrees *trees, size_t node, int side)
{
    return (size_t)mlc_graph_numbers_int(side ? &trees->right : &trees->left, node);
}

static size_t
root_of(const MlcGraphTrees *trees, size_t t)
{
    return (size_t)mlc_graph_numbers_int(&trees->roots, t);
}

// The tree's depth. Parents come before their children.
static int32_t
find_depth(Tables *tables, size_t root, size_t end)
{
    int32_t depth = 0;
    Distance *of = tables->distances;
    for (size_t i = root; i < end; i++)
        of[i] = i == root ? (Distance){0, 0} : (Distance){INT32_MAX, 0};
    for (size_t i = root; i < end; i++)
        for (int side = 0; side < 2 && of[i].least != INT32_MAX; side++) {
            size_t child = child_of(&tables->trees, i, side);
            Distance next = {of[i].least + 1, of[i].most + 1};
            depth = next.most > depth ? next.most : depth;
            if (child >= tables->trees.num_nodes)
                continue;
            of[child].most = next.most > of[child].most ? next.most : of[child].most;
            of[child].least = next.least < of[child].least ? next.least : of[child].least;
        }
    return depth;
}

// Leaves of a tree where a walk of `depth` steps may come before its last one.
static void
mark_shallow(const Tables *tables, size_t root, size_t end, int32_t depth, bool *is_shallow)
{
    size_t n = tables->trees.num_nodes;
    if (root >= n)
        is_shallow[root - n] |= depth > 0;
    for (size_t i = root; i < end; i++)
        for (int side = 0; side < 2 && tables->distances[i].least != INT32_MAX; side++) {
            size_t child = child_of(&tables->trees, i, side);
            if (child >= n)
                is_shallow[child - n] |= tables->distances[i].least + 1 < depth;
        }
}

static void
make_tables(Tables *tables)
{
    const MlcGraphTrees *trees = &tables->trees;
    size_t n = trees->num_nodes, num_trees = trees->num_trees, deep;
    bool *is_shallow = mlc_calloc(trees->num_leaves + 1, sizeof *is_shallow);
    tables->distances = mlc_calloc(n + 1, sizeof *tables->distances);
    tables->depths = mlc_calloc(num_trees + 1, sizeof *tables->depths);
    tables->leaves = mlc_calloc(trees->num_leaves + 1, sizeof *tables->leaves);
    for (size_t t = 0; t < num_trees; t++)
        if (root_of(trees, t) < n)
            tables->depths[t] =
                find_depth(tables, root_of(trees, t), mlc_graph_trees_end(trees, t));
    for (size_t t = 0; t < num_trees; t += (size_t)tables->group) {
        int32_t depth = 0;
        size_t end = t + (size_t)tables->group < num_trees ? t + (size_t)tables->group : num_trees;
        for (size_t i = t; i < end; i++)
            depth = tables->depths[i] > depth ? tables->depths[i] : depth;
        for (size_t i = t; i < end; i++) {
            size_t root = root_of(trees, i);
            tables->depths[i] = depth;
            mark_shallow(tables, root, root < n ? mlc_graph_trees_end(trees, i) : 0, depth,
                         is_shallow);
        }
    }
    tables->num_shallow = 0;
    for (size_t i = 0; i < trees->num_leaves; i++)
        tables->num_shallow += is_shallow[i];
    deep = tables->num_shallow;
    for (size_t i = 0, shallow = 0; i < trees->num_leaves; i++)
        tables->leaves[i] = (int32_t)(is_shallow[i] ? shallow++ : deep++);
    mlc_free(is_shallow);
}

static void
release_tables(Tables *tables)
{
    mlc_free(tables->distances);
    mlc_free(tables->depths);
    mlc_free(tables->leaves);
}

// A node or leaf as the compiled tables number it.
static int64_t
place_of(const Tables *tables, size_t node)
{
    size_t n = tables->trees.num_nodes;
    return node < n ? (int64_t)node : (int64_t)n + tables->leaves[node - n];
}

// ---- tables as constants

static MlcValue *
constant(MlcGraphLower *l, MlcType element, const int64_t *shape, size_t rank, const void *data,
         size_t num_bytes)
{
    MlcType type = mlc_tensor_type_get(element, shape, rank, NULL);
    return mlc_arith_constant(&l->b, mlc_dense_attr_get(type, data, num_bytes, false));
}

// Words of 32 bits of which a node of f32 has four; of f64 they are of 64 bits.
static void
set_word(char *nodes, bool is_wide, size_t i, int64_t value)
{
    int32_t narrow = (int32_t)value;
    if (is_wide)
        memcpy(nodes + i * sizeof value, &value, sizeof value);
    else
        memcpy(nodes + i * sizeof narrow, &narrow, sizeof narrow);
}

static int64_t
threshold_bits(const MlcGraphTrees *trees, size_t node)
{
    double wide = mlc_graph_numbers_float(&trees->thresholds, node);
    float narrow = (float)wide;
    int64_t bits = 0;
    if (trees->thresholds.bytes == sizeof wide)
        memcpy(&bits, &wide, sizeof wide);
    else
        memcpy(&bits, &narrow, sizeof narrow);
    return bits;
}

static MlcValue *
build_nodes(MlcGraphLower *l, const Tables *tables)
{
    const MlcGraphTrees *trees = &tables->trees;
    bool is_wide = trees->thresholds.bytes == 8;
    size_t n = trees->num_nodes, count = n + tables->num_shallow, bytes = is_wide ? 8 : 4;
    // One that nothing leads to, where there is none: a tensor without elements is no table.
    char *nodes = mlc_calloc((count + 1) * WORDS, bytes);
    for (size_t i = 0; i < n; i++) {
        set_word(nodes, is_wide, i * WORDS, threshold_bits(trees, i));
        set_word(nodes, is_wide, i * WORDS + 1, mlc_graph_numbers_int(&trees->features, i));
        set_word(nodes, is_wide, i * WORDS + 2, place_of(tables, child_of(trees, i, 1)));
        set_word(nodes, is_wide, i * WORDS + 3, place_of(tables, child_of(trees, i, 0)));
    }
    for (size_t i = n; i < count; i++) {
        set_word(nodes, is_wide, i * WORDS + 2, (int64_t)i);
        set_word(nodes, is_wide, i * WORDS + 3, (int64_t)i);
    }
    count += count == 0;
    MlcType word = mlc_integer_type_get(l->b.ctx, is_wide ? 64 : 32, MLC_SIGNLESS);
    MlcValue *value =
        constant(l, word, (int64_t[]){(int64_t)count, WORDS}, 2, nodes, count * WORDS * bytes);
    mlc_free(nodes);
    return value;
}

static MlcValue *
build_weights(MlcGraphLower *l, const Tables *tables)
{
    const MlcGraphTrees *trees = &tables->trees;
    size_t bytes = trees->weights.bytes, row = bytes * trees->width;
    char *weights = mlc_calloc(trees->num_leaves + 1, row);
    for (size_t i = 0; i < trees->num_leaves; i++)
        for (size_t j = 0; j < trees->width; j++)
            memcpy(weights + (size_t)tables->leaves[i] * row + j * bytes,
                   trees->weights.data +
                       (trees->weights.is_splat ? 0 : (i * trees->width + j) * bytes),
                   bytes);
    MlcType element = mlc_float_type_get(l->b.ctx, bytes == 8 ? MLC_FLOAT_F64 : MLC_FLOAT_F32);
    const int64_t shape[] = {(int64_t)trees->num_leaves, (int64_t)trees->width};
    MlcValue *value = constant(l, element, shape, 2, weights, trees->num_leaves * row);
    mlc_free(weights);
    return value;
}

// i32 [trees, 3]: root, depth, first target.
static MlcValue *
build_trees(MlcGraphLower *l, const Tables *tables)
{
    size_t count = tables->trees.num_trees;
    int32_t *rows = mlc_calloc(count + 1, 3 * sizeof *rows);
    for (size_t t = 0; t < count; t++) {
        rows[t * 3] = (int32_t)place_of(tables, root_of(&tables->trees, t));
        rows[t * 3 + 1] = tables->depths[t];
        rows[t * 3 + 2] = mlc_graph_numbers_int(&tables->trees.targets, t);
    }
    MlcType i32 = mlc_integer_type_get(l->b.ctx, 32, MLC_SIGNLESS);
    MlcValue *value =
        constant(l, i32, (int64_t[]){(int64_t)count, 3}, 2, rows, count * 3 * sizeof *rows);
    mlc_free(rows);
    return value;
}

// ---- the loops

// Blocks of $R rows from row $O on, $G trees at a time; at[t, r] is where row r is in tree t. Where
// the number of rows is unknown the last block has fewer; else all have $R.
#define SUMS "tensor<$Rx$Kxf64>"
#define AT "tensor<$Gx$Rx$I>"
#define ALL "tensor<$Nx$Kxf64>"
#define X "tensor<$Nx$Fx$E>"
static const char *const walk_text[] = {
    "func.func private @lowered(%x: " X ", %nodes: tensor<$Mx4x$I>,"
    " %weights: tensor<$Lx$Wx$WE>, %trees: tensor<$Tx3xi32>, %all0: " ALL ") -> " ALL " {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %offset = arith.constant $O : index\n"
    "  %count = $COUNT\n"
    "  %rows = arith.constant $R : index\n"
    "  %less = arith.constant $LESS : index\n"
    "  %padded = arith.addi %count, %less : index\n"
    "  %blocks = $BLOCKS\n"
    "  %num = arith.constant $T : index\n"
    "  %group = arith.constant $G : index\n"
    "  %targets = arith.constant $K : index\n"
    "  %width = arith.constant $W : index\n"
    "  %inner = arith.constant $P : index\n"
    "  %nothing = arith.constant $Z : f64\n"
    "  %zero32 = arith.constant 0 : i32\n"
    "  %zero64 = arith.constant -0.0 : f64\n"
    "  %result = scf.for %block = %zero to %blocks step %one iter_args(%all = %all0) -> (" ALL
    ") {\n"
    "    %before = arith.muli %block, %rows : index\n"
    "    %begin = arith.addi %before, %offset : index\n"
    "    %left = arith.subi %count, %begin : index\n"
    "    %m = $SIZE\n"
    "    %unset = tensor.empty() : " SUMS "\n"
    "    %nowhere = tensor.empty() : " AT "\n"
    "    %none = linalg.fill ins(%nothing : f64) outs(%unset : " SUMS ") -> " SUMS "\n"
    "    %walked:2 = scf.for %g = %zero to %num step %group iter_args(%sums = %none,"
    " %at = %nowhere) -> (" SUMS ", " AT ") {\n"
    "      %rest = arith.subi %num, %g : index\n"
    "      %n = arith.minui %rest, %group : index\n"
    "      %at0 = scf.for %t = %zero to %n step %one iter_args(%at1 = %at) -> (" AT ") {\n"
    "        %tree = arith.addi %g, %t : index\n"
    "        %root = tensor.extract %trees[%tree, %zero] : tensor<$Tx3xi32>\n"
    "        %first = $EXT\n"
    "        %at2 = scf.for %r = %zero to %m step %one iter_args(%at3 = %at1) -> (" AT ") {\n"
    "          %at4 = tensor.insert %first into %at3[%t, %r] : " AT "\n"
    "          scf.yield %at4 : " AT "\n"
    "        }\n"
    "        scf.yield %at2 : " AT "\n"
    "      }\n",
    "      %depth32 = tensor.extract %trees[%g, %one] : tensor<$Tx3xi32>\n"
    "      %depth = arith.index_castui %depth32 : i32 to index\n"
    "      %there = scf.for %step = %zero to %depth step %one iter_args(%at1 = %at0) -> (" AT
    ") {\n"
    "        %at2 = scf.for %t = %zero to %n step %one iter_args(%at3 = %at1) -> (" AT ") {\n"
    "          %at4 = scf.for %r = %zero to %m step %one iter_args(%at5 = %at3) -> (" AT ") {\n"
    "            %here = tensor.extract %at5[%t, %r] : " AT "\n"
    "            %i = arith.index_castui %here : $I to index\n"
    "            %bits = tensor.extract %nodes[%i, %zero] : tensor<$Mx4x$I>\n"
    "            %column = tensor.extract %nodes[%i, %one] : tensor<$Mx4x$I>\n"
    "            %threshold = arith.bitcast %bits : $I to $E\n"
    "            %f = arith.index_castui %column : $I to index\n"
    "            %row = arith.addi %begin, %r : index\n"
    "            %v = tensor.extract %x[%row, %f] : " X "\n"
    "            %is = arith.cmpf ole, %v, %threshold : $E\n"
    "            %side = arith.index_castui %is : i1 to index\n"
    "            %word = arith.addi %side, %c2 : index\n"
    "            %next = tensor.extract %nodes[%i, %word] : tensor<$Mx4x$I>\n"
    "            %at6 = tensor.insert %next into %at5[%t, %r] : " AT "\n"
    "            scf.yield %at6 : " AT "\n"
    "          }\n"
    "          scf.yield %at4 : " AT "\n"
    "        }\n"
    "        scf.yield %at2 : " AT "\n"
    "      }\n"
    "      %sums0 = scf.for %t = %zero to %n step %one iter_args(%sums1 = %sums) -> (" SUMS ") {\n"
    "        %tree = arith.addi %g, %t : index\n"
    "        %target32 = tensor.extract %trees[%tree, %c2] : tensor<$Tx3xi32>\n"
    "        %target = arith.index_castui %target32 : i32 to index\n"
    "        %sums2 = scf.for %r = %zero to %m step %one iter_args(%sums3 = %sums1) -> (" SUMS
    ") {\n"
    "          %here = tensor.extract %there[%t, %r] : " AT "\n"
    "          %i = arith.index_castui %here : $I to index\n"
    "          %leaf = arith.subi %i, %inner : index\n"
    "          %sums4 = scf.for %j = %zero to %width step %one iter_args(%sums5 = %sums3) -> (" SUMS
    ") {\n"
    "            %weight = tensor.extract %weights[%leaf, %j] : tensor<$Lx$Wx$WE>\n"
    "            %wide = $WIDE\n"
    "            %k = arith.addi %target, %j : index\n"
    "            %old = tensor.extract %sums5[%r, %k] : " SUMS "\n"
    "$JOIN"
    "            %sums6 = tensor.insert %new into %sums5[%r, %k] : " SUMS "\n"
    "            scf.yield %sums6 : " SUMS "\n"
    "          }\n"
    "          scf.yield %sums4 : " SUMS "\n"
    "        }\n"
    "        scf.yield %sums2 : " SUMS "\n"
    "      }\n"
    "      scf.yield %sums0, %there : " SUMS ", " AT "\n"
    "    }\n",
};

static const char end_text[] = "    scf.yield %all1 : " ALL "\n"
                               "  }\n"
                               "  return %result : " ALL "\n"
                               "}\n";

// The block's sums into the result: at once, or, of an unknown number of rows, one by one.
static const char block_text[] =
    "    %all1 = tensor.insert_slice %walked#0 into %all[%begin, 0] [$R, $K] [1, 1] : " SUMS
    " into " ALL "\n";
static const char rows_text[] =
    "    %all1 = scf.for %r = %zero to %m step %one iter_args(%all2 = %all) -> (" ALL ") {\n"
    "      %row = arith.addi %begin, %r : index\n"
    "      %all3 = scf.for %k = %zero to %targets step %one iter_args(%all4 = %all2) -> (" ALL
    ") {\n"
    "        %sum = tensor.extract %walked#0[%r, %k] : " SUMS "\n"
    "        %all5 = tensor.insert %sum into %all4[%row, %k] : " ALL "\n"
    "        scf.yield %all5 : " ALL "\n"
    "      }\n"
    "      scf.yield %all3 : " ALL "\n"
    "    }\n";

static const char *
join_text(MlcGraphAggregate how)
{
    switch (how) {
    case MLC_GRAPH_AGGREGATE_MIN:
        return "            %beats = arith.cmpf olt, %wide, %old : f64\n"
               "            %new = arith.select %beats, %wide, %old : f64\n";
    case MLC_GRAPH_AGGREGATE_MAX:
        return "            %beats = arith.cmpf ogt, %wide, %old : f64\n"
               "            %new = arith.select %beats, %wide, %old : f64\n";
    default:
        return "            %new = arith.addf %old, %wide : f64\n";
    }
}

static const char *
nothing_text(MlcGraphAggregate how)
{
    return how == MLC_GRAPH_AGGREGATE_SUM   ? "0.0"
           : how == MLC_GRAPH_AGGREGATE_MIN ? "0x7FF0000000000000"
                                            : "0xFFF0000000000000";
}

// How the rows are cut, and of each block how many trees walk together.
typedef struct Cut {
    int64_t offset, blocks, rows, group;
} Cut;

// `args`: rows, nodes, weights, trees, and the result so far.
static MlcValue *
walk(MlcGraphLower *l, const Tables *tables, const Cut *cut, MlcValue *const *args)
{
    MlcGraphAggregate how = mlc_graph_tree_ensemble_aggregate(l->op);
    MlcType x = mlc_value_type(args[0]);
    bool is_wide = tables->trees.thresholds.bytes == 8, has_wide = tables->trees.weights.bytes == 8;
    bool is_open = mlc_type_dim(x, 0) == MLC_DYNAMIC;
    const struct {
        const char *name;
        int64_t number;
    } numbers[] = {
        {"N", mlc_type_dim(x, 0)}, // unknown: ?
        {"F", mlc_type_dim(x, 1)},
        {"K", mlc_type_dim(l->type, 1)},
        {"M", mlc_type_dim(mlc_value_type(args[1]), 0)},
        {"L", mlc_type_dim(mlc_value_type(args[2]), 0)},
        {"W", mlc_type_dim(mlc_value_type(args[2]), 1)},
        {"T", mlc_type_dim(mlc_value_type(args[3]), 0)},
        {"P", (int64_t)tables->trees.num_nodes},
        {"O", cut->offset},
        {"R", cut->rows},
        {"G", cut->group},
        {"LESS", cut->rows - 1},
    };
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    MlcTextWord numbered[NUMBERS];
    MlcBuf texts[NUMBERS] = {{0}};
    MlcBuf count = {0}, blocks = {0}, size = {0};
    mlc_buf_printf(&count, "arith.constant %" PRId64 " : index", mlc_type_dim(x, 0));
    mlc_buf_printf(&blocks, "arith.constant %" PRId64 " : index", cut->blocks);
    mlc_buf_printf(&size, "arith.constant %" PRId64 " : index", cut->rows);
    if (is_open) {
        mlc_buf_clear(&count);
        mlc_buf_printf(&count, "tensor.dim %%x, %%zero : %s", mlc_type_text(x));
    }
    for (size_t i = 0; i < NUMBERS; i++) {
        if (numbers[i].number == MLC_DYNAMIC)
            mlc_buf_append_char(&texts[i], '?');
        else
            mlc_buf_printf(&texts[i], "%" PRId64, numbers[i].number);
        numbered[i] = (MlcTextWord){numbers[i].name, mlc_buf_str(&texts[i])};
    }
    const MlcTextWord others[] = {
        {"COUNT", mlc_buf_str(&count)},
        {"BLOCKS", is_open ? mlc_str("arith.divui %padded, %rows : index") : mlc_buf_str(&blocks)},
        {"SIZE", is_open ? mlc_str("arith.minui %left, %rows : index") : mlc_buf_str(&size)},
        {"E", mlc_str(is_wide ? "f64" : "f32")},
        {"I", mlc_str(is_wide ? "i64" : "i32")},
        {"WE", mlc_str(has_wide ? "f64" : "f32")},
        {"Z", mlc_str(nothing_text(how))},
        {"JOIN", mlc_str(join_text(how))},
        {"EXT",
         mlc_str(is_wide ? "arith.extui %root : i32 to i64" : "arith.addi %root, %zero32 : i32")},
        {"WIDE", mlc_str(has_wide ? "arith.addf %weight, %zero64 : f64"
                                  : "arith.extf %weight : f32 to f64")},
    };
    MlcTextWord words[NUMBERS + sizeof others / sizeof *others];
    memcpy(words, numbered, sizeof numbered);
    memcpy(words + NUMBERS, others, sizeof others);
    MlcBuf text = {0};
    for (size_t i = 0; i < sizeof walk_text / sizeof *walk_text; i++)
        mlc_buf_append_c(&text, walk_text[i]);
    mlc_buf_append_c(&text, is_open ? rows_text : block_text);
    mlc_buf_append_c(&text, end_text);
    MlcValue *result =
        mlc_graph_lower_text(l, mlc_buf_c_str(&text), words, sizeof words / sizeof *words, args);
    mlc_buf_release(&text);
    mlc_buf_release(&count);
    mlc_buf_release(&blocks);
    mlc_buf_release(&size);
    for (size_t i = 0; i < NUMBERS; i++)
        mlc_buf_release(&texts[i]);
    return result;
}

// Rows of a block: as many as half of a first cache holds, and even blocks. What does not divide is
// a last, smaller block. Of an unknown number of rows, which may be one, several trees walk
// together whatever the block has.
static Cut
cut_rows(int64_t rows, int64_t row_bytes, int64_t num_trees)
{
    int64_t most = ROW_BYTES / (row_bytes > 0 ? row_bytes : 1);
    Cut cut = {.rows = OPEN_ROWS, .group = OPEN_TREES};
    if (rows != MLC_DYNAMIC) {
        most = most > MAX_ROWS ? MAX_ROWS : most < 1 ? 1 : most;
        int64_t blocks = (rows + most - 1) / most;
        cut.rows = (rows + blocks - 1) / blocks;
        cut.blocks = rows / cut.rows;
        cut.group = cut.rows < WALKS ? (WALKS + cut.rows - 1) / cut.rows : 1;
    }
    cut.group = cut.group > num_trees ? num_trees : cut.group;
    return cut;
}

static double
nothing(MlcGraphAggregate how)
{
    return how == MLC_GRAPH_AGGREGATE_SUM   ? 0
           : how == MLC_GRAPH_AGGREGATE_MIN ? INFINITY
                                            : -INFINITY;
}

MlcValue *
mlc_graph_lower_tree_ensemble(MlcGraphLower *l)
{
    MlcType type = mlc_value_type(operand(l, 0));
    Tables tables = {0};
    int64_t rows = mlc_type_dim(type, 0);
    mlc_graph_trees(l->op, &tables.trees);
    int64_t num_trees = (int64_t)tables.trees.num_trees;
    MlcTensorShape shape;
    mlc_build_shape_of(&l->b, operand(l, 0), &shape);
    shape.dims[1] = mlc_type_dim(l->type, 1);
    if (rows == 0)
        return mlc_build_empty(&l->b, l->type);
    if (num_trees == 0)
        return mlc_build_filled(&l->b, &shape, l->element,
                                nothing(mlc_graph_tree_ensemble_aggregate(l->op)));
    Cut cut =
        cut_rows(rows, mlc_type_dim(type, 1) * (int64_t)tables.trees.thresholds.bytes, num_trees);
    tables.group = cut.group;
    make_tables(&tables);
    MlcValue *args[] = {operand(l, 0), build_nodes(l, &tables), build_weights(l, &tables),
                        build_trees(l, &tables), mlc_build_empty_shape(&l->b, &shape, l->element)};
    args[4] = walk(l, &tables, &cut, args);
    Cut rest = {.offset = cut.blocks * cut.rows, .blocks = 1, .group = cut.group};
    rest.rows = rows - rest.offset;
    if (rows != MLC_DYNAMIC && rest.rows > 0)
        args[4] = walk(l, &tables, &rest, args);
    release_tables(&tables);
    return args[4];
}
