// build.c -- from the tree to the dialect calc.
//
// A function is built into each call, so it takes arrays of any size; sizes are known everywhere,
// and what does not fit is an error at the operator. Names are looked up in the call that is being
// built, then among those that the program defines.
#include "calc.h"

#include "mlc/dialects/arith.h"
#include "mlc/dialects/builtin.h"
#include "mlc/dialects/calc.h"
#include "mlc/dialects/func.h"
#include "mlc/dialects/linalg_body.h"
#include "mlc/dialects/tensor.h"
#include "mlc/ir/verify.h"

enum { MAX_TIMES = 1000000000 }; // of a repeat
enum { MAX_DEPTH = 100 };        // of calls in calls: a function that calls itself never ends

typedef struct Variable {
    MlcStr name;
    MlcValue *value;
} Variable;
typedef MLC_VEC(Variable) VariableVec;

typedef struct Build {
    MlcContext *ctx;
    MlcBuilder b;
    const CalcProgram *program;
    VariableVec globals, locals;
    size_t first_local; // of the call that is being built
    size_t depth;
} Build;

static MlcValue *build(Build *build, const CalcExpr *e);

static void *
fail(Build *p, const CalcExpr *e, const char *message)
{
    mlc_error(p->ctx, e->loc, "%s", message);
    return NULL;
}

static bool
is_whole(double number, int64_t least, int64_t most)
{
    return number >= (double)least && number <= (double)most && number == (double)(int64_t)number;
}

// --- types

static MlcType
array_type(Build *p, int64_t rows, int64_t columns)
{
    MlcType f32 = mlc_float_type_get(p->ctx, MLC_FLOAT_F32);
    return mlc_tensor_type_get(f32, (int64_t[]){rows, columns}, rows ? 2 : 0, NULL);
}

static bool
is_scalar(const MlcValue *value)
{
    return mlc_type_rank(mlc_value_type(value)) == 0;
}

static int64_t
dim(const MlcValue *value, size_t i)
{
    return mlc_type_dim(mlc_value_type(value), i);
}

// "2 x 3", of an array of the last few calls' memory.
static const char *
size_text(const MlcValue *value)
{
    static char texts[4][48];
    static unsigned next;
    char *text = texts[next++ % 4];
    if (is_scalar(value))
        return "a scalar";
    snprintf(text, sizeof *texts, "%lld x %lld", (long long)dim(value, 0),
             (long long)dim(value, 1));
    return text;
}

static MlcValue *
constant(Build *p, MlcType type, double number)
{
    MlcAttr element = mlc_float_attr_get(mlc_type_element(type), number);
    return mlc_arith_constant(&p->b, mlc_dense_attr_splat(type, element));
}

// --- operators and functions

typedef MlcValue *(*BuildUnary)(MlcBuilder *b, MlcValue *input);
typedef MlcValue *(*BuildBinary)(MlcBuilder *b, MlcType type, MlcValue *lhs, MlcValue *rhs);

// The smaller operand is repeated: a scalar, a row or a column.
static MlcValue *
build_binary(Build *p, const CalcExpr *e, BuildBinary make, MlcValue *x, MlcValue *y)
{
    int64_t size[2] = {0, 0};
    for (size_t i = 0; i < 2 && !(is_scalar(x) && is_scalar(y)); i++) {
        int64_t a = is_scalar(x) ? 1 : dim(x, i), b = is_scalar(y) ? 1 : dim(y, i);
        if (a != b && a != 1 && b != 1)
            return mlc_error(p->ctx, e->loc, "'%.*s' of arrays that do not fit: %s and %s",
                             MLC_STR_FMT(e->name), size_text(x), size_text(y)),
                   NULL;
        size[i] = a > b ? a : b;
    }
    return make(&p->b, array_type(p, size[0], size[1]), x, y);
}

// The result of a structured op, which gets the region that its record describes.
static MlcValue *
with_body(MlcOp *op)
{
    mlc_structured_build_body(op);
    return mlc_op_result(op, 0);
}

static MlcValue *
build_product(Build *p, const CalcExpr *e, MlcValue *x, MlcValue *y)
{
    if (is_scalar(x) || is_scalar(y) || dim(x, 1) != dim(y, 0))
        return mlc_error(p->ctx, e->loc, "'@' of arrays that do not fit: %s and %s", size_text(x),
                         size_text(y)),
               NULL;
    MlcType type = array_type(p, dim(x, 0), dim(y, 1));
    MlcValue *init = constant(p, type, 0);
    return with_body(mlc_calc_product(&p->b, &type, 1, (MlcValue *[]){x, y}, 2, &init, 1));
}

static MlcValue *
build_transpose(Build *p, MlcValue *x)
{
    if (is_scalar(x))
        return x;
    MlcType type = array_type(p, dim(x, 1), dim(x, 0));
    MlcValue *init = mlc_tensor_empty(&p->b, type, NULL, 0);
    return with_body(mlc_calc_transpose(&p->b, &type, 1, &x, 1, &init, 1));
}

static MlcValue *
build_sum(Build *p, MlcValue *x)
{
    if (is_scalar(x))
        return x;
    MlcType type = array_type(p, 0, 0);
    MlcValue *init = constant(p, type, 0);
    return with_body(mlc_calc_sum(&p->b, &type, 1, &x, 1, &init, 1));
}

static const struct {
    const char *name;
    BuildUnary unary;
    BuildBinary binary;
} elementwise[] = {
    {"+", NULL, mlc_calc_add},     {"-", mlc_calc_neg, mlc_calc_sub}, {"*", NULL, mlc_calc_mul},
    {"/", NULL, mlc_calc_div},     {"max", NULL, mlc_calc_max},       {"exp", mlc_calc_exp, NULL},
    {"sqrt", mlc_calc_sqrt, NULL},
};

static bool
is_call(const CalcExpr *e, const char *name, size_t num_args)
{
    return e->num_args == num_args && mlc_str_equal(e->name, mlc_str(name));
}

static MlcValue *
build_builtin(Build *p, const CalcExpr *e, MlcValue *const *args)
{
    if (is_call(e, "@", 2))
        return build_product(p, e, args[0], args[1]);
    if (is_call(e, "t", 1))
        return build_transpose(p, args[0]);
    if (is_call(e, "sum", 1))
        return build_sum(p, args[0]);
    for (size_t i = 0; i < sizeof elementwise / sizeof *elementwise; i++) {
        if (elementwise[i].unary && is_call(e, elementwise[i].name, 1))
            return elementwise[i].unary(&p->b, args[0]);
        if (elementwise[i].binary && is_call(e, elementwise[i].name, 2))
            return build_binary(p, e, elementwise[i].binary, args[0], args[1]);
    }
    return mlc_error(p->ctx, e->loc, "there is no function '%.*s' of %zu argument%s",
                     MLC_STR_FMT(e->name), e->num_args, e->num_args == 1 ? "" : "s"),
           NULL;
}

// The last definition counts, so that a session may change its mind.
static const CalcStatement *
find_function(const Build *p, const CalcExpr *e)
{
    for (size_t i = p->program->size; i-- > 0;) {
        const CalcStatement *s = p->program->data[i];
        if (s->kind == CALC_FUNCTION && mlc_str_equal(s->name, e->name) &&
            s->num_params == e->num_args)
            return s;
    }
    return NULL;
}

static MlcValue *
build_body(Build *p, const CalcExpr *e, const CalcStatement *function, MlcValue *const *args)
{
    if (p->depth == MAX_DEPTH)
        return fail(p, e, "calls go too deep: does the function call itself?");
    size_t caller = p->first_local;
    p->first_local = p->locals.size;
    for (size_t i = 0; i < function->num_params; i++)
        mlc_vec_push(&p->locals, ((Variable){function->params[i], args[i]}));
    p->depth++;
    MlcValue *value = build(p, function->expr);
    p->depth--;
    p->locals.size = p->first_local;
    p->first_local = caller;
    return value;
}

static MlcValue *
build_call(Build *p, const CalcExpr *e)
{
    MlcValueVec args = {0};
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++) {
        mlc_vec_push(&args, build(p, e->args[i]));
        ok = ok && args.data[i];
    }
    const CalcStatement *function = find_function(p, e);
    p->b.loc = e->loc;
    MlcValue *value = !ok        ? NULL
                      : function ? build_body(p, e, function, args.data)
                                 : build_builtin(p, e, args.data);
    mlc_vec_release(&args);
    return value;
}

// The exponent is a part of the op.
static MlcValue *
build_power(Build *p, const CalcExpr *e)
{
    double exponent = e->args[1]->number;
    if (!is_whole(exponent, 1, 1000))
        return fail(p, e->args[1], "a power is a whole number from 1 to 1000");
    MlcValue *x = build(p, e->args[0]);
    p->b.loc = e->loc;
    return x ? mlc_calc_power(&p->b, x, (int64_t)exponent) : NULL;
}

// --- other expressions

static MlcValue *
find_variable(const VariableVec *list, size_t first, MlcStr name)
{
    for (size_t i = list->size; i-- > first;)
        if (mlc_str_equal(list->data[i].name, name))
            return list->data[i].value;
    return NULL;
}

static MlcValue *
build_name(Build *p, const CalcExpr *e)
{
    MlcValue *value = find_variable(&p->locals, p->first_local, e->name);
    if (!value)
        value = find_variable(&p->globals, 0, e->name);
    if (!value)
        mlc_error(p->ctx, e->loc, "nothing is called '%.*s'", MLC_STR_FMT(e->name));
    return value;
}

static MlcValue *
build_matrix(Build *p, const CalcExpr *e)
{
    size_t columns = e->args[0]->num_args;
    MLC_VEC(float) elements = {0};
    bool ok = true;
    for (size_t i = 0; i < e->num_args; i++) {
        const CalcExpr *row = e->args[i];
        if (row->num_args != columns)
            ok = mlc_error(p->ctx, row->loc, "a row of %zu numbers, but the first has %zu",
                           row->num_args, columns);
        for (size_t k = 0; k < row->num_args; k++)
            mlc_vec_push(&elements, (float)row->args[k]->number);
    }
    MlcValue *value = NULL;
    if (ok) {
        MlcType type = array_type(p, (int64_t)e->num_args, (int64_t)columns);
        p->b.loc = e->loc;
        value = mlc_arith_constant(
            &p->b, mlc_dense_attr_get(type, elements.data, elements.size * sizeof(float), false));
    }
    mlc_vec_release(&elements);
    return value;
}

static MlcValue *
build_repeat(Build *p, const CalcExpr *e)
{
    if (!is_whole(e->number, 0, MAX_TIMES))
        return fail(p, e, "what is repeated is so a whole number of times, up to 1000000000");
    MlcValue *init = build(p, e->args[0]);
    if (!init)
        return NULL;
    MlcType type = mlc_value_type(init);
    p->b.loc = e->loc;
    MlcOp *loop = mlc_calc_repeat(&p->b, &type, 1, &init, 1, (int64_t)e->number);
    MlcBlock *body = mlc_builder_create_block(&p->b, mlc_op_region(loop, 0), &type, 1);
    mlc_vec_push(&p->locals, ((Variable){e->name, mlc_block_arg(body, 0)}));
    MlcValue *next = build(p, e->args[1]);
    mlc_vec_pop(&p->locals);
    if (next && mlc_value_type(next) != type) {
        mlc_error(p->ctx, e->args[1]->loc, "'%.*s' begins as %s and becomes %s",
                  MLC_STR_FMT(e->name), size_text(init), size_text(next));
        next = NULL;
    }
    if (next)
        mlc_calc_yield(&p->b, &next, 1);
    mlc_builder_after(&p->b, loop);
    return next ? mlc_op_result(loop, 0) : NULL;
}

static MlcValue *
build(Build *p, const CalcExpr *e)
{
    p->b.loc = e->loc;
    switch (e->kind) {
    case CALC_NUMBER:
        return constant(p, array_type(p, 0, 0), e->number);
    case CALC_MATRIX:
        return build_matrix(p, e);
    case CALC_NAME:
        return build_name(p, e);
    case CALC_CALL:
        return is_call(e, "^", 2) ? build_power(p, e) : build_call(p, e);
    case CALC_REPEAT:
        return build_repeat(p, e);
    }
    return NULL;
}

// --- the module

// Inputs become arguments, which say their names: mlc and the runtime know them by these.
static void
build_inputs(Build *p, MlcOp *main, MlcBlock *entry)
{
    MLC_VEC(MlcAttr) names = {0};
    for (size_t i = 0; i < p->program->size; i++) {
        const CalcStatement *s = p->program->data[i];
        if (s->kind != CALC_INPUT)
            continue;
        MlcType type = array_type(p, s->shape[0], s->shape[1]);
        mlc_vec_push(&p->globals, ((Variable){s->name, mlc_block_add_arg(entry, type, s->loc)}));
        MlcAttr name = mlc_string_attr_get(p->ctx, s->name);
        mlc_vec_push(&names, mlc_dict_attr_with(p->ctx, NULL, mlc_str("mlc.name"), name));
    }
    mlc_op_set_attr(main, "arg_attrs", mlc_array_attr_get(p->ctx, names.data, names.size));
    mlc_vec_release(&names);
}

// What is shown, appended to `shown`.
static bool
build_statements(Build *p, MlcValueVec *shown)
{
    bool ok = true;
    for (size_t i = 0; i < p->program->size; i++) {
        const CalcStatement *s = p->program->data[i];
        if (s->kind != CALC_LET && s->kind != CALC_SHOW)
            continue;
        MlcValue *value = build(p, s->expr);
        ok = ok && value;
        if (value && s->kind == CALC_LET)
            mlc_vec_push(&p->globals, ((Variable){s->name, value}));
        else if (value)
            mlc_vec_push(shown, value);
    }
    return ok;
}

static void
set_signature(MlcOp *function, MlcBlock *entry, const MlcValueVec *results)
{
    MlcTypeVec in = {0}, out = {0};
    for (size_t i = 0; i < mlc_block_num_args(entry); i++)
        mlc_vec_push(&in, mlc_value_type(mlc_block_arg(entry, i)));
    for (size_t i = 0; i < results->size; i++)
        mlc_vec_push(&out, mlc_value_type(results->data[i]));
    MlcType type =
        mlc_function_type_get(mlc_op_context(function), in.data, in.size, out.data, out.size);
    mlc_op_set_attr(function, "function_type", mlc_type_attr_get(type));
    mlc_vec_release(&in);
    mlc_vec_release(&out);
}

MlcOp *
calc_build(MlcContext *ctx, const CalcProgram *program)
{
    Build p = {.ctx = ctx, .program = program};
    MlcValueVec shown = {0};
    mlc_builder_init(&p.b, ctx);
    MlcOp *module = mlc_builtin_module(&p.b);
    mlc_builder_create_block(&p.b, mlc_op_region(module, 0), NULL, 0);
    MlcOp *main =
        mlc_func_func(&p.b, mlc_str("main"), mlc_function_type_get(ctx, NULL, 0, NULL, 0));
    MlcBlock *entry = mlc_builder_create_block(&p.b, mlc_op_region(main, 0), NULL, 0);
    build_inputs(&p, main, entry);
    bool ok = build_statements(&p, &shown);
    mlc_func_return(&p.b, shown.data, shown.size);
    set_signature(main, entry, &shown);
    ok = ok && mlc_verify(module);
    mlc_vec_release(&shown);
    mlc_vec_release(&p.globals);
    mlc_vec_release(&p.locals);
    if (!ok)
        mlc_op_destroy(module);
    return ok ? module : NULL;
}
