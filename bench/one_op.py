"""What gemm.py and conv.py share: models of one node, timed next to the peers and set beside what the machine's FMAs can do.

Engines: mlc, mlc with --numerics=strict (products as they are written, where the default may take Strassen's or Winograd's
algorithm), and the peers of run.py that are installed, but LiteRT, which needs a model made beforehand. All are timed in
interleaved rounds; a figure is the least tenth of the times of all rounds, so that other work on the machine matters little.
FLOPs are those of the op as written; the peak is the most that `mlc bench --profile` has measured beside the cases so far.
"""
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from run import PEERS, LiteRt, Mlc, arguments, check, interleave, machine, pinned

PEERS = [peer for peer in PEERS if peer is not LiteRt]
COLORS = {"mlc": "#1b6ca8", "mlc strict": "#8fc1e3", "onnxruntime": "#d98c3f", "openvino": "#9aa39a", "ncnn": "#7a5c99"}


@dataclass
class Case:
    name: str
    op: str
    flops: float
    inputs: list  # arrays
    constants: list = field(default_factory=list)
    attributes: dict = field(default_factory=dict)

    def save(self, path):
        import onnx
        from onnx import TensorProto, helper, numpy_helper
        value = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        inputs, constants = [f"x{i}" for i in range(len(self.inputs))], [f"c{i}" for i in range(len(self.constants))]
        graph = helper.make_graph([helper.make_node(self.op, inputs + constants, ["y"], **self.attributes)], "one_op",
                                  [value(n, v.shape) for n, v in zip(inputs, self.inputs)], [value("y", None)],
                                  [numpy_helper.from_array(v, n) for n, v in zip(constants, self.constants)])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)
        return dict(zip(inputs, self.inputs))


def random(*shape):
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def peak(engine, threads):
    """GFLOP/s that the machine's FMAs can do and GB/s of its memory, measured now."""
    p = subprocess.run(pinned(threads, [engine.mlc, "bench", engine.folder / "m.so", *engine.inputs, "--threads", threads,
                                        "--min-time", 0, "--profile"]), capture_output=True, text=True)
    check(p)
    return [float(v) for v in re.search(r"roofline.*: ([\d.]+) GFLOP/s.*?([\d.]+) GB/s", p.stdout).groups()]


def measure(args, case, threads, rows):
    with tempfile.TemporaryDirectory(prefix="mlc-bench-") as d:
        path, engines = Path(d) / "m.onnx", []
        feeds = case.save(path)
        for name, flags in (("mlc", ()), ("mlc strict", ("--numerics=strict",))):
            folder = Path(d) / name.replace(" ", "-")
            folder.mkdir()
            engines.append(Mlc(args.mlc, path, feeds, threads, folder, flags, name))
        flops, bandwidth = peak(engines[0], threads)
        flops = max([flops, *(row["peak_gflops"] for row in rows if row["threads"] == threads)])
        engines += [peer(engines[0]) for peer in PEERS]
        times, others = interleave(engines, args.rounds, args.seconds)
    return {"case": case.name, "threads": threads, "others": others, "machine": machine(), "flops": case.flops,
            "peak_gflops": flops, "memory_gbs": bandwidth, "seconds": {k: float(np.percentile(v, 10)) for k, v in times.items()},
            "fails": {e.name: e.fails for e in engines if e.name not in times}}


def show(row):
    rate = {name: row["flops"] * 1e-9 / seconds for name, seconds in row["seconds"].items()}
    names = [peer.name for peer in PEERS]
    best = max((rate[name] for name in names if name in rate), default=float("nan"))
    cells = [f"{rate[name]:.1f}" if name in rate else row["fails"][name].replace("|", "/") for name in ("mlc", "mlc strict", *names)]
    cells += [f"{100 * rate['mlc'] / row['peak_gflops']:.0f}", f"{100 * rate['mlc strict'] / row['peak_gflops']:.0f}",
              f"{best / rate['mlc']:.2f}", f"{best / rate['mlc strict']:.2f}", f"{row['others']:.2f}"]
    return f"| {row['case']} | {row['threads']} | {row['seconds']['mlc'] * 1e3:.3f} | {' | '.join(cells)} |"


def header(names):
    titles = ["case", "threads", "mlc, ms", *(f"{name}, GFLOP/s" for name in names), "mlc, % of peak", "strict, % of peak",
              "mlc / best peer, time", "strict / best peer, time", "others"]
    return f"| {' | '.join(titles)} |\n|{'---|' * len(titles)}"


def write_svg(path, title, rows):
    """Bars by case and engine: per cent of the measured FMA peak."""
    names = list(dict.fromkeys(name for row in rows for name in row["seconds"]))
    bar, left, width = 9, 230, 560
    group = bar * len(names) + 8
    share = lambda row, name: 100 * row["flops"] * 1e-9 / row["seconds"][name] / row["peak_gflops"]
    most = max(100, max(share(row, name) for row in rows for name in row["seconds"]))
    x = lambda percent: left + width * percent / most
    bottom = 56 + group * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{bottom + 24}" '
           'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>',
           f'<text x="8" y="16" font-size="13">{title}</text>']
    for i, name in enumerate(names):
        out.append(f'<rect x="{left + 120 * i}" y="26" width="10" height="10" fill="{COLORS[name]}"/>'
                   f'<text x="{left + 14 + 120 * i}" y="35">{name}</text>')
    for percent in range(0, int(most) + 1, 20):
        out.append(f'<line x1="{x(percent):.1f}" x2="{x(percent):.1f}" y1="48" y2="{bottom}" '
                   f'stroke="{"#555" if percent == 100 else "#ddd"}"/>'
                   f'<text x="{x(percent):.1f}" y="{bottom + 14}" text-anchor="middle">{percent} %</text>')
    for k, row in enumerate(rows):
        top = 52 + group * k
        label = row["case"] + (f", {row['threads']} threads" if row["threads"] > 1 else "")
        out.append(f'<text x="{left - 6}" y="{top + group / 2}" text-anchor="end">{label}</text>')
        for i, name in enumerate(names):
            if name in row["seconds"]:
                out.append(f'<rect x="{left}" y="{top + bar * i}" width="{x(share(row, name)) - left:.1f}" height="{bar - 1}" '
                           f'fill="{COLORS[name]}"/>')
    path.write_text("\n".join(out) + "\n</svg>\n")


def sweep(doc, title, groups):
    """The command line of a bench: `groups` has functions that make lists of cases, by name."""
    def more(parser):
        parser.add_argument("--only", default="", metavar="REGEX", help="cases whose names match")
        parser.add_argument("--svg", type=Path, help="write a plot here")
        parser.set_defaults(seconds=0.3, threads="1")
    args = arguments(doc, "GROUP", tuple(groups), more)
    unknown = [group for group in args.selected if group not in groups]
    if unknown:
        sys.exit(f"no group {unknown[0]}: there are {', '.join(groups)}")
    cases = [case for group in args.selected for case in groups[group]() if re.search(args.only, case.name)]
    rows = []
    print(f"{title}: {machine()}; least tenth over {args.rounds} interleaved rounds\n")
    print(header(["mlc", "mlc strict", *(peer.name for peer in PEERS)]))
    for threads in args.threads:
        for case in cases:
            rows.append(measure(args, case, threads, rows))
            print(show(rows[-1]), flush=True)
            if args.json:
                with args.json.open("a") as f:
                    f.write(json.dumps(rows[-1]) + "\n")
    if not rows:
        sys.exit(f"no case matches {args.only}")
    print(f"\npeak of the FMAs: {rows[-1]['peak_gflops']:.0f} GFLOP/s; memory: {max(r['memory_gbs'] for r in rows):.1f} GB/s")
    if args.svg:
        write_svg(args.svg, f"{title}, share of the FMA peak", rows)
