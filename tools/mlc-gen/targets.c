// targets.c -- the table of machine descriptions from lib/machine/targets.yaml.
#include "gen.h"

#include "mlc/machine.h"
#include "mlc/support/powers.h"
#include "mlc/support/yaml.h"

#include <stdio.h>

static const char *const keys[] = {
    "name",      "triple",          "cpu",   "features",        "vector_bits", "vector_registers",
    "fma",       "caches",          "masks", "memory_operands", "cores",       "sharing",
    "bandwidth", "f16_conversions", "gpu",   "dot_products",    "tiles"};

static bool
check_keys(const MlcYaml *node, const char *path)
{
    for (size_t i = 0; i < node->num_items; i++) {
        MlcStr key = mlc_yaml_as_str(node->keys[i], "");
        size_t k = 0, n = sizeof keys / sizeof *keys;
        while (k < n && !mlc_str_equal(key, mlc_str(keys[k])))
            k++;
        if (k == n) {
            fprintf(stderr, "%s:%u:%u: error: a target has no '%.*s'\n", path, node->line,
                    node->column, MLC_STR_FMT(key));
            return false;
        }
    }
    const MlcYaml *bits = mlc_yaml_get(node, "vector_bits");
    int64_t n = mlc_yaml_as_int(bits, 0);
    if (n < 8 || n > MLC_MAX_VECTOR_BITS || !mlc_is_power_of_two(n)) {
        node = bits ? bits : node;
        fprintf(stderr, "%s:%u:%u: error: vector_bits is a power of two from 8 to %d\n", path,
                node->line, node->column, MLC_MAX_VECTOR_BITS);
        return false;
    }
    return true;
}

static void
print_text(MlcBuf *out, const char *field, const MlcYaml *node, const char *otherwise)
{
    mlc_buf_printf(out, " .%s = ", field);
    gen_string(out, mlc_yaml_as_str(node, otherwise).data);
    mlc_buf_append_char(out, ',');
}

static void
print_number(MlcBuf *out, const char *field, const MlcYaml *node, int64_t otherwise)
{
    mlc_buf_printf(out, " .%s = %lld,", field, (long long)mlc_yaml_as_int(node, otherwise));
}

static bool
check_dot_products(const MlcYaml *node, const char *path)
{
    const MlcYaml *dot = mlc_yaml_get(node, "dot_products");
    MlcStr kind = mlc_yaml_as_str(dot, "signed_signed");
    if (mlc_str_equal(kind, mlc_str("signed_signed")) ||
        mlc_str_equal(kind, mlc_str("unsigned_signed")) || mlc_str_equal(kind, mlc_str("words")))
        return true;
    fprintf(stderr, "%s:%u:%u: error: dot_products are unsigned_signed, signed_signed or words\n",
            path, dot->line, dot->column);
    return false;
}

static const char *
dot_products_of(const MlcYaml *node)
{
    MlcStr kind = mlc_yaml_as_str(mlc_yaml_get(node, "dot_products"), "");
    return kind.size == 0                                  ? "MLC_DOT_NONE"
           : mlc_str_equal(kind, mlc_str("signed_signed")) ? "MLC_DOT_SIGNED_SIGNED"
           : mlc_str_equal(kind, mlc_str("words"))         ? "MLC_DOT_WORDS"
                                                           : "MLC_DOT_UNSIGNED_SIGNED";
}

static void
print_target(MlcBuf *out, const MlcYaml *t)
{
    const MlcYaml *fma = mlc_yaml_get(t, "fma"), *caches = mlc_yaml_get(t, "caches"),
                  *sharing = mlc_yaml_get(t, "sharing"), *bandwidth = mlc_yaml_get(t, "bandwidth"),
                  *gpu = mlc_yaml_get(t, "gpu"), *tiles = mlc_yaml_get(t, "tiles");
    mlc_buf_append_c(out, "    {");
    print_text(out, "name", mlc_yaml_get(t, "name"), "");
    print_text(out, "triple", mlc_yaml_get(t, "triple"), "");
    print_text(out, "cpu", mlc_yaml_get(t, "cpu"), "generic");
    print_text(out, "features", mlc_yaml_get(t, "features"), "");
    print_number(out, "vector_bits", mlc_yaml_get(t, "vector_bits"), 0);
    print_number(out, "vector_registers", mlc_yaml_get(t, "vector_registers"), 0);
    print_number(out, "fma_ports", mlc_yaml_get(fma, "ports"), 1);
    print_number(out, "fma_latency", mlc_yaml_get(fma, "latency"), 4);
    print_number(out, "has_masks", NULL, mlc_yaml_as_bool(mlc_yaml_get(t, "masks"), false));
    print_number(out, "has_memory_operands", NULL,
                 mlc_yaml_as_bool(mlc_yaml_get(t, "memory_operands"), false));
    print_number(out, "has_f16_conversions", NULL,
                 mlc_yaml_as_bool(mlc_yaml_get(t, "f16_conversions"), false));
    mlc_buf_printf(out, " .dot_products = %s,", dot_products_of(t));
    print_number(out, "l1d_bytes", mlc_yaml_get(caches, "l1d"), 0);
    print_number(out, "l1d_ways", mlc_yaml_get(caches, "l1d_ways"), 8);
    print_number(out, "line_bytes", mlc_yaml_get(caches, "line"), 64);
    print_number(out, "l2_bytes", mlc_yaml_get(caches, "l2"), 0);
    print_number(out, "l3_bytes", mlc_yaml_get(caches, "l3"), 0);
    print_number(out, "l2_bandwidth", mlc_yaml_get(bandwidth, "l2"), 0);
    print_number(out, "l3_bandwidth", mlc_yaml_get(bandwidth, "l3"), 0);
    print_number(out, "memory_bandwidth", mlc_yaml_get(bandwidth, "memory"), 0);
    print_number(out, "cores", mlc_yaml_get(t, "cores"), 1);
    print_number(out, "region_cycles", mlc_yaml_get(sharing, "region"), 0);
    print_number(out, "chunk_cycles", mlc_yaml_get(sharing, "chunk"), 0);
    print_number(out, "gpu_block_threads", mlc_yaml_get(gpu, "block_threads"), 0);
    print_number(out, "gpu_subgroup", mlc_yaml_get(gpu, "subgroup"), 0);
    print_number(out, "gpu_has_warpgroups", NULL,
                 mlc_yaml_as_bool(mlc_yaml_get(gpu, "warpgroups"), false));
    print_number(out, "tile_registers", mlc_yaml_get(tiles, "registers"), 0);
    print_number(out, "tile_rows", mlc_yaml_get(tiles, "rows"), 0);
    print_number(out, "tile_row_bytes", mlc_yaml_get(tiles, "row_bytes"), 0);
    mlc_buf_append_c(out, "},\n");
}

bool
gen_targets(Gen *gen, const char *path, MlcBuf *out)
{
    const MlcYaml *list = gen_read_list(gen, path, "targets");
    bool ok = list != NULL;
    mlc_buf_append_c(
        out, "// Written by mlc-gen from lib/machine/targets.yaml.\n#include \"target_table.h\"\n\n"
             "const MlcTargetDesc mlc_target_table[] = {\n");
    for (size_t i = 0; ok && i < list->num_items; i++) {
        ok = check_keys(list->items[i], path) && check_dot_products(list->items[i], path);
        if (ok)
            print_target(out, list->items[i]);
    }
    mlc_buf_printf(out, "};\nconst size_t mlc_target_table_size = sizeof mlc_target_table / sizeof "
                        "*mlc_target_table;\n");
    return ok;
}
