"""Builds the ONNX models that tests and benchmarks use, with seeded random weights: needs numpy, onnx and onnxruntime.

    python scripts/make_models.py FOLDER [resnet50] [mobilenet_v2] [--external] [--force]

For each model, FOLDER gets NAME.onnx, NAME.input.npy (float32 [1, 3, 224, 224]) and NAME.output.npy, what onnxruntime
makes of it without optimisations ([1, 1000]). With --external the weights lie in NAME.onnx.data. Batch 1, opset 17; ops
and names are what torch's exporter writes, but BatchNormalization is kept as nodes. Weights are scaled by fan-in (He et
al. 2015), and a residual branch ends with a small gamma, so activations keep a deviation around 1 in every layer. Files
made before by the same script are kept.
"""
import argparse
import hashlib
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


class Net:
    """A graph under construction. Values are their names; `channels` tells each one's channel count."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights, self.channels = [], [], {"input": 3}

    def weight(self, name, value):
        self.weights.append(numpy_helper.from_array(np.asarray(value, np.float32), name))
        return name

    def normal(self, shape, deviation):
        return self.rng.standard_normal(shape, np.float32) * np.float32(deviation)

    def node(self, op, inputs, path, channels, output=None, **attributes):
        output = output or f"{path}/{op}_output_0"
        self.nodes.append(helper.make_node(op, inputs, [output], name=f"{path}/{op}", **attributes))
        self.channels[output] = channels
        return output

    def conv(self, x, path, out, kernel, stride=1, group=1):
        inp = self.channels[x]
        fan_in = inp // group * kernel * kernel
        name = path[1:].replace("/", ".")
        w = self.weight(f"{name}.weight", self.normal((out, inp // group, kernel, kernel), np.sqrt(2 / fan_in)))
        return self.node("Conv", [x, w], path, out, dilations=[1, 1], group=group, kernel_shape=[kernel, kernel],
                         pads=[kernel // 2] * 4, strides=[stride, stride])

    def batch_norm(self, x, path, gamma=1.0):
        c, name = self.channels[x], path[1:].replace("/", ".")
        values = {"weight": gamma * self.rng.uniform(0.8, 1.2, c), "bias": self.normal(c, 0.1),
                  "running_mean": self.normal(c, 0.1), "running_var": self.rng.uniform(0.8, 1.25, c)}
        inputs = [self.weight(f"{name}.{k}", v) for k, v in values.items()]
        return self.node("BatchNormalization", [x, *inputs], path, c, epsilon=1e-5, momentum=0.9)

    def relu(self, x, path):
        return self.node("Relu", [x], path, self.channels[x])

    def relu6(self, x, path):
        bounds = []
        for i, bound in enumerate((0.0, 6.0)):
            bounds.append(f"{path}/Constant_{i}_output_0")
            value = numpy_helper.from_array(np.asarray(bound, np.float32))
            self.nodes.append(helper.make_node("Constant", [], [bounds[-1]], name=f"{path}/Constant_{i}", value=value))
        return self.node("Clip", [x, *bounds], path, self.channels[x])

    def add(self, x, y, path):
        return self.node("Add", [x, y], path, self.channels[x])

    def classify(self, x, path, classes=1000):
        c = self.channels[x]
        x = self.node("GlobalAveragePool", [x], "/avgpool", c)
        x = self.node("Flatten", [x], "/flatten", c, axis=1)
        w = self.weight(f"{path[1:]}.weight", self.normal((classes, c), np.sqrt(1 / c)))
        b = self.weight(f"{path[1:]}.bias", self.normal(classes, 0.1))
        self.node("Gemm", [x, w, b], path, classes, output="output", alpha=1.0, beta=1.0, transB=1)

    def model(self, name):
        value = lambda n, shape: helper.make_tensor_value_info(n, TensorProto.FLOAT, shape)
        graph = helper.make_graph(self.nodes, name, [value("input", [1, 3, 224, 224])], [value("output", [1, 1000])],
                                  self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="mlc")


def resnet50():
    """ResNet-50 v1.5: the stride sits on the 3x3 convolution. (He et al., CVPR 2016.)"""
    net = Net(50)
    x = net.relu(net.batch_norm(net.conv("input", "/conv1", 64, 7, 2), "/bn1"), "/relu")
    x = net.node("MaxPool", [x], "/maxpool", 64, ceil_mode=0, dilations=[1, 1], kernel_shape=[3, 3], pads=[1] * 4,
                 strides=[2, 2])
    for layer, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
        for i in range(blocks):
            p, stride = f"/layer{layer}/layer{layer}.{i}", 2 if i == 0 and layer > 1 else 1
            y = net.relu(net.batch_norm(net.conv(x, p + "/conv1", width, 1), p + "/bn1"), p + "/relu")
            y = net.relu(net.batch_norm(net.conv(y, p + "/conv2", width, 3, stride), p + "/bn2"), p + "/relu_1")
            y = net.batch_norm(net.conv(y, p + "/conv3", 4 * width, 1), p + "/bn3", gamma=0.3)
            if i == 0:
                p0 = p + "/downsample"
                x = net.batch_norm(net.conv(x, p0 + "/downsample.0", 4 * width, 1, stride), p0 + "/downsample.1", 0.7)
            x = net.relu(net.add(y, x, p), p + "/relu_2")
    net.classify(x, "/fc")
    return net.model("resnet50")


def mobilenet_v2():
    """MobileNetV2, width 1.0. (Sandler et al., CVPR 2018.)"""
    net = Net(2)
    x = net.relu6(net.batch_norm(net.conv("input", "/features/features.0/0", 32, 3, 2), "/features/features.0/1"),
                  "/features/features.0/2")
    number = 1
    for expand, out, blocks, first_stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                              (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(blocks):
            p, stride = f"/features/features.{number}", first_stride if i == 0 else 1
            y, hidden = x, net.channels[x] * expand
            if expand != 1:
                y = net.relu6(net.batch_norm(net.conv(y, p + "/expand/0", hidden, 1), p + "/expand/1"), p + "/expand/2")
            y = net.relu6(net.batch_norm(net.conv(y, p + "/depthwise/0", hidden, 3, stride, hidden), p + "/depthwise/1"),
                          p + "/depthwise/2")
            residual = stride == 1 and net.channels[x] == out
            y = net.batch_norm(net.conv(y, p + "/project/0", out, 1), p + "/project/1", gamma=0.5 if residual else 1.0)
            x = net.add(x, y, p) if residual else y
            number += 1
    x = net.relu6(net.batch_norm(net.conv(x, "/features/features.18/0", 1280, 1), "/features/features.18/1"),
                  "/features/features.18/2")
    net.classify(x, "/classifier")
    return net.model("mobilenet_v2")


MODELS = {"resnet50": resnet50, "mobilenet_v2": mobilenet_v2}


def reference(path, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]).run(None, feeds)[0]


def make(name, folder, external=False, force=False):
    """Path of NAME.onnx in `folder`, made unless it is there already."""
    path, stamp = folder / f"{name}.onnx", folder / f"{name}.stamp"
    version = hashlib.sha256(Path(__file__).read_bytes() + bytes([external])).hexdigest()
    if not force and path.exists() and stamp.exists() and stamp.read_text() == version:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    data = folder / f"{name}.onnx.data"
    data.unlink(missing_ok=True)  # onnx.save appends to it
    model = MODELS[name]()
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path, save_as_external_data=external, location=data.name, size_threshold=1024)
    x = np.random.default_rng(7).standard_normal((1, 3, 224, 224), np.float32)
    np.save(folder / f"{name}.input.npy", x)
    np.save(folder / f"{name}.output.npy", reference(path, {"input": x}))
    stamp.write_text(version)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="*", metavar="MODEL", help="resnet50, mobilenet_v2; default: both")
    parser.add_argument("--external", action="store_true", help="weights in a file of their own")
    parser.add_argument("--force", action="store_true", help="make files again that are there")
    args = parser.parse_args()
    if unknown := set(args.models) - set(MODELS):
        parser.error(f"no such model: {', '.join(sorted(unknown))}; there are {', '.join(MODELS)}")
    for name in args.models or MODELS:
        print(make(name, args.folder, args.external, args.force))


if __name__ == "__main__":
    main()
