"""Convolutions of one node, mlc next to its peers, in GFLOP/s and as a share of the machine's FMA peak.

    python bench/conv.py [GROUP...] [--only REGEX] [--threads 1] [--rounds 5] [--seconds 0.3] [--json FILE] [--svg FILE]

Groups: `resnet50` (its distinct convolutions, with bias) and `depthwise` (those of MobileNetV2's blocks). FLOPs are those of the
direct convolution, so Winograd's algorithm can be above 100 %. All engines take and give NCHW: a layout of their own costs them
two conversions, which a whole model does not have. On a busy machine: chrt -f 1 taskset -c 1 python ... See one_op.py for how it is timed.
"""
from one_op import Case, random, sweep


def conv(channels, size, filters, kernel, stride=1, groups=1):
    out = (size + 2 * (kernel // 2) - kernel) // stride + 1
    kind = " depthwise" if groups > 1 else ""
    return Case(f"{channels} x {size} x {size} to {filters}, {kernel} x {kernel} / {stride}{kind}", "Conv",
                2.0 * out * out * filters * (channels // groups) * kernel * kernel, [random(1, channels, size, size)],
                [random(filters, channels // groups, kernel, kernel), random(filters)],
                {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [kernel // 2] * 4, "group": groups})


def resnet50():
    layers = [(3, 224, 64, 7, 2)]
    size, channels = 56, 64
    for stage, width in enumerate((64, 128, 256, 512)):
        stride = 1 if stage == 0 else 2
        layers += [(channels, size, width, 1, 1), (width, size, width, 3, stride), (channels, size, 4 * width, 1, stride)]
        channels, size = 4 * width, size // stride
        layers += [(width, size, 4 * width, 1, 1), (channels, size, width, 1, 1), (width, size, width, 3, 1)]
    return [conv(*layer) for layer in dict.fromkeys(layers)]


def depthwise():
    layers = ((32, 112, 1), (96, 112, 2), (144, 56, 1), (144, 56, 2), (192, 28, 1), (384, 14, 1), (576, 14, 1), (960, 7, 1))
    return [conv(channels, size, channels, 3, stride, channels) for channels, size, stride in layers]


if __name__ == "__main__":
    sweep(__doc__, "Convolutions", {"resnet50": resnet50, "depthwise": depthwise})
