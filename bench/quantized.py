"""Quantised models, mlc next to its peers, and next to the same in f32.

    python bench/quantized.py [GROUP|MODEL.onnx...] [--threads 1] [--rounds 5] [--seconds 0.3] [--json FILE]

Groups: `products` (QLinearMatMul), `layers` (QLinearConv of ResNet-50 and MobileNetV2, images as [N, H, W, C]), `blocks` (MatMulNBits
of one row). A model is one of f32, which onnxruntime's quantiser makes QDQ, QOperator and dynamic models of (--forms). Figures are the
least times of all rounds, in milliseconds; engines take turns.

`worst row` is how far the worst row is from a reference, over that row's largest number: mlc's, then the peers'. The reference of an
operator is its sums in integers, by numpy: mlc is wrong, and there is no figure, where a byte is more than one from it, more than one
in a hundred are (ties of rounding), or a float is not the same to 1e-4 of its row. That of a whole model is its f32 form: no engine can
be as near as f32, but mlc is wrong where it is more than twice as far as the nearest peer.
"""
import json
import logging
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from run import E2E, PEERS, LiteRt, Mlc, arguments, interleave, machine, random

sys.path.insert(0, E2E)
from harness import worst_row  # noqa: E402

def measured(kind):
    """The peer, whose distance from the reference is measured, whatever it is: it is the peer's, not mlc's."""
    return type(kind.__name__, (kind,), {"LIMIT": None, "expected": property(lambda self: self.reference)})


PEERS = [measured(peer) for peer in PEERS if peer is not LiteRt and peer.name != "ncnn"]
FORMS = ("qdq", "qoperator", "dynamic")


def model(nodes, feeds, constants):
    of = helper.np_dtype_to_tensor_dtype
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info(n, of(v.dtype), v.shape) for n, v in feeds.items()],
                              [helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)],
                              [numpy_helper.from_array(np.ascontiguousarray(v), n) for n, v in constants.items()])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)], ir_version=8)
    made.graph.output[0].type.tensor_type.elem_type = TensorProto.UINT8 if nodes[-1].name == "bytes" else TensorProto.FLOAT
    return made


def bytes_of(shape, dtype=np.uint8):
    info = np.iinfo(dtype)
    return np.random.default_rng(0).integers(info.min + (dtype == np.int8), info.max, shape, dtype, endpoint=True)


def parameters(columns, inner):
    """Scales and zero points of an operator's input, weights and result; zeros are 0, as behind a relu."""
    return {"sx": np.float32(0.02), "zx": np.uint8(0), "sw": np.full(columns, 0.01, np.float32), "zw": np.zeros(columns, np.int8),
            "sy": np.float32(0.0125 * np.sqrt(inner)), "zy": np.uint8(0)}


def rescaled(sums, of):
    """Bytes of sums of integers."""
    return np.clip(np.rint(sums * (float(of["sx"]) * float(of["sw"][0]) / float(of["sy"]))), 0, 255).astype(np.uint8)


def product(m, n, k):
    x, w = bytes_of((m, k)), bytes_of((k, n), np.int8)
    node = helper.make_node("QLinearMatMul", ["x", "sx", "zx", "w", "sw", "zw", "sy", "zy"], ["y"], name="bytes")
    real = helper.make_node("MatMul", ["x", "w"], ["y"])
    return (f"{m} x {n} x {k}", 2 * m * n * k, (model([node], {"x": x}, {"w": w, **parameters(n, k)}), {"x": x}),
            (model([real], {"x": x.astype(np.float32)}, {"w": w.astype(np.float32)}), {"x": x.astype(np.float32)}),
            rescaled(x.astype(float) @ w.astype(float), parameters(n, k)))


def convolved(x, w, stride):
    """Sums of a convolution, [1, H, W, C] by [F, C / group, k, k]: in doubles, which hold them exactly."""
    filters, inner, kernel, _ = w.shape
    x = np.pad(x.astype(float), ((0, 0), *[(kernel // 2, kernel // 2)] * 2, (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), (1, 2))[:, ::stride, ::stride]  # [1, h, w, C, k, k]
    if inner == 1 and filters == x.shape[3]:  # depthwise
        return np.einsum("nhwcij,cij->nhwc", windows, w[:, 0].astype(float))
    return np.tensordot(windows, w.astype(float), ((3, 4, 5), (1, 2, 3)))


def layer(channels, size, filters, kernel, stride=1, group=1):
    x, w = bytes_of((1, size, size, channels)), bytes_of((filters, channels // group, kernel, kernel), np.int8)
    bias = np.arange(filters, dtype=np.int32)
    attributes = {"strides": [stride] * 2, "pads": [kernel // 2] * 4, "group": group}

    def between(nodes):
        return [helper.make_node("Transpose", ["x"], ["a"], perm=[0, 3, 1, 2]), *nodes,
                helper.make_node("Transpose", ["b"], ["y"], perm=[0, 2, 3, 1], name="bytes" if len(nodes) == 1 else "reals")]
    node = helper.make_node("QLinearConv", ["a", "sx", "zx", "w", "sw", "zw", "sy", "zy", "bias"], ["b"], **attributes)
    reals = [helper.make_node("Conv", ["a", "w", "bias"], ["c"], **attributes), helper.make_node("Relu", ["c"], ["b"])]
    out = (size + 2 * (kernel // 2) - kernel) // stride + 1
    inner = channels // group * kernel * kernel
    return (f"{channels} x {size} x {size} to {filters}, {kernel} x {kernel} / {stride}{' depthwise' if group > 1 else ''}",
            2 * out * out * filters * inner, (model(between([node]), {"x": x}, {"w": w, "bias": bias, **parameters(filters, inner)}), {"x": x}),
            (model(between(reals), {"x": x.astype(np.float32)}, {"w": w.astype(np.float32), "bias": bias.astype(np.float32)}),
             {"x": x.astype(np.float32)}), rescaled(convolved(x, w, stride) + bias, parameters(filters, inner)))


def blocks(n, k, size=32):
    x = np.random.default_rng(0).standard_normal((1, k)).astype(np.float32)
    packed, scales = bytes_of((n, k // size, size // 2)), np.full(n * k // size, 0.01, np.float32)
    node = helper.make_node("MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft", K=k, N=n, bits=4, block_size=size)
    w = np.random.default_rng(1).standard_normal((k, n)).astype(np.float32)
    numbers = np.stack([packed & 15, packed >> 4], -1).reshape(n, k).astype(np.float32) - 8
    return (f"1 x {n} x {k}, 4 bits", 2 * n * k, (model([node], {"x": x}, {"w": packed, "s": scales}), {"x": x}),
            (model([helper.make_node("MatMul", ["x", "w"], ["y"])], {"x": x}, {"w": w}), {"x": x}),
            x.astype(float) @ (numbers.T * scales[0].astype(float)))


GROUPS = {
    "products": lambda: [product(s, s, s) for s in (256, 512, 1024)] +
                        [product(m, n, k) for m in (1, 128) for n, k in ((768, 768), (3072, 768), (768, 3072))],
    "layers": lambda: [layer(*a) for a in ((3, 224, 64, 7, 2), (64, 56, 64, 1), (64, 56, 64, 3), (64, 56, 256, 1), (256, 56, 128, 1),
                                           (128, 28, 128, 3), (512, 28, 256, 1), (256, 14, 256, 3), (512, 7, 512, 3), (2048, 7, 512, 1),
                                           (24, 56, 144, 1), (144, 56, 24, 1), (960, 7, 320, 1), (32, 112, 32, 3, 1, 32),
                                           (144, 56, 144, 3, 1, 144), (144, 56, 144, 3, 2, 144), (384, 14, 384, 3, 1, 384),
                                           (960, 7, 960, 3, 1, 960))],
    "blocks": lambda: [blocks(n, k) for n, k in ((2304, 768), (3072, 768), (768, 3072), (4096, 4096), (50257, 768))],
}


def whole_models(path, forms):
    """The model of f32, and what onnxruntime's quantiser makes of it."""
    from onnxruntime import quantization

    class Calibration(quantization.CalibrationDataReader):
        def __init__(self, feeds):
            self.feeds = iter([feeds])

        def get_next(self):
            return next(self.feeds, None)
    real = onnx.load(path)
    rng, types = np.random.default_rng(0), {i.name: i.type.tensor_type for i in real.graph.input}
    feeds = {name: random(rng, [d.dim_value or 1 for d in t.shape.dim], helper.tensor_dtype_to_np_dtype(t.elem_type))
             for name, t in types.items()}
    for form in forms:
        with tempfile.TemporaryDirectory() as d:
            made = Path(d) / "q.onnx"
            if form == "dynamic":
                quantization.quantize_dynamic(path, made, per_channel=True)
            else:
                kind = quantization.QuantFormat.QDQ if form == "qdq" else quantization.QuantFormat.QOperator
                quantization.quantize_static(path, made, Calibration(feeds), quant_format=kind, per_channel=True,
                                             activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8)
            yield f"{Path(path).stem}, {form}", 0, (onnx.load(made), feeds), (real, feeds), None


def check_operator(got, reference):
    """Of mlc's result, against the integers: nothing is between right and wrong but how ties and f32 round."""
    steps = np.abs(got.astype(float) - reference.astype(float))
    if got.dtype == np.uint8 and (steps.max() > 1 or np.count_nonzero(steps) > 0.01 * steps.size):
        raise RuntimeError(f"mlc is wrong: {np.count_nonzero(steps)} of {steps.size} bytes differ, by {steps.max():.0f} at most")
    if got.dtype != np.uint8 and worst_row(got, reference) > 1e-4:
        raise RuntimeError(f"mlc is wrong: a row differs by {worst_row(got, reference):.1e} of its largest number")


def measure(args, case, threads):
    name, operations, *pair, reference = case
    with tempfile.TemporaryDirectory(prefix="mlc-bench-") as d:
        engines = []
        for kind, (made, feeds) in zip(("mlc", "mlc f32"), pair):
            folder = Path(d) / kind.replace(" ", "-")
            folder.mkdir()
            onnx.save(made, folder / "m.onnx")
            engines.append(Mlc(args.mlc, folder / "m.onnx", feeds, threads, folder, (), kind))
        files = engines[1].results
        if reference is not None:
            files = {"y": f"{d}/reference.npy"}
            np.save(files["y"], reference)
        pairs = [(np.load(file), np.load(files[key])) for key, file in engines[0].results.items()]
        if reference is not None:
            check_operator(*pairs[0])
        peers = [peer(engines[0]) for peer in PEERS]
        for peer in peers:
            peer.reference = files
        times, others = interleave([*engines, *peers], args.rounds, args.seconds)
    worst = {"mlc": max(worst_row(*pair) for pair in pairs), **{e.name: e.worst_row for e in peers if e.name in times}}
    nearest = min((v for k, v in worst.items() if k != "mlc"), default=float("inf"))
    if reference is None and worst["mlc"] > 2 * nearest:
        raise RuntimeError(f"mlc is wrong: a row is {worst['mlc']:.1e} from f32, and {nearest:.1e} in a peer's result")
    return {"case": name, "threads": threads, "others": others, "machine": machine(), "operations": operations, "worst_row": worst,
            "seconds": {k: min(v) for k, v in times.items()}, "fails": {e.name: e.fails for e in peers if e.name not in times}}


def show(row):
    seconds, names = row["seconds"], [peer.name for peer in PEERS]
    best = min((seconds[n] for n in names if n in seconds), default=float("nan"))
    cells = [f"{seconds[n] * 1e3:.3f}" if n in seconds else row["fails"][n].replace("|", "/")[:60] for n in ("mlc", "mlc f32", *names)]
    rate = f"{row['operations'] * 1e-9 / seconds['mlc']:.0f}" if row["operations"] else ""
    worst = ", ".join(f"{row['worst_row'][n]:.0e}" for n in ("mlc", *names) if n in row["worst_row"])
    return (f"| {row['case']} | {row['threads']} | {' | '.join(cells)} | {rate} | {seconds['mlc'] / best:.2f} | "
            f"{seconds['mlc'] / seconds['mlc f32']:.2f} | {worst} | {row['others']:.1f} |")


def main():
    def more(parser):
        parser.add_argument("--forms", default=",".join(FORMS), help="of whole models")
        parser.add_argument("--only", default="", metavar="REGEX", help="cases whose names match")
        parser.set_defaults(seconds=0.3, threads="1")
    args = arguments(__doc__, "GROUP|MODEL.onnx", tuple(GROUPS), more)
    logging.disable(logging.WARNING)
    titles = ["case", "threads", "mlc", "mlc f32", *(peer.name for peer in PEERS), "G operations/s", "mlc / best peer", "mlc / its f32", "worst row", "others"]
    print(f"{machine()}; least ms over {args.rounds} interleaved rounds\n\n| {' | '.join(titles)} |\n|{'---|' * len(titles)}")
    for selected in args.selected:
        for case in GROUPS[selected]() if selected in GROUPS else whole_models(selected, args.forms.split(",")):
            if not re.search(args.only, case[0]):
                continue
            for threads in args.threads:
                row = measure(args, case, threads)
                print(show(row), flush=True)
                if args.json:
                    with args.json.open("a") as f:
                        f.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
