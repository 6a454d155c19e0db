// decode_warp.c -- branches, barriers, and what lanes tell each other.
#include "decode.h"

#include "exec_warp.h"

static bool
decode_bra(Decoder *d)
{
    take(d, "uni");
    d->in.counts |= COUNT_BRANCH;
    return expect_operands(d, 1, 1) && decode_label(d, d->written[0], &d->in.target) &&
           emit(d, ptx_branch);
}

static bool
decode_ret(Decoder *d)
{
    take(d, "uni");
    return expect_operands(d, 0, 0) && emit(d, ptx_exit);
}

static bool
decode_trap(Decoder *d)
{
    return expect_operands(d, 0, 0) && emit(d, ptx_trap);
}

static bool
decode_nothing(Decoder *d)
{
    for (unsigned i = 0; i < d->num_modifiers; i++)
        d->used[i] = true;
    return emit(d, ptx_nothing);
}

static bool
decode_unsupported(Decoder *d)
{
    return decode_error(d, "is not supported");
}

static bool
decode_reduction_barrier(Decoder *d)
{
    static const char *const ops[] = {"popc", "and", "or", NULL};
    int op = take_one_of(d, ops);
    PtxType type;
    Inst *in = &d->in;
    if (op < 0)
        return decode_error(d, "does not say what it does");
    if (!take_type(d, &type) || !expect_operands(d, 3, 4))
        return false;
    in->variant = (uint8_t)(BARRIER_POPC + op);
    unsigned last = d->num_written - 1;
    return (op == 0 ? result(d, d->written[0], TYPE_U32, false, &in->operand[0])
                    : pred_result(d, d->written[0], &in->operand[0])) &&
           source(d, d->written[1], TYPE_U32, false, &in->operand[1]) &&
           (last == 2 || source(d, d->written[2], TYPE_U32, false, &in->operand[2])) &&
           pred_source(d, d->written[last], &in->operand[3]) && emit(d, ptx_barrier);
}

static bool
decode_cluster_barrier(Decoder *d)
{
    take(d, "aligned");
    take(d, "acquire");
    take(d, "release");
    d->in.flags = take(d, "relaxed");
    bool arrives = take(d, "arrive");
    if (!arrives && !take(d, "wait"))
        return decode_error(d, "does not say what it does");
    return expect_operands(d, 0, 0) && emit(d, arrives ? ptx_cluster_arrive : ptx_cluster_wait);
}

// bar and barrier: .sync, .arrive, .red, .warp.sync, .cluster.
static bool
decode_barrier(Decoder *d)
{
    Inst *in = &d->in;
    if (take(d, "cluster"))
        return decode_cluster_barrier(d);
    if (take(d, "warp"))
        return take(d, "sync") && expect_operands(d, 1, 1) &&
               source(d, d->written[0], TYPE_B32, false, &in->operand[0]) &&
               emit(d, ptx_warp_barrier);
    take(d, "cta");
    take(d, "aligned");
    if (take(d, "red"))
        return decode_reduction_barrier(d);
    bool arrives = take(d, "arrive");
    if (!arrives && !take(d, "sync"))
        return decode_error(d, "does not say what it does");
    in->variant = arrives ? BARRIER_ARRIVE : BARRIER_SYNC;
    return expect_operands(d, arrives ? 2 : 1, 2) &&
           source(d, d->written[0], TYPE_U32, false, &in->operand[0]) &&
           (d->num_written == 1 || source(d, d->written[1], TYPE_U32, false, &in->operand[1])) &&
           emit(d, ptx_barrier);
}

// "d|p", or d alone.
static void
split_pair(Decoder *d, PtxOperand **first, PtxOperand **second)
{
    *first = d->written[0];
    *second = NULL;
    if (d->written[0]->kind == PTX_PAIR) {
        *first = d->written[0]->first;
        *second = (*first)->next;
    }
}

// The mask of lanes behind the other operands, where the instruction has one.
static bool
member_mask(Decoder *d, unsigned i, Operand *out)
{
    return i >= d->num_written || source(d, d->written[i], TYPE_B32, false, out);
}

static bool
decode_shfl(Decoder *d)
{
    static const char *const kinds[] = {"up", "down", "bfly", "idx", NULL};
    Inst *in = &d->in;
    bool sync = take(d, "sync");
    int kind = take_one_of(d, kinds);
    PtxType type;
    PtxOperand *to, *valid;
    if (kind < 0)
        return decode_error(d, "does not say what it does");
    if (!take_type(d, &type) || !expect_operands(d, sync ? 5 : 4, sync ? 5 : 4))
        return false;
    split_pair(d, &to, &valid);
    in->variant = (uint8_t)kind;
    in->copies = true;
    bool ok = result(d, to, TYPE_B32, false, &in->operand[0]) &&
              pred_result(d, valid, &in->operand[1]) &&
              source(d, d->written[1], TYPE_B32, false, &in->operand[2]);
    mlc_vec_clear(&d->uses); // a value of no lane makes a value of no lane
    return ok && source(d, d->written[2], TYPE_B32, false, &in->operand[3]) &&
           source(d, d->written[3], TYPE_B32, false, &in->operand[4]) &&
           member_mask(d, 4, &in->operand[5]) && emit(d, ptx_shuffle);
}

static bool
decode_vote(Decoder *d)
{
    static const char *const kinds[] = {"all", "any", "uni", "ballot", NULL};
    Inst *in = &d->in;
    bool sync = take(d, "sync");
    int kind = take_one_of(d, kinds);
    PtxType type;
    if (kind < 0)
        return decode_error(d, "does not say what it does");
    if (!take_type(d, &type) || !expect_operands(d, sync ? 3 : 2, sync ? 3 : 2))
        return false;
    in->variant = (uint8_t)kind;
    return (kind == VOTE_BALLOT ? result(d, d->written[0], TYPE_B32, false, &in->operand[0])
                                : pred_result(d, d->written[0], &in->operand[0])) &&
           pred_source(d, d->written[1], &in->operand[1]) && member_mask(d, 2, &in->operand[2]) &&
           emit(d, ptx_vote);
}

static bool
decode_match(Decoder *d)
{
    Inst *in = &d->in;
    PtxType type;
    PtxOperand *to, *valid;
    bool all = take(d, "all");
    take(d, "sync");
    if (!all && !take(d, "any"))
        return decode_error(d, "does not say what it does");
    if (!take_type(d, &type) || !expect_operands(d, 3, 3))
        return false;
    split_pair(d, &to, &valid);
    in->variant = all;
    return result(d, to, TYPE_B32, false, &in->operand[0]) &&
           pred_result(d, valid, &in->operand[1]) &&
           source(d, d->written[1], type, false, &in->operand[2]) &&
           member_mask(d, 2, &in->operand[3]) && emit(d, ptx_match);
}

static bool
decode_redux(Decoder *d)
{
    static const char *const ops[] = {"add", "min", "max", "and", "or", "xor", NULL};
    Inst *in = &d->in;
    PtxType type;
    take(d, "sync");
    int op = take_one_of(d, ops);
    if (op < 0)
        return decode_error(d, "does not say what it does");
    if (!take_type(d, &type) || !expect_operands(d, 3, 3))
        return false;
    if (type != TYPE_U32 && type != TYPE_S32 && type != TYPE_B32)
        return decode_error(d, "is not there for this type");
    in->variant = (uint8_t)op;
    in->type = (uint8_t)type;
    return result(d, d->written[0], type, false, &in->operand[0]) &&
           source(d, d->written[1], type, false, &in->operand[1]) &&
           member_mask(d, 2, &in->operand[2]) && emit(d, ptx_redux);
}

static bool
decode_elect(Decoder *d)
{
    PtxOperand *to, *valid;
    take(d, "sync");
    if (!expect_operands(d, 2, 2))
        return false;
    split_pair(d, &to, &valid);
    return result(d, to, TYPE_B32, false, &d->in.operand[0]) &&
           pred_result(d, valid, &d->in.operand[1]) && member_mask(d, 1, &d->in.operand[2]) &&
           emit(d, ptx_elect);
}

static bool
decode_activemask(Decoder *d)
{
    PtxType type;
    return take_type(d, &type) && expect_operands(d, 1, 1) &&
           result(d, d->written[0], TYPE_B32, false, &d->in.operand[0]) && emit(d, ptx_active_mask);
}

const Opcode ptx_warp_opcodes[] = {
    {"bra", decode_bra},
    {"ret", decode_ret},
    {"exit", decode_ret},
    {"trap", decode_trap},
    {"brkpt", decode_trap},
    {"call", decode_unsupported},
    {"brx", decode_unsupported},
    {"bar", decode_barrier},
    {"barrier", decode_barrier},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"match", decode_match},
    {"redux", decode_redux},
    {"elect", decode_elect},
    {"activemask", decode_activemask},
    {"membar", decode_nothing},
    {"nanosleep", decode_nothing},
    {"griddepcontrol", decode_nothing},
    {NULL, NULL},
};
