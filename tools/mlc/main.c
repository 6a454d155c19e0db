// main.c -- mlc VERB ...: compiles models and runs them.
#include "mlc.h"

#include "tool.h"

#include <stdio.h>

typedef struct Verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} Verb;

static const Verb verbs[] = {
    {"compile", mlc_verb_compile, "an ONNX model to an artefact that the runtime loads"},
    {"run", mlc_verb_run, "a model or an artefact on inputs from files"},
    {"bench", mlc_verb_bench, "times runs of a model or an artefact"},
    {"inspect", mlc_verb_inspect, "a model's levels, an artefact's kernels and memory"},
    {"split", mlc_verb_split, "a model into a folder per kernel, each to be run and timed alone"},
    {"ops", mlc_verb_ops, "the operators of ONNX, and which of them are compiled"},
    {"new", mlc_verb_new, "a project with a dialect of its own, to build a compiler on mlc"},
};

static void
print_help(FILE *out)
{
    fprintf(
        out,
        "usage: mlc VERB MODEL [options]\n\nCompiles neural networks and runs them. Verbs:\n\n");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out,
            "\nmlc VERB --help lists the options, mlc --version tells the version. Exit codes: 0 "
            "done, 1 a wrong\nfile, flag or model, 3 the model uses something that mlc lacks (all "
            "such nodes are listed).\n");
}

static int
run_verb(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return EXIT_OK;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-version") == 0) {
        tool_print_version(NULL);
        return EXIT_OK;
    }
    MlcStr names[sizeof verbs / sizeof *verbs];
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(name, verbs[i].name) == 0)
            return verbs[i].run(argc - 1, argv + 1);
        names[i] = mlc_str(verbs[i].name);
    }
    if (argc < 2) {
        print_help(stderr);
        return EXIT_WRONG;
    }
    MlcStr closest = mlc_closest_name(mlc_str(name), names, sizeof names / sizeof *names);
    fprintf(stderr, "mlc: unknown verb '%s'", name);
    fprintf(stderr, closest.size ? ", did you mean '%.*s'?\n" : "; mlc --help lists them\n",
            MLC_STR_FMT(closest));
    return EXIT_WRONG;
}

int
main(int argc, char **argv)
{
    tool_begin("mlc");
    return tool_end(run_verb(argc, argv));
}
