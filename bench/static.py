"""Exports of everyday models at their usual sizes, mlc next to onnxruntime and OpenVINO: docs/measurements/models.md's tables.

    static.py make FOLDER [--only REGEX]                needs torch, torchvision, timm and transformers
    static.py compile FOLDER --mlc MLC [--only REGEX]   needs nothing else
    static.py time FOLDER --mlc MLC [--only REGEX]      needs numpy, onnxruntime and openvino

`make` writes NAME.onnx, of f32 with random weights and sizes fixed, and NAME.npz: inputs and torch's results in float64.
`compile` writes NAME.ENGINE.mlca. `time` runs all engines in one process a model, in turns, the least of all runs, and prints
a line for each model: ms, mlc's over the better peer's, and each engine's largest difference from float64 over the largest
number. Two compilers (`--mlc A --mlc B`) are engines mlc and mlc1; without peers (`--peers=`) the ratio is the second's.

Names without more are torchvision's or timm's at 224 x 224; `bN` is a batch, `sN` and `tN` are positions and steps.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "bench"), str(ROOT / "test" / "e2e")]
VISION = {name: 224 for name in (
    "mobilenet_v2 mobilenet_v3_large mobilenet_v3_small mnasnet1_0 efficientnet_b0 efficientnet_v2_s resnet18 resnet50 resnext50_32x4d "
    "regnet_x_400mf regnet_y_400mf densenet121 googlenet shufflenet_v2_x1_0 squeezenet1_1 alexnet convnext_tiny swin_t swin_v2_t maxvit_t").split()}
VISION |= {"inception_v3": 299}
TIMM = ("mobilenetv4_conv_small levit_128s ghostnet_100 efficientvit_b0 edgenext_xx_small deit_small_patch16_224 resmlp_12_224 poolformer_s12 "
        "lcnet_050 xcit_nano_12_p16_224 repvgg_a0 mobileone_s0 mixer_s32_224").split()
RECURRENT = {"lstm_2x512_b1_t100": ("LSTM", 2, 512, 1, 100), "lstm_2x512_b8_t100": ("LSTM", 2, 512, 8, 100), "lstm_2x128_b1_t100": ("LSTM", 2, 128, 1, 100),
             "lstm_3x1024_t50": ("LSTM", 3, 1024, 1, 50), "gru_2x512_b1_t100": ("GRU", 2, 512, 1, 100), "rnn_2x512_t100": ("RNN", 2, 512, 1, 100)}
WIDE = dict(hidden_size=768, num_attention_heads=12, intermediate_size=3072, attn_implementation="eager")
TEXT = {  # kind of transformers', configuration, batch, positions
    "bert_base": ("Bert", WIDE, 1, 128), "bert_base_s512": ("Bert", WIDE | dict(num_hidden_layers=2), 1, 512),
    "bert_4x512_s16": ("Bert", dict(hidden_size=512, num_hidden_layers=4, num_attention_heads=8, intermediate_size=2048, attn_implementation="eager"), 1, 16),
    "minilm": ("Bert", dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, attn_implementation="eager"), 1, 128),
    "distilbert": ("DistilBert", dict(n_layers=3), 1, 128), "albert": ("Albert", WIDE | dict(num_hidden_layers=4), 1, 128),
    "mobilebert": ("MobileBert", dict(num_hidden_layers=6), 1, 128), "squeezebert": ("SqueezeBert", dict(num_hidden_layers=3), 1, 128),
    "deberta_v2": ("DebertaV2", dict(hidden_size=768, num_hidden_layers=3, num_attention_heads=12, intermediate_size=3072, relative_attention=True,
                                     pos_att_type=["p2c", "c2p"]), 1, 128),
    "gpt2": ("GPT2", dict(n_layer=6, attn_implementation="eager"), 1, 128), "t5_encoder": ("T5Encoder", dict(num_layers=6), 1, 128),
    "llama": ("Llama", dict(hidden_size=1024, num_hidden_layers=4, num_attention_heads=16, num_key_value_heads=4, intermediate_size=2816, vocab_size=1000,
                            attn_implementation="eager"), 1, 128),
}
OTHERS = ("lraspp deeplabv3_mobilenet_v3_large r3d_18 ssdlite resnet18_b4 mobilenet_v2_b8 mlp_b1 mlp_b64 mlp_big_b1 mlp_big_b8 unet dcgan style espcn tcn yolo crnn "
          "dlrm_b64 clip_vision dinov2_small segformer mobilevit whisper_encoder wav2vec2 encoder_b1_s7 encoder_b8_s32 conformer autoencoder").split()
NAMES = [*VISION, *TIMM, *RECURRENT, *TEXT, *OTHERS]


# ---- make: functions that return a module and its inputs, by name

def vision(name, batch=1, size=None):
    import timm
    import torch
    import torchvision
    from exports import randomise, settled
    if name in VISION:
        more = {"init_weights": True} if name in ("googlenet", "inception_v3") else {}
        module = getattr(torchvision.models, name)(weights=None, **more)
    else:
        module = timm.create_model(name, pretrained=False)
    shape = (batch, 3, size or VISION.get(name, 224), size or VISION.get(name, 224))
    return settled(randomise(module), shape), {"x": torch.randn(shape)}


def recurrent(name):
    import torch
    kind, layers, size, batch, steps = RECURRENT[name]
    return getattr(torch.nn, kind)(size, size, num_layers=layers).eval(), {"x": torch.randn(steps, batch, size)}


def text(name):
    import torch
    import transformers as tf
    from exports import First, randomise
    kind, config, batch, positions = TEXT[name]
    configuration = getattr(tf, kind.removesuffix("Encoder") + "Config")(**config, use_cache=False) if kind in ("GPT2", "Llama", "T5Encoder") \
        else getattr(tf, kind + "Config")(**config)
    module = First(randomise(getattr(tf, kind + "Model")(configuration)).eval(), lambda out: out[0])
    return module, {"input_ids": torch.randint(3, 900, (batch, positions))}


def of_transformers(name):
    import torch
    import transformers as tf
    from exports import First, randomise
    eager = dict(attn_implementation="eager")
    module, shape = {
        "clip_vision": lambda: (tf.CLIPVisionModel(tf.CLIPVisionConfig(num_hidden_layers=4, **eager)), (1, 3, 224, 224)),
        "dinov2_small": lambda: (tf.Dinov2Model(tf.Dinov2Config(hidden_size=384, num_attention_heads=6, **eager)), (1, 3, 224, 224)),
        "segformer": lambda: (tf.SegformerForSemanticSegmentation(tf.SegformerConfig(**eager)), (1, 3, 256, 256)),
        "mobilevit": lambda: (tf.MobileViTModel(tf.MobileViTConfig(**eager)), (1, 3, 256, 256)),
        "whisper_encoder": lambda: (tf.WhisperModel(tf.WhisperConfig(**eager)).encoder, (1, 80, 3000)),
        "wav2vec2": lambda: (tf.Wav2Vec2Model(tf.Wav2Vec2Config(num_hidden_layers=3, **eager)), (1, 16000)),
    }[name]()
    return First(randomise(module).eval(), lambda out: out[0]), {"x": torch.randn(shape)}


def small(name):
    """Networks of a few layers, written here."""
    import torch
    from torch import nn

    def mlp(*sizes):
        return nn.Sequential(*[part for a, b in zip(sizes, sizes[1:]) for part in (nn.Linear(a, b), nn.ReLU())][:-1]).eval()

    def conv(a, b, size=3, stride=1, then=nn.ReLU):
        return nn.Sequential(nn.Conv2d(a, b, size, stride, size // 2), nn.BatchNorm2d(b), then())

    def up(a, b, *how):
        return nn.Sequential(nn.ConvTranspose2d(a, b, 4, *how), nn.BatchNorm2d(b), nn.ReLU())

    class Unet(nn.Module):
        def __init__(self):
            super().__init__()
            sizes = (32, 64, 128, 256)
            self.down = nn.ModuleList(nn.Sequential(conv(a, b), conv(b, b)) for a, b in zip((3, *sizes), sizes))
            self.grow = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, 2) for a, b in zip(sizes, sizes[1:]))
            self.up = nn.ModuleList(nn.Sequential(conv(2 * a, a), conv(a, a)) for a in sizes[:-1])
            self.last = nn.Conv2d(32, 2, 1)

        def forward(self, x):
            kept = []
            for i, part in enumerate(self.down):
                x = part(x if i == 0 else nn.functional.max_pool2d(x, 2))
                kept.append(x)
            for i in (2, 1, 0):
                x = self.up[i](torch.cat([kept[i], self.grow[i](x)], 1))
            return self.last(x)

    class Crnn(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(conv(1, 32), nn.MaxPool2d(2), conv(32, 64), nn.MaxPool2d(2), conv(64, 128), nn.MaxPool2d((4, 1)))
            self.lstm, self.head = nn.LSTM(256, 128, bidirectional=True, batch_first=True), nn.Linear(256, 80)

        def forward(self, x):
            return self.head(self.lstm(self.body(x).permute(0, 3, 1, 2).flatten(2))[0]).log_softmax(-1)

    class Dlrm(nn.Module):
        def __init__(self):
            super().__init__()
            self.tables = nn.ModuleList(nn.Embedding(1000, 32) for _ in range(8))
            self.bottom, self.top = mlp(13, 128, 64, 32), mlp(32 + 36, 256, 128, 1)

        def forward(self, ids, dense):
            rows = torch.stack([self.bottom(dense)] + [table(ids[:, i]) for i, table in enumerate(self.tables)], 1)
            i, j = torch.tril_indices(9, 9, -1)
            return self.top(torch.cat([rows[:, 0], torch.bmm(rows, rows.transpose(1, 2))[:, i, j]], 1)).sigmoid()

    class Conformer(nn.Module):  # one block: half steps, attention, a depthwise convolution of 15 taps
        def __init__(self, width=256):
            super().__init__()
            self.first, self.last = (nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width)) for _ in range(2))
            self.norm, self.attention = nn.LayerNorm(width), nn.MultiheadAttention(width, 4, batch_first=True)
            self.conv_norm, self.end = nn.LayerNorm(width), nn.LayerNorm(width)
            self.conv = nn.Sequential(nn.Conv1d(width, 2 * width, 1), nn.GLU(1), nn.Conv1d(width, width, 15, padding=7, groups=width), nn.BatchNorm1d(width),
                                      nn.SiLU(), nn.Conv1d(width, width, 1))

        def forward(self, x):
            x = x + self.first(x) / 2
            y = self.norm(x)
            x = x + self.attention(y, y, y, need_weights=False)[0]
            x = x + self.conv(self.conv_norm(x).transpose(1, 2)).transpose(1, 2)
            return self.end(x + self.last(x) / 2)

    class Yolo(nn.Module):
        def __init__(self):
            super().__init__()
            silu = dict(then=nn.SiLU)
            self.body = nn.Sequential(conv(3, 16, 3, 2, **silu), conv(16, 32, 3, 2, **silu), conv(32, 32, **silu), conv(32, 64, 3, 2, **silu), conv(64, 64, **silu))
            self.more = nn.Sequential(conv(64, 128, 3, 2, **silu), conv(128, 128, **silu))
            self.join, self.heads = conv(192, 64, **silu), nn.ModuleList(nn.Conv2d(c, 144, 1) for c in (64, 128))

        def forward(self, x):
            large = self.body(x)
            less = self.more(large)
            both = self.join(torch.cat([large, nn.functional.interpolate(less, scale_factor=2)], 1))
            return torch.cat([head(y).flatten(2) for head, y in zip(self.heads, (both, less))], 2)
    residual = [nn.Sequential(conv(128, 128), conv(128, 128)) for _ in range(3)]
    image = lambda *shape: {"x": torch.randn(shape)}  # noqa: E731
    module, inputs = {
        "mlp_b1": lambda: (mlp(256, 256, 256, 64), image(1, 256)), "mlp_b64": lambda: (mlp(256, 512, 512, 64), image(64, 256)),
        "mlp_big_b1": lambda: (mlp(1024, 2048, 2048, 512), image(1, 1024)), "mlp_big_b8": lambda: (mlp(1024, 4096, 4096, 512), image(8, 1024)),
        "unet": lambda: (Unet(), image(1, 3, 256, 256)), "crnn": lambda: (Crnn(), image(1, 1, 32, 128)), "yolo": lambda: (Yolo(), image(1, 3, 320, 320)),
        "dcgan": lambda: (nn.Sequential(up(64, 256, 1, 0), up(256, 128, 2, 1), up(128, 64, 2, 1), nn.ConvTranspose2d(64, 3, 4, 2, 1), nn.Tanh()), image(1, 64, 1, 1)),
        "style": lambda: (nn.Sequential(conv(3, 32, 9), conv(32, 64, 3, 2), conv(64, 128, 3, 2), *residual, nn.Upsample(scale_factor=2), conv(128, 64),
                                        nn.Upsample(scale_factor=2), conv(64, 32), nn.Conv2d(32, 3, 9, padding=4)), image(1, 3, 256, 256)),
        "espcn": lambda: (nn.Sequential(nn.Conv2d(1, 64, 5, padding=2), nn.Tanh(), nn.Conv2d(64, 32, 3, padding=1), nn.Tanh(), nn.Conv2d(32, 9, 3, padding=1),
                                        nn.PixelShuffle(3)), image(1, 1, 96, 96)),
        "autoencoder": lambda: (nn.Sequential(conv(3, 32, 3, 2), conv(32, 64, 3, 2), conv(64, 128, 3, 2), up(128, 64, 2, 1), up(64, 32, 2, 1),
                                              nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Sigmoid()), image(1, 3, 96, 96)),
        "tcn": lambda: (nn.Sequential(*[part for d in (1, 2, 4, 8) for part in (nn.Conv1d(64, 64, 3, padding=d, dilation=d), nn.ReLU())]), image(1, 64, 200)),
        "dlrm_b64": lambda: (Dlrm(), {"ids": torch.randint(0, 1000, (64, 8)), "dense": torch.randn(64, 13)}), "conformer": lambda: (Conformer(), image(1, 200, 256)),
        "encoder_b1_s7": lambda: (nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True), 2), image(1, 7, 256)),
        "encoder_b8_s32": lambda: (nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True), 4), image(8, 32, 256)),
    }[name]()
    return module.eval(), inputs


def other(name):
    import torch
    import torchvision
    from exports import First, detector, randomise, settled
    if name in ("resnet18_b4", "mobilenet_v2_b8"):
        return vision(name.rsplit("_", 1)[0], int(name.rsplit("_b", 1)[1]))
    if name in ("lraspp", "deeplabv3_mobilenet_v3_large"):
        kind, shape = {"lraspp": "lraspp_mobilenet_v3_large"}.get(name, name), (1, 3, 256, 256)
        module = getattr(torchvision.models.segmentation, kind)(weights=None, weights_backbone=None)
        return First(settled(randomise(module), shape), lambda out: tuple(out.values())), {"x": torch.randn(shape)}
    if name == "r3d_18":
        shape = (1, 3, 8, 64, 64)
        return settled(randomise(torchvision.models.video.r3d_18(weights=None)), shape), {"x": torch.randn(shape)}
    if name == "ssdlite":
        return detector("ssdlite320_mobilenet_v3_large")
    return of_transformers(name) if name in "clip_vision dinov2_small segformer mobilevit whisper_encoder wav2vec2".split() else small(name)


def make_one(folder, name):
    """In a process of its own: exporters keep what they have taken."""
    import torch
    from exports import export, flat, reference
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    make = vision if name in VISION or name in TIMM else recurrent if name in RECURRENT else text if name in TEXT else other
    module, inputs = make(name)
    wants = reference(module, inputs)
    last = None
    for dynamo in (False, True):
        try:
            export(module, inputs, folder / f"{name}.onnx", dynamo)
            break
        except Exception as error:
            last = error
    else:
        raise last
    arrays = {k: (v[0] if isinstance(v, list) else v).numpy() for k, v in inputs.items()}
    np.savez(folder / f"{name}.npz", **arrays, **{f"want{i}": w for i, w in enumerate(wants)}, outputs=len(flat([wants])))


def make(args):
    import multiprocessing

    import timm  # noqa: F401
    import torch  # noqa: F401
    import torchvision  # noqa: F401
    args.folder.mkdir(parents=True, exist_ok=True)
    for name in chosen(args, NAMES):
        if (args.folder / f"{name}.npz").exists():
            continue
        begin = time.perf_counter()
        child = multiprocessing.get_context("fork").Process(target=make_one, args=(args.folder, name))
        child.start()
        child.join()
        print(f"{name:30} {time.perf_counter() - begin:6.1f} s {'' if child.exitcode == 0 else 'fails'}", flush=True)


# ---- time

def chosen(args, names):
    return [name for name in names if re.search(args.only, name)]


def present(args):
    return chosen(args, [n for n in sorted(p.stem for p in args.folder.glob("*.npz")) if (args.folder / f"{n}.onnx").exists()])


def artefacts(args, name):
    return {f"mlc{i or ''}": args.folder / f"{name}.{i}.mlca" for i in range(len(args.mlc))}


def compile_all(args):
    for name in present(args):
        for mlc, path in zip(args.mlc, artefacts(args, name).values()):
            done = subprocess.run([mlc, "compile", args.folder / f"{name}.onnx", "-o", path, *args.flag], capture_output=True, text=True)
            if done.returncode:
                print(f"{name}: {done.stderr.strip().splitlines()[0][:200]}", flush=True)


def loaded(args, name):
    """{engine: a function that runs it and gives its results' function}, and what was wanted."""
    from session import Session
    data = dict(np.load(args.folder / f"{name}.npz"))
    wants = [data.pop(f"want{i}") for i in range(int(data.pop("outputs")))]
    path, engines = str(args.folder / f"{name}.onnx"), {}
    if "onnxruntime" in args.peers:
        import onnxruntime as rt
        options = rt.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = args.threads, 1
        options.log_severity_level = 4
        session = rt.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        outputs = [o.name for o in session.get_outputs()]
        binding = session.io_binding()
        for key, value in data.items():
            binding.bind_cpu_input(key, value)
        for output, value in zip(outputs, session.run(None, data)):
            binding.bind_ortvalue_output(output, rt.OrtValue.ortvalue_from_numpy(value))
        engines["onnxruntime"] = (lambda: session.run_with_iobinding(binding), binding.copy_outputs_to_cpu)
    if "openvino" in args.peers:
        import openvino as ov
        try:
            request = ov.Core().compile_model(path, "CPU", {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": args.threads,
                                                            "INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
            engines["openvino"] = (lambda: request.infer(data, share_inputs=True, share_outputs=True), lambda: [t.data for t in request.output_tensors])
        except RuntimeError as error:  # operators of onnxruntime's own, some
            print(f"{name}: {str(error).splitlines()[0][:120]}", file=sys.stderr)
    for (engine, artefact), mlc in zip(artefacts(args, name).items(), args.mlc):
        library = Path(mlc).resolve().parent.parent / "lib" / "libmlc_runtime.so"
        own = Session(library, artefact, args.threads)
        for key, value in data.items():
            own.set_input(key, value)
        engines[engine] = (own.run, lambda own=own: outputs_of(own, len(wants)))
    return engines, wants


def outputs_of(session, count):
    """Those of f32; others are told by `mlc run`, and compared elsewhere."""
    import ctypes
    found = []
    for i in range(count):
        tensor = session.lib.mlc_session_output(session.handle, i).contents
        shape = [tensor.dims[k] for k in range(tensor.rank)]
        kind = {code: dtype for dtype, code in session.types.items()}.get(tensor.type)
        found.append(np.frombuffer((ctypes.c_char * (math.prod(shape) * kind.itemsize)).from_address(tensor.data), kind).reshape(shape).copy()
                     if kind is not None and math.prod(shape) else None)
    return found


def least(run, seconds):
    run()
    best, done, end = float("inf"), 0, time.perf_counter() + seconds
    while done < 2 or time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
        done += 1
    return best


def error_of(wants, results):
    """The largest difference from float64 over the largest number of an output, of the worst output."""
    pairs = [(w.astype(np.float64), g) for w, g in zip(wants, results) if g is not None and w.dtype.kind == "f"]
    return max((float(np.abs(w - g.reshape(w.shape)).max(initial=0)) / (np.abs(w).max(initial=0) or 1) for w, g in pairs if g.size == w.size),
               default=float("nan"))


def time_one(args, name):
    engines, wants = loaded(args, name)
    times = {engine: [] for engine in engines}
    for _ in range(args.rounds):
        for engine, (run, _) in engines.items():
            times[engine].append(least(run, args.seconds))
    return {"ms": {engine: min(t) * 1e3 for engine, t in times.items()},
            "error": {engine: error_of(wants, results()) for engine, (_, results) in engines.items()}}


def time_all(args):
    rows = []
    for name in present(args):
        begin = time.perf_counter()
        try:
            row = time_one(args, name)
        except (RuntimeError, OSError) as error:
            print(f"{name}: {error}", flush=True)
            continue
        rows.append({"model": name, **row, "spent": time.perf_counter() - begin})
        if args.json:
            with args.json.open("a") as f:
                f.write(json.dumps(rows[-1]) + "\n")
        print(f"| {name} | {' | '.join(f'{t:.3g}' for t in row['ms'].values())} | {ratio(row):.2f} | "
              f"{' | '.join(f'{e:.1e}' for e in row['error'].values())} |", flush=True)
    if rows:
        print(f"{len(rows)} models: geometric mean {math.exp(sum(math.log(ratio(r)) for r in rows) / len(rows)):.3f}, worst {max(map(ratio, rows)):.2f}")


def ratio(row):
    """mlc to the better peer; without peers, of two compilers the second to the first."""
    peers = [t for engine, t in row["ms"].items() if not engine.startswith("mlc")]
    return row["ms"]["mlc"] / min(peers) if peers else row["ms"].get("mlc1", row["ms"]["mlc"]) / row["ms"]["mlc"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("make", "compile", "time"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mlc", action="append")
    parser.add_argument("--flag", action="append", default=[], help="of mlc compile")
    parser.add_argument("--only", default="", metavar="REGEX", help="models whose names match")
    parser.add_argument("--peers", default="onnxruntime,openvino", type=lambda text: text.split(","))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.15, help="least time of each engine's turn")
    parser.add_argument("--json", type=Path, help="append the rows here, a line each")
    args = parser.parse_args()
    args.mlc = args.mlc or [str(ROOT / "build/release/bin/mlc")]
    if args.threads == 1 and args.verb == "time":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    {"make": make, "compile": compile_all, "time": time_all}[args.verb](args)


if __name__ == "__main__":
    main()
