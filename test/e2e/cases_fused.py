"""Models of cases.py: what onnxruntime's optimisers and exporters write in the domain com.microsoft."""
import itertools

import numpy as np

SPECIAL = np.array([np.nan, np.inf, -np.inf, 0, 1e30, -1e30], np.float32)
LOWEST = float(np.finfo(np.float32).min)


def one(new, name, op, inputs, shape, used=(0,), domain="com.microsoft", **attributes):
    """A node of these arrays: a tuple is an initializer's array, None an input that is left out; outputs `used` are the model's."""
    b = new(name)
    names = []
    for value in inputs:
        if value is None:
            names.append("")
        elif isinstance(value, tuple):
            names.append(b.const(value[0]))
        else:
            names.append(b.input(value.shape, 0, 1, value.dtype))
            b.feeds[names[-1]] = value
    outputs = b.op(op, *names, outputs=max(used) + 1, domain=domain, **attributes)
    outputs = [outputs] if isinstance(outputs, str) else outputs
    for i in set(range(len(outputs))) - set(used):
        b.nodes[-1].output[i] = ""
    b.done(*[outputs[i] for i in used], shape=shape, is_valid=domain != "")  # onnxruntime has some in ONNX's own domain


def activations(new, f):
    x = f(3, 40)
    x.flat[:len(SPECIAL)] = SPECIAL
    for op in ("Gelu", "FastGelu", "QuickGelu"):
        one(new, f"fused-{op.lower()}", op, [x], (3, 40))
    one(new, "fused-quickgelu-alpha", "QuickGelu", [x], (3, 40), alpha=0.7)
    one(new, "fused-fastgelu-bias", "FastGelu", [f(3, 40), (f(40),)], (3, 40))
    one(new, "fused-biasgelu", "BiasGelu", [f(2, 3, 40), (f(40),)], (2, 3, 40))


def products(new, f):
    for a, b, batch_a, batch_b in itertools.product((0, 1), repeat=4):
        left, right = f(3, 4, 5, 6), f(3, 4, 6, 7)
        left = left.swapaxes(-1, -2) if a else left
        right = right.swapaxes(-1, -2) if b else right
        left = np.moveaxis(left, 2, 0) if batch_a else left
        right = np.moveaxis(right, 2, 0) if batch_b else right
        one(new, f"fused-matmul-{a}{b}{batch_a}{batch_b}", "FusedMatMul", [np.ascontiguousarray(left), np.ascontiguousarray(right)],
            (3, 4, 5, 7), transA=a, transB=b, transBatchA=batch_a, transBatchB=batch_b, alpha=0.5)
    one(new, "fused-matmul-vector", "FusedMatMul", [f(6), f(3, 6)], (3,), transB=1)
    one(new, "fused-transpose-matmul", "TransposeMatMul", [f(5, 6), (f(7, 6),)], (5, 7), transB=1)
    for name, numbers in (("Relu", {}), ("Tanh", {}), ("Sigmoid", {}), ("LeakyRelu", {"activation_alpha": 0.2}), ("Softplus", {}), ("Softsign", {}),
                          ("HardSigmoid", {"activation_alpha": 0.3, "activation_beta": 0.4}), ("Elu", {"activation_alpha": 1.5}),
                          ("Selu", {"activation_alpha": 1.5, "activation_gamma": 1.1}), ("ThresholdedRelu", {"activation_alpha": 0.5})):
        one(new, f"fused-gemm-{name.lower()}", "FusedGemm", [f(5, 6), (f(6, 7),), (f(7),)], (5, 7), activation=name, alpha=0.5, beta=2.0, **numbers)
    one(new, "fused-gemm-transposed", "FusedGemm", [f(6, 5), (f(7, 6),)], (5, 7), activation="Relu", transA=1, transB=1)
    for name, numbers in (("Relu", []), ("Tanh", []), ("Sigmoid", []), ("LeakyRelu", [0.2]), ("Clip", [-0.5, 0.7]), ("HardSigmoid", [0.3, 0.4]), ("HardSwish", [])):
        numbers = {"activation_params": numbers} if numbers else {}
        one(new, f"fused-conv-{name.lower()}", "FusedConv", [f(1, 4, 9, 9), (f(6, 4, 3, 3),), (f(6),)], (1, 6, 5, 5), activation=name,
            pads=[1, 1, 1, 1], strides=[2, 2], **numbers)
    one(new, "fused-conv-sum", "FusedConv", [f(1, 4, 9, 9), (f(6, 4, 3, 3),), (f(6),), f(1, 6, 9, 9)], (1, 6, 9, 9), activation="Relu", pads=[1, 1, 1, 1])
    one(new, "fused-conv-sum-groups", "FusedConv", [f(1, 4, 9, 9), (f(8, 2, 3, 3),), None, f(1, 8, 9, 9)], (1, 8, 9, 9), activation="Relu",
        pads=[1, 1, 1, 1], group=2)
    one(new, "fused-trilu", "Trilu", [f(3, 4, 5), (np.array(1),)], (3, 4, 5), upper=0)
    one(new, "fused-gather-nd", "GatherND", [f(3, 4, 5), (np.array([[0, 1], [2, 3]]),)], (2, 5))


def norms(new, f, rng):
    for batch, bias in itertools.product((1, 2), (None, (f(16),))):
        tag = f"{batch}{'-bias' if bias else ''}"
        one(new, f"fused-skip-norm-{tag}", "SkipLayerNormalization", [f(2, 5, 16), f(batch, 5, 16), (f(16),), (f(16),), bias], [(2, 5, 16)] * 2,
            used=(0, 3), epsilon=1e-5)
    one(new, "fused-skip-norm-no-beta", "SkipLayerNormalization", [f(2, 5, 16), f(5, 16), (f(16),)], (2, 5, 16))
    one(new, "fused-skip-norm-rows", "SkipLayerNormalization", [f(5, 16), f(5, 16), (f(16),)], (5, 16))
    for op in ("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"):
        one(new, f"fused-{op.lower()}-zeros", op, [f(2, 5, 16) * 0, f(2, 5, 16) * 0, (f(16),)], (2, 5, 16))
    for bias in (None, (f(16),)):
        one(new, f"fused-skip-rms-{'bias' if bias else 'plain'}", "SkipSimplifiedLayerNormalization", [f(2, 5, 16), f(2, 5, 16), (f(16),), bias],
            [(2, 5, 16)] * 2, used=(0, 3), epsilon=1e-5)
    one(new, "fused-rms", "SimplifiedLayerNormalization", [f(2, 5, 16), (f(16),)], [(2, 5, 16), (2, 5, 1)], used=(0, 1), domain="", axis=-1,
        epsilon=1e-5, stash_type=1)
    ids, segments = rng.integers(0, 20, (2, 5), np.int32), rng.integers(0, 2, (2, 5), np.int32)
    tables = [(f(20, 16),), (f(8, 16),), (f(2, 16),), (f(16),), (f(16),)]
    one(new, "fused-embedding", "EmbedLayerNormalization", [ids, segments, *tables], [(2, 5, 16)] * 2, used=(0, 2), epsilon=1e-5)
    one(new, "fused-embedding-words", "EmbedLayerNormalization", [ids, None, *tables[:2], None, *tables[3:]], [(2, 5, 16)] * 2, used=(0, 2))
    b = new("fused-embedding-mask")
    names = [b.input(a.shape, 0, 1, a.dtype) for a in (ids, segments, ids)]
    b.feeds.update(zip(names, (ids, segments, np.array([[1, 1, 1, 0, 0], [1] * 5], np.int32))))
    y, count = b.op("EmbedLayerNormalization", *names[:2], *[b.const(t[0]) for t in tables], names[2], outputs=2, domain="com.microsoft", mask_index_type=1)
    b.done(y, b.op("Cast", count, to=1), shape=[(2, 5, 16), (2,)])


def whole(*numbers):
    return np.array(numbers, np.int32)


def attention(new, f, rng):
    n, s, heads, size = 2, 5, 4, 16
    width = heads * size
    x, weights, bias = f(n, s, 24), (f(24, 3 * width) * np.float32(0.3),), (f(3 * width),)
    masks = {"none": None, "keys": whole([1, 1, 1, 0, 0], [1] * 5), "no-keys": whole([0] * 5, [1] * 5), "ends": whole(3, 5), "both-ends": whole(5, 4, 2, 0),
             "rows": rng.integers(0, 2, (n, s, s), np.int32), "no-end": whole(0, 5)}
    for (tag, mask), causal in itertools.product(masks.items(), (0, 1)):
        one(new, f"fused-attention-{tag}-{causal}", "Attention", [x, weights, bias, mask], (n, s, width), num_heads=heads, unidirectional=causal)
    one(new, "fused-attention-lowest", "Attention", [x, weights, bias, masks["keys"]], (n, s, width), num_heads=heads, unidirectional=1,
        mask_filter_value=LOWEST)
    one(new, "fused-attention-scale", "Attention", [x, weights, bias], (n, s, width), num_heads=heads, scale=0.1)
    one(new, "fused-attention-bias", "Attention", [x, weights, bias, masks["keys"], None, f(1, heads, s, s)], (n, s, width), num_heads=heads)
    one(new, "fused-attention-sizes", "Attention", [x, (f(24, 80),), (f(80),)], (n, s, 16), num_heads=heads, qkv_hidden_sizes=[32, 32, 16])
    state = (2, n, heads, s + 3, size)
    for causal in (0, 1):
        one(new, f"fused-attention-past-{causal}", "Attention", [x, weights, bias, None, f(2, n, heads, 3, size)], [(n, s, width), state], used=(0, 1),
            num_heads=heads, unidirectional=causal)
    one(new, "fused-attention-past-mask", "Attention", [x, weights, bias, rng.integers(0, 2, (n, s + 3), np.int32), f(2, n, heads, 3, size)],
        [(n, s, width), state], used=(0, 1), num_heads=heads, unidirectional=1)


def multi_head(new, f, rng):
    n, s, keys, heads, size = 2, 5, 7, 4, 16
    width = heads * size
    q, k, v, bias = f(n, s, width), f(n, keys, width), f(n, keys, width), (f(3 * width),)

    def add(tag, inputs, width=width, **more):
        one(new, f"fused-heads-{tag}", "MultiHeadAttention", inputs, more.pop("shape", (n, s, width)), num_heads=heads, **more)
    add("plain", [q, k, v])
    add("bias", [q, k, v, bias])
    add("scale", [q, k, v], scale=0.3)
    add("narrow-values", [q, k, f(n, keys, heads * 6)], width=heads * 6)
    for tag, mask in (("keys", rng.integers(0, 2, (n, keys), np.int32)), ("ends", whole(3, 7)), ("rows", rng.integers(0, 2, (n, s, keys), np.int32))):
        add(f"mask-{tag}", [q, k, v, bias, mask, f(1, 1, s, keys)])
    add("apart", [q, f(n, heads, keys, size), f(n, heads, keys, size)])
    add("apart-bias", [q, f(n, heads, keys, size), f(n, heads, keys, size), bias])
    state = (n, heads, s + 3, size)
    past = [f(n, heads, 3, size), f(n, heads, 3, size)]
    new_keys = [q, f(n, s, width), f(n, s, width)]
    for causal in (0, 1):
        add(f"past-{causal}", [*new_keys, bias, None, None, *past], shape=[(n, s, width), state, state], used=(0, 1, 2), unidirectional=causal)
    add("past-mask", [*new_keys, None, rng.integers(0, 2, (n, s + 3), np.int32), None, *past], shape=[(n, s, width), state, state], used=(0, 1, 2))
    add("scores", [q, k, v], shape=[(n, s, width), (n, heads, s, keys)], used=(0, 3))
    hidden = f(1, 1, s, keys)
    hidden[0, 0, 1], hidden[0, 0, 2, :3] = -np.inf, -np.inf
    add("bias-infinite", [q, k, v, None, None, hidden])
    angles = rng.uniform(-3, 3, (20, size // 2))
    cos, sin = (np.cos(angles).astype(np.float32),), (np.sin(angles).astype(np.float32),)
    part = (cos[0][:, :4].copy(),), (sin[0][:, :4].copy(),)
    for pairs in (0, 1):
        places = rng.integers(0, 20, (n, s))
        one(new, f"fused-rotary-start-{pairs}", "RotaryEmbedding", [q, np.array([3]), cos, sin], (n, s, width), interleaved=pairs)
        one(new, f"fused-rotary-places-{pairs}", "RotaryEmbedding", [q, places, cos, sin], (n, s, width), interleaved=pairs)
        one(new, f"fused-rotary-apart-{pairs}", "RotaryEmbedding", [f(n, heads, s, size), places, cos, sin], (n, heads, s, size), interleaved=pairs)
        one(new, f"fused-rotary-part-{pairs}", "RotaryEmbedding", [q, places, *part], (n, s, width), interleaved=pairs, rotary_embedding_dim=8, num_heads=heads)


def grouped(new, f, rng):
    n, s, heads, kv, size, room = 2, 5, 4, 2, 16, 6
    width = heads * size
    angles = rng.uniform(-3, 3, (20, size // 2))
    turn = [(np.cos(angles).astype(np.float32),), (np.sin(angles).astype(np.float32),)]

    def add(tag, rows, inputs, ends, total, *more, batch=n, at_run_time=False, **attributes):
        length = max(total, room if inputs[-1] is not None else 0)
        for known in (False, True):
            one(new, f"fused-groups-{tag}-{'known' if known else 'given'}", "GroupQueryAttention",
                [*inputs, (whole(*ends),) if known else whole(*ends), whole(total) if at_run_time else (whole(total),), *more],
                [(batch, rows, width), (batch, kv, length, size), (batch, kv, length, size)], used=(0, 1, 2), num_heads=heads, kv_num_heads=kv, **attributes)
    first = [f(n, s, width), f(n, s, kv * size), f(n, s, kv * size), None, None]
    next_one = [f(n, 1, width), f(n, 1, kv * size), f(n, 1, kv * size), f(n, kv, room, size), f(n, kv, room, size)]
    add("first", s, first, (s - 1, s - 1), s)
    add("first-ragged", s, first, (2, s - 1), s)
    add("first-all", s, first, (2, s - 1), s, causal=0)
    for pairs in (0, 1):
        add(f"first-turned-{pairs}", s, first, (s - 1, s - 1), s, *turn, do_rotary=1, rotary_interleaved=pairs)
    add("window", s, first, (s - 1, s - 1), s, local_window_size=2)
    add("cap", s, first, (s - 1, s - 1), s, softcap=1.5)
    add("smooth", s, first, (s - 1, s - 1), s, smooth_softmax=1)
    add("sink", s, first, (s - 1, s - 1), s, None, None, None, None, (f(heads),))
    add("packed", s, [f(n, s, (heads + 2 * kv) * size), None, None, None, None], (s - 1, s - 1), s, *turn, do_rotary=1)
    add("bias", s, first, (s - 1, s - 1), s, None, None, None, f(1, heads, s, s))
    for tag, ends in (("even", (room, room)), ("ragged", (room, 3))):
        add(f"next-{tag}", 1, next_one, ends, room + 1, *turn, do_rotary=1)
    add("next-window", 1, next_one, (room, 3), room + 1, local_window_size=3)
    add("next-bias", 1, next_one, (room, 3), room + 1, None, None, None, f(n, 1, 1, room + 1))
    add("next-places", 1, next_one, (room, 3), room + 1, *turn, np.array([[2], [9]]), do_rotary=1)
    add("next-in-room", 1, next_one, (4, 3), 5, *turn, do_rotary=1)
    add("total-at-run-time", 1, next_one, (room, 3), room + 1, *turn, do_rotary=1, at_run_time=True)
    spoilt = [a.copy() for a in next_one]
    spoilt[3][1, :, 3:], spoilt[4][1, :, 3:] = np.nan, np.inf  # behind what there is of sample 1
    add("next-spoilt", 1, spoilt, (room, 3), room + 1, *turn, do_rotary=1)
    add("more-in-room", s, [f(n, s, width), f(n, s, kv * size), f(n, s, kv * size), *next_one[3:]], (s - 1, 2), s, *turn, do_rotary=1)
    add("several", s, [a[:1] for a in (*first[:3], *next_one[3:])], (room + s - 1,), room + s, *turn, batch=1, do_rotary=1)


def fused_cases(new):
    rng = np.random.default_rng(18)

    def f(*shape):
        return rng.standard_normal(shape, np.float32)
    activations(new, f)
    products(new, f)
    norms(new, f, rng)
    attention(new, f, rng)
    multi_head(new, f, rng)
    grouped(new, f, rng)
