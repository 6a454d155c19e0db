// graph_lower_text.c -- ops that are algorithms, as loops in MLIR's text: sorting, choosing,
// suppressing.
//
// Made by a builder such loops are pages that nobody reads; here they stand as what they become.
// Sizes and types are words ($N, $E) that are replaced before the text is read. All of them carry
// one tensor from step to step, which bufferization keeps in place: reads of a step come before its
// writes.
#include "graph_lower_text.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/graph.h"
#include "mlc/dialects/math.h"
#include "mlc/ir/text.h"
#include "mlc/runtime/abi.h"

#include <ctype.h>
#include <inttypes.h>

// ---- from text to ops

static void
replace_words(MlcBuf *out, const char *text, const MlcTextWord *words, size_t num_words)
{
    while (*text) {
        size_t i = 0, size = 0;
        if (*text != '$') {
            mlc_buf_append_char(out, *text++);
            continue;
        }
        while (isupper((unsigned char)text[size + 1]))
            size++;
        while (i < num_words && !mlc_str_equal(mlc_str(words[i].name), mlc_str_n(text + 1, size)))
            i++;
        if (i == num_words)
            mlc_bug("a text has the unknown word '%.*s'", (int)size, text + 1);
        mlc_buf_append_str(out, words[i].text);
        text += size + 1;
    }
}

static void
set_locations(MlcOp *root, MlcLoc loc)
{
    MLC_FOR_EACH_PREORDER (op, root)
        mlc_op_set_loc(op, loc);
}

MlcValue *
mlc_graph_lower_text(MlcGraphLower *l, const char *text, const MlcTextWord *words, size_t num_words,
                     MlcValue *const *args)
{
    MlcBuf buf = {0};
    replace_words(&buf, text, words, num_words);
    MlcOp *module = mlc_parse_module(l->b.ctx, mlc_buf_str(&buf), mlc_op_name(l->op));
    mlc_buf_release(&buf);
    if (!module)
        mlc_bug("a text that an op is lowered to cannot be read");
    MlcBlock *body =
        mlc_region_first(mlc_op_region(mlc_symbol_lookup(module, mlc_str("lowered")), 0));
    MlcCloneMap *map = mlc_clone_map_create();
    MlcValue *result = NULL;
    for (size_t i = 0; i < mlc_block_num_args(body); i++)
        mlc_clone_map_set(map, mlc_block_arg(body, i), args[i]);
    MLC_FOR_EACH_OP (op, body) {
        if (mlc_op_has_trait(op, MLC_TRAIT_RETURN_LIKE)) {
            result = mlc_clone_map_get(map, mlc_op_operand(op, 0));
            break;
        }
        MlcOp *made = mlc_builder_insert(&l->b, mlc_op_clone(op, map));
        set_locations(made, mlc_op_loc(l->op));
    }
    mlc_clone_map_destroy(map);
    mlc_op_destroy(module);
    return result;
}

// A number as a word of the text, or an open size; it lies in `buf`.
static MlcStr
word(MlcBuf *buf, int64_t number)
{
    if (number == MLC_DYNAMIC)
        mlc_buf_append_char(buf, '?');
    else
        mlc_buf_printf(buf, "%" PRId64, number);
    return mlc_buf_str(buf);
}

// ---- sorting

// Runs of 1, 2, 4... are merged from row `from` of two to the other.
static const char sort_text[] =
    "func.func private @lowered(%x: tensor<$Rx$Nx$E>, %none: tensor<$Rx$Nxi64>, %rows: index,"
    " %n: index, %passes: index) -> tensor<$Rx$Nxi64> {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %two = arith.constant 2 : index\n"
    "  %last = arith.subi %n, %one : index\n"
    "  %result = scf.for %row = %zero to %rows step %one iter_args(%all = %none)"
    " -> (tensor<$Rx$Nxi64>) {\n"
    "    %unset = tensor.empty($S) : tensor<2x$Nxi64>\n"
    "    %first = scf.for %i = %zero to %n step %one iter_args(%t = %unset)"
    " -> (tensor<2x$Nxi64>) {\n"
    "      %place = arith.index_cast %i : index to i64\n"
    "      %u = tensor.insert %place into %t[%zero, %i] : tensor<2x$Nxi64>\n"
    "      scf.yield %u : tensor<2x$Nxi64>\n"
    "    }\n"
    "    %sorted = scf.for %pass = %zero to %passes step %one iter_args(%t0 = %first)"
    " -> (tensor<2x$Nxi64>) {\n"
    "      %width = arith.shli %one, %pass : index\n"
    "      %twice = arith.shli %two, %pass : index\n"
    "      %from = arith.remui %pass, %two : index\n"
    "      %to = arith.subi %one, %from : index\n"
    "      %t1 = scf.for %low = %zero to %n step %twice iter_args(%t2 = %t0)"
    " -> (tensor<2x$Nxi64>) {\n"
    "        %m0 = arith.addi %low, %width : index\n"
    "        %middle = arith.minui %m0, %n : index\n"
    "        %h0 = arith.addi %low, %twice : index\n"
    "        %high = arith.minui %h0, %n : index\n"
    "        %t3:3 = scf.for %k = %low to %high step %one iter_args(%i = %low, %j = %middle,"
    " %t = %t2) -> (index, index, tensor<2x$Nxi64>) {\n"
    "          %i0 = arith.minui %i, %last : index\n"
    "          %j0 = arith.minui %j, %last : index\n"
    "          %a = tensor.extract %t[%from, %i0] : tensor<2x$Nxi64>\n"
    "          %b = tensor.extract %t[%from, %j0] : tensor<2x$Nxi64>\n"
    "          %a0 = arith.index_cast %a : i64 to index\n"
    "          %b0 = arith.index_cast %b : i64 to index\n"
    "          %p = tensor.extract %x[%row, %a0] : tensor<$Rx$Nx$E>\n"
    "          %q = tensor.extract %x[%row, %b0] : tensor<$Rx$Nx$E>\n"
    "$COMPARE" // %before: q comes before p
    "          %has_first = arith.cmpi ult, %i, %middle : index\n"
    "          %has_second = arith.cmpi ult, %j, %high : index\n"
    "          %true = arith.constant true\n"
    "          %ends = arith.xori %has_first, %true : i1\n"
    "          %better = arith.andi %has_second, %before : i1\n"
    "          %second = arith.ori %ends, %better : i1\n"
    "          %v = arith.select %second, %b, %a : i64\n"
    "          %u = tensor.insert %v into %t[%to, %k] : tensor<2x$Nxi64>\n"
    "          %i1 = arith.addi %i, %one : index\n"
    "          %j1 = arith.addi %j, %one : index\n"
    "          %i2 = arith.select %second, %i, %i1 : index\n"
    "          %j2 = arith.select %second, %j1, %j : index\n"
    "          scf.yield %i2, %j2, %u : index, index, tensor<2x$Nxi64>\n"
    "        }\n"
    "        scf.yield %t3#2 : tensor<2x$Nxi64>\n"
    "      }\n"
    "      scf.yield %t1 : tensor<2x$Nxi64>\n"
    "    }\n"
    "    %at = arith.remui %passes, %two : index\n"
    "    %filled = scf.for %i = %zero to %n step %one iter_args(%t = %all)"
    " -> (tensor<$Rx$Nxi64>) {\n"
    "      %v = tensor.extract %sorted[%at, %i] : tensor<2x$Nxi64>\n"
    "      %u = tensor.insert %v into %t[%row, %i] : tensor<$Rx$Nxi64>\n"
    "      scf.yield %u : tensor<$Rx$Nxi64>\n"
    "    }\n"
    "    scf.yield %filled : tensor<$Rx$Nxi64>\n"
    "  }\n"
    "  return %result : tensor<$Rx$Nxi64>\n"
    "}\n";

// NaN is larger than every number: what comes before it is a number, or nothing does.
static const char compare_floats[] = "          %less = arith.cmpf $FC, %q, %p : $E\n"
                                     "          %isnan = arith.cmpf uno, $NAN, $NAN : $E\n"
                                     "          %isnum = arith.cmpf ord, $NUM, $NUM : $E\n"
                                     "          %only = arith.andi %isnan, %isnum : i1\n"
                                     "          %before = arith.ori %less, %only : i1\n";
// In the generic form, which takes unsigned types: they become signless later.
static const char compare_ints[] =
    "          %before = \"arith.cmpi\"(%q, %p) <{predicate = $IC : i64}> : ($E, $E) -> i1\n";

// Of so many elements: the first k for which 2^k is not less.
static MlcValue *
number_of_passes(MlcGraphLower *l, const MlcTensorShape *shape)
{
    MlcBuilder *b = &l->b;
    int64_t n = shape->dims[1], passes = 0;
    if (n != MLC_DYNAMIC) {
        while (passes < 63 && INT64_C(1) << passes < n)
            passes++;
        return mlc_build_index(b, passes);
    }
    MlcType i64 = mlc_integer_type_get(b->ctx, 64, MLC_SIGNLESS);
    MlcValue *last = mlc_arith_subi(b, shape->values[1], mlc_build_index(b, 1));
    last = mlc_arith_maxsi(b, last, mlc_build_index(b, 0));
    MlcValue *zeros = mlc_math_ctlz(b, mlc_arith_index_cast(b, i64, last));
    MlcValue *count = mlc_arith_subi(b, mlc_build_int(b, i64, 64), zeros);
    return mlc_arith_index_cast(b, mlc_index_type_get(b->ctx), count);
}

MlcValue *
mlc_graph_lower_argsort(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcType element = mlc_type_element(mlc_value_type(operand(l, 0)));
    bool descending = bool_attr(l, "descending"), is_float = mlc_type_is_float(element);
    bool is_unsigned = !is_float && (mlc_type_is_integer(element, 1) ||
                                     mlc_integer_type_signedness(element) == MLC_UNSIGNED);
    MlcBuf sizes[3] = {{0}}, compare = {0};
    mlc_graph_lower_shape(l, &shape);
    MlcValue *none = mlc_build_empty_shape(&l->b, &shape, l->element);
    if (shape.dims[0] == 0 || shape.dims[1] == 0)
        return none;
    MlcValue *args[] = {operand(l, 0), none, size_value(l, &shape, 0), size_value(l, &shape, 1),
                        number_of_passes(l, &shape)};
    MlcArithCmpiPredicate integer =
        descending    ? (is_unsigned ? MLC_ARITH_CMPI_PREDICATE_UGT : MLC_ARITH_CMPI_PREDICATE_SGT)
        : is_unsigned ? MLC_ARITH_CMPI_PREDICATE_ULT
                      : MLC_ARITH_CMPI_PREDICATE_SLT;
    MlcTextWord words[] = {
        {"E", mlc_str(mlc_type_text(element))},
        {"R", word(&sizes[0], shape.dims[0])},
        {"N", word(&sizes[1], shape.dims[1])},
        {"S", mlc_str(shape.dims[1] == MLC_DYNAMIC ? "%n" : "")},
        {"FC", mlc_str(descending ? "ogt" : "olt")},
        {"IC", word(&sizes[2], (int64_t)integer)},
        {"NAN", mlc_str(descending ? "%q" : "%p")},
        {"NUM", mlc_str(descending ? "%p" : "%q")},
        {"COMPARE", {0}},
    };
    size_t count = sizeof words / sizeof *words;
    replace_words(&compare, is_float ? compare_floats : compare_ints, words, count - 1);
    words[count - 1].text = mlc_buf_str(&compare);
    MlcValue *result = mlc_graph_lower_text(l, sort_text, words, count, args);
    for (size_t i = 0; i < 3; i++)
        mlc_buf_release(&sizes[i]);
    mlc_buf_release(&compare);
    return result;
}

// ---- what is true, and sums

// Where an element is not true its -1 is written over by the next one that is.
static const char places_text[] =
    "func.func private @lowered(%x: tensor<$Nxi1>, %unset: tensor<$Nxi64>, %n: index)"
    " -> tensor<$Nxi64> {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %none = arith.constant -1 : i64\n"
    "  %r:2 = scf.for %i = %zero to %n step %one iter_args(%count = %zero, %t = %unset)"
    " -> (index, tensor<$Nxi64>) {\n"
    "    %is = tensor.extract %x[%i] : tensor<$Nxi1>\n"
    "    %place = arith.index_cast %i : index to i64\n"
    "    %v = arith.select %is, %place, %none : i64\n"
    "    %u = tensor.insert %v into %t[%count] : tensor<$Nxi64>\n"
    "    %more = arith.addi %count, %one : index\n"
    "    %next = arith.select %is, %more, %count : index\n"
    "    scf.yield %next, %u : index, tensor<$Nxi64>\n"
    "  }\n"
    "  return %r#1 : tensor<$Nxi64>\n"
    "}\n";

MlcValue *
mlc_graph_lower_true_places(MlcGraphLower *l)
{
    MlcBuf size = {0};
    MlcTensorShape shape;
    mlc_graph_lower_shape(l, &shape);
    MlcValue *args[] = {operand(l, 0), mlc_build_filled(&l->b, &shape, l->element, -1),
                        size_value(l, &shape, 0)};
    MlcTextWord words[] = {{"N", word(&size, shape.dims[0])}};
    MlcValue *result =
        shape.dims[0] ? mlc_graph_lower_text(l, places_text, words, 1, args) : args[1];
    mlc_buf_release(&size);
    return result;
}

static const char sum_text[] =
    "func.func private @lowered(%x: tensor<$Rx$Nx$E>, %none: tensor<$Rx$Nx$E>, %rows: index,"
    " %n: index) -> tensor<$Rx$Nx$E> {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %nothing = \"arith.constant\"() <{value = $Z : $E}> : () -> $E\n"
    "  %r = scf.for %row = %zero to %rows step %one iter_args(%all = %none)"
    " -> (tensor<$Rx$Nx$E>) {\n"
    "    %s:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %nothing, %t = %all)"
    " -> ($E, tensor<$Rx$Nx$E>) {\n"
    "      %v = tensor.extract %x[%row, %i] : tensor<$Rx$Nx$E>\n"
    "      %next = \"arith.$ADD\"(%sum, %v) : ($E, $E) -> $E\n"
    "      %u = tensor.insert %next into %t[%row, %i] : tensor<$Rx$Nx$E>\n"
    "      scf.yield %next, %u : $E, tensor<$Rx$Nx$E>\n"
    "    }\n"
    "    scf.yield %s#1 : tensor<$Rx$Nx$E>\n"
    "  }\n"
    "  return %r : tensor<$Rx$Nx$E>\n"
    "}\n";

MlcValue *
mlc_graph_lower_running_sum(MlcGraphLower *l)
{
    MlcTensorShape shape;
    MlcBuf sizes[2] = {{0}};
    bool is_float = mlc_type_is_float(l->element), is_truth = mlc_type_is_integer(l->element, 1);
    mlc_graph_lower_shape(l, &shape);
    MlcValue *args[] = {operand(l, 0), mlc_build_empty_shape(&l->b, &shape, l->element),
                        size_value(l, &shape, 0), size_value(l, &shape, 1)};
    MlcTextWord words[] = {
        {"E", mlc_str(mlc_type_text(l->element))},
        {"R", word(&sizes[0], shape.dims[0])},
        {"N", word(&sizes[1], shape.dims[1])},
        {"Z", mlc_str(is_float ? "-0.0" : "0")},
        {"ADD", mlc_str(is_float   ? "addf"
                        : is_truth ? "ori"
                                   : "addi")},
    };
    MlcValue *result = mlc_graph_lower_text(l, sum_text, words, 5, args);
    mlc_buf_release(&sizes[0]);
    mlc_buf_release(&sizes[1]);
    return result;
}

// ---- strings

// One element after the other asks the runtime (text-to-runtime).
static const char ask_text[] =
    "func.func private @" MLC_RT_TEXT_FUNCTION "(i64, i64, i64, i64, i64) -> i64\n"
    "func.func private @lowered(%a: tensor<$Nxi64>, %b: tensor<$Nxi64>, %c: tensor<$Nxi64>,"
    " %d: tensor<$Nxi64>, %none: tensor<$Nx$E>, %n: index) -> tensor<$Nx$E> {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %one = arith.constant 1 : index\n"
    "  %what = arith.constant $W : i64\n"
    "  %r = scf.for %i = %zero to %n step %one iter_args(%t = %none) -> (tensor<$Nx$E>) {\n"
    "    %x = tensor.extract %a[%i] : tensor<$Nxi64>\n"
    "    %y = tensor.extract %b[%i] : tensor<$Nxi64>\n"
    "    %z = tensor.extract %c[%i] : tensor<$Nxi64>\n"
    "    %w = tensor.extract %d[%i] : tensor<$Nxi64>\n"
    "    %v = func.call @" MLC_RT_TEXT_FUNCTION "(%what, %x, %y, %z, %w)"
    " : (i64, i64, i64, i64, i64) -> i64\n"
    "    %u = \"tensor.insert\"(%v, %t, %i) : (i64, tensor<$Nx$E>, index) -> tensor<$Nx$E>\n"
    "    scf.yield %u : tensor<$Nx$E>\n"
    "  }\n"
    "  return %r : tensor<$Nx$E>\n"
    "}\n";

// What the runtime calls it; -1: it does not.
static int64_t
number_of_text(MlcStr what)
{
#define TEXT_NAME(name) #name,
    static const char *const names[] = {MLC_RT_TEXTS(TEXT_NAME)};
    for (size_t i = 0; i < MLC_RT_NUM_TEXTS; i++)
        if (mlc_str_equal(what, mlc_str(names[i])))
            return (int64_t)i;
    return -1;
}

MlcValue *
mlc_graph_lower_runtime_text(MlcGraphLower *l)
{
    MlcBuf sizes[2] = {{0}};
    MlcTensorShape shape;
    MlcValue *args[6];
    for (size_t i = 0; i < 4; i++)
        args[i] = operand(l, i < num_operands(l) ? i : 0); // what is left out is not looked at
    MlcStr what = mlc_string_attr_value(mlc_op_attr(l->op, "what"));
    int64_t number = number_of_text(what);
    if (number < 0)
        return mlc_op_unsupported(l->op, "the runtime knows no '%.*s' of strings",
                                  MLC_STR_FMT(what)),
               NULL;
    mlc_graph_lower_shape(l, &shape);
    args[4] = mlc_build_empty_shape(&l->b, &shape, l->element);
    args[5] = size_value(l, &shape, 0);
    MlcTextWord words[] = {{"N", word(&sizes[0], shape.dims[0])},
                           {"W", word(&sizes[1], number)},
                           {"E", mlc_str(mlc_type_text(l->element))}};
    MlcValue *result = mlc_graph_lower_text(l, ask_text, words, 3, args);
    mlc_buf_release(&sizes[0]);
    mlc_buf_release(&sizes[1]);
    return result;
}
