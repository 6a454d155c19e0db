// action.c -- hands actions to the context's handler.
#include "mlc/ir/action.h"

#include "context_impl.h"

void
mlc_context_set_action_handler(MlcContext *ctx, const MlcActionHandler *handler)
{
    ctx->actions = (MlcActionHandler){0};
    if (handler)
        mlc_sized_copy(&ctx->actions, sizeof ctx->actions, handler, "MlcActionHandler");
}

bool
mlc_context_has_action_handler(const MlcContext *ctx)
{
    return ctx->actions.begin || ctx->actions.end;
}

bool
mlc_action_begin(MlcContext *ctx, const MlcAction *action)
{
    return !ctx->actions.begin || ctx->actions.begin(action, ctx->actions.user);
}

void
mlc_action_end(MlcContext *ctx, const MlcAction *action)
{
    if (ctx->actions.end)
        ctx->actions.end(action, ctx->actions.user);
}
