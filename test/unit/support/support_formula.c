// Formulas: what a maker is told, in which order, and what is no formula.
#include "mlc/support/formula.h"

#include "mlc/support/arena.h"
#include "mlc/support/buf.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// Values are texts: a value is what it is made of, in brackets.
typedef struct Texts {
    MlcFormula formula;
    MlcArena arena;
    const char *text, *fault;
} Texts;

static const char *
text_of(Texts *t, const MlcFormulaTerm *term)
{
    if (term->value)
        return term->value;
    return mlc_arena_printf(&t->arena, "%d/100", (int)(term->number * 100)).data;
}

static bool
give(MlcFormulaTerm *out, MlcStr text)
{
    out->value = (void *)(uintptr_t)text.data;
    return true;
}

static bool
find_name(MlcFormula *f, MlcStr name, MlcFormulaTerm *out)
{
    if (mlc_formula_find(f, name, out))
        return true;
    if (mlc_str_equal(name, mlc_str("nobody")))
        return f->maker->report(f, "nobody is known"), false;
    Texts *t = f->user;
    return give(out, mlc_arena_strdup(&t->arena, name));
}

static bool
call(MlcFormula *f, MlcStr name, const MlcFormulaTerm *args, size_t n, MlcFormulaTerm *out)
{
    Texts *t = f->user;
    const char *text = "";
    for (size_t i = 0; i < n; i++)
        text = mlc_arena_printf(&t->arena, "%s%s%s", text, i ? " " : "", text_of(t, &args[i])).data;
    return give(out, mlc_arena_printf(&t->arena, "%.*s[%s]", MLC_STR_FMT(name), text));
}

static bool
apply(MlcFormula *f, MlcFormulaOp op, const MlcFormulaTerm *operands, MlcFormulaTerm *out)
{
    static const char *const names[] = {
        "neg", "+", "-", "*", "/", "<=", ">=", "==", "!=", "<", ">"};
    return call(f, mlc_str(names[op]), operands, op == MLC_FORMULA_NEGATE ? 1 : 2, out);
}

static bool
quote(MlcFormula *f, MlcStr name, MlcFormulaTerm *out)
{
    Texts *t = f->user;
    return give(out, mlc_arena_printf(&t->arena, "'%.*s'", MLC_STR_FMT(name)));
}

static void
report(MlcFormula *f, const char *message)
{
    Texts *t = f->user;
    t->fault = mlc_arena_printf(&t->arena, "!%td %s", f->at - t->text, message).data;
}

static const MlcFormulaMaker maker = {.name = find_name,
                                      .call = call,
                                      .apply = apply,
                                      .report = report,
                                      .quoting = "index",
                                      .quote = quote};

// What the last statement becomes, or "!" and what is wrong where.
static const char *
read_text(Texts *t, const char *text)
{
    MlcFormulaTerm term = {0};
    MlcStr name;
    bool ok;
    *t = (Texts){.text = text, .formula = {.maker = &maker, .user = t, .at = text}};
    do {
        ok = mlc_formula_read(&t->formula, &name, &term) &&
             (name.size == 0 || mlc_formula_define(&t->formula, name, term));
    } while (ok && !mlc_formula_is_at_end(&t->formula));
    return ok ? text_of(t, &term) : t->fault;
}

static void
expect(const char *text, const char *becomes)
{
    Texts t;
    assert_string_equal(read_text(&t, text), becomes);
    mlc_arena_release(&t.arena);
}

static void
parts(void **state)
{
    (void)state;
    expect("a", "a");
    expect(" 2.5 ", "250/100");
    expect("25e-1", "250/100");
    expect("2.", "200/100");
    expect("a + b * c", "+[a *[b c]]");
    expect("a - b - c", "-[-[a b] c]");
    expect("(a - b) / -c", "/[-[a b] neg[c]]");
    expect("--a", "neg[neg[a]]");
    expect("a <= b + 1", "<=[a +[b 100/100]]");
    expect("select(a != b, f(), -1)", "select[!=[a b] f[] neg[100/100]]");
    expect("index(d0) >= 2", ">=['d0' 200/100]");
    expect("m = a * a; n = m; n + m", "+[*[a a] *[a a]]");
    expect("m = a;", "a");
    expect("m == a", "==[m a]");
}

static void
faults(void **state)
{
    (void)state;
    expect("", "!0 expected a number or a name");
    expect("a +", "!3 expected a number or a name");
    expect("(a", "!2 expected ')'");
    expect("f(a b)", "!4 expected ')'");
    expect("f(a, b, c, d, e)", "!12 expected ')'");
    expect("index(a b)", "!8 expected ')'");
    expect("a b", "!2 expected the end");
    expect("a < b < c", "!6 expected the end");
    expect("1 + nobody", "!10 nobody is known");
    expect(".5", "!0 expected a number or a name");
    expect("2e", "!1 expected the end");
}

// Deeper than a stack may be.
static void
depth(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    char *text = malloc(MANY + 1);
    Texts t;
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < MANY; i++)
            text[i] = kind == 2 ? "f("[i % 2] : "-("[kind];
        text[MANY] = '\0';
        assert_non_null(strstr(read_text(&t, text), "nested deeper than 64"));
        mlc_arena_release(&t.arena);
    }
    free(text);
}

static void
too_many_names(void **state)
{
    (void)state;
    MlcBuf text = {0};
    for (int i = 0; i < MLC_FORMULA_LOCALS; i++)
        mlc_buf_printf(&text, "n%d = %d; ", i, i);
    mlc_buf_append_c(&text, "n63");
    expect(mlc_buf_c_str(&text), "6300/100");
    mlc_buf_append_c(&text, "; x = 1; x");
    Texts t;
    assert_non_null(strstr(read_text(&t, mlc_buf_c_str(&text)), "too many names"));
    mlc_arena_release(&t.arena);
    mlc_buf_release(&text);
}

// A program that links libmlc may have said setlocale(LC_ALL, "").
static void
locales(void **state)
{
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        return;
    expect("0.5", "50/100");
    setlocale(LC_NUMERIC, "C");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),   cmocka_unit_test(faults),         cmocka_unit_test(depth),
        cmocka_unit_test(locales), cmocka_unit_test(too_many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
