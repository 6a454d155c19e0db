"""Shows that the vectoriser is ours: each model compiled with LLVM's loop and SLP vectorisers on and off.

    python bench/vectorizer.py [--mlc build/release/bin/mlc] [MODEL...] [--threads 1] [--rounds 5] [--seconds 2]

Off over on is what it costs to do without them; the goal is at most 1.05. Timed in interleaved rounds, as by run.py.
"""
import statistics
import sys
import tempfile
from pathlib import Path

from run import Mlc, arguments, interleave, load, machine

FLAGS = {"on": ["--llvm-vectorizers"], "off": []}


def main():
    args = arguments(__doc__)
    print(f"{machine()}; median ms over {args.rounds} interleaved rounds\n")
    print("| model | threads | vectorisers on | off | off / on | others |\n|---|---|---|---|---|---|")
    worst = 0.0
    for model in args.selected:
        for threads in args.threads:
            path, feeds = load(model, args.models)
            with tempfile.TemporaryDirectory(prefix="mlc-bench-") as d:
                engines = []
                for state, flags in FLAGS.items():
                    folder = Path(d) / state
                    folder.mkdir()
                    engines.append(Mlc(args.mlc, path, feeds, threads, folder, flags, state))
                times, others = interleave(engines, args.rounds, args.seconds)
            on, off = statistics.median(times["on"]), statistics.median(times["off"])
            worst = max(worst, off / on)
            print(f"| {Path(model).stem} | {threads} | {on * 1e3:.3f} | {off * 1e3:.3f} | {off / on:.3f} | {others:.2f} |",
                  flush=True)
    print(f"\nworst off / on: {worst:.3f}")
    sys.exit(0 if worst <= 1.05 else 1)


if __name__ == "__main__":
    main()
