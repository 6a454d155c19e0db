// snapshot_op_locations.c -- write the IR to a file, and let ops be located there.
//
// With a tag the new place joins the old location as a named one, else it replaces it. Ops that are
// not printed (terminators that the custom form leaves out) keep theirs.
#include "mlc/pass.h"

#include "mlc/ir.h"
#include "mlc/support/file.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Place {
    MlcOp *op;
    unsigned line, column;
} Place;

typedef struct Places {
    MLC_VEC(Place) list;
    size_t seen; // bytes of the text
    unsigned line;
} Places;

static void
note(void *user, MlcOp *op, const MlcBuf *out, size_t indent)
{
    Places *places = user;
    MlcStr text = mlc_buf_str(out);
    for (; places->seen < text.size; places->seen++)
        places->line += text.data[places->seen] == '\n';
    mlc_vec_push(&places->list, (Place){op, places->line, (unsigned)indent});
}

static void
relocate(const Places *places, MlcContext *ctx, MlcStr file, MlcStr tag)
{
    for (size_t i = 0; i < places->list.size; i++) {
        Place place = places->list.data[i];
        MlcLoc loc = mlc_loc_file(ctx, file, place.line, place.column);
        if (tag.size) {
            MlcLoc both[] = {mlc_op_loc(place.op), mlc_loc_name(ctx, tag, loc)};
            loc = mlc_loc_fused(ctx, both, 2, NULL);
        }
        mlc_op_set_loc(place.op, loc);
    }
}

// A new file of a name nobody has, where the user's temporary files go; empty if it cannot be made.
static MlcStr
temporary_file(MlcArena *arena)
{
    const char *folder = getenv("TMPDIR");
    MlcStr path = mlc_arena_printf(arena, "%s/mlir_snapshot-XXXXXX.mlir",
                                   folder && *folder ? folder : "/tmp");
    int fd = mkstemps((char *)path.data, 5);
    if (fd < 0)
        return (MlcStr){NULL, 0};
    close(fd);
    return path;
}

static bool
run(MlcPass *pass, MlcOp *root)
{
    MlcContext *ctx = mlc_pass_context(pass);
    MlcStr file = mlc_arena_strdup(mlc_pass_scratch(pass), mlc_pass_option_str(pass, "filename"));
    if (!file.size)
        file = temporary_file(mlc_pass_scratch(pass));
    if (!file.size)
        return mlc_error(ctx, mlc_op_loc(root),
                         "failed to generate temporary file for location snapshot");
    Places places = {.line = 1};
    MlcBuf text = {0}, error = {0};
    MlcPrintFlags flags = mlc_print_flags_default();
    flags.debug_info = flags.local_scope = true;
    flags.at_op = note;
    flags.at_op_user = &places;
    mlc_op_print(root, &flags, &text);
    MlcStr printed = mlc_buf_str(&text);
    bool ok = mlc_file_write_atomic(file.data, printed.data, printed.size, &error);
    if (ok)
        relocate(&places, ctx, file, mlc_pass_option_str(pass, "tag"));
    else
        mlc_error(ctx, mlc_op_loc(root), "cannot open output file '%s'", file.data);
    mlc_vec_release(&places.list);
    mlc_buf_release(&text);
    mlc_buf_release(&error);
    return ok;
}

static const MlcPassOption options[] = {
    {"filename", MLC_OPTION_STRING, "", "The filename to print the generated IR"},
    {"tag", MLC_OPTION_STRING, "",
     "A tag to use when fusing the new locations with the original. If unset, the locations are "
     "replaced."},
};

MLC_PASS(snapshot_op_locations, .flag = "snapshot-op-locations", .title = "LocationSnapshot",
         .summary = "Generate new locations from the current IR", .options = options,
         .num_options = sizeof options / sizeof *options, .run = run)
