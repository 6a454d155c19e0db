// instructions.c -- the table of instructions from lib/dialects/nvvm/instructions.yaml.
#include "gen.h"

#include "mlc/support/yaml.h"

#include <stdio.h>

static const char *const keys[] = {"op",       "intrinsic", "overloads", "args", "assembly",
                                   "operands", "code",      "sm",        "ptx"};

static bool
check(const MlcYaml *row, const char *path)
{
    for (size_t i = 0; i < row->num_items; i++) {
        size_t k = 0, n = sizeof keys / sizeof *keys;
        while (k < n && !mlc_str_equal(mlc_yaml_as_str(row->keys[i], ""), mlc_str(keys[k])))
            k++;
        if (k == n) {
            fprintf(stderr, "%s:%u:%u: error: an instruction has no '%s'\n", path, row->line,
                    row->column, mlc_yaml_as_str(row->keys[i], "").data);
            return false;
        }
    }
    bool is_said = mlc_yaml_get(row, "intrinsic") || mlc_yaml_get(row, "assembly") ||
                   mlc_yaml_get(row, "code");
    if (!mlc_yaml_get(row, "op") || !mlc_yaml_get(row, "sm") || !mlc_yaml_get(row, "ptx") ||
        !is_said) {
        fprintf(stderr,
                "%s:%u:%u: error: an instruction has an op, sm, ptx, and an intrinsic, assembly or "
                "code\n",
                path, row->line, row->column);
        return false;
    }
    return true;
}

static void
print_row(MlcBuf *out, const MlcYaml *row)
{
    static const char *const texts[] = {"op",       "intrinsic", "overloads", "args",
                                        "assembly", "code",      "sm"};
    mlc_buf_append_c(out, "    {");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const MlcYaml *text = mlc_yaml_get(row, texts[i]);
        if (!text)
            continue;
        mlc_buf_printf(out, ".%s = ", texts[i]);
        gen_string(out, mlc_yaml_as_str(text, "").data);
        mlc_buf_append_c(out, ", ");
    }
    mlc_buf_printf(out, ".num_operands = %lld, .ptx = %lld},\n",
                   (long long)mlc_yaml_as_int(mlc_yaml_get(row, "operands"), -1),
                   (long long)mlc_yaml_as_int(mlc_yaml_get(row, "ptx"), 0));
}

bool
gen_instructions(Gen *gen, const char *path, MlcBuf *out)
{
    const MlcYaml *list = gen_read_list(gen, path, "instructions");
    bool ok = list != NULL;
    mlc_buf_append_c(out, "// Written by mlc-gen from lib/dialects/nvvm/instructions.yaml.\n"
                          "#include \"nvvm/nvvm_impl.h\"\n\n"
                          "const MlcNvvmInstruction mlc_nvvm_instructions[] = {\n");
    for (size_t i = 0; ok && i < list->num_items; i++) {
        ok = check(list->items[i], path);
        if (ok)
            print_row(out, list->items[i]);
    }
    mlc_buf_append_c(out, "};\nconst size_t mlc_nvvm_num_instructions =\n"
                          "    sizeof mlc_nvvm_instructions / sizeof *mlc_nvvm_instructions;\n");
    return ok;
}
