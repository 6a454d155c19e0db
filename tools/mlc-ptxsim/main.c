// main.c -- mlc-ptxsim: runs a kernel of PTX text on this machine.
//
//   mlc-ptxsim k.ptx --entry=f --grid=8 --block=128,1,1 --arg=x.npy --arg=out:4096:y.npy --arg=7
//
// Arguments are given in the order of the kernel's parameters: a number, or a buffer, whose address
// the kernel gets. Exit code: 0; 1 after messages.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tool.h"

#include "args.h"

#include "mlc/ptxsim.h"
#include "mlc/support/cli.h"
#include "mlc/support/file.h"

typedef struct Options {
    bool help, version, counters, no_races, no_proxies, strict_proxies, list;
    MlcStr entry, grid, block, cluster;
    int64_t shared_bytes, seed, max_steps, threads;
    MlcStrVec args;
} Options;

static void
print_message(void *user, const MlcPtxMessage *m)
{
    (void)user;
    fprintf(stderr, "%s:", m->file);
    if (m->line)
        fprintf(stderr, "%u:%u:", m->line, m->column);
    fprintf(stderr, " %s: %s\n", m->is_note ? "note" : "error", m->text);
}

// "x", "x,y" or "x,y,z"; what is not said is 1.
static bool
read_dims(const char *option, MlcStr text, uint32_t dims[3])
{
    const char *at = text.data;
    dims[0] = dims[1] = dims[2] = 1;
    for (unsigned i = 0; at && i < 3; i++) {
        char *end;
        unsigned long value = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
        if (!isdigit((unsigned char)*at) || value > UINT32_MAX || (*end && *end != ','))
            break;
        dims[i] = (uint32_t)value;
        if (!*end)
            return true;
        at = end + 1;
    }
    return !at || tool_error("--%s=%.*s: expected 1 to 3 numbers with commas between them", option,
                             MLC_STR_FMT(text));
}

static void
print_counters(const MlcPtxCounters *c)
{
    const struct {
        const char *name;
        uint64_t count;
    } rows[] = {
        {"instructions", c->instructions},
        {"lane instructions", c->lane_instructions},
        {"float operations", c->float_ops},
        {"matrix multiply-adds", c->matrix_macs},
        {"branches", c->branches},
        {"divergent branches", c->divergent_branches},
        {"barriers", c->barriers},
        {"global accesses", c->global_accesses},
        {"global sectors", c->global_sectors},
        {"global sectors at best", c->global_sectors_best},
        {"shared accesses", c->shared_accesses},
        {"shared wavefronts", c->shared_wavefronts},
        {"bank conflicts", c->bank_conflicts},
        {"asynchronous copies", c->async_copies},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%-24s %" PRIu64 "\n", rows[i].name, rows[i].count);
}

static void
print_entries(MlcPtxModule *module)
{
    for (size_t i = 0; i < mlc_ptx_num_entries(module); i++) {
        MlcPtxEntry *entry = mlc_ptx_entry(module, i);
        printf("%s", mlc_ptx_entry_name(entry).data);
        for (size_t k = 0; k < mlc_ptx_num_params(entry); k++)
            printf(" %u", mlc_ptx_param_bytes(entry, k));
        printf("\n");
    }
}

static bool
launch(const Options *o, MlcPtxDevice *device, MlcPtxModule *module, const char *path)
{
    MlcPtxLaunch l = {.entry = mlc_ptx_find_entry(module, o->entry),
                      .shared_bytes = (uint32_t)o->shared_bytes,
                      .seed = (uint64_t)o->seed,
                      .max_steps = (uint64_t)o->max_steps,
                      .num_threads = (unsigned)o->threads,
                      .no_races = o->no_races,
                      .no_proxies = o->no_proxies,
                      .strict_proxies = o->strict_proxies};
    MlcPtxCounters counters = {0};
    if (!l.entry)
        return tool_error("'%s' has no kernel '%.*s'", path, MLC_STR_FMT(o->entry));
    if (!read_dims("grid", o->grid, l.grid) || !read_dims("block", o->block, l.block) ||
        !read_dims("cluster", o->cluster, l.cluster))
        return false;
    if (l.shared_bytes != o->shared_bytes || o->seed < 0 || o->max_steps < 0 || o->threads < 0)
        return tool_error("numbers of options are not negative, and fit");
    Args args = {.device = device};
    bool ok = args_read(&args, l.entry, &o->args);
    if (ok) {
        l.args = args.values;
        l.num_args = args.num;
        ok = mlc_ptx_launch(device, &l, &counters) && args_write(&args);
    }
    if (ok && o->counters)
        print_counters(&counters);
    args_release(&args);
    return ok;
}

static bool
run(const Options *o, const char *path)
{
    MlcFile file;
    MlcBuf error = {0};
    bool ok = mlc_file_open(&file, path, MLC_FILE_READ_ONLY, &error);
    if (ok) {
        MlcPtxDevice *device = mlc_ptx_device_create(print_message, NULL);
        MlcPtxModule *module = mlc_ptx_load(device, mlc_str_n(file.data, file.size), mlc_str(path));
        ok = module != NULL;
        if (ok && o->list)
            print_entries(module);
        else if (ok)
            ok = launch(o, device, module, path);
        mlc_ptx_device_destroy(device);
        mlc_file_release(&file);
    } else {
        tool_error("%s", mlc_buf_c_str(&error));
    }
    mlc_buf_release(&error);
    return ok;
}

static void
show_help(const MlcCliOption *table, size_t num_options)
{
    MlcBuf text = {0};
    mlc_cli_help(&text, "mlc-ptxsim [options] file.ptx",
                 "Runs a kernel of PTX text on this machine, and tells races, reads of what was "
                 "never written, accesses out of bounds and waits without an end.",
                 table, num_options);
    fputs(mlc_buf_c_str(&text), stdout);
    mlc_buf_release(&text);
}

int
main(int argc, char **argv)
{
    Options o = {.threads = 1};
    const MlcCliOption table[] = {
        {"help", MLC_CLI_FLAG, &o.help, NULL, "this list", NULL},
        {"version", MLC_CLI_FLAG, &o.version, NULL, "print the version", NULL},
        {"entry", MLC_CLI_STRING, &o.entry, "name", "the kernel", NULL},
        {"list", MLC_CLI_FLAG, &o.list, NULL,
         "print the kernels and the bytes of each parameter, and run none", NULL},
        {"grid", MLC_CLI_STRING, &o.grid, "x,y,z", "blocks", NULL},
        {"block", MLC_CLI_STRING, &o.block, "x,y,z", "threads of a block", NULL},
        {"cluster", MLC_CLI_STRING, &o.cluster, "x,y,z", "blocks of a cluster", NULL},
        {"shared", MLC_CLI_INT, &o.shared_bytes, "bytes", "of dynamic shared memory", NULL},
        {"arg", MLC_CLI_LIST, &o.args, "value",
         "the next parameter: a number (7, -1.5, 0x10); file.npy, a buffer with its values; "
         "file.npy:out.npy, which is written afterwards; out:bytes:out.npy, a buffer that nothing "
         "is in yet, written as bytes; bytes:file.npy, the values themselves",
         NULL},
        {"seed", MLC_CLI_INT, &o.seed, "n",
         "draw turns of warps and ends of asynchronous work from it; 0: in order, at once", NULL},
        {"max-steps", MLC_CLI_INT, &o.max_steps, "n", "instructions that a block may take", NULL},
        {"threads", MLC_CLI_INT, &o.threads, "n", "of this machine; 0: one a processor; default: 1",
         NULL},
        {"counters", MLC_CLI_FLAG, &o.counters, NULL, "print what was counted", NULL},
        {"no-races", MLC_CLI_FLAG, &o.no_races, NULL, "look for no data races", NULL},
        {"no-proxies", MLC_CLI_FLAG, &o.no_proxies, NULL,
         "miss no fence.proxy.async before what bulk copies and wgmma do", NULL},
        {"strict-proxies", MLC_CLI_FLAG, &o.strict_proxies, NULL,
         "also tell reads that no fence.proxy.async orders before an asynchronous write", NULL},
    };
    const size_t num_options = sizeof table / sizeof *table;
    MlcStrVec files = {0};
    MlcBuf error = {0};
    bool ok = true;
    tool_begin("mlc-ptxsim");
    if (!mlc_cli_parse(table, num_options, argc, argv, &files, &error))
        ok = tool_error("%s", mlc_buf_c_str(&error));
    else if (o.help)
        show_help(table, num_options);
    else if (o.version)
        tool_print_version(NULL);
    else if (files.size != 1)
        ok = tool_error("expected one file of PTX text");
    else
        ok = run(&o, files.data[0].data);
    mlc_buf_release(&error);
    mlc_vec_release(&files);
    mlc_vec_release(&o.args);
    return tool_end(ok ? 0 : 1);
}
