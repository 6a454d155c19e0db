"""Reads the pictures and the held-out scans with `mlc run` and compares the accuracy with the recorded one of onnxruntime.

    python evaluate.py --mlc build/release/bin/mlc [--limit N]

The model is compiled once; every picture is then a run of the artefact, as a PNG or, for the held-out part, as .npy. Exit 1
if a picture is misread or the count of right answers is not onnxruntime's.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def read(mlc, model, image, folder):
    """The logits [10] of a picture file."""
    out = folder / Path(image).stem
    p = subprocess.run([mlc, "run", model, "--input", f"image={image}", "--threads", "1", "--output-dir", out],
                       capture_output=True, text=True)
    if p.returncode:
        sys.exit(f"mlc run {image}: exit {p.returncode}: {p.stderr.strip()}")
    return np.load(out / "logits.npy").reshape(10)


def show_pictures(mlc, model, folder):
    """Prints a line per picture; true if all are read right."""
    right = True
    for path in sorted((HERE / "pictures").glob("*.png")):
        logits = read(mlc, model, path, folder)
        share = np.exp(logits - logits.max())
        share /= share.sum()
        best = int(logits.argmax())
        right &= path.stem == f"digit-{best}"
        print(f"  {path.name}: a {best} ({100 * share[best]:.1f} %)")
    return right


def count_right(mlc, model, folder, limit):
    z = np.load(HERE / "heldout.npz")
    images, labels = z["images"][:limit], z["labels"][:limit]

    def is_right(i):
        path = folder / f"heldout{i}.npy"
        np.save(path, images[i][None].astype(np.float32) / np.float32(255))
        return read(mlc, model, path, folder).argmax() == labels[i]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(map(int, pool.map(is_right, range(len(images))))), len(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", default=os.environ.get("MLC", "mlc"))
    parser.add_argument("--limit", type=int, default=None, help="only the first N of the held-out scans")
    args = parser.parse_args()
    recorded = json.loads((HERE / "accuracy.json").read_text())
    with tempfile.TemporaryDirectory(prefix="mlc-digits-") as d:
        folder = Path(d)
        subprocess.run([args.mlc, "compile", HERE / "digits.onnx", "-o", folder / "digits.so"], check=True)
        pictures_right = show_pictures(args.mlc, folder / "digits.so", folder)
        right, total = count_right(args.mlc, folder / "digits.so", folder, args.limit)
    print(f"  held-out: {right} of {total} right ({100 * right / total:.2f} %); "
          f"{recorded['engine']}: {recorded['right']} of {recorded['pictures']}")
    same = args.limit or (right, total) == (recorded["right"], recorded["pictures"])
    sys.exit(0 if pictures_right and same else 1)


if __name__ == "__main__":
    main()
