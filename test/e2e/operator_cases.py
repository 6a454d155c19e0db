"""Cases of operators that are other ops (see cases.py): losses, attention, what carries a state."""
import numpy as np
from onnx import helper

from cases import Build


def labelled(b, scores, labels, high, ignored=None):
    """Scores, and a class for each: some of them the ignored one."""
    x = b.input(scores)
    y = b.input(labels, 0, high, np.int64)
    if ignored is not None:
        b.feeds[y].flat[::3] = ignored
    return x, y


def loss_cases():
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"):
        name = op.replace("Loss", "").lower()
        for reduction in ("none", "sum", "mean"):
            for tag, weighted, ignored in (("plain", False, None), ("weights", True, None), ("ignored", False, 2),
                                           ("ignored-outside", True, -1)):
                b = Build(f"{name}-{reduction}-{tag}", 13)
                x, y = labelled(b, (3, 5), (3,), 5, ignored)
                given = {} if ignored is None else {"ignore_index": ignored}
                weights = [b.const((5,), 0.1, 2)] if weighted else []
                b.done(b.op(op, x, y, *weights, reduction=reduction, **given))
        for tag, scores in (("3d", (3, 5, 4)), ("4d", (2, 5, 3, 4)), ("5d", (2, 3, 2, 3, 2))):
            b = Build(f"{name}-{tag}", 13)
            x, y = labelled(b, scores, scores[:1] + scores[2:], scores[1], 1)
            b.done(b.op(op, x, y, b.const((scores[1],), 0.1, 2), ignore_index=1))
    b = Build("crossentropy-with-probabilities", 13)
    x, y = labelled(b, (3, 5, 4), (3, 4), 5)
    b.done(*b.op("SoftmaxCrossEntropyLoss", x, y, outputs=2))
    b = Build("crossentropy-large-scores", 13)
    x, y = labelled(b, (16, 33), (16,), 33)
    b.feeds[x] *= 100
    b.done(b.op("SoftmaxCrossEntropyLoss", x, y))


def attention_inputs(b, heads, keys, rows, columns, size=8, wide=None, packed=False):
    wide = wide or size
    if packed:
        return b.input((2, rows, heads * size)), b.input((2, columns, keys * size)), b.input((2, columns, keys * wide))
    return b.input((2, heads, rows, size)), b.input((2, keys, columns, size)), b.input((2, keys, columns, wide))


def attention_cases():
    def case(tag, heads=4, keys=4, rows=5, columns=7, mask=None, past=None, numbers=None, outputs=1, packed=False, wide=None,
             opset=24, **attributes):
        b = Build(f"attention-op-{tag}", opset)
        wide = wide or 8
        names = list(attention_inputs(b, heads, keys, rows, columns, 8, wide, packed))
        rest = [""] * 4
        if mask is not None:
            rest[0] = b.const(mask(b))
        if past:
            rest[1:3] = [b.input((2, keys, past, 8)), b.input((2, keys, past, wide))]
        if numbers:
            rest[3] = b.const(np.array(numbers, np.int64))
        while rest and not rest[-1]:
            rest.pop()
        if packed:
            attributes |= {"q_num_heads": heads, "kv_num_heads": keys}
        result = b.op("Attention", *names, *rest, outputs=outputs, **attributes)
        b.done(*([result] if outputs == 1 else result))

    case("plain")
    case("packed", packed=True)
    case("packed-grouped", heads=6, keys=2, packed=True)
    case("grouped", heads=6, keys=2)
    case("one-key-head", heads=6, keys=1, is_causal=1)
    case("wide-values", wide=5)
    case("scale", scale=0.01)
    case("causal", rows=7, is_causal=1)
    case("softcap", softcap=2.0)
    case("mask-2d", mask=lambda b: b.values((5, 7)))
    case("mask-4d", mask=lambda b: b.values((2, 4, 5, 7)))
    case("mask-heads-grouped", heads=6, keys=2, mask=lambda b: b.values((6, 5, 7)))
    case("mask-truth", mask=lambda b: b.values((5, 7)) > 0)
    case("mask-truth-causal", rows=7, mask=lambda b: b.values((7, 7)) > -1, is_causal=1)
    case("past", past=3, outputs=3)
    case("past-causal", rows=4, columns=4, past=3, outputs=3, is_causal=1)
    case("past-grouped-packed", heads=4, keys=2, past=3, outputs=3, packed=True)
    for mode in range(4):
        case(f"scores-{mode}", outputs=4, past=3, mask=lambda b: b.values((5, 10)), softcap=3.0, qk_matmul_output_mode=mode)
    case("numbers-of-keys", numbers=(3, 7))
    case("numbers-of-keys-mask", numbers=(3, 7), mask=lambda b: b.values((2, 1, 5, 7)))


def rotary_cases():
    for tag, x, attributes in (("4d", (2, 3, 5, 8), {}), ("interleaved", (2, 3, 5, 8), {"interleaved": 1}),
                               ("packed", (2, 5, 24), {"num_heads": 3}),
                               ("packed-interleaved", (2, 5, 24), {"num_heads": 3, "interleaved": 1}),
                               ("part", (2, 3, 5, 8), {"rotary_embedding_dim": 4}),
                               ("part-interleaved", (2, 3, 5, 8), {"rotary_embedding_dim": 4, "interleaved": 1})):
        half = attributes.get("rotary_embedding_dim", 8) // 2
        angles = np.random.default_rng(1).uniform(-3, 3, (50, half)).astype(np.float32)
        for positions in (True, False):
            b = Build(f"rotary-{tag}{'' if positions else '-no-positions'}", 23)
            names = [b.input(x)] + [b.const(f(angles if positions else angles[:10].reshape(2, 5, half))) for f in (np.cos, np.sin)]
            b.done(b.op("RotaryEmbedding", *names, *([b.const(np.arange(10).reshape(2, 5) * 3)] if positions else []), **attributes))


def operator_cases():
    loss_cases()
    attention_cases()
    rotary_cases()
