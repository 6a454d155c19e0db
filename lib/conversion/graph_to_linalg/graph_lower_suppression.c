// graph_lower_suppression.c -- graph.non_max_suppression as loops.
//
// The boxes of a class that the threshold lets through are a heap of their places, in time
// proportional to their number. The best one is taken off the heap and compared with those taken
// before, until there are as many as wanted or no more: what is never looked at is never sorted.
// Corners and areas of those taken stand beside each other, LANES are compared at a time, and
// behind the last one are boxes without area, which overlap with none.
#include "graph_lower_text.h"

#include "mlc/dialects/graph.h"

#include <inttypes.h>

enum { LANES = 16 }; // as in the text

#define HEAP "tensor<$Nxi64>"
#define ROWS "tensor<$Kx3xi64>"
#define KEPT "tensor<5x$Wx$E>" // corners and area of each box that was taken
#define LOTS "vector<16x$E>"
#define BITS "vector<16xi1>"

// Whether the box at place %B$1 comes before the one at %A$1, as %$1: by score, then by place.
#define SCORE(v, place)                                                                            \
    "        %" v "i = arith.index_cast %" place " : i64 to index\n"                               \
    "        %" v "r = tensor.extract %scores[%batch, %class, %" v "i] : tensor<$Bx$Cx$Nx$E>\n"    \
    "        %" v "n = arith.cmpf uno, %" v "r, %" v "r : $E\n"                                    \
    "        %" v "s = arith.select %" v "n, %lowest, %" v "r : $E\n"
#define BEFORE(r, a, b)                                                                            \
    "        %" r "g = arith.cmpf ogt, %" a "s, %" b "s : $E\n"                                    \
    "        %" r "e = arith.cmpf oeq, %" a "s, %" b "s : $E\n"                                    \
    "        %" r "l = arith.cmpi ult, %" a "i, %" b "i : index\n"                                 \
    "        %" r "t = arith.andi %" r "e, %" r "l : i1\n"                                         \
    "        %" r " = arith.ori %" r "g, %" r "t : i1\n"

// Beyond the first %size nothing was ever written, so nothing is read there.
// What stands at %begin sinks to its place among the first %size of the heap %start; the result is
// `out`#2.
#define SIFT(out, begin, size, start)                                                              \
    "      %" out ":3 = scf.while (%i = %" begin ", %on = %true, %t = %" start ")"                 \
    " : (index, i1, " HEAP ") -> (index, i1, " HEAP ") {\n"                                        \
    "        scf.condition(%on) %i, %on, %t : index, i1, " HEAP "\n"                               \
    "      } do {\n"                                                                               \
    "      ^bb0(%i: index, %on: i1, %t: " HEAP "):\n"                                              \
    "        %i2 = arith.addi %i, %i : index\n"                                                    \
    "        %left = arith.addi %i2, %one : index\n"                                               \
    "        %right = arith.addi %left, %one : index\n"                                            \
    "        %least1 = arith.maxui %" size ", %one : index\n"                                      \
    "        %tip = arith.subi %least1, %one : index\n"                                            \
    "        %lin = arith.minui %left, %tip : index\n"                                             \
    "        %rin = arith.minui %right, %tip : index\n"                                            \
    "        %a = tensor.extract %t[%lin] : " HEAP "\n"                                            \
    "        %b = tensor.extract %t[%rin] : " HEAP "\n"                                            \
    "        %c = tensor.extract %t[%i] : " HEAP "\n" SCORE("a", "a") SCORE("b", "b")              \
        SCORE("c", "c") BEFORE("ba", "b", "a") BEFORE("ac", "a", "c")                              \
            BEFORE("bc", "b", "c") "        %has = arith.cmpi ult, %left, %" size " : index\n"     \
                                   "        %two = arith.cmpi ult, %right, %" size " : index\n"    \
                                   "        %useb = arith.andi %two, %ba : i1\n"                   \
                                   "        %child = arith.select %useb, %b, %a : i64\n"           \
                                   "        %where = arith.select %useb, %right, %left : index\n"  \
                                   "        %wins = arith.select %useb, %bc, %ac : i1\n"           \
                                   "        %sinks = arith.andi %has, %wins : i1\n"                \
                                   "        %next = arith.select %sinks, %where, %i : index\n"     \
                                   "        %v = arith.select %sinks, %child, %c : i64\n"          \
                                   "        %u = tensor.insert %v into %t[%i] : " HEAP "\n"        \
                                   "        %w = tensor.insert %c into %u[%next] : " HEAP "\n"     \
                                   "        scf.yield %next, %sinks, %w : index, i1, " HEAP "\n"   \
                                   "      }\n"

// The box at index %`at` as its corners %`v`l0, %`v`h0, %`v`l1, %`v`h1 and its area %`v`a.
#define BOX(v, at)                                                                                 \
    "        %" v "0 = tensor.extract %boxes[%batch, %" at ", %zero] : tensor<$Bx$Nx4x$E>\n"       \
    "        %" v "1 = tensor.extract %boxes[%batch, %" at ", %one] : tensor<$Bx$Nx4x$E>\n"        \
    "        %" v "2 = tensor.extract %boxes[%batch, %" at ", %c2] : tensor<$Bx$Nx4x$E>\n"         \
    "        %" v "3 = tensor.extract %boxes[%batch, %" at ", %c3] : tensor<$Bx$Nx4x$E>\n"         \
    "        %" v "w = arith.mulf %" v "2, %half : $E\n"                                           \
    "        %" v "v = arith.mulf %" v "3, %half : $E\n"                                           \
    "        %" v "x0 = arith.subf %" v "0, %" v "w : $E\n"                                        \
    "        %" v "x2 = arith.addf %" v "0, %" v "w : $E\n"                                        \
    "        %" v "x1 = arith.subf %" v "1, %" v "v : $E\n"                                        \
    "        %" v "x3 = arith.addf %" v "1, %" v "v : $E\n"                                        \
    "        %" v "o0 = arith.cmpf olt, %" v "0, %" v "2 : $E\n"                                   \
    "        %" v "o1 = arith.cmpf olt, %" v "1, %" v "3 : $E\n"                                   \
    "        %" v "y0 = arith.select %" v "o0, %" v "0, %" v "2 : $E\n"                            \
    "        %" v "y2 = arith.select %" v "o0, %" v "2, %" v "0 : $E\n"                            \
    "        %" v "y1 = arith.select %" v "o1, %" v "1, %" v "3 : $E\n"                            \
    "        %" v "y3 = arith.select %" v "o1, %" v "3, %" v "1 : $E\n"                            \
    "        %" v "l0 = arith.select %centered, %" v "x0, %" v "y0 : $E\n"                         \
    "        %" v "h0 = arith.select %centered, %" v "x2, %" v "y2 : $E\n"                         \
    "        %" v "l1 = arith.select %centered, %" v "x1, %" v "y1 : $E\n"                         \
    "        %" v "h1 = arith.select %centered, %" v "x3, %" v "y3 : $E\n"                         \
    "        %" v "s0 = arith.subf %" v "h0, %" v "l0 : $E\n"                                      \
    "        %" v "s1 = arith.subf %" v "h1, %" v "l1 : $E\n"                                      \
    "        %" v "a = arith.mulf %" v "s0, %" v "s1 : $E\n"

// Row `row` of the boxes taken, from %j on, as %q`v`, and in all lanes %p`v` of the box itself.
#define PAIR(v, row)                                                                               \
    "        %q" v " = vector.transfer_read %kept[%" row ", %j], %nothing {in_bounds = [true]} "   \
    ": " KEPT ", " LOTS "\n"                                                                       \
    "        %all" v " = vector.broadcast %p" v " : $E to " LOTS "\n"

// %`r` = a `op` b of two numbers, by comparison: the first one where it holds.
#define PICK(r, op, a, b)                                                                          \
    "        %" r "c = arith.cmpf " op ", %" a ", %" b " : " LOTS "\n"                             \
    "        %" r " = arith.select %" r "c, %" a ", %" b " : " BITS ", " LOTS "\n"

// The box's corner or area, behind those taken before.
#define KEEP(to, from, row, v)                                                                     \
    "        %" to " = tensor.insert %p" v " into %" from "[%" row ", %end] : " KEPT "\n"

// In pieces that a C compiler must take.
static const char *const suppression_text[] = {
    "func.func private @lowered(%boxes: tensor<$Bx$Nx4x$E>, %scores: tensor<$Bx$Cx$Nx$E>,"
    " %count: tensor<i64>, %overlap: tensor<$E>, %threshold: tensor<$E>, %unset: " ROWS
    ", %unkept: " KEPT ")"
    " -> " ROWS " {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %c2 = arith.constant 2 : index\n"
    "  %c3 = arith.constant 3 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  %lanes = arith.constant 16 : index\n"
    "  %nothings = arith.constant dense<0.0> : " LOTS "\n"
    "  %n = arith.constant $N : index\n"
    "  %batches = arith.constant $B : index\n"
    "  %classes = arith.constant $C : index\n"
    "  %half = arith.constant 0.5 : $E\n"
    "  %nothing = arith.constant 0.0 : $E\n"
    "  %lowest = arith.constant $INF : $E\n"
    "  %true = arith.constant true\n"
    "  %false = arith.constant false\n"
    "  %centered = arith.constant $CENTERED\n"
    "  %all = arith.constant $ALL\n"
    "  %none = arith.constant 0 : i64\n"
    "  %bound = arith.constant $M : i64\n"
    "  %wanted = tensor.extract %count[] : tensor<i64>\n"
    "  %most0 = arith.maxsi %wanted, %none : i64\n"
    "  %most1 = arith.minsi %most0, %bound : i64\n"
    "  %most = arith.index_cast %most1 : i64 to index\n"
    "  %limit = tensor.extract %overlap[] : tensor<$E>\n"
    "  %limits = vector.broadcast %limit : $E to " LOTS "\n"
    "  %least = tensor.extract %threshold[] : tensor<$E>\n"
    "  %empty = tensor.empty() : " HEAP "\n"
    "  %result:4 = scf.for %batch = %zero to %batches step %one"
    " iter_args(%begin0 = %zero, %rows1 = %unset, %h1 = %empty, %kept1 = %unkept)"
    " -> (index, " ROWS ", " HEAP ", " KEPT ") {\n"
    "  %of_batch:4 = scf.for %class = %zero to %classes step %one"
    " iter_args(%begin = %begin0, %rows0 = %rows1, %h0 = %h1, %kept0 = %kept1)"
    " -> (index, " ROWS ", " HEAP ", " KEPT ") {\n"
    // those that the threshold lets through
    "    %in:2 = scf.for %i = %zero to %n step %one iter_args(%m = %zero, %t = %h0)"
    " -> (index, " HEAP ") {\n"
    "      %s = tensor.extract %scores[%batch, %class, %i] : tensor<$Bx$Cx$Nx$E>\n"
    "      %place = arith.index_cast %i : index to i64\n"
    "      %u = tensor.insert %place into %t[%m] : " HEAP "\n"
    "      %above = arith.cmpf ogt, %s, %least : $E\n"
    "      %keep = arith.ori %above, %all : i1\n"
    "      %more = arith.addi %m, %one : index\n"
    "      %next = arith.select %keep, %more, %m : index\n"
    "      scf.yield %next, %u : index, " HEAP "\n"
    "    }\n"
    // a heap of them, from its lowest nodes up
    "    %inner = arith.divui %in#0, %c2 : index\n"
    "    %heap = scf.for %k = %zero to %inner step %one iter_args(%h = %in#1) -> (" HEAP ") {\n"
    "      %k1 = arith.subi %inner, %one : index\n"
    "      %node = arith.subi %k1, %k : index\n",
    SIFT("sifted", "node", "in#0", "h"),
    "      scf.yield %sifted#2 : " HEAP "\n"
    "    }\n"
    // one after the other
    "    %taken:5 = scf.while (%size = %in#0, %end = %begin, %h = %heap, %rows = %rows0,"
    " %kept = %kept0)"
    " : (index, index, " HEAP ", " ROWS ", " KEPT ")"
    " -> (index, index, " HEAP ", " ROWS ", " KEPT ") {\n"
    "      %some = arith.cmpi ugt, %size, %zero : index\n"
    "      %num = arith.subi %end, %begin : index\n"
    "      %wants = arith.cmpi ult, %num, %most : index\n"
    "      %goes = arith.andi %some, %wants : i1\n"
    "      scf.condition(%goes) %size, %end, %h, %rows, %kept"
    " : index, index, " HEAP ", " ROWS ", " KEPT "\n"
    "    } do {\n"
    "    ^bb0(%size: index, %end: index, %h: " HEAP ", %rows: " ROWS ", %kept: " KEPT "):\n"
    "      %rest = arith.subi %size, %one : index\n"
    "      %best = tensor.extract %h[%zero] : " HEAP "\n"
    "      %tail = tensor.extract %h[%rest] : " HEAP "\n"
    "      %put = tensor.insert %tail into %h[%zero] : " HEAP "\n",
    SIFT("sunk", "zero", "rest", "put"),
    "      %p = arith.index_cast %best : i64 to index\n",
    BOX("p", "p"),
    "      %found:2 = scf.while (%j = %begin, %hit = %false) : (index, i1) -> (index, i1) {\n"
    "        %inside = arith.cmpi ult, %j, %end : index\n"
    "        %not = arith.xori %hit, %true : i1\n"
    "        %on = arith.andi %inside, %not : i1\n"
    "        scf.condition(%on) %j, %hit : index, i1\n"
    "      } do {\n"
    "      ^bb0(%j: index, %hit: i1):\n" PAIR("l0", "zero") PAIR("h0", "one") PAIR("l1", "c2")
        PAIR("h1", "c3") PAIR("a", "c4"),
    PICK("il0", "ogt", "alll0", "ql0") PICK("ih0", "olt", "allh0", "qh0"),
    PICK("il1", "ogt", "alll1", "ql1") PICK("ih1", "olt", "allh1", "qh1"),
    "        %d0 = arith.cmpf ogt, %ih0, %il0 : " LOTS "\n"
    "        %d1 = arith.cmpf ogt, %ih1, %il1 : " LOTS "\n"
    "        %w0 = arith.subf %ih0, %il0 : " LOTS "\n"
    "        %w1 = arith.subf %ih1, %il1 : " LOTS "\n"
    "        %both = arith.mulf %w0, %w1 : " LOTS "\n"
    "        %sum = arith.addf %alla, %qa : " LOTS "\n"
    "        %either = arith.subf %sum, %both : " LOTS "\n"
    "        %ratio = arith.divf %both, %either : " LOTS "\n"
    "        %t0 = arith.cmpf ogt, %both, %nothings : " LOTS "\n"
    "        %t1 = arith.cmpf ogt, %alla, %nothings : " LOTS "\n"
    "        %t2 = arith.cmpf ogt, %qa, %nothings : " LOTS "\n"
    "        %t3 = arith.cmpf ogt, %either, %nothings : " LOTS "\n"
    "        %t4 = arith.cmpf ogt, %ratio, %limits : " LOTS "\n"
    "        %a0 = arith.andi %d0, %d1 : " BITS "\n"
    "        %a1 = arith.andi %a0, %t0 : " BITS "\n"
    "        %a2 = arith.andi %a1, %t1 : " BITS "\n"
    "        %a3 = arith.andi %a2, %t2 : " BITS "\n"
    "        %a4 = arith.andi %a3, %t3 : " BITS "\n"
    "        %a5 = arith.andi %a4, %t4 : " BITS "\n"
    "        %is = vector.reduction <or>, %a5 : " BITS " into i1\n"
    "        %jn = arith.addi %j, %lanes : index\n"
    "        scf.yield %jn, %is : index, i1\n"
    "      }\n"
    "      %after:3 = scf.if %found#1 -> (index, " ROWS ", " KEPT ") {\n"
    "        scf.yield %end, %rows, %kept : index, " ROWS ", " KEPT "\n"
    "      } else {\n"
    "        %b64 = arith.index_cast %batch : index to i64\n"
    "        %c64 = arith.index_cast %class : index to i64\n"
    "        %r0 = tensor.insert %b64 into %rows[%end, %zero] : " ROWS "\n"
    "        %r1 = tensor.insert %c64 into %r0[%end, %one] : " ROWS "\n"
    "        %r2 = tensor.insert %best into %r1[%end, %c2] : " ROWS "\n",
    KEEP("k0", "kept", "zero", "l0") KEEP("k1", "k0", "one", "h0") KEEP("k2", "k1", "c2", "l1"),
    KEEP("k3", "k2", "c3", "h1") KEEP("k4", "k3", "c4", "a"),
    "        %end1 = arith.addi %end, %one : index\n"
    "        scf.yield %end1, %r2, %k4 : index, " ROWS ", " KEPT "\n"
    "      }\n"
    "      scf.yield %rest, %after#0, %sunk#2, %after#1, %after#2"
    " : index, index, " HEAP ", " ROWS ", " KEPT "\n"
    "    }\n"
    "    scf.yield %taken#1, %taken#3, %taken#2, %taken#4"
    " : index, " ROWS ", " HEAP ", " KEPT "\n"
    "  }\n"
    "  scf.yield %of_batch#0, %of_batch#1, %of_batch#2, %of_batch#3"
    " : index, " ROWS ", " HEAP ", " KEPT "\n"
    "  }\n"
    "  return %result#1 : " ROWS "\n"
    "}\n",
};

// The one number of a tensor, as a tensor of rank 0.
static MlcValue *
one_number(MlcGraphLower *l, size_t i)
{
    MlcValue *value = operand(l, i);
    return rank_of(value) == 0 ? value : mlc_build_reshape(&l->b, value, &(MlcTensorShape){0});
}

MlcValue *
mlc_graph_lower_non_max_suppression(MlcGraphLower *l)
{
    MlcValue *scores = operand(l, 1);
    MlcType element = mlc_type_element(mlc_value_type(scores));
    unsigned bits = mlc_type_bit_width(element);
    int64_t numbers[] = {mlc_type_dim(mlc_value_type(scores), 0),
                         mlc_type_dim(mlc_value_type(scores), 1),
                         mlc_type_dim(mlc_value_type(scores), 2),
                         mlc_type_dim(mlc_value_type(scores), 2) - 1,
                         mlc_type_dim(l->type, 0),
                         mlc_graph_non_max_suppression_most(l->op),
                         mlc_type_dim(l->type, 0) + LANES};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, WORDS = NUMBERS + 4 };
    static const char *const names[NUMBERS] = {"B", "C", "N", "L", "K", "M", "W"};
    MlcTensorShape shape = {.rank = 2, .dims = {numbers[4], 3}};
    MlcTensorShape kept_shape = {.rank = 2, .dims = {5, numbers[6]}};
    MlcValue *rows = mlc_build_filled(&l->b, &shape, l->element, -1);
    MlcTextWord words[WORDS];
    MlcBuf texts[NUMBERS] = {{0}}, text = {0};
    if (numbers[4] == 0)
        return rows;
    for (size_t i = 0; i < NUMBERS; i++) {
        mlc_buf_printf(&texts[i], "%" PRId64, numbers[i]);
        words[i] = (MlcTextWord){names[i], mlc_buf_str(&texts[i])};
    }
    words[NUMBERS] = (MlcTextWord){"E", mlc_str(mlc_type_text(element))};
    words[NUMBERS + 1] =
        (MlcTextWord){"INF", mlc_str(bits == 64 ? "0xFFF0000000000000" : "0xFF800000")};
    words[NUMBERS + 2] =
        (MlcTextWord){"CENTERED", mlc_str(bool_attr(l, "is_centered") ? "true" : "false")};
    words[NUMBERS + 3] =
        (MlcTextWord){"ALL", mlc_str(bool_attr(l, "has_threshold") ? "false" : "true")};
    MlcValue *args[] = {operand(l, 0),
                        scores,
                        one_number(l, 2),
                        one_number(l, 3),
                        one_number(l, 4),
                        rows,
                        mlc_build_filled(&l->b, &kept_shape, element, 0)};
    for (size_t i = 0; i < sizeof suppression_text / sizeof *suppression_text; i++)
        mlc_buf_append_c(&text, suppression_text[i]);
    MlcValue *result = mlc_graph_lower_text(l, mlc_buf_c_str(&text), words, WORDS, args);
    mlc_buf_release(&text);
    for (size_t i = 0; i < NUMBERS; i++)
        mlc_buf_release(&texts[i]);
    return result;
}
