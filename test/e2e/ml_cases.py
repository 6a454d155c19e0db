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
F, D, I, S = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.STRING
POSTS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO")
NAN, INF = float("nan"), float("inf")


def model_of(op, feeds, kinds, opset, attributes):
    outputs = ["y", "z"][:len(kinds)]
    given = {k: v for k, v in attributes.items() if v is not None}
    node = helper.make_node(op, list(feeds), outputs, "node", domain="ai.onnx.ml", **given)
    infos = [helper.make_tensor_value_info(k, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for k, v in feeds.items()]
    types = [k if isinstance(k, onnx.TypeProto) else helper.make_tensor_type_proto(k, None) for k in kinds]
    graph = helper.make_graph([node], "g", infos, [helper.make_value_info(o, k) for o, k in zip(outputs, types)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", opset)], ir_version=10)


def case(name, op, feeds, kinds=(F,), opset=3, want=None, **attributes):
    feeds = feeds if isinstance(feeds, dict) else {"x": feeds}
    assert name not in CASES, name
    CASES[name] = model_of(op, feeds, kinds, opset, attributes), feeds, want


def refused(name, op, x, message, code=1, kinds=(F,), opset=3, **attributes):
    feeds = x if isinstance(x, dict) else {"x": x}
    REFUSED[name] = model_of(op, feeds, kinds, opset, attributes), feeds, message, code


def maps_of(key):
    return helper.make_sequence_type_proto(helper.make_map_type_proto(key, helper.make_tensor_type_proto(F, ())))


def words(*items):
    return np.array(items, object)


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
    case("features-together", "FeatureVectorizer", {"x": x, "i": np.arange(14).reshape(7, 2).astype(x.dtype)}, inputdimensions=[5, 2],
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


def strings():
    x = words("b", "a", "", "\u00e9", "b", "zzz").reshape(2, 3)
    pool = ["a", "b", "\u00e9", "b"]
    case("one-hot-strings", "OneHotEncoder", x, cats_strings=pool[:3], zeros=1)
    case("categories-of-strings", "CategoryMapper", x, kinds=[I], opset=1, cats_strings=pool[:3], cats_int64s=[5, -3, 7], default_int64=-9)
    case("categories-of-numbers", "CategoryMapper", np.array([[5, 7, 0], [-3, 7, 5]]), kinds=[S], opset=1, cats_strings=pool[:3], cats_int64s=[5, -3, 7],
         default_string="other")
    for tag, kind, values, default in (("i64", I, dict(values_int64s=[3, 1, 2, 9]), dict(default_int64=7)), ("f32", F, dict(values_floats=[.5, NAN, 2, 9]), {}),
                                       ("strings", S, dict(values_strings=["x", "a", "", "y"]), dict(default_string="none"))):
        case(f"labels-strings-{tag}", "LabelEncoder", x, kinds=[kind], opset=2, keys_strings=pool, **values, **default)
    case("labels-i64-strings", "LabelEncoder", np.array([4, 5, 6]), kinds=[S], opset=2, keys_int64s=[6, 4], values_strings=["six", "four"])
    case("labels-f32-strings", "LabelEncoder", np.float32([4, NAN, 6]), kinds=[S], opset=4, keys_floats=[6, NAN], values_strings=["six", "none"])
    case("strings-chosen", "ArrayFeatureExtractor", {"x": x, "i": np.array([2, 0])}, kinds=[S])
    scores, names = np.float32([[.25, .5, .125], [1, NAN, -0.0]]), ["", "caf\u00e9", "lynx"]
    case("zip-numbers", "ZipMap", scores, kinds=[maps_of(I)], opset=1, classlabels_int64s=[-1, 3, 7])
    case("zip-strings", "ZipMap", scores, kinds=[maps_of(S)], opset=1, classlabels_strings=names)
    case("zip-vector", "ZipMap", scores[0], kinds=[maps_of(S)], opset=1, classlabels_strings=names)
    flat = lambda a: [float(v) for v in np.asarray(a, np.float32).ravel()]
    w = numbers(3, 4, seed=1)
    case("linear-classifier-strings", "LinearClassifier", numbers(9, 4), kinds=(S, F), coefficients=flat(w), intercepts=flat(w[:, 0]), classlabels_strings=names)
    case("linear-binary-strings", "LinearClassifier", numbers(9, 4), kinds=(S, F), coefficients=flat(w[0]), intercepts=[.25], classlabels_strings=names[:2],
         post_transform="LOGISTIC")
    case("svm-classifier-strings", "SVMClassifier", numbers(9, 4), kinds=(S, F), coefficients=flat(numbers(2, 9, seed=4)), kernel_type="LINEAR",
         support_vectors=flat(numbers(9, 4, seed=5)), kernel_params=[0., 0., 0.], rho=[.5, -.25, .125], vectors_per_class=[2, 3, 4], classlabels_strings=names)
    for count, classes in ((1, 2), (3, 3)):  # of two, one score
        case(f"trees-classifier-strings-{classes}", "TreeEnsembleClassifier", numbers(9, 4), kinds=(S, F), classlabels_strings=names[:classes],
             **forest(5, 6, 3, 4, count, what="class", dense=count > 1))


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
    for classes in (2, 3, 5):
        sizes = [4 + i for i in range(classes)]
        vectors, pairs = sum(sizes), classes * (classes - 1) // 2
        for kernel, params in (("LINEAR", [0, 0, 0]), ("RBF", [.2, 0, 0])):
            for with_probabilities in (False, True):
                given = dict(coefficients=flat(numbers(classes - 1, vectors, seed=4)), support_vectors=flat(numbers(vectors, 6, seed=5)), kernel_type=kernel,
                             kernel_params=[float(p) for p in params], rho=flat(numbers(pairs, seed=6)), vectors_per_class=sizes,
                             classlabels_ints=[3 * i + 1 for i in range(classes)])
                if with_probabilities:
                    given |= dict(prob_a=flat(-abs(numbers(pairs, seed=7))), prob_b=flat(numbers(pairs, seed=8) / 4))
                case(f"svm-classifier-{classes}-{kernel}-{'probabilities' if with_probabilities else 'scores'}".lower(), "SVMClassifier", numbers(30, 6),
                     kinds=(I, F), **given)
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
    refused("class-of-strings", "LinearClassifier", x, "a single class that is a string", 3, kinds=(S, F), coefficients=[1., 2., 3.], classlabels_strings=["a"])
    refused("classes-other", "LinearClassifier", x, "3 classes for 2 scores", kinds=(I, F), coefficients=[1., 2., 3.] * 2, classlabels_ints=[1, 2, 3])
    refused("kernel-unknown", "SVMRegressor", x, "attribute 'kernel_type' is 'CUBE'", coefficients=[1.], rho=[0.], kernel_type="CUBE")
    refused("kernel-params", "SVMRegressor", x, "attribute 'kernel_params' has 1 numbers, expected 3", coefficients=[1.], rho=[0.], kernel_params=[1.])
    refused("rho", "SVMRegressor", x, "attribute 'rho' has 2 numbers, expected 1", coefficients=[1.] * 3, rho=[0., 1.])
    pairs = dict(kinds=(I, F), classlabels_ints=[0, 1], vectors_per_class=[1, 1], coefficients=[1., -1.], rho=[.5], support_vectors=[1., 2., 3., 4., 5., 6.])
    refused("svm-no-vectors", "SVMClassifier", x, "no support vectors", 3, **(pairs | {"vectors_per_class": None}))
    refused("svm-classes", "SVMClassifier", x, "300 classes", 3, **(pairs | {"classlabels_ints": list(range(300))}))
    refused("svm-sizes", "SVMClassifier", x, "class 1 has -1 support vectors", **(pairs | {"vectors_per_class": [1, -1]}))
    refused("svm-coefficients", "SVMClassifier", x, "2 classes, 'vectors_per_class' of 2, 1 coefficients and 'rho' of 1 do not fit",
            **(pairs | {"coefficients": [1.]}))
    refused("svm-probabilities", "SVMClassifier", x, "attributes 'prob_a' and 'prob_b' have 2 and 0 numbers for 1 pairs", **(pairs | {"prob_a": [1., 2.]}))
    refused("keys-none", "LabelEncoder", np.arange(3), "attribute 'keys' is required", opset=2, values_floats=[1.])
    refused("keys-other", "LabelEncoder", np.arange(3), "keys of type tensor<1xf32> for an input of type tensor<3xi64>", opset=2, keys_floats=[1.], values_floats=[1.])
    refused("keys-sizes", "LabelEncoder", np.arange(3), "keys of type tensor<1xi64> for values of type tensor<2xf32>", opset=2, keys_int64s=[1],
            values_floats=[1., 2.])
    refused("keys-default", "LabelEncoder", np.arange(3), "attribute 'default_tensor' must be one number", opset=4, keys_int64s=[1], values_floats=[1.],
            default_tensor=onnx.numpy_helper.from_array(np.zeros(2, np.float32), ""))
    refused("mapper", "CategoryMapper", np.arange(3), "1 strings for 2 numbers", kinds=[S], opset=1, cats_int64s=[1, 2], cats_strings=["a"])
    refused("one-hot-strings", "OneHotEncoder", words("a"), "'cats_int64s' for an input of type tensor<1xsi64>", cats_int64s=[1])
    refused("one-hot-numbers", "OneHotEncoder", np.arange(3), "'cats_strings' for an input of type tensor<3xi64>", cats_strings=["a"])
    refused("zip-keys", "ZipMap", x, "2 keys for rows of 3", kinds=[maps_of(I)], opset=1, classlabels_int64s=[1, 2])
    refused("zip-images", "ZipMap", numbers(2, 2, 3), "an input of type tensor<2x2x3xf32>", 3, kinds=[maps_of(I)], opset=1, classlabels_int64s=[1, 2, 3])
    refused("imputed-sizes", "Imputer", np.arange(4).reshape(2, 2), "attribute 'imputed_value_int64s' has 3 numbers for 2 features", kinds=[I],
            imputed_value_int64s=[1, 2, 3])
    refused("dimensions", "FeatureVectorizer", x, "attribute 'inputdimensions' has 2 numbers for 1 inputs", inputdimensions=[1, 2])
    refused("columns", "FeatureVectorizer", x, "-1 columns of an input of type", 3, inputdimensions=[-1])
    refused("threshold", "Binarizer", np.arange(3), "a threshold of 1e+30 for integers", 3, kinds=[I], threshold=1e30)
    refused("category", "OneHotEncoder", np.array([3, 4]), "a category that the encoder does not have", cats_int64s=[5, 3], zeros=0)
    refused("opset-new", "Scaler", x, "opset 6 of 'ai.onnx.ml' is not within 1 and 5", opset=6, offset=[1.], scale=[1.])


# ---- trees

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")


def forest(seed, trees, depth, features, targets, modes=MODES[:1], missing=False, dense=False, full=False, what="target", whole=False, positive=False,
           wide=False):
    """Random trees as attributes: `full` ones have all leaves at one depth, others end anywhere; `dense` leaves have a weight for each target."""
    rng = np.random.default_rng(seed)
    lists = {k: [] for k in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true")}
    ends = {k: [] for k in ("treeids", "nodeids", "ids", "weights")}

    def put(tree, number, feature, value, mode, yes, no):
        for key, item in zip(lists, (tree, number, feature, value, mode, yes, no, int(rng.integers(2)) if missing else 0)):
            lists[key].append(item)

    for tree in range(trees):
        free, todo = 1, [(0, 0)]
        while todo:
            number, level = todo.pop(int(rng.integers(len(todo))))  # nodes of a tree in any order, but the root first
            if level == depth or (not full and level and rng.random() < .25):
                put(tree, number, 0, 0., "LEAF", 0, 0)
                for target in range(targets) if dense else [int(rng.integers(targets))]:
                    for key, item in zip(ends, (tree, number, target, float(np.float32(rng.random() if positive else rng.standard_normal())))):
                        ends[key].append(item)
                continue
            value = float(rng.integers(-2, 3)) if whole else float(np.float32(rng.standard_normal()))
            put(tree, number, int(rng.integers(features)), value, str(rng.choice(modes)), free, free + 1)
            todo += [(free, level + 1), (free + 1, level + 1)]
            free += 2
    given = {f"nodes_{k}": v for k, v in lists.items() if missing or k != "missing_value_tracks_true"}
    given |= {f"{what}_{k}": v for k, v in ends.items()}
    if wide:
        for key in ("nodes_values", f"{what}_weights"):
            given[f"{key}_as_tensor"] = onnx.numpy_helper.from_array(np.array(given.pop(key), np.float64), "")
    return given


def hard_rows(rows, features, dtype=np.float32):
    """Numbers, some of them whole, NaN, infinite, zeros of both signs, or next to nothing."""
    rng = np.random.default_rng(features)
    x = rng.standard_normal((rows, features)).astype(dtype)
    x[::3] = np.round(x[::3])
    special = np.array([NAN, INF, -INF, 0., -0., 1e-45, 3e38, 1], dtype)
    holes = rng.random(x.shape) < .2
    holes[0] = False
    x[holes] = rng.choice(special, holes.sum())
    return x


def walk(a, x, targets, what="target", how="SUM"):
    """What ONNX says of a forest, row by row, in f64."""
    def listed(key):
        return onnx.numpy_helper.to_array(a[f"{key}_as_tensor"]) if f"{key}_as_tensor" in a else np.array(a[key], np.float32)
    places = {key: i for i, key in enumerate(zip(a["nodes_treeids"], a["nodes_nodeids"]))}
    values, weights = listed("nodes_values").astype(np.float64), listed(f"{what}_weights").astype(np.float64)
    missing = a.get("nodes_missing_value_tracks_true", [0] * len(values))
    leaves = {}
    for tree, number, target, weight in zip(a[f"{what}_treeids"], a[f"{what}_nodeids"], a[f"{what}_ids"], weights):
        leaves.setdefault((tree, number), []).append((target, weight))
    compare = dict(zip(MODES, (np.less_equal, np.less, np.greater_equal, np.greater, np.equal, np.not_equal)))
    result = np.zeros((len(x), targets))
    for row, sums in zip(x.astype(np.float64), result):
        found = [[] for _ in sums]
        for tree in sorted(set(a["nodes_treeids"])):
            i = a["nodes_treeids"].index(tree)
            while a["nodes_modes"][i] != "LEAF":
                v = row[a["nodes_featureids"][i]]
                yes = missing[i] if np.isnan(v) else compare[a["nodes_modes"][i]](v, values[i])
                i = places[tree, a["nodes_truenodeids" if yes else "nodes_falsenodeids"][i]]
            for target, weight in leaves.get((tree, a["nodes_nodeids"][i]), []):
                found[target].append(weight)
        put = {"SUM": sum, "AVERAGE": lambda w: sum(w) / len(set(a["nodes_treeids"])), "MIN": min, "MAX": max}[how]
        sums[:] = [put(w) if w else 0 for w in found]
    return result


def regressors():
    def regressor(name, forest_of, x, targets=1, want=None, how="SUM", base=None, **attributes):
        case(f"trees-{name}", "TreeEnsembleRegressor", x, n_targets=targets, aggregate_function=how, base_values=base,
             want=want if want is not None else [(walk(forest_of, x, targets, how=how) + (base or 0)).astype(np.float32)], **forest_of, **attributes)

    for tag, trees, depth, rows in (("one", 1, 3, 9), ("few", 7, 5, 33), ("many", 70, 6, 130), ("full", 20, 4, 5), ("one-row", 100, 5, 1), ("deep", 3, 12, 300)):
        a = forest(len(tag), trees, depth, 11, 1, full=tag == "full")
        regressor(tag, a, numbers(rows, 11))
        regressor(f"{tag}-hard", a, hard_rows(rows, 11))
    for mode in MODES:
        for missing in (False, True):
            a = forest(3, 9, 5, 6, 1, (mode,), missing, whole=True)
            regressor(f"{mode.lower()}-{'missing' if missing else 'plain'}", a, hard_rows(90, 6))
    a = forest(4, 20, 6, 6, 3, MODES, True, whole=True)
    regressor("all-modes", a, hard_rows(200, 6), 3)
    regressor("all-modes-f64", a, hard_rows(200, 6, np.float64), 3)
    regressor("all-modes-i64", a, np.random.default_rng(0).integers(-3, 4, (50, 6)), 3)
    close = np.repeat(np.float32([0.1, np.nextafter(np.float32(.1), np.float32(1)), np.nextafter(np.float32(.1), np.float32(0))]), 2).reshape(3, 2)
    for mode in MODES:  # f64 thresholds between numbers of f32
        a = forest(5, 4, 3, 2, 1, (mode,), True, wide=True)
        values = np.resize([.1, float(np.float32(.1)), float(close[1, 0]), INF, -INF, 0., NAN], len(a["nodes_modes"])).astype(np.float64)
        a["nodes_values_as_tensor"] = onnx.numpy_helper.from_array(values, "")
        x = np.concatenate([close, np.float32([[INF, -INF], [NAN, 0], [-0., 1e-45]])])
        regressor(f"between-{mode.lower()}", a, x)
        regressor(f"between-{mode.lower()}-f64", a, np.concatenate([x.astype(np.float64), np.full((1, 2), .1)]))
    for how in ("SUM", "AVERAGE", "MIN", "MAX"):
        for dense in (False, True):
            a = forest(6, 6, 4, 5, 4, dense=dense)
            regressor(f"{how}-{'dense' if dense else 'sparse'}".lower(), a, numbers(40, 5), 4, how=how, base=[.5, -1., 2., 0.])
    for post in POSTS:
        regressor(f"post-{post.lower()}", forest(7, 5, 4, 5, 3, dense=True), numbers(40, 5), 3, post_transform=post,
                  want=onnxruntime_of(model_of("TreeEnsembleRegressor", {"x": numbers(40, 5)}, (F,), 3, {
                      **forest(7, 5, 4, 5, 3, dense=True), "n_targets": 3, "post_transform": post}), {"x": numbers(40, 5)}))
    wide = forest(8, 30, 5, 8, 2, dense=True, wide=True)
    regressor("f64", wide, numbers(64, 8, dtype=np.float64), 2)
    regressor("f64-of-f32", wide, numbers(64, 8), 2)
    regressor("no-rows", forest(1, 3, 3, 4, 1), np.zeros((0, 4), np.float32), want=[np.zeros((0, 1), np.float32)])
    leaf = dict(nodes_treeids=[4], nodes_nodeids=[2], nodes_featureids=[0], nodes_values=[0.], nodes_modes=["LEAF"], nodes_truenodeids=[0],
                nodes_falsenodeids=[0], target_treeids=[4], target_nodeids=[2], target_ids=[0], target_weights=[.5])
    regressor("of-one-leaf", leaf, numbers(3, 2))
    both = forest(9, 2, 3, 2, 1)  # and trees of several nodes
    regressor("leaf-and-nodes", {k: both[k] + [v + 5 if k.endswith("treeids") else v for v in leaf[k]] for k in leaf}, numbers(30, 2))


def classifiers():
    for post in POSTS:
        for tag, classes, kwargs in (("three", [4, 2, 9], {"dense": True}), ("ten", list(range(10)), {}), ("two-positive", [0, 1], {"dense": True, "positive": True})):
            a = forest(10, 12 if tag != "ten" else 40, 4, 6, len(classes), what="class", **kwargs)
            scores = walk(a, numbers(50, 6), len(classes), "class")
            want = None
            if tag != "three":  # onnxruntime passes over classes that no tree has a number for, and gives 1 for the second of two
                run = onnxruntime_of(model_of("TreeEnsembleClassifier", {"x": numbers(50, 6)}, (I, F), 3, {
                    **a, "classlabels_int64s": classes, "post_transform": post}), {"x": numbers(50, 6)})
                want = [np.array(classes)[scores.argmax(1)], run[1]]
            case(f"tree-classes-{tag}-{post}".lower(), "TreeEnsembleClassifier", numbers(50, 6), kinds=(I, F), classlabels_int64s=classes,
                 post_transform=post, want=want, **a)
        for positive in (False, True):
            a = forest(11, 12, 4, 6, 1, what="class", positive=positive)
            case(f"tree-classes-binary-{positive}-{post}".lower(), "TreeEnsembleClassifier", numbers(50, 6), kinds=(I, F), classlabels_int64s=[3, 8],
                 post_transform=post, **a)
    case("tree-classes-base", "TreeEnsembleClassifier", numbers(50, 6), kinds=(I, F), classlabels_int64s=[3, 8], post_transform="LOGISTIC", base_values=[.25],
         **forest(11, 12, 4, 6, 1, what="class"))
    case("tree-classes-one", "TreeEnsembleClassifier", numbers(50, 6), kinds=(I, F), classlabels_int64s=[1], **forest(11, 12, 4, 6, 1, what="class"))
    case("tree-classes-f64", "TreeEnsembleClassifier", numbers(50, 6, dtype=np.float64), kinds=(I, F), classlabels_int64s=[0, 1, 2],
         **forest(12, 12, 4, 6, 3, what="class", dense=True, wide=True))
    case("tree-classes-i64", "TreeEnsembleClassifier", np.arange(-30, 30).reshape(10, 6), kinds=(I, F), classlabels_int64s=[0, 1, 2],
         **forest(12, 12, 4, 6, 3, what="class", dense=True, whole=True))


def tensor(items, dtype):
    return onnx.numpy_helper.from_array(np.array(items, dtype), "")


def ensemble(dtype=np.float32, **other):
    """x1 in {1, 2.5, 7} or x0 <= 3: a tree of two nodes, and one of one."""
    a = dict(n_targets=2, tree_roots=[0, 2], nodes_splits=tensor([NAN, 3, .5], dtype), nodes_featureids=[1, 0, 2], nodes_modes=tensor([6, 0, 3], np.uint8),
             nodes_truenodeids=[0, 1, 3], nodes_falsenodeids=[1, 2, 4], nodes_trueleafs=[1, 1, 1], nodes_falseleafs=[0, 1, 1],
             leaf_targetids=[0, 1, 0, 1, 0], leaf_weights=tensor([1, 2, 4, 8, 16], dtype), membership_values=tensor([7, 1, 2.5, NAN], dtype))
    return a | other


def ensembles():
    for dtype in (np.float32, np.float64, np.float16):
        x = np.array([[3, 1, 0], [3, 2.5, 1], [4, 7, .5], [4, 6.5, .5], [NAN, NAN, NAN], [INF, INF, INF], [0, -INF, 2]], dtype)
        for missing in ([0, 0, 0], [1, 0, 1], [0, 1, 0]):
            yes = lambda i, v, truth: missing[i] if np.isnan(v) else truth
            first = [(0, 1) if yes(0, r[1], r[1] in (1, 2.5, 7)) else (1, 2) if yes(1, r[0], r[0] <= 3) else (0, 4) for r in x]
            second = [(1, 8) if yes(2, r[2], r[2] > .5) else (0, 16) for r in x]
            for how, put in ((0, lambda w: sum(w) / 2), (1, sum), (2, min), (3, max)):
                found = [[[v for t, v in pair if t == k] for k in (0, 1)] for pair in zip(first, second)]
                want = np.array([[put(v) if v else 0 for v in row] for row in found], dtype)
                case(f"ensemble-{np.dtype(dtype).name}-{how}-{''.join(map(str, missing))}", "TreeEnsemble", x, opset=5,
                     kinds=[helper.np_dtype_to_tensor_dtype(np.dtype(dtype))], want=[want], aggregate_function=how, nodes_missing_value_tracks_true=missing,
                     **ensemble(dtype))
    one = dict(n_targets=1, tree_roots=[0], nodes_featureids=[0], nodes_modes=tensor([6], np.uint8), nodes_truenodeids=[0], nodes_falsenodeids=[1],
               nodes_trueleafs=[1], nodes_falseleafs=[1], leaf_targetids=[0, 0], leaf_weights=tensor([1, 0], np.float32), nodes_splits=tensor([0], np.float32))
    for tag, members in (("none", []), ("infinite", [-INF, INF]), ("next", [1, np.nextafter(np.float32(1), np.float32(2)), 1, 0, -0.]),
                         ("many", list(range(0, 200, 3)))):
        x = np.float32([-INF, INF, NAN, 0, -0., 1, np.nextafter(np.float32(1), np.float32(2)), np.nextafter(np.float32(1), np.float32(0)), 3e38, 1e-45]
                       + list(range(200)) + [i + .5 for i in range(20)]).reshape(-1, 1)
        for missing in (0, 1):
            want = np.float32([[(missing if np.isnan(v) else np.float32(v) in np.float32(members))] for v, in x])
            case(f"ensemble-set-{tag}-{missing}", "TreeEnsemble", x, opset=5, want=[want], nodes_missing_value_tracks_true=[missing],
                 membership_values=tensor(members + [NAN], np.float32), **one)
    case("ensemble-leaf-of-two", "TreeEnsemble", numbers(9, 3), opset=5, want=[np.full((9, 1), 6, np.float32)], **ensemble(
        n_targets=1, nodes_modes=tensor([0, 0, 3], np.uint8), membership_values=None, leaf_targetids=[0] * 5, leaf_weights=tensor([3] * 5, np.float32),
        nodes_truenodeids=[0, 1, 1], nodes_falsenodeids=[1, 2, 1]))


def tree_faults():
    x = numbers(2, 3)

    def regressor(name, message, code=1, **other):
        refused(f"tree-{name}", "TreeEnsembleRegressor", x, message, code, **(forest(1, 1, 2, 3, 1, full=True) | {"n_targets": 1} | other))

    regressor("lengths", "attribute 'nodes_nodeids' has 1 elements, expected 7", nodes_nodeids=[0])
    regressor("modes", "attribute 'nodes_modes' has 1 elements, expected 7", nodes_modes=["LEAF"])
    regressor("mode", "a node's mode is 'BRANCH_SIDEWAYS'", nodes_modes=["BRANCH_SIDEWAYS"] * 7)
    regressor("values", "attribute 'nodes_values' has 1 elements, expected 7", nodes_values=[0.])
    regressor("values-twice", "attributes 'nodes_values' and 'nodes_values_as_tensor' are both given", nodes_values_as_tensor=tensor([0] * 7, np.float64))
    regressor("values-type", "attribute 'nodes_values_as_tensor' has type tensor<7xi64>", nodes_values=None, nodes_values_as_tensor=tensor([0] * 7, np.int64))
    regressor("twice", "node 0 of tree 0 is there twice", nodes_nodeids=[0] * 7)
    regressor("nowhere", "tree 0 has no node 99", nodes_truenodeids=[99] * 7)
    regressor("feature", "of its trees looks at feature 3 of 3", nodes_featureids=[3] * 7)
    regressor("feature-negative", "of its trees looks at feature -1 of 3", nodes_featureids=[-1] * 7)
    regressor("cycle", "node 0 of its trees is reached twice", nodes_truenodeids=[0] * 7)
    regressor("no-leaf", "tree 0 has no leaf 77", target_nodeids=[77] * 4)
    regressor("target", "target 5 of 1", target_ids=[5] * 4)
    regressor("targets", "0 targets", 3, n_targets=0)
    regressor("base", "attribute 'base_values' has 2 elements for 1 targets", base_values=[1., 2.])
    regressor("aggregate", "attribute 'aggregate_function' is 'MEDIAN'", aggregate_function="MEDIAN")
    regressor("infinite", "an infinite weight, and the least or the most of all", 3, aggregate_function="MIN", target_weights=[INF] * 4)
    many = forest(1, 40, 2, 3, 1, full=True)
    regressor("weights", "leaves with 524289 weights each", 3, **(many | {"n_targets": 1 << 20, "target_ids": [0, 1 << 19] * 80}))
    refused("classes-of-trees", "TreeEnsembleClassifier", x, "target 2 of 2", kinds=(I, F), classlabels_int64s=[0, 1],
            **(forest(1, 1, 2, 3, 1, full=True, what="class") | {"class_ids": [2] * 4}))

    def trees(name, message, code=1, **other):
        refused(f"ensemble-{name}", "TreeEnsemble", x, message, code, opset=5, **ensemble(**other))

    trees("leaf", "leaf 7 of 5", nodes_falsenodeids=[1, 2, 7])
    trees("node", "node 9 of 3", nodes_falsenodeids=[9, 2, 4])
    trees("negative", "node 9223372036854775807 of 3", nodes_falsenodeids=[-1, 2, 4])
    trees("twice", "node 0 of its trees is reached twice", tree_roots=[0, 0])
    trees("cycle", "node 0 of its trees is reached twice", nodes_falsenodeids=[0, 2, 4])
    trees("mode", "a node's mode is 7", nodes_modes=tensor([7, 0, 0], np.uint8))
    trees("sets", "attribute 'membership_values' has no set for node 0", membership_values=tensor([1], np.float32))
    trees("more-sets", "attribute 'membership_values' has more sets than nodes", membership_values=tensor([1, NAN, 2, NAN], np.float32))
    trees("aggregate", "attribute 'aggregate_function' is 4", aggregate_function=4)
    trees("post", "attribute 'post_transform' is 5", post_transform=5)
    chain = 200_000  # as deep as it has nodes
    deep = dict(n_targets=1, tree_roots=[0], nodes_featureids=[0] * chain, nodes_modes=tensor([0] * chain, np.uint8), nodes_truenodeids=[0] * chain,
                nodes_falsenodeids=list(range(1, chain)) + [0], nodes_trueleafs=[1] * chain, nodes_falseleafs=[0] * (chain - 1) + [1],
                leaf_targetids=[0], leaf_weights=tensor([1], np.float32), nodes_splits=tensor(np.arange(chain), np.float32))
    case("ensemble-deep", "TreeEnsemble", numbers(2, 3), opset=5, want=[np.ones((2, 1), np.float32)], **deep)


# ---- running them

OPEN = {"Binarizer", "Imputer", "LinearClassifier", "LinearRegressor", "Normalizer", "SVMClassifier", "SVMRegressor", "Scaler", "TreeEnsemble",
        "TreeEnsembleClassifier", "TreeEnsembleRegressor"}  # whose features may be of an open number


def onnxruntime_of(model, feeds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"]).run(None, feeds)


def leaves(names, values):
    """Tensors with their names: of a list of maps its keys, and a row of numbers for each. The keys of cases are in order, as onnxruntime's are."""
    for name, value in zip(names, values, strict=True):
        if isinstance(value, list):
            yield f"{name}[0]", np.array(list(value[0]))
            yield f"{name}[1]", np.array([list(m.values()) for m in value], np.float32)
        else:
            yield name, value


def compile_into(folder, model, mlc):
    """FOLDER/m.so."""
    onnx.save(model, folder / "m.onnx")
    result = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so")
    if result.code:
        raise Failure(f"mlc compile: exit {result.code}: {result.first_line()}")


def check(mlc, name):
    model, feeds, want = CASES[name]
    want = onnxruntime_of(model, feeds) if want is None else want
    names, want = zip(*leaves([o.name for o in model.graph.output], want))
    with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
        folder = Path(d)
        compile_into(folder, model, mlc)
        flags = save_feeds(feeds, folder)
        runs = [run_outputs(mlc, folder / "m.so", flags, names, folder / f"out{t}", t) for t in (1, 2, 3)]
        for run in runs[1:]:
            check_same_bits(names, runs[0], run, "another number of threads")
        return check_close(names, runs[0], want, 1e-5)


def check_open_rows(mlc):
    """One artefact for any number of rows: a forest's classes, and its scores."""
    a = forest(20, 30, 6, 9, 3, what="class", dense=True)
    model = model_of("TreeEnsembleClassifier", {"x": numbers(2, 9)}, (I, F), 3, a | {"classlabels_int64s": [5, 0, 7]})
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "N"
    with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
        folder = Path(d)
        compile_into(folder, model, mlc)
        x = numbers(130, 9)
        scores = walk(a, x, 3, "class")
        want = [np.array([5, 0, 7])[scores.argmax(1)], scores.astype(np.float32)]
        for rows in (1, 7, 63, 64, 65, 130):
            flags = save_feeds({"x": x[:rows]}, folder)
            for threads in (1, 2):
                got = run_outputs(mlc, folder / "m.so", flags, ["y", "z"], folder / f"out{rows}-{threads}", threads)
                check_close(["y", "z"], got, [w[:rows] for w in want], 1e-6)


def check_open_features(mlc):
    """Cases of each operator with rows and features of an open number; fewer features than there must be are told when it runs."""
    few = {"LinearClassifier", "TreeEnsembleRegressor"}
    tried = {}
    for name, (model, feeds, want) in CASES.items():
        op, x = model.graph.node[0].op_type, feeds.get("x")
        if op not in OPEN or len(feeds) > 1 or x.ndim != 2 or tried.get(op, 0) == 6:
            continue
        tried[op] = tried.get(op, 0) + 1
        model = onnx.ModelProto.FromString(model.SerializeToString())
        for dim, symbol in zip(model.graph.input[0].type.tensor_type.shape.dim, ("N", "F")):
            dim.dim_param = symbol
        want = onnxruntime_of(model, feeds) if want is None else want
        names, want = zip(*leaves([o.name for o in model.graph.output], want))
        with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
            folder = Path(d)
            compile_into(folder, model, mlc)
            check_close(names, run_outputs(mlc, folder / "m.so", save_feeds(feeds, folder), names, folder / "out", 1), want, 1e-5)
            if op in few:
                result = call(mlc, "run", folder / "m.so", *save_feeds({"x": x[:, :0]}, folder))
                if result.code != 1 or "F" not in result.err:
                    raise Failure(f"{name}: exit {result.code}: {result.err}")
    if set(tried) != OPEN:
        raise Failure(f"no case of {OPEN - set(tried)}")


def check_maps(mlc):
    """One artefact for any number of maps: printed, and as a file of ONNX's."""
    model = model_of("ZipMap", {"x": numbers(2, 2)}, [maps_of(S)], 1, dict(classlabels_strings=["a", "b"]))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "N"
    with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
        folder = Path(d)
        compile_into(folder, model, mlc)
        for rows in (0, 1, 7):
            x = np.arange(2 * rows, dtype=np.float32).reshape(rows, 2)
            flags, out = save_feeds({"x": x}, folder), folder / f"out{rows}"
            printed = call(mlc, "run", folder / "m.so", *flags).out
            maps = "".join(f'  {{"a": {a:g}, "b": {b:g}}}\n' for a, b in x)
            if printed != f"y: {rows} maps of string to f32\n{maps}":
                raise Failure(f"printed: {printed}")
            call(mlc, "run", folder / "m.so", *flags, "--output-dir", out, "--output-format", "pb")
            got = [(list(m.string_keys), [float(onnx.numpy_helper.to_array(v)) for v in m.values.tensor_values])
                   for m in onnx.SequenceProto.FromString((out / "y.pb").read_bytes()).map_values]
            if got != [([b"a", b"b"], [a, b]) for a, b in x.tolist()]:
                raise Failure(f"{rows} rows: {got}")


def map_file(items, kinds):
    """A MapProto; `kinds` of the keys and the values."""
    keys = {"string_keys": [k.encode() for k in items]} if kinds[0] == S else {"keys": list(items)}
    values = onnx.SequenceProto(elem_type=onnx.SequenceProto.TENSOR)
    for value in items.values():
        values.tensor_values.append(helper.make_tensor("", kinds[1], (), [value]))
    return onnx.MapProto(key_type=kinds[0], values=values, **keys).SerializeToString()


def model_of_map(op, kinds, result, attributes):
    kind = helper.make_map_type_proto(kinds[0], helper.make_tensor_type_proto(kinds[1], ()))
    node = helper.make_node(op, ["m"], ["y"], "node", domain="ai.onnx.ml", **attributes)
    graph = helper.make_graph([node], "g", [helper.make_value_info("m", kind)], [helper.make_tensor_value_info("y", result, None)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("ai.onnx.ml", 1)], ir_version=10)


def check_map_inputs(mlc):
    """From a file, and compiled for as many entries; onnxruntime's results where it takes the types."""
    number, texts = {5: 1.5, 2: -2.5, 0: 9.}, {5: "1.5", 2: "-2", 0: "x"}
    of_floats, sparse = dict(cast_to="TO_FLOAT"), dict(map_form="SPARSE", max_map=4)
    cases = [("DictVectorizer", {"a": 1.5, "z": 2.5}, (S, F), F, dict(string_vocabulary=["z", "b", "a"]), [2.5, 0, 1.5]),
             ("DictVectorizer", {"a": 1, "z": 2}, (S, I), I, dict(string_vocabulary=["z", "b"]), [2, 0]),
             ("DictVectorizer", {7: "x", 3: "y"}, (I, S), S, dict(int64_vocabulary=[3, 4, 7]), ["y", "", "x"]),
             ("DictVectorizer", {7: 1.5}, (I, D), D, dict(int64_vocabulary=[3, 4, 7]), [0, 0, 1.5]),
             ("DictVectorizer", {}, (I, F), F, dict(int64_vocabulary=[3, 4]), [0, 0]),
             ("CastMap", number, (I, F), F, of_floats, [9, -2.5, 1.5]),
             ("CastMap", number, (I, F), F, of_floats | sparse, [9, 0, -2.5, 0]),
             ("CastMap", number, (I, F), I, dict(cast_to="TO_INT64") | sparse, [9, 0, -2, 0]),
             ("CastMap", number, (I, F), S, dict(cast_to="TO_STRING"), ["9", "-2.5", "1.5"]),
             ("CastMap", texts, (I, S), S, dict(cast_to="TO_STRING") | sparse, ["x", "0.f", "-2", "0.f"]),
             ("CastMap", {9: "1.5", 2: "-2"}, (I, S), F, of_floats, [-2, 1.5])]
    for i, (op, items, kinds, result, attributes, want) in enumerate(cases):
        with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
            folder = Path(d)
            onnx.save(model_of_map(op, kinds, result, attributes), folder / "m.onnx")
            (folder / "m.pb").write_bytes(map_file(items, kinds))
            compiled = call(mlc, "compile", folder / "m.onnx", "-o", folder / "m.so", "--items", f"m={len(items)}")
            if compiled.code:
                raise Failure(f"{op} {i}: mlc compile: exit {compiled.code}: {compiled.first_line()}")
            for model in ("m.onnx", "m.so"):
                y = run_outputs(mlc, folder / model, ["--input", f"m={folder / 'm.pb'}"], ["y"], folder / model[2:], 1)
                dtype = object if result == S else helper.tensor_dtype_to_np_dtype(result)
                check_close([f"{op} {i}"], y, [np.array([want], dtype)], 1e-6)


def check_map_faults(mlc):
    def expect(message, code, made, data, *flags):
        with tempfile.TemporaryDirectory(prefix="mlc-ml-") as d:
            folder = Path(d)
            onnx.save(made, folder / "m.onnx")
            (folder / "m.pb").write_bytes(data)
            given = flags or ("run", folder / "m.onnx", "--input", f"m={folder / 'm.pb'}")
            result = call(mlc, given[0], folder / "m.onnx", *given[2:]) if not flags else call(mlc, *flags[:1], folder / "m.onnx", "-o", folder / "m.so", *flags[1:])
            if result.code != code or message not in result.err:
                raise Failure(f"expected exit {code} and {message!r}, got exit {result.code}: {result.first_line()}")
    floats, good = (I, F), {3: 1.5, 4: 2.5}
    cast = model_of_map("CastMap", floats, F, dict(cast_to="TO_FLOAT"))
    expect("input 'm' is a map, and how many entries it has must be known: give it with --items 'm=3'", 3, cast, b"", "compile")
    expect("are given as shapes", 1, cast, b"", "compile", "--items", "m=2x3")
    mixed = onnx.MapProto.FromString(map_file(good, floats))
    mixed.string_keys.append(b"a")
    expect("a map of strings and of numbers", 1, cast, mixed.SerializeToString())
    fewer = onnx.MapProto.FromString(map_file(good, floats))
    del fewer.keys[1:]
    expect("a map with other numbers of keys and values", 1, cast, fewer.SerializeToString())
    rows = onnx.MapProto.FromString(map_file(good, floats))
    rows.values.tensor_values[0].CopyFrom(helper.make_tensor("", F, (2,), [1, 2]))
    expect("a map whose values are no scalars of one type", 1, cast, rows.SerializeToString())
    expect("attribute 'cast_to' is 'TO_BOOL'", 1, model_of_map("CastMap", floats, F, dict(cast_to="TO_BOOL")), map_file(good, floats))
    expect("attribute 'map_form' is 'THIN'", 1, model_of_map("CastMap", floats, F, dict(map_form="THIN")), map_file(good, floats))
    expect("a row of -1 numbers", 3, model_of_map("CastMap", floats, F, dict(map_form="SPARSE", max_map=-1)), map_file(good, floats))
    expect("keys of type tensor<1xsi64>", 1, model_of_map("CastMap", (S, F), F, {}), map_file({"a": 1.}, (S, F)))
    expect("a vocabulary of type tensor<1xsi64> for keys of type tensor<2xi64>", 1, model_of_map("DictVectorizer", floats, F, dict(string_vocabulary=["a"])),
           map_file(good, floats))
    whole = model_of("CastMap", {"m": numbers(2)}, (F,), 1, {})
    expect("its input is a tensor, expected a map", 1, whole, b"", "compile")


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
    for make in (features, encoders, strings, linear, regressors, classifiers, ensembles, faults, tree_faults):
        make()
    tests = {name: lambda name=name: check(args.mlc, name) for name in CASES if args.only in name}
    tests |= {f"refused-{name}": lambda name=name: check_refused(args.mlc, name) for name in REFUSED if args.only in name}
    if args.only in "tree-open-rows":
        tests["tree-open-rows"] = lambda: check_open_rows(args.mlc)
    if args.only in "zip-open-rows":
        tests["zip-open-rows"] = lambda: check_maps(args.mlc)
    for test in (check_map_inputs, check_map_faults, check_open_features):
        if args.only in test.__name__:
            tests[test.__name__] = lambda test=test: test(args.mlc)
    results = run_all(tests, os.cpu_count())
    failed = sum(isinstance(r, Failure) for r in results.values())
    errors = {n: r for n, r in results.items() if isinstance(r, float)}
    if errors:
        print(f"largest relative error: {max(errors.values()):.1e} ({max(errors, key=errors.get)})")
    print(f"{len(results) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not results else 0)


if __name__ == "__main__":
    main()
