// main.c -- the command line, and the session that reads line by line.
#include "calc.h"

#include "mlc/ir/diag.h"
#include "mlc/support/cli.h"
#include "mlc/support/file.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Calc {
    MlcContext *ctx;
    MlcArena arena;
    CalcProgram program;
} Calc;

static bool
run(Calc *calc)
{
    for (size_t i = 0; i < calc->program.size; i++) {
        const CalcStatement *s = calc->program.data[i];
        if (s->kind == CALC_INPUT)
            return mlc_error(calc->ctx, s->loc,
                             "'%.*s' has no value here: write a file by -o, and "
                             "run that by mlc run --input",
                             MLC_STR_FMT(s->name));
    }
    MlcOp *module = calc_build(calc->ctx, &calc->program);
    bool ok = module && calc_run(module);
    if (module)
        mlc_op_destroy(module);
    return ok;
}

// --- a session: what is shown is forgotten, the rest is kept unless it is wrong

static bool
has_values(const CalcProgram *program, size_t first)
{
    bool found = false;
    for (size_t i = first; i < program->size; i++)
        found = found || program->data[i]->kind != CALC_FUNCTION;
    return found;
}

static void
run_line(Calc *calc, MlcStr line, unsigned number)
{
    CalcProgram *program = &calc->program;
    size_t before = program->size, kept = before;
    MlcStr name = mlc_arena_printf(&calc->arena, "line %u", number);
    char *text = mlc_arena_alloc_zeroed(&calc->arena, line.size + 2, 1); // and two NUL bytes
    memcpy(text, line.data, line.size);
    bool ok = calc_parse(calc->ctx, &calc->arena, name, mlc_str_n(text, line.size), program) &&
              (!has_values(program, before) || run(calc));
    for (size_t i = before; ok && i < program->size; i++)
        if (program->data[i]->kind != CALC_SHOW)
            program->data[kept++] = program->data[i];
    program->size = kept;
    mlc_diag_flush(calc->ctx);
}

static void
run_session(Calc *calc)
{
    char *line = NULL;
    size_t capacity = 0;
    unsigned number = 1;
    bool is_asked = isatty(STDIN_FILENO);
    for (;; number++) {
        if (is_asked)
            printf("%u> ", number), fflush(stdout);
        ssize_t size = getline(&line, &capacity, stdin);
        if (size < 0)
            break;
        run_line(calc, mlc_str_n(line, (size_t)size), number);
        fflush(stdout);
    }
    free(line);
}

// --- a file

typedef struct Flags {
    MlcStr out, print;
    bool help;
} Flags;

static bool
run_file(Calc *calc, const char *path, const Flags *flags)
{
    MlcFile file;
    MlcBuf error = {0};
    if (!mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error)) {
        fprintf(stderr, "calc: %s\n", mlc_buf_c_str(&error));
        mlc_buf_release(&error);
        return false;
    }
    bool ok = calc_parse(calc->ctx, &calc->arena, mlc_str(path), mlc_str_n(file.data, file.size),
                         &calc->program);
    if (ok && !flags->out.data && !flags->print.data) {
        ok = run(calc);
    } else if (ok) {
        MlcOp *module = calc_build(calc->ctx, &calc->program);
        ok = module && (flags->out.data ? calc_write(module, flags->out.data)
                                        : calc_print(module, flags->print.data));
        if (module)
            mlc_op_destroy(module);
    }
    mlc_context_remove_source(calc->ctx, mlc_str_n(file.data, file.size));
    mlc_file_release(&file);
    return ok;
}

static bool
run_command(Calc *calc, int argc, char **argv)
{
    Flags flags = {0};
    const MlcCliOption options[] = {
        {"o", MLC_CLI_STRING, &flags.out, "file", "compile to a file, for mlc run", NULL},
        {"print", MLC_CLI_STRING, &flags.print, "pipeline", "print the IR after these passes",
         NULL},
        {"help", MLC_CLI_FLAG, &flags.help, NULL, "this list", NULL},
    };
    const size_t num_options = sizeof options / sizeof *options;
    MlcStrVec files = {0};
    MlcBuf text = {0};
    bool ok = mlc_cli_parse(options, num_options, argc, argv, &files, &text) && files.size <= 1;
    bool has_text = !ok || flags.help;
    if (has_text) {
        mlc_cli_help(&text, "calc [FILE] [options]",
                     "Runs a program of calc, or what is typed, line by line.", options,
                     num_options);
        fprintf(ok ? stdout : stderr, "%s", mlc_buf_c_str(&text));
    } else if (files.size == 0) {
        run_session(calc);
    } else {
        ok = run_file(calc, files.data[0].data, &flags);
    }
    mlc_vec_release(&files);
    mlc_buf_release(&text);
    return ok;
}

// Remarks say why loops are not parallel and such: they are for who works on the compiler.
static void
report(const MlcDiag *diag, void *ctx)
{
    if (diag->severity != MLC_REMARK)
        mlc_diag_print(ctx, diag, stderr);
}

int
main(int argc, char **argv)
{
    Calc calc = {.ctx = mlc_context_create()};
    mlc_arena_init(&calc.arena);
    mlc_context_set_diag_handler(calc.ctx, report, calc.ctx);
    bool ok = calc_register(calc.ctx) && run_command(&calc, argc, argv);
    mlc_diag_flush(calc.ctx);
    mlc_context_destroy(calc.ctx);
    mlc_vec_release(&calc.program);
    mlc_arena_release(&calc.arena);
    return ok ? 0 : 1;
}
