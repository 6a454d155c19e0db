"""Operators of ai.onnx.ml, compiled, beside onnxruntime.

    python ml_cases.py --mlc build/release/bin/mlc [--only TEXT]

Each case is a model of one node, run by mlc with 1, 2 and 3 threads: within 1e-5 of onnxruntime's numbers, and the same bits for any
number of threads. `want` says what has to come out where onnxruntime has no meaning, or leaves out what ONNX says.
"""
import argparse
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper

from harness import Failure, call, check_close, check_same_bits, run_all, run_outputs, save_feeds

CASES, REFUSED = {}, {}
F, D, I = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64
POSTS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
NAN, INF = float("nan"), float("inf")


def model_of(op, feeds, kinds, opset, attributes):
    outputs = ["y", "z"][:len(kinds)]
    given = {k: v for k, v in attributes.items() if v is not None}
    node = helper.make_node(op, list(feeds), outputs, "node", domain="ai.onnx.ml", **given)
    infos = [helper.make_tensor_value_info(k, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for k, v in feeds.items()]
    graph = helper.make_graph([node], "g", infos, [helper.make_tensor_value_info(o, k, None) for o, k in zip(outputs, kinds)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", opset)], ir_version=10)


def case(name, op, feeds, kinds=(F,), opset=3, want=None, **attributes):
    feeds = feeds if isinstance(feeds, dict) else {"x": feeds}
    assert name not in CASES, name
    CASES[name] = model_of(op, feeds, kinds, opset, attributes), feeds, want


def refused(name, op, x, message, code=1, kinds=(F,), opset=3, **attributes):
    feeds = x if isinstance(x, dict) else {"x": x}
    REFUSED[name] = model_of(op, feeds, kinds, opset, attributes), feeds, message, code


def numbers(*shape, dtype=np.float32, seed=0):
    return np.random.default_rng(seed + len(shape)).standard_normal(shape).astype(dtype)


# ---- features

def features():
    x = numbers(7, 5)
    for tag, of in (("f32", x), ("f64", x.astype(np.float64)), ("i64", np.arange(35).reshape(7, 5)), ("i32", np.arange(35, dtype=np.int32).reshape(7, 5))):
        case(f"scaler-{tag}", "Scaler", of, offset=[.5, -1, 0, 3, 2.25], scale=[2, .5, 1e-3, 100, 1])
        case(f"binarizer-{tag}", "Binarizer", of, kinds=[helper.np_dtype_to_tensor_dtype(of.dtype)], threshold=7.5 if "i" in tag else .25,
             want=[(of > (7.5 if "i" in tag else .25)).astype(of.dtype)])
        for norm in ("MAX", "L1", "L2"):
            case(f"normalizer-{norm}-{tag}".lower(), "Normalizer", of, norm=norm)
    case("scaler-one-number", "Scaler", x, offset=[.5], scale=[2.])
    case("scaler-vector", "Scaler", x[0], offset=[.5] * 5, scale=[2.] * 5)
    case("scaler-extremes", "Scaler", np.float32([[INF, -INF, NAN, 3e38, 1e-45]]), offset=[.5] * 5, scale=[2.] * 5)
    case("normalizer-zeros", "Normalizer", np.zeros((2, 3), np.float32), norm="L2")
    case("normalizer-vector", "Normalizer", x[0], norm="L1")
    case("normalizer-large", "Normalizer", np.float32([[3e30, 4e30], [3e-30, 4e-30]]), norm="L2", want=[np.float32([[.6, .8], [.6, .8]])])
    holes = x.copy()
    holes[::2, 1] = NAN
    holes[1, 3] = 9
    case("imputer-nan", "Imputer", holes, imputed_value_floats=[1., 2., 3., 4., 5.], replaced_value_float=NAN)
    case("imputer-number", "Imputer", holes, imputed_value_floats=[7.], replaced_value_float=9.)
    case("imputer-i64", "Imputer", np.arange(10).reshape(2, 5), kinds=[I], imputed_value_int64s=[-1, -2, -3, -4, -5], replaced_value_int64=3)
    case("imputer-f64", "Imputer", holes.astype(np.float64), kinds=[D], imputed_value_floats=[1., 2., 3., 4., 5.], replaced_value_float=NAN,
         want=[np.where(np.isnan(holes), np.float64([1, 2, 3, 4, 5]), holes.astype(np.float64))])
    case("features-chosen", "ArrayFeatureExtractor", {"x": x, "i": np.array([[3, 0, 3]])})
    case("features-chosen-of-vector", "ArrayFeatureExtractor", {"x": np.arange(5), "i": np.array([4, 1])}, kinds=[I])
    case("features-together", "FeatureVectorizer", {"x": x, "i": np.arange(14).reshape(7, 2)}, inputdimensions=[5, 2],
         want=[np.concatenate([x, np.arange(14).reshape(7, 2).astype(np.float32)], 1)])
    case("features-cut-and-filled", "FeatureVectorizer", {"x": x, "i": x[:, :2]}, inputdimensions=[3, 4])


def encoders():
    x = np.array([[3, 9, -4], [5, 3, 3]])
    for tag, of in (("i64", x), ("f32", x.astype(np.float32) + .25), ("f64", x.astype(np.float64))):
        case(f"one-hot-{tag}", "OneHotEncoder", of, cats_int64s=[5, 3, -4], zeros=1)
    case("one-hot-known", "OneHotEncoder", np.array([3, 5, 5, -4]), cats_int64s=[5, 3, -4], zeros=0)
    case("labels-i64-f32", "LabelEncoder", x, opset=2, keys_int64s=[5, 3, 77, 3], values_floats=[.5, .25, 7, 9], default_float=-1.)
    case("labels-f32-i64", "LabelEncoder", np.float32([[1, 2.5, -0.0], [NAN, INF, 3]]), kinds=[I], opset=4, keys_floats=[2.5, 0, NAN, INF],
         values_int64s=[1, 2, 3, 4], default_int64=-7)
    case("labels-i64-i64", "LabelEncoder", np.arange(-3, 300), kinds=[I], opset=2, keys_int64s=list(range(200)), values_int64s=[i * i for i in range(200)],
         default_int64=-7)
    keys, values = (onnx.numpy_helper.from_array(np.array(a, t), "") for a, t in (([4, 3, 2], np.float64), ([1.5, 2.5, 3.5], np.float64)))
    case("labels-tensors", "LabelEncoder", np.float64([2, 3, 5]), kinds=[D], opset=4, keys_tensor=keys, values_tensor=values,
         default_tensor=onnx.numpy_helper.from_array(np.array([-2.], np.float64), ""), want=[np.float64([3.5, 2.5, -2])])


# ---- linear models

def linear():
    x, w = numbers(9, 6), numbers(4, 6, seed=1)
    flat = lambda a: [float(v) for v in np.asarray(a, np.float32).ravel()]
    for post in POSTS:
        case(f"linear-classifier-{post}".lower(), "LinearClassifier", x, kinds=(I, F), coefficients=flat(w), intercepts=flat(w[:, 0]),
             classlabels_ints=[7, 1, 3, 5], post_transform=post)
        case(f"linear-binary-{post}".lower(), "LinearClassifier", x, kinds=(I, F), coefficients=flat(w[0]), intercepts=[.25],
             classlabels_ints=[7, 3], post_transform=post)
        case(f"linear-two-scores-{post}".lower(), "LinearClassifier", x, kinds=(I, F), coefficients=flat(w[:2]), intercepts=flat(w[:2, 0]),
             classlabels_ints=[0, 1], post_transform=post)
    case("linear-classifier-i64", "LinearClassifier", np.arange(12).reshape(2, 6), kinds=(I, F), coefficients=flat(w), intercepts=flat(w[:, 0]),
         classlabels_ints=[0, 1, 2, 3])
    case("linear-regressor", "LinearRegressor", x, coefficients=flat(w), intercepts=flat(w[:, 0]), targets=4)
    case("linear-regressor-one", "LinearRegressor", x, coefficients=flat(w[0]))
    case("linear-regressor-vector", "LinearRegressor", x[0], coefficients=flat(w), targets=4)
    case("linear-regressor-f64", "LinearRegressor", x.astype(np.float64), coefficients=flat(w), intercepts=flat(w[:, 0]), targets=4,
         want=[(x.astype(np.float64) @ w.T.astype(np.float64) + w[:, 0]).astype(np.float32)])
    probabilities = np.float32([[.1], [.5], [.9], [1e-6]])
    case("linear-regressor-probit", "LinearRegressor", probabilities, coefficients=[1.], intercepts=[0.], post_transform="PROBIT")
    for kernel, params in (("LINEAR", [0, 0, 0]), ("POLY", [.3, .5, 3]), ("RBF", [.2, 0, 0]), ("SIGMOID", [.1, .2, 0])):
        for one_class in (0, 1):
            case(f"svm-regressor-{kernel}-{one_class}".lower(), "SVMRegressor", x, coefficients=flat(numbers(11, seed=3)), rho=[.3], n_supports=11,
                 support_vectors=flat(numbers(11, 6, seed=2)), kernel_type=kernel, kernel_params=[float(p) for p in params], one_class=one_class)
    case("svm-regressor-no-vectors", "SVMRegressor", x, coefficients=flat(w[0]), rho=[.3], n_supports=0, kernel_type="LINEAR", want=[x @ w[:1].T + np.float32(.3)])


def faults():
    x = numbers(2, 3)
    refused("scaler-sizes", "Scaler", x, "attribute 'scale' has 2 numbers for 3 features", offset=[1.], scale=[1., 2.])
    refused("norm-unknown", "Normalizer", x, "attribute 'norm' is 'L7'", norm="L7")
    refused("post-unknown", "LinearRegressor", x, "attribute 'post_transform' is 'HALF'", coefficients=[1., 2., 3.], post_transform="HALF")
    refused("coefficients", "LinearRegressor", x, "2 coefficients for 1 scores of 3 features", coefficients=[1., 2.])
    refused("intercepts", "LinearRegressor", x, "2 intercepts for 1 scores", coefficients=[1., 2., 3.], intercepts=[1., 2.])
    refused("classes-none", "LinearClassifier", x, "attribute 'classlabels_ints' or 'classlabels_strings' is required", kinds=(I, F), coefficients=[1., 2., 3.])
    refused("classes-both", "LinearClassifier", x, "attributes 'classlabels_ints' and 'classlabels_strings' are both given", kinds=(I, F),
            coefficients=[1., 2., 3.], classlabels_ints=[1, 2], classlabels_strings=["a", "b"])
    refused("classes-strings", "LinearClassifier", x, "classes that are strings", 3, kinds=(I, F), coefficients=[1., 2., 3.], classlabels_strings=["a", "b"])
    refused("classes-other", "LinearClassifier", x, "3 classes for 2 scores", kinds=(I, F), coefficients=[1., 2., 3.] * 2, classlabels_ints=[1, 2, 3])
    refused("kernel-unknown", "SVMRegressor", x, "attribute 'kernel_type' is 'CUBE'", coefficients=[1.], rho=[0.], kernel_type="CUBE")
    refused("kernel-params", "SVMRegressor", x, "attribute 'kernel_params' has 1 numbers, expected 3", coefficients=[1.], rho=[0.], kernel_params=[1.])
    refused("rho", "SVMRegressor", x, "attribute 'rho' has 2 numbers, expected 1", coefficients=[1.] * 3, rho=[0., 1.])
    refused("keys-none", "LabelEncoder", np.arange(3), "attribute 'keys' is required", opset=2, values_floats=[1.])
    refused("keys-other", "LabelEncoder", np.arange(3), "keys of type tensor<1xf32> for an input of type tensor<3xi64>", opset=2, keys_floats=[1.], values_floats=[1.])
    refused("keys-sizes", "LabelEncoder", np.arange(3), "keys of type tensor<1xi64> for values of type tensor<2xf32>", opset=2, keys_int64s=[1],
            values_floats=[1., 2.])
    refused("keys-default", "LabelEncoder", np.arange(3), "attribute 'default_tensor' must be one number", opset=4, keys_int64s=[1], values_floats=[1.],
            default_tensor=onnx.numpy_helper.from_array(np.zeros(2, np.float32), ""))
    refused("keys-strings", "LabelEncoder", np.arange(3), "elements of type string", 3, opset=2, keys_int64s=[1], values_strings=["a"])
    refused("classes-of-strings", "LabelEncoder", np.arange(3), "elements of type string", 3, opset=1, classes_strings=["a"])
    refused("mapper", "CategoryMapper", np.arange(3), "elements of type string", 3, cats_int64s=[1], cats_strings=["a"])
    refused("maps", "ZipMap", x, "values that are maps", 3, classlabels_int64s=[1, 2, 3])
    refused("imputed-sizes", "Imputer", np.arange(4).reshape(2, 2), "attribute 'imputed_value_int64s' has 3 numbers for 2 features", kinds=[I],
            imputed_value_int64s=[1, 2, 3])
    refused("dimensions", "FeatureVectorizer", x, "attribute 'inputdimensions' has 2 numbers for 1 inputs", inputdimensions=[1, 2])
    refused("columns", "FeatureVectorizer", x, "-1 columns of an input of type", 3, inputdimensions=[-1])
    refused("threshold", "Binarizer", np.arange(3), "a threshold of 1e+30 for integers", 3, kinds=[I], threshold=1e30)
    refused("category", "OneHotEncoder", np.array([3, 4]), "a category that the encoder does not have", cats_int64s=[5, 3], zeros=0)
    refused("opset-new", "Scaler", x, "opset 6 of 'ai.onnx.ml' is not within 1 and 5", opset=6, offset=[1.], scale=[1.])


# ---- running them

def onnxruntime_of(model, feeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, feeds)


def check(mlc, name):
    model, feeds, want = CASES[name]
    names = [o.name for o in model.graph.output]
    want = onnxruntime_of(model, feeds) if want is None else want
    with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
        folder = Path(d)
        onnx.save(model, folder / "m.onnx")
        result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
        if result.code:
            raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")
        flags = save_feeds(feeds, folder)
        runs = [run_outputs(mlc, folder / "m.so", flags, names, folder / f"out{t}", t) for t in (1, 2, 3)]
        for run in runs[1:]:
            check_same_bits(names, runs[0], run, "another number of threads")
        return check_close(names, runs[0], want, 1e-5)


def check_refused(mlc, name):
    model, feeds, message, code = REFUSED[name]
    with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
        onnx.save(model, Path(d) / "m.onnx")
        result = call(mlc, "run", Path(d) / "m.onnx", *save_feeds(feeds, Path(d)))
        if result.code != code or message not in result.err:
            raise Failure(f"expected exit {code} and {message!r}, got exit {result.code}: {result.first_line()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mlc", default=os.environ.get("MLC"), help="the mlc binary; default: $MLC")
    parser.add_argument("--only", default="", help="only names that contain this")
    args = parser.parse_args()
    onnxruntime.set_default_logger_severity(4)
    for make in (features, encoders, linear, faults):
        make()
    tests = {name: lambda name=name: check(args.mlc, name) for name in CASES if args.only in name}
    tests |= {f"refused-{name}": lambda name=name: check_refused(args.mlc, name) for name in REFUSED if args.only in name}
    results = run_all(tests, os.cpu_count())
    failed = sum(isinstance(r, Failure) for r in results.values())
    errors = {n: r for n, r in results.items() if isinstance(r, float)}
    if errors:
        print(f"largest relative error: {max(errors.values()):.1e} ({max(errors, key=errors.get)})")
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    main()
