// rocdl.c -- rocdl ops as intrinsics of AMD's back end, which have their names; a row says what is
// not so.
//
// Sizes of grid and workgroup come from the kernel's hidden arguments, as code objects of version 5
// have them (LLVM's AMDGPUUsage), so that no library of the vendor is needed.
#include "translate.h"

// As far as LLVM 19's calling conventions go.
enum { CONSTANT_SPACE = 4, GROUP_SIZES = 12 };

typedef struct Rocdl {
    const char *op;               // behind "rocdl."; a `.` at the end: all that begin so
    const char *intrinsic;        // behind "llvm.amdgcn."; NULL: the op's name
    const char *overloads, *args; // as in OpRow
} Rocdl;

static const Rocdl table[] = {
    {"ballot", NULL, "r", NULL},
    {"ds_bpermute", "ds.bpermute", "", NULL},
    {"ds_swizzle", "ds.swizzle", "", NULL},
    {"make.buffer.rsrc", NULL, "0", NULL},
    {"raw.buffer.atomic.cmpswap", NULL, "r", NULL},
    {"raw.buffer.atomic.", NULL, "0", NULL},
    {"raw.buffer.load", NULL, "r", NULL},
    {"raw.buffer.store", NULL, "0", NULL},
    {"raw.ptr.buffer.atomic.cmpswap", NULL, "r", NULL},
    {"raw.ptr.buffer.atomic.", NULL, "0", NULL},
    {"raw.ptr.buffer.load", NULL, "r", NULL},
    {"raw.ptr.buffer.store", NULL, "0", NULL},
    {"s.setprio", NULL, "", "priority:16;"},
    {"sched.barrier", NULL, "", "mask:32;"},
    {"waitcnt", "s.waitcnt", "", "bitfield:32;"},
    {"wmma.i32.", NULL, "r1", NULL},
    {"wmma.", NULL, "r0", NULL},
};

static const char dialect[] = "rocdl.";
enum { SKIP = sizeof dialect - 1 };

static bool
matches(const char *pattern, const char *name)
{
    size_t size = strlen(pattern);
    return pattern[size - 1] == '.' ? strncmp(name, pattern, size) == 0
                                    : strcmp(name, pattern) == 0;
}

static LLVMValueRef
emit_by_name(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    const char *name = mlc_op_name(op).data + SKIP;
    Rocdl found = {name, NULL, "", NULL};
    for (size_t i = sizeof table / sizeof *table; i-- > 0;)
        if (matches(table[i].op, name))
            found = table[i];
    MlcBuf intrinsic = {0};
    mlc_buf_printf(&intrinsic, "llvm.amdgcn.%s", found.intrinsic ? found.intrinsic : name);
    OpRow made = {
        .intrinsic = mlc_buf_c_str(&intrinsic), .overloads = found.overloads, .args = found.args};
    LLVMValueRef value = mlc_emit_intrinsic(t, op, &made);
    mlc_buf_release(&intrinsic);
    return value;
}

static LLVMValueRef
call_plain(Translator *t, const char *name)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(t->module, id, NULL, 0);
    return LLVMBuildCall2(t->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

// What was written before is seen behind, by the whole workgroup.
static LLVMValueRef
emit_barrier(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)op, (void)row;
    LLVMBuildFence(t->builder, LLVMAtomicOrderingRelease, false, "");
    call_plain(t, "llvm.amdgcn.s.barrier");
    return LLVMBuildFence(t->builder, LLVMAtomicOrderingAcquire, false, "");
}

// The hidden arguments begin with three counts of workgroups, i32, and three sizes, i16.
static LLVMValueRef
emit_size(Translator *t, MlcOp *op, const OpRow *row)
{
    (void)row;
    MlcStr name = mlc_op_name(op);
    uint64_t axis = (uint64_t)(name.data[name.size - 1] - 'x');
    bool is_grid = strncmp(name.data + SKIP, "grid", 4) == 0;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(t->llvm), i16 = LLVMInt16TypeInContext(t->llvm),
                i32 = LLVMInt32TypeInContext(t->llvm);
    LLVMValueRef hidden = call_plain(t, "llvm.amdgcn.implicitarg.ptr");
    LLVMValueRef offset = LLVMConstInt(i32, is_grid ? 4 * axis : GROUP_SIZES + 2 * axis, false);
    LLVMValueRef at = LLVMBuildInBoundsGEP2(t->builder, i8, hidden, &offset, 1, "");
    LLVMValueRef size = LLVMBuildLoad2(t->builder, is_grid ? i32 : i16, at, "");
    return is_grid ? size : LLVMBuildZExt(t->builder, size, i32, "");
}

const OpRow *
mlc_rocdl_row(MlcStr name)
{
    static const OpRow by_name = {.name = "rocdl", .emit = emit_by_name},
                       barrier = {.name = "rocdl.barrier", .emit = emit_barrier},
                       size = {.name = "rocdl.grid.dim", .emit = emit_size};
    if (name.size <= SKIP || memcmp(name.data, dialect, SKIP) != 0)
        return NULL;
    const char *op = name.data + SKIP;
    if (strcmp(op, "barrier") == 0)
        return &barrier;
    return strncmp(op, "grid.dim.", 9) == 0 || strncmp(op, "workgroup.dim.", 14) == 0 ? &size
                                                                                      : &by_name;
}
