"""Trains a small residual CNN on scikit-learn's digits (1,797 scans of 8x8) and writes what the demo needs.

    pip install -r requirements.txt && python train.py

Writes beside itself: digits.onnx (input "image" [1, 1, 8, 8], output "logits" [1, 10]), heldout.npz (images uint8
[N, 1, 8, 8], labels [N]: a fifth of the data that training never sees), accuracy.json (onnxruntime's accuracy on it) and pictures/*.png.

Scale: a picture is 8 bits gray, and a value in [0, 1] is its byte / 255; the data's 0..16 become bytes first, so that
a PNG and a row of heldout.npz with the same picture are the same floats.
"""
import functools
import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = Path(__file__).resolve().parent
EPSILON = 1e-5
PICTURES = 6
EPOCHS, BATCH = 40, 64


# ---- the data

def load():
    digits = load_digits()
    images = np.round(digits.images * 255 / 16).astype(np.uint8)[:, None]  # [N, 1, 8, 8]
    labels = digits.target.astype(np.int64)
    return train_test_split(images, labels, test_size=0.2, random_state=0, stratify=labels)


def to_float(images):
    return images.astype(np.float32) / np.float32(255)


# ---- the network: conv-bn-relu x2, pool, residual block of two conv-bn, pool, gemm

CONVS = {"stem": (16, 1), "widen": (32, 16), "res1": (32, 32), "res2": (32, 32)}  # name: (channels out, in), all 3x3


def init(rng):
    params, stats = {}, {}
    for name, (out, inp) in CONVS.items():
        scale = np.sqrt(2 / (inp * 9))
        params[name] = {"w": jnp.asarray(rng.normal(0, scale, (out, inp, 3, 3)), jnp.float32),
                        "gamma": jnp.ones(out), "beta": jnp.zeros(out)}
        stats[name] = {"mean": jnp.zeros(out), "var": jnp.ones(out)}
    params["fc"] = {"w": jnp.asarray(rng.normal(0, np.sqrt(1 / 128), (10, 128)), jnp.float32), "b": jnp.zeros(10)}
    return params, stats


def conv_bn(params, stats, new_stats, name, x, train):
    p = params[name]
    x = jax.lax.conv_general_dilated(x, p["w"], (1, 1), ((1, 1), (1, 1)), dimension_numbers=("NCHW", "OIHW", "NCHW"))
    mean, var = stats[name]["mean"], stats[name]["var"]
    if train:
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
        new_stats[name] = {"mean": 0.9 * stats[name]["mean"] + 0.1 * mean, "var": 0.9 * stats[name]["var"] + 0.1 * var}
    per_channel = lambda v: v[None, :, None, None]
    return (x - per_channel(mean)) * per_channel(p["gamma"] / jnp.sqrt(var + EPSILON)) + per_channel(p["beta"])


def max_pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def forward(params, stats, x, train):
    new_stats = dict(stats)
    layer = lambda name, x: conv_bn(params, stats, new_stats, name, x, train)
    x = jax.nn.relu(layer("stem", x))
    x = max_pool(jax.nn.relu(layer("widen", x)))
    x = jax.nn.relu(x + layer("res2", jax.nn.relu(layer("res1", x))))
    x = max_pool(x).reshape(x.shape[0], -1)
    return x @ params["fc"]["w"].T + params["fc"]["b"], new_stats


# ---- training: Adam, random shifts by up to a pixel, cosine decay

def loss_of(params, stats, x, y):
    logits, stats = forward(params, stats, x, True)
    loss = -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1).mean()
    decay = sum((p["w"] ** 2).sum() for p in params.values())
    return loss + 1e-4 * decay, stats


@functools.partial(jax.jit, donate_argnums=(0, 1))
def step(params, moments, stats, x, y, t, rate):
    grads, stats = jax.grad(loss_of, has_aux=True)(params, stats, x, y)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], grads)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, moments[1], grads)
    update = lambda p, m, v: p - rate * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return jax.tree.map(update, params, first, second), (first, second), stats


def shifted(rng, images):
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    dy, dx = rng.integers(0, 3, (2, len(images)))
    return np.stack([p[:, y:y + 8, x:x + 8] for p, y, x in zip(padded, dy, dx)])


def train(images, labels):
    rng = np.random.default_rng(0)
    params, stats = init(rng)
    moments = jax.tree.map(jnp.zeros_like, params), jax.tree.map(jnp.zeros_like, params)
    steps, t = EPOCHS * (len(images) // BATCH), 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(images))
        for i in range(len(images) // BATCH):
            pick, t = order[i * BATCH:(i + 1) * BATCH], t + 1
            rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * t / steps))
            params, moments, stats = step(params, moments, stats, shifted(rng, images[pick]), labels[pick], t, rate)
    return jax.tree.map(np.asarray, params), jax.tree.map(np.asarray, stats)


# ---- the ONNX file

def export(params, stats, path):
    nodes, weights = [], []

    def weight(name, value):
        weights.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def node(op, inputs, output, **attributes):
        nodes.append(helper.make_node(op, inputs, [output], name=output, **attributes))
        return output

    def conv(name, x):
        p, s = params[name], stats[name]
        x = node("Conv", [x, weight(f"{name}.weight", p["w"])], f"{name}/conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
        bn = [weight(f"{name}.{k}", v) for k, v in
              (("gamma", p["gamma"]), ("beta", p["beta"]), ("mean", s["mean"]), ("var", s["var"]))]
        return node("BatchNormalization", [x, *bn], f"{name}/bn", epsilon=EPSILON)

    x = node("Relu", [conv("stem", "image")], "stem/relu")
    x = node("Relu", [conv("widen", x)], "widen/relu")
    x = node("MaxPool", [x], "pool1", kernel_shape=[2, 2], strides=[2, 2])
    y = node("Relu", [conv("res1", x)], "res1/relu")
    x = node("Relu", [node("Add", [conv("res2", y), x], "residual")], "residual/relu")
    x = node("MaxPool", [x], "pool2", kernel_shape=[2, 2], strides=[2, 2])
    x = node("Flatten", [x], "flatten")
    node("Gemm", [x, weight("fc.weight", params["fc"]["w"]), weight("fc.bias", params["fc"]["b"])], "logits", transB=1)
    graph = helper.make_graph(
        nodes, "digits", [helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 10])], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="mlc")
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)


def accuracy(path, images, labels):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    guesses = [session.run(None, {"image": image[None]})[0].argmax() for image in images]
    return int((np.array(guesses) == labels).sum())


def main():
    train_images, test_images, train_labels, test_labels = load()
    params, stats = train(to_float(train_images), train_labels)
    export(params, stats, HERE / "digits.onnx")
    np.savez_compressed(HERE / "heldout.npz", images=test_images, labels=test_labels)
    right = accuracy(HERE / "digits.onnx", to_float(test_images), test_labels)
    report = {"engine": "onnxruntime " + onnxruntime.__version__, "pictures": len(test_labels), "right": right,
              "accuracy": right / len(test_labels)}
    (HERE / "accuracy.json").write_text(json.dumps(report, indent=2) + "\n")
    (HERE / "pictures").mkdir(exist_ok=True)
    firsts = sorted(np.unique(test_labels, return_index=True)[1])[:PICTURES]  # different digits, of the held-out part
    for i in firsts:
        Image.fromarray(test_images[i, 0]).save(HERE / "pictures" / f"digit-{test_labels[i]}.png")
    print(report)


if __name__ == "__main__":
    main()
