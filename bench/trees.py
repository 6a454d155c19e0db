"""Exports of scikit-learn, XGBoost and LightGBM: right, and how fast next to onnxruntime.

    python bench/trees.py --mlc build/release/bin/mlc [--only REGEX] [--rows 1,1000] [--threads 1,2] [--rounds 5] [--seconds 0.2]
                          [--keep FOLDER] [--json FILE]

Small models are trained on made data and exported (skl2onnx, onnxmltools; `zipmap` off), with an open number of rows, which is given to
mlc by --dim. Of each the results of 1,000 rows are compared with the library's own; classes that differ are counted. Times are the least
of all runs, in turns: `mlc bench`, then onnxruntime's run() in this process, which costs some microseconds a call by itself: `bare` is
that of a model that hands its input on. Needs scikit-learn, skl2onnx, xgboost, lightgbm, onnxmltools, onnx, onnxruntime, numpy; one thread
trains (OMP_NUM_THREADS=1).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

FEATURES, TRAINED, ROWS = 20, 2000, 1000
warnings.filterwarnings("ignore")


@dataclass
class Model:
    make: object  # () -> an untrained model
    data: str     # of DATA
    library: str = "sklearn"
    holes: bool = False  # some values are missing


def data():
    """Rows and what is to be learnt of them: three classes, two, a number; and two classes with two columns of categories."""
    from sklearn.datasets import make_classification, make_regression
    count = TRAINED + ROWS
    three, two = (make_classification(count, FEATURES, n_informative=10, n_classes=n, random_state=0) for n in (3, 2))
    x, y = make_regression(count, FEATURES, n_informative=10, random_state=0, noise=1)
    mixed = np.concatenate([two[0][:, :-2], np.random.default_rng(0).integers(0, 5, (count, 2))], 1)
    sets = {"three": three, "two": two, "number": (x, y / np.abs(y).max()), "mixed": (mixed, two[1])}
    return {name: (x.astype(np.float32), y) for name, (x, y) in sets.items()}


def prepared(model):
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    categories = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(ColumnTransformer([("n", numbers, list(range(FEATURES - 2))), ("c", categories, [FEATURES - 2, FEATURES - 1])]), model)


def models():
    import lightgbm
    import xgboost
    from sklearn import cluster, ensemble, linear_model, naive_bayes, neighbors, neural_network, svm
    forest = dict(n_estimators=100, max_depth=8, random_state=0)
    boosted = dict(n_estimators=100, max_depth=6, n_jobs=1)
    light = dict(n_jobs=1, verbose=-1)
    return {
        "logistic": Model(lambda: linear_model.LogisticRegression(max_iter=500), "three"),
        "forest-classes": Model(lambda: ensemble.RandomForestClassifier(**forest), "three"),
        "forest-two-deep": Model(lambda: ensemble.RandomForestClassifier(100, random_state=0), "two"),
        "forest-number": Model(lambda: ensemble.RandomForestRegressor(**forest), "number"),
        "boosting-two": Model(lambda: ensemble.GradientBoostingClassifier(n_estimators=100, max_depth=4, random_state=0), "two"),
        "boosting-number": Model(lambda: ensemble.GradientBoostingRegressor(n_estimators=100, max_depth=4, random_state=0), "number"),
        "hist-boosting-two": Model(lambda: ensemble.HistGradientBoostingClassifier(max_iter=100, random_state=0), "two", holes=True),
        "isolation-forest": Model(lambda: ensemble.IsolationForest(n_estimators=50, random_state=0), "number"),
        "svc": Model(lambda: svm.SVC(), "three"),
        "svc-probability": Model(lambda: svm.SVC(probability=True), "two"),
        "svr": Model(lambda: svm.SVR(), "number"),
        "pipeline-logistic": Model(lambda: prepared(linear_model.LogisticRegression(max_iter=500)), "mixed", holes=True),
        "pipeline-forest": Model(lambda: prepared(ensemble.RandomForestClassifier(**forest)), "mixed", holes=True),
        "mlp": Model(lambda: neural_network.MLPClassifier((64, 32), max_iter=30, random_state=0), "three"),
        "kmeans": Model(lambda: cluster.KMeans(8, n_init=1, random_state=0), "number"),
        "neighbours": Model(lambda: neighbors.KNeighborsClassifier(5), "three"),
        "naive-bayes": Model(lambda: naive_bayes.GaussianNB(), "three"),
        "xgboost-two": Model(lambda: xgboost.XGBClassifier(**boosted), "two", "xgboost", holes=True),
        "xgboost-three": Model(lambda: xgboost.XGBClassifier(**boosted), "three", "xgboost"),
        "xgboost-number-1000": Model(lambda: xgboost.XGBRegressor(n_estimators=1000, max_depth=8, n_jobs=1), "number", "xgboost", holes=True),
        "lightgbm-two": Model(lambda: lightgbm.LGBMClassifier(n_estimators=100, **light), "two", "lightgbm", holes=True),
        "lightgbm-three": Model(lambda: lightgbm.LGBMClassifier(n_estimators=100, **light), "three", "lightgbm"),
        "lightgbm-number-1000": Model(lambda: lightgbm.LGBMRegressor(n_estimators=1000, max_depth=8, **light), "number", "lightgbm", holes=True),
    }


def take_plain_numbers():
    """Exporters give numpy's numbers, and truth values, where onnx wants Python's integers."""
    made = helper.make_attribute

    def plain(value):
        value = value.item() if isinstance(value, np.generic) else value
        return int(value) if isinstance(value, bool) else value

    def make_attribute(key, value, *rest, **named):
        value = [plain(v) for v in value] if isinstance(value, (list, tuple)) else plain(value)
        return made(key, value, *rest, **named)
    helper.make_attribute = make_attribute


def export(model, library):
    if library == "sklearn":
        import skl2onnx
        from skl2onnx.common.data_types import FloatTensorType
        options = {id(model): {"zipmap": False}} if hasattr(model, "classes_") else None
        return skl2onnx.convert_sklearn(model, initial_types=[("x", FloatTensorType([None, FEATURES]))], options=options,
                                        target_opset={"": 17, "ai.onnx.ml": 3})
    import onnxmltools
    from onnxmltools.convert.common.data_types import FloatTensorType
    types = [("x", FloatTensorType([None, FEATURES]))]
    if library == "xgboost":
        return onnxmltools.convert_xgboost(model, initial_types=types, target_opset=15)
    return onnxmltools.convert_lightgbm(model, initial_types=types, target_opset=15, zipmap=False)


def train(model, sets, folder, name):
    """Writes the export, rows of 1 and 1,000, and what the library says of them; gives the path."""
    x, y = sets[model.data]
    if model.holes:
        x = x.copy()
        x[::7, 3] = np.nan
    fitted = model.make().fit(x[:TRAINED], y[:TRAINED])
    path = folder / f"{name}.onnx"
    onnx.save(export(fitted, model.library), path)
    rows = x[TRAINED:]
    wanted = [fitted.predict(rows)] + ([fitted.predict_proba(rows)] if hasattr(fitted, "predict_proba") else [])
    np.savez(folder / f"{name}.npz", rows=rows, **{f"w{i}": w for i, w in enumerate(wanted)})
    return path


def bench(mlc, path, rows, threads, seconds, folder):
    np.save(folder / "x.npy", rows)
    run = [mlc, "bench", path, "--input", f"x={folder}/x.npy", "--threads", str(threads), "--min-time", str(seconds), "--json", folder / "t.json",
           "--cache-dir", folder / "cache"]
    done = subprocess.run(run, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip().splitlines()[0]}")
    return min(json.loads((folder / "t.json").read_text())["times"])


def time_session(session, rows, seconds):
    name, best, end = session.get_inputs()[0].name, np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        session.run(None, {name: rows})
        best = min(best, time.perf_counter() - begin)
    return best


def session_of(model, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def compare(mlc, path, kept, folder):
    """The largest error relative to the library's largest number, and classes that differ, of its results and onnxruntime's."""
    np.save(folder / "x.npy", kept["rows"])
    done = subprocess.run([mlc, "run", path, "--input", f"x={folder}/x.npy", "--output-dir", folder / "out"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip().splitlines()[0]}")
    names = [o.name for o in onnx.load(path).graph.output]
    theirs = session_of(str(path), 1).run(None, {"x": kept["rows"]})
    result = {}
    for who, got in (("mlc", [np.load(folder / "out" / f"{n}.npy") for n in names]), ("onnxruntime", theirs)):
        pairs = [(g.reshape(w.shape), w) for g, w in zip(got, (kept[k] for k in sorted(kept.files) if k != "rows"))]
        result[who] = {"classes": sum(int((g != w).sum()) for g, w in pairs if g.dtype.kind == "i"),
                       "error": max([float(np.abs(g - w).max() / np.abs(w).max()) for g, w in pairs if g.dtype.kind == "f"], default=0.0)}
    return result


def bare_call():
    value = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, FEATURES]) for n in "xy"]
    graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "bare", value[:1], value[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return time_session(session_of(model.SerializeToString(), 1), np.zeros((1, FEATURES), np.float32), 0.2)


def measure(args, path, name, folder):
    kept = np.load(folder / f"{name}.npz")
    result = compare(args.mlc, path, kept, folder)
    for threads in args.threads:
        session = session_of(str(path), threads)
        for count in args.rows:
            rows, best = kept["rows"][:count], [np.inf, np.inf]
            for _ in range(args.rounds):
                best[0] = min(best[0], bench(args.mlc, path, rows, threads, args.seconds, folder))
                best[1] = min(best[1], time_session(session, rows, args.seconds))
            result[f"{count} x {threads}"] = best
    return result


def show(name, result):
    cells = [f"{result[who]['error']:.0e}" + (f", {result[who]['classes']} classes" if result[who]["classes"] else "") for who in ("mlc", "onnxruntime")]
    for key, times in result.items():
        if " x " in key:
            cells.append(f"{times[0] * 1e6:.1f} / {times[1] * 1e6:.1f} = {times[0] / times[1]:.2f}")
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", required=True)
    parser.add_argument("--only", default="")
    numbers = lambda text: [int(n) for n in text.split(",")]
    parser.add_argument("--rows", type=numbers, default=[1, 1000])
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--keep", type=Path, help="exports are kept here, and found again")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    take_plain_numbers()
    results, sets = {}, None
    print(f"bare call of onnxruntime: {bare_call() * 1e6:.1f} us")
    columns = [f"{c} row{'s' * (c > 1)}, {t} thread{'s' * (t > 1)}, us" for t in args.threads for c in args.rows]
    print("| model | error | onnxruntime's error | " + " | ".join(columns) + " |\n|---|---|---|" + "---|" * len(columns))
    with tempfile.TemporaryDirectory(prefix="mlc-trees-") as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, model in models().items():
            if not re.search(args.only, name):
                continue
            try:
                path = folder / f"{name}.onnx"
                if not path.exists():
                    sets = sets or data()
                    train(model, sets, folder, name)
                results[name] = measure(args, path, name, folder)
                show(name, results[name])
            except Exception as error:  # of one model: the others are told too
                print(f"| {name} | {type(error).__name__}: {str(error)[:200]} |", flush=True)
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    sys.exit(any(name for name in models() if re.search(args.only, name) and name not in results))


if __name__ == "__main__":
    main()
