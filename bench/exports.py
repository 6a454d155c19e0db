"""Everyday models, exported by torch's two exporters, through mlc: do they compile, and are the results right?

    exports.py make FOLDER [--only TEXT] [--open]            needs torch, torchvision, transformers and onnxscript
    exports.py optimise FOLDER [--only TEXT]                 needs onnxruntime
    exports.py check FOLDER --mlc MLC [--only TEXT] [--open] needs numpy, onnx and onnxruntime alone
    exports.py time FOLDER --mlc MLC [--only TEXT] [--each 5]    needs numpy and onnx alone

`make` writes NAME.dynamo.onnx and NAME.script.onnx (what an exporter refuses is told and left out) and NAME.npz: the
inputs by the names of the graph's, and torch's results in float64 (in float32 where a module knows no float64). Weights
are random with a fixed seed, nothing is downloaded, sizes are small: a model's shape is what is tested, not its weight.

`optimise` writes, beside a model, what onnxruntime's graph optimisers (level 2) and its optimiser of transformers make of
it, where they make something of the domain com.microsoft: NAME.dynamo.level2.onnx, NAME.dynamo.fused.onnx.

`check` runs each file through `mlc compile` and `mlc run`, compares with onnxruntime (optimisations off) and with torch,
and prints a line for each: ok, ok x4, refused (exit 3), failed, or wrong. `ok` is within 1e-4 of either one's largest number;
`ok x4`, counted by itself, is not, but within four times onnxruntime's distance from torch's float64, as docs/numerics.md has
it for whole models: the model amplifies what f32 rounds. Integers and numbers of boxes must be the same. Detectors are compared with
onnxruntime alone: the order of boxes whose scores differ in the last bit is nobody's.

With `--open`, `make` exports the models of OPEN_MODELS with named sizes (batch, sequence, height ...), and `check` compiles
each file once and runs that artefact with all of `sizes_to_try`, those that onnxruntime refuses left out. A line has the
number of sizes that were right, and the first one that was not.

`time` compiles each file of `make --open` once, and once for each of a few sizes (`--dim`), and times both by `mlc bench` in turns,
one thread, the least of three. A line for each: ms, and the open one's time over the other's; then geometric mean and worst.
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
from pathlib import Path

import numpy as np

TOLERANCE = 1e-4
WORSE = 4  # times onnxruntime's error
LIMIT = 420  # seconds that an export, or a compilation, may take
MAKERS = {}


# ---- models: functions that return a module and its inputs

def maker(*names):
    def add(make):
        for name in names:
            MAKERS[name] = (make, name)
        return make
    return add


def randomise(module):
    """Norms, and what starts as zeros, get numbers, so that every part counts."""
    import torch
    for m in module.modules():
        if "Norm" in type(m).__name__ and getattr(m, "weight", None) is not None:
            m.weight.data.uniform_(0.5, 1.5)
            if getattr(m, "bias", None) is not None:
                m.bias.data.normal_(0, 0.1)
    for name, p in module.named_parameters():
        if "layer_scale" in name:
            p.data.uniform_(0.1, 0.5)
        elif p.dim() > 1 and not p.any():
            p.data.normal_(0, 0.02)
    return module


def settled(module, shape):
    """Running statistics of one random batch: else activations vanish or blow up from layer to layer."""
    import torch
    norms = [m for m in module.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    if norms:
        for m in norms:
            m.momentum = 1.0
        module.train()
        with torch.no_grad():
            module(torch.randn(4, *shape[1:]))
    return module.eval()


CLASSIFIERS = {name: 64 for name in (
    "resnet18 resnext50_32x4d densenet121 mobilenet_v2 mobilenet_v3_small mobilenet_v3_large efficientnet_b0 efficientnet_v2_s "
    "regnet_x_400mf regnet_y_400mf googlenet shufflenet_v2_x0_5 shufflenet_v2_x1_0 mnasnet0_5 mnasnet1_3 squeezenet1_1 "
    "convnext_tiny swin_t swin_v2_t wide_resnet50_2").split()} | {"inception_v3": 128, "alexnet": 96, "vgg11_bn": 64, "maxvit_t": 224}


@maker(*CLASSIFIERS)
def classifier(name):
    import torch
    import torchvision
    shape = (2, 3, CLASSIFIERS[name], CLASSIFIERS[name])
    module = getattr(torchvision.models, name)(weights=None, **({"init_weights": True} if name in ("googlenet", "inception_v3") else {}))
    return settled(randomise(module), shape), {"x": torch.randn(shape)}


class First:
    """A module whose result is a structure, as one whose results are tensors."""

    def __new__(cls, inner, pick):
        import torch

        class Picked(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = inner
                self.names = None  # of the inputs, where their order says nothing

            def forward(self, *args):
                return pick(self.inner(**dict(zip(self.names, args))) if self.names else self.inner(*args))
        return Picked().eval()


def first(out):
    return out[0]


def boxes(out):
    return out.logits, out.pred_boxes


@maker("deeplabv3_mobilenet_v3_large", "deeplabv3_resnet50", "fcn_resnet50", "lraspp_mobilenet_v3_large")
def segmenter(name):
    import torch
    import torchvision
    shape = (1, 3, 96, 96)
    aux = {} if name.startswith("lraspp") else {"aux_loss": True}
    module = getattr(torchvision.models.segmentation, name)(weights=None, weights_backbone=None, **aux)
    return First(settled(randomise(module), shape), lambda out: tuple(out.values())), {"x": torch.randn(shape)}


DETECTORS = {
    "ssdlite320_mobilenet_v3_large": {}, "ssd300_vgg16": {}, "retinanet_resnet50_fpn": dict(score_thresh=0.01, min_size=96, max_size=96),
    "fcos_resnet50_fpn": dict(score_thresh=0.01, min_size=96, max_size=96),
    "fasterrcnn_mobilenet_v3_large_320_fpn": dict(box_score_thresh=0.012),
    "fasterrcnn_resnet50_fpn": dict(box_score_thresh=0.012, min_size=96, max_size=128),
    "maskrcnn_resnet50_fpn": dict(box_score_thresh=0.012, min_size=96, max_size=128),
    "keypointrcnn_resnet50_fpn": dict(box_score_thresh=0.4, min_size=96, max_size=128),
}


@maker(*DETECTORS)
def detector(name):
    import torch
    import torchvision
    module = getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None, **DETECTORS[name])
    randomise(module)
    norms = [m for m in module.backbone.modules() if isinstance(m, torch.nn.modules.batchnorm._BatchNorm)]
    for m in norms:
        m.momentum = 1.0
    module.backbone.train()
    with torch.no_grad():
        module.backbone(torch.randn(2, 3, 320, 320))
    for key, p in module.named_parameters():  # scores that differ
        if "cls_logits.bias" in key or "cls_score.bias" in key:
            p.data.normal_(0, 0.3)
    size = {"ssdlite320_mobilenet_v3_large": 320, "ssd300_vgg16": 300, "fasterrcnn_mobilenet_v3_large_320_fpn": 160}.get(name, 96)

    def pick(out):
        return tuple(out[0].values())
    return First(module.eval(), pick), {"x": [torch.rand(3, size, size)]}


TEXT = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=500, max_position_embeddings=1024)
LLAMA = TEXT | dict(num_key_value_heads=2)
ENCODERS = {
    "bert": ("Bert", TEXT), "roberta": ("Roberta", TEXT | dict(type_vocab_size=1)), "albert": ("Albert", TEXT | dict(embedding_size=32)),
    "distilbert": ("DistilBert", dict(dim=64, n_layers=2, n_heads=4, hidden_dim=128, vocab_size=500, max_position_embeddings=1024)),
    "electra": ("Electra", TEXT | dict(embedding_size=32)), "mpnet": ("MPNet", TEXT),
    "deberta_v2": ("DebertaV2", TEXT | dict(relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=16)),
    "modernbert": ("ModernBert", TEXT | dict(pad_token_id=0, local_attention=8, cls_token_id=1, sep_token_id=2, bos_token_id=1, eos_token_id=2)),
}


def tokens(length=12, batch=2):
    import torch
    return torch.randint(3, 500, (batch, length))


@maker(*ENCODERS, "bert_masked", "roberta_masked", "distilbert_masked")
def encoder(name):
    import torch
    import transformers as tf
    kind, config = ENCODERS[name.removesuffix("_masked")]
    module = getattr(tf, kind + "Model")(getattr(tf, kind + "Config")(**config))
    inputs = {"input_ids": tokens()}
    if name.endswith("_masked"):
        inputs["attention_mask"] = torch.ones(2, 12, dtype=torch.int64)
        inputs["attention_mask"][1, 7:] = 0
    return First(randomise(module).eval(), lambda out: out[0]), inputs


DECODERS = {
    "gpt2": ("GPT2LMHeadModel", "GPT2Config", dict(n_embd=64, n_layer=2, n_head=4, vocab_size=500, n_positions=1024)),
    "gpt_neo": ("GPTNeoForCausalLM", "GPTNeoConfig", dict(hidden_size=64, num_layers=2, attention_types=[[["global", "local"], 1]], num_heads=4,
                                                          vocab_size=500, max_position_embeddings=1024, window_size=8)),
    "gpt_neox": ("GPTNeoXForCausalLM", "GPTNeoXConfig", TEXT), "opt": ("OPTForCausalLM", "OPTConfig", dict(
        hidden_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128, vocab_size=500, max_position_embeddings=1024, word_embed_proj_dim=64)),
    "bloom": ("BloomForCausalLM", "BloomConfig", dict(hidden_size=64, n_layer=2, n_head=4, vocab_size=500)),
    "llama": ("LlamaForCausalLM", "LlamaConfig", LLAMA), "mistral": ("MistralForCausalLM", "MistralConfig", LLAMA | dict(sliding_window=8)),
    "qwen2": ("Qwen2ForCausalLM", "Qwen2Config", LLAMA), "qwen3": ("Qwen3ForCausalLM", "Qwen3Config", LLAMA | dict(head_dim=16)),
    "phi": ("PhiForCausalLM", "PhiConfig", TEXT), "phi3": ("Phi3ForCausalLM", "Phi3Config", LLAMA | dict(pad_token_id=0)),
    "gemma": ("GemmaForCausalLM", "GemmaConfig", LLAMA | dict(head_dim=16)), "falcon": ("FalconForCausalLM", "FalconConfig", dict(
        hidden_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=500, alibi=False)),
    "olmo": ("OlmoForCausalLM", "OlmoConfig", LLAMA), "stablelm": ("StableLmForCausalLM", "StableLmConfig", LLAMA),
    "mixtral": ("MixtralForCausalLM", "MixtralConfig", LLAMA | dict(num_local_experts=4, sliding_window=None)),
    "mamba": ("MambaForCausalLM", "MambaConfig", dict(hidden_size=64, num_hidden_layers=2, state_size=8, vocab_size=500)),
    "rwkv": ("RwkvForCausalLM", "RwkvConfig", dict(hidden_size=64, attention_hidden_size=64, num_hidden_layers=2, vocab_size=500)),
}


@maker(*DECODERS, *[f"{name}_masked" for name in ("gpt2", "gpt_neo", "gpt_neox", "opt", "bloom", "llama", "mistral", "qwen2", "qwen3", "phi", "phi3", "gemma",
                                                  "falcon", "olmo", "stablelm")])
def decoder(name):
    import torch
    import transformers as tf
    kind, config, values = DECODERS[name.removesuffix("_masked")]
    module = getattr(tf, kind)(getattr(tf, config)(**values))
    module.config.use_cache = False
    inputs = {"input_ids": tokens()}
    if name.endswith("_masked"):  # which the older exporter needs: else sequences are looked for in the positions
        inputs["attention_mask"] = torch.ones(2, 12, dtype=torch.int64)
        inputs["attention_mask"][1, 9:] = 0
    return First(randomise(module).eval(), lambda out: out[0]), inputs


@maker("gpt2_past", "llama_past", "qwen2_past", "opt_past")
def decoder_with_past(name):
    """One more token behind eight: keys and values go in and come out."""
    import torch
    import transformers as tf
    kind, config, values = DECODERS[name.removesuffix("_past")]
    inner = randomise(getattr(tf, kind)(getattr(tf, config)(**values))).eval()
    heads = values.get("num_key_value_heads", 4)

    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, input_ids, position_ids, past):
            cache = tf.DynamicCache()
            for i in range(2):
                cache.update(past[2 * i], past[2 * i + 1], i)
            out = self.inner(input_ids=input_ids, position_ids=position_ids, past_key_values=cache, use_cache=True)
            return (out.logits, *[t for layer in out.past_key_values.layers for t in (layer.keys, layer.values)])
    past = [torch.randn(2, heads, 8, 16) for _ in range(4)]
    return Step().eval(), {"input_ids": tokens(1), "position_ids": torch.full((2, 1), 8), "past": past}


SPEECH = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, conv_dim=(32, 32, 32),
              conv_kernel=(10, 3, 3), conv_stride=(5, 2, 2), num_feat_extract_layers=3, vocab_size=32)


@maker("t5_encoder", "t5", "bart", "bart_encoder", "marian", "pegasus", "whisper_encoder", "whisper", "wav2vec2", "hubert", "m2m_100")
def sequence_to_sequence(name):
    import torch
    import transformers as tf
    bart = dict(d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128,
                decoder_ffn_dim=128, vocab_size=500, max_position_embeddings=1024, use_cache=False, pad_token_id=1)

    if name in ("wav2vec2", "hubert"):
        kind = {"wav2vec2": "Wav2Vec2", "hubert": "Hubert"}[name]
        module = getattr(tf, kind + "Model")(getattr(tf, kind + "Config")(**SPEECH))
        return First(randomise(module).eval(), first), {"input_values": torch.randn(1, 1600)}
    if name.startswith("t5"):
        config = tf.T5Config(d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, vocab_size=500, use_cache=False)
        if name == "t5_encoder":
            return First(randomise(tf.T5EncoderModel(config)).eval(), first), {"input_ids": tokens()}
        return First(randomise(tf.T5Model(config)).eval(), first), {"input_ids": tokens(), "decoder_input_ids": tokens(7)}
    if name.startswith("whisper"):
        config = tf.WhisperConfig(**bart | dict(num_mel_bins=20, max_source_positions=50, max_target_positions=32, vocab_size=500, pad_token_id=0))
        module = randomise(tf.WhisperModel(config)).eval()
        features = {"input_features": torch.randn(1, 20, 100)}
        if name == "whisper_encoder":
            return First(module.encoder, first), features
        return First(module, first), features | {"decoder_input_ids": tokens(7, 1)}
    kind = {"bart": "Bart", "marian": "Marian", "pegasus": "Pegasus", "m2m": "M2M100"}[name.split("_")[0]]
    module = randomise(getattr(tf, kind + "Model")(getattr(tf, kind + "Config")(**bart))).eval()
    if name == "bart_encoder":
        return First(module.encoder, first), {"input_ids": tokens()}
    return First(module, first), {"input_ids": tokens(), "decoder_input_ids": tokens(7)}


VIT = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, image_size=64, patch_size=16)


@maker("vit", "deit", "beit", "dinov2", "swin", "swinv2", "convnextv2", "clip", "clip_vision", "siglip", "segformer", "detr", "rt_detr", "yolos", "dpt",
       "mobilevit", "poolformer", "levit", "cvt", "blip_vision", "owlvit", "vitmae", "upernet")
def vision(name):
    import torch
    import transformers as tf
    images = {"pixel_values": torch.randn(1, 3, 64, 64)}

    small = {
        "vit": ("ViTModel", tf.ViTConfig, VIT), "deit": ("DeiTModel", tf.DeiTConfig, VIT), "beit": ("BeitModel", tf.BeitConfig, VIT | dict(
            use_relative_position_bias=True)), "dinov2": ("Dinov2Model", tf.Dinov2Config, VIT),
        "swin": ("SwinModel", tf.SwinConfig, dict(image_size=64, patch_size=4, embed_dim=32, depths=[2, 2], num_heads=[2, 4], window_size=4)),
        "swinv2": ("Swinv2Model", tf.Swinv2Config, dict(image_size=64, patch_size=4, embed_dim=32, depths=[2, 2], num_heads=[2, 4], window_size=4)),
        "convnextv2": ("ConvNextV2Model", tf.ConvNextV2Config, dict(hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1])),
        "clip_vision": ("CLIPVisionModel", tf.CLIPVisionConfig, VIT), "blip_vision": ("BlipVisionModel", tf.BlipVisionConfig, VIT),
        "segformer": ("SegformerForSemanticSegmentation", tf.SegformerConfig, dict(hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], num_labels=5,
                                                                                  decoder_hidden_size=32)),
        "yolos": ("YolosForObjectDetection", tf.YolosConfig, VIT | dict(image_size=[64, 64], num_detection_tokens=10)),
        "mobilevit": ("MobileViTModel", tf.MobileViTConfig, dict(image_size=64, hidden_sizes=[32, 48, 64], neck_hidden_sizes=[8, 16, 24, 32, 40, 48, 64])),
        "poolformer": ("PoolFormerModel", tf.PoolFormerConfig, dict(hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1])),
        "levit": ("LevitModel", tf.LevitConfig, dict(image_size=64, hidden_sizes=[32, 48, 64], depths=[1, 1, 1], num_attention_heads=[2, 3, 4])),
        "cvt": ("CvtModel", tf.CvtConfig, dict(embed_dim=[16, 32, 48], depth=[1, 1, 1], num_heads=[1, 2, 3], cls_token=[False, False, True])),
        "dpt": ("DPTForDepthEstimation", tf.DPTConfig, VIT | dict(num_hidden_layers=4, backbone_out_indices=[0, 1, 2, 3], neck_hidden_sizes=[8, 16, 32, 32],
                                                                 fusion_hidden_size=32, is_hybrid=False)),
    }
    if name in small:
        kind, config, values = small[name]
        module = randomise(getattr(tf, kind)(config(**values))).eval()
        return First(module, boxes if name == "yolos" else first), images
    text = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=500, max_position_embeddings=512)
    if name in ("clip", "siglip", "owlvit"):
        kind = {"clip": "CLIP", "siglip": "Siglip", "owlvit": "OwlViT"}[name]
        config = getattr(tf, kind + "Config")(text_config=text | dict(projection_dim=32), vision_config=VIT, projection_dim=32)
        module = randomise(getattr(tf, kind + "Model")(config)).eval()
        return First(module, lambda out: (out.logits_per_image, out.text_embeds)), {"input_ids": tokens(12)} | images
    if name == "vitmae":
        module = tf.ViTMAEModel(tf.ViTMAEConfig(**VIT | dict(mask_ratio=0.0)))
        return First(randomise(module).eval(), first), images | {"noise": torch.rand(1, 16)}
    backbone = tf.ResNetConfig(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage2", "stage3", "stage4"])
    if name == "detr":
        backbone = tf.ResNetConfig(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], layer_type="basic", out_features=["stage4"])
        config = tf.DetrConfig(use_timm_backbone=False, use_pretrained_backbone=False, backbone=None, backbone_config=backbone, d_model=64, encoder_layers=2,
                               decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128, num_queries=10)
        return First(randomise(tf.DetrForObjectDetection(config)).eval(), boxes), images
    if name == "rt_detr":
        backbone = tf.RTDetrResNetConfig(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], layer_type="basic",
                                         out_features=["stage2", "stage3", "stage4"])
        config = tf.RTDetrConfig(backbone_config=backbone, encoder_hidden_dim=64, encoder_in_channels=[32, 48, 64], encoder_ffn_dim=128,
                                 encoder_attention_heads=4, d_model=64, decoder_in_channels=[64, 64, 64], decoder_ffn_dim=128, decoder_layers=2,
                                 decoder_attention_heads=4, num_queries=20, num_denoising=0)
        return First(randomise(tf.RTDetrForObjectDetection(config)).eval(), boxes), images
    config = tf.UperNetConfig(backbone_config=tf.ConvNextConfig(hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1],
                                                               out_features=["stage1", "stage2", "stage3", "stage4"]),
                              use_pretrained_backbone=False, hidden_size=32, num_labels=5, use_auxiliary_head=False, pool_scales=[1, 2])
    return First(randomise(tf.UperNetForSemanticSegmentation(config)).eval(), first), images


@maker("lstm", "lstm_bidirectional", "gru", "gru_bidirectional", "rnn", "lstm_language_model", "conv_lstm", "transformer", "attention", "nms_yolo", "gru_cell")
def recurrent(name):
    import torch
    from torch import nn
    x = {"x": torch.randn(9, 2, 24)}
    if name.startswith(("lstm", "gru", "rnn")) and name not in ("lstm_language_model", "gru_cell"):
        kind = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}[name.split("_")[0]]
        return kind(24, 32, num_layers=2, bidirectional=name.endswith("bidirectional")).eval(), x
    if name == "lstm_language_model":
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.embedding, self.lstm, self.head = nn.Embedding(500, 24), nn.LSTM(24, 32, batch_first=True), nn.Linear(32, 500)

            def forward(self, ids):
                return self.head(self.lstm(self.embedding(ids))[0])
        return Model().eval(), {"ids": tokens()}
    if name == "conv_lstm":  # characters of an image's columns
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU())
                self.lstm, self.head = nn.LSTM(32 * 8, 32, bidirectional=True, batch_first=True), nn.Linear(64, 20)

            def forward(self, x):
                x = self.conv(x).permute(0, 3, 1, 2).flatten(2)
                return self.head(self.lstm(x)[0]).log_softmax(-1)
        return Model().eval(), {"x": torch.randn(1, 1, 16, 48)}
    if name == "transformer":
        return nn.Transformer(32, 4, 2, 2, 64, batch_first=True).eval(), {"src": torch.randn(2, 9, 32), "tgt": torch.randn(2, 5, 32)}
    if name == "attention":
        return First(nn.MultiheadAttention(32, 4).eval(), lambda out: out), {"query": torch.randn(9, 2, 32), "key": torch.randn(7, 2, 32),
                                                                              "value": torch.randn(7, 2, 32)}
    if name == "gru_cell":
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = nn.GRUCell(24, 32)

            def forward(self, x):
                h = torch.zeros(2, 32, dtype=x.dtype)
                for i in range(9):
                    h = self.cell(x[i], h)
                return h
        return Model().eval(), x

    import torchvision

    class Yolo(nn.Module):  # a head with boxes decoded, scored and thinned out in the model
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.SiLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.SiLU(), nn.Conv2d(32, 5 + 4, 1))

        def forward(self, x):
            y = self.body(x)[0].flatten(1).t().sigmoid()
            xy, wh = y[:, :2] * 64, y[:, 2:4] * 32
            boxes = torch.cat([xy - wh / 2, xy + wh / 2], 1)
            scores, labels = (y[:, 4:5] * y[:, 5:]).max(1)
            keep = scores > 0.25
            boxes, scores, labels = boxes[keep], scores[keep], labels[keep]
            kept = torchvision.ops.batched_nms(boxes, scores, labels, 0.5)[:20]
            return boxes[kept], scores[kept], labels[kept]
    return Yolo().eval(), {"x": torch.randn(1, 3, 64, 64)}


# ---- open sizes

OPEN_MODELS = """
    bert bert_masked roberta roberta_masked albert distilbert distilbert_masked electra mpnet deberta_v2 modernbert
    gpt2 gpt2_masked gpt_neo gpt_neox_masked opt opt_masked bloom_masked llama llama_masked mistral_masked qwen2 qwen2_masked qwen3_masked
    phi_masked gemma_masked falcon_masked mamba gpt2_past llama_past qwen2_past opt_past
    t5_encoder t5 bart bart_encoder marian whisper wav2vec2 hubert
    lstm lstm_bidirectional gru gru_bidirectional rnn lstm_language_model conv_lstm transformer attention nms_yolo
    resnet18 mobilenet_v2 mobilenet_v3_small efficientnet_b0 shufflenet_v2_x1_0 squeezenet1_1 googlenet densenet121 regnet_x_400mf mnasnet0_5
    convnext_tiny vgg11_bn swin_t lraspp_mobilenet_v3_large deeplabv3_mobilenet_v3_large
    vit deit swin clip segformer detr rt_detr dpt convnextv2 yolos dinov2 mobilevit siglip
""".split()
AXES = {  # of an input by its name, or by model and name: those that are open
    "input_ids": ("batch", "sequence"), "attention_mask": ("batch", "sequence"), "position_ids": ("batch", "sequence"), "ids": ("batch", "sequence"),
    "decoder_input_ids": ("batch", "target"), "past": ("batch", "", "past"), "input_values": ("batch", "samples"), "input_features": ("batch",),
    "src": ("batch", "sequence"), "tgt": ("batch", "target"), "query": ("target", "batch"), "key": ("sequence", "batch"), "value": ("sequence", "batch"),
    "pixel_values": ("batch",), "x": ("batch", "", "height", "width"), "vgg11_bn x": ("batch",), "swin_t x": ("batch",), "nms_yolo x": ("", "", "height", "width"),
    "segformer pixel_values": ("batch", "", "height", "width"), "convnextv2 pixel_values": ("batch", "", "height", "width"),
    "conv_lstm x": ("batch", "", "", "width"), "clip input_ids": ("texts", "sequence"), "siglip input_ids": ("texts", "sequence"),
} | {f"{name} x": ("sequence", "batch") for name in ("lstm", "lstm_bidirectional", "gru", "gru_bidirectional", "rnn")}
EXAMPLE = {"batch": 2, "texts": 3, "sequence": 12, "target": 7, "past": 8, "samples": 1600, "height": 64, "width": 96}  # no two alike, none 1
LENGTHS = [1, 7, 16, 128, 500]


def sizes_to_try(names):
    """Batches of 1, 2 and 8 with the five lengths; two lengths at a time are different ones."""
    for batch in [1, 2, 8] if "batch" in names else [1]:
        for i, length in enumerate(LENGTHS):
            sizes = {"batch": batch, "texts": 3, "sequence": length, "target": LENGTHS[i - 1], "past": LENGTHS[i - 2], "samples": 400 + 40 * length,
                     "height": 32 * (i + 1), "width": [64, 32, 100, 75, 224][i]}
            if i == 0 or set(names) - {"batch"}:
                yield {k: v for k, v in sizes.items() if k in names}


def made_input(name, dtype, shape, sizes, random):
    """A tensor as the makers' of this shape: tokens, positions behind the past, a mask whose last row is padded."""
    if name == "position_ids":
        return np.tile(sizes.get("past", 0) + np.arange(shape[1], dtype=dtype), (shape[0], 1))
    if name == "attention_mask":
        mask = np.ones(shape, dtype)
        mask[-1, (3 * shape[1] + 3) // 4:] = 0
        return mask
    if np.issubdtype(dtype, np.integer):
        return random.integers(3, 500, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def with_open_sizes(name, inputs):
    """The inputs in sizes of which no exporter makes a constant, and each one's open axes."""
    import torch
    random = np.random.default_rng(0)
    made, axes = {}, {}
    for key, value in inputs.items():
        names = AXES.get(f"{name} {key}") or AXES[key]
        axes[key] = {i: n for i, n in enumerate(names) if n}
        sizes = EXAMPLE | ({"sequence": 3} if "past" in inputs else {})
        parts = []
        for old in value if isinstance(value, list) else [value]:
            shape = [sizes[axes[key][i]] if i in axes[key] else n for i, n in enumerate(old.shape)]
            parts.append(torch.from_numpy(made_input(key, old.numpy().dtype, shape, sizes, random)))
        made[key] = parts if isinstance(value, list) else parts[0]
    return made, axes


def open_inputs(graph, sizes):
    """What a file's inputs are for these sizes."""
    import onnx
    random = np.random.default_rng(0)
    weights = {t.name for t in graph.initializer}
    feeds = {}
    for i in graph.input:
        if i.name not in weights:
            tensor = i.type.tensor_type
            shape = [sizes[d.dim_param] if d.dim_param else d.dim_value for d in tensor.shape.dim]
            feeds[i.name] = made_input(i.name, onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type), shape, sizes, random)
    return feeds


# ---- making

def flat(tree):
    return [t for v in tree for t in (flat(v) if isinstance(v, (list, tuple)) else [v]) if t is not None]


def as_double(value):
    if isinstance(value, (list, tuple)):
        return [as_double(v) for v in value]
    return value.double() if value.is_floating_point() else value


def reference(module, inputs):
    import copy

    import torch
    with torch.no_grad():
        try:
            out = copy.deepcopy(module).double()(*[as_double(v) for v in inputs.values()])
        except Exception:
            out = module(*inputs.values())
    return [np.asarray(o.float() if o.is_floating_point() else o) for o in flat([out])]


def export(module, inputs, path, dynamo, axes=None):
    import torch
    flat_names = {k: [f"{k}_{i}" for i in range(len(v))] if isinstance(v, list) and len(v) > 1 else [k] for k, v in inputs.items()}
    names = [n for of_input in flat_names.values() for n in of_input]
    more = dict(external_data=False, verbose=False) if dynamo else {}
    if axes and dynamo:
        shapes = tuple([axes[k]] * len(v) if isinstance(v, list) else axes[k] for k, v in inputs.items())
        more["dynamic_shapes"] = (shapes,) if hasattr(module, "inner") and hasattr(module, "names") else shapes
    elif axes:
        more["dynamic_axes"] = {n: axes[k] for k, of_input in flat_names.items() for n in of_input}
    with torch.no_grad():
        torch.onnx.export(module, tuple(inputs.values()), str(path), dynamo=dynamo, opset_version=18 if dynamo else 17, input_names=names, **more)


def make_one(name, folder, is_open):
    import onnx
    import torch
    torch.manual_seed(0)
    np.random.seed(0)
    make, argument = MAKERS[name]
    module, inputs = make(argument)
    if type(getattr(module, "inner", None)).__module__.startswith("transformers"):
        module.names = list(inputs)
    axes = None
    if is_open:
        inputs, axes = with_open_sizes(name, inputs)
    arrays = {f"out:{i}": v for i, v in enumerate(reference(module, inputs))}
    for exporter in ("script", "dynamo"):
        path = folder / f"{name}.{exporter}.onnx"
        start = time.time()
        try:
            export(module, inputs, path, exporter == "dynamo", axes)
            graph = onnx.load(path, load_external_data=False).graph
            weights = {t.name for t in graph.initializer}
            for i, t in zip([i for i in graph.input if i.name not in weights], flat(inputs.values()), strict=True):
                arrays["in:" + i.name] = t.numpy()
            print(f"{path.stem}: {len(graph.node)} nodes, {time.time() - start:.0f} s", flush=True)
        except Exception as error:
            path.unlink(missing_ok=True)
            print(f"{path.stem}: not exported: {type(error).__name__}: {str(error).strip().splitlines()[0][:150] if str(error).strip() else ''}", flush=True)
    np.savez(folder / f"{name}.npz", **arrays)


def make_all(args):
    import more_exports  # noqa: F401  adds to MAKERS
    import onnxscript  # noqa: F401  each model is made by a child that has all this
    import torch
    import torchvision  # noqa: F401
    import transformers  # noqa: F401
    torch.set_num_threads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    for name in OPEN_MODELS if args.open else MAKERS:
        if args.only not in name or (args.folder / f"{name}.npz").exists():
            continue
        child = os.fork()
        if child == 0:
            import signal
            signal.alarm(LIMIT)
            try:
                with open(os.devnull, "w") as null:
                    os.dup2(null.fileno(), 2)
                make_one(name, args.folder, args.open)
            except BaseException as error:
                print(f"{name}: not made: {type(error).__name__}: {str(error).strip().splitlines()[0][:200] if str(error).strip() else ''}", flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            print(f"{name}: not made: no end after {LIMIT} s, or it crashed", flush=True)


# ---- optimising

def level_2(path, to):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(to)
    onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def fuse_transformer(path, to):
    from onnxruntime.transformers import optimizer
    name = path.name
    kind = next((k for k in ("gpt2", "bart", "t5", "vit", "swin", "clip") if name.startswith(k)), "bert")
    optimizer.optimize_model(str(path), model_type=kind, num_heads=4, hidden_size=64, opt_level=0).save_model_to_file(str(to))


def optimise_all(args):
    import logging

    import onnx
    import onnxruntime
    onnxruntime.set_default_logger_severity(3)
    logging.disable(logging.WARNING)
    for path in sorted(args.folder.glob("*.onnx")):
        if args.only not in path.name or len(path.name.split(".")) > 3:
            continue
        for tag, make in (("level2", level_2), ("fused", fuse_transformer)):
            to = path.with_name(f"{path.stem}.{tag}.onnx")
            try:
                make(path, to)
                made = sorted({n.op_type for n in onnx.load(to, load_external_data=False).graph.node if n.domain.startswith("com.")})
            except Exception as error:
                print(f"{to.stem}: not made: {type(error).__name__}: {str(error).strip().splitlines()[0][:150]}", flush=True)
                made = []
            if made:
                print(f"{to.stem}: {', '.join(made)}", flush=True)
            else:
                to.unlink(missing_ok=True)


# ---- checking

def run_onnxruntime(path, feeds):
    import onnxruntime
    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = {i.name for i in session.get_inputs()}
    return session.run(None, {k: v for k, v in feeds.items() if k in names})


def difference(got, expected):
    """Over the largest expected number; infinite where type, shape or an integer is another."""
    worst = 0.0
    for g, e in zip(got, expected, strict=True):
        if g.shape != e.shape or g.dtype != e.dtype:
            return float("inf"), f"{g.dtype}{list(g.shape)} for {e.dtype}{list(e.shape)}"
        if e.dtype.kind in "ib":
            if (g != e).any():
                return float("inf"), f"{int((g != e).sum())} of {e.size} integers"
            continue
        g, e = g.astype(np.float64), e.astype(np.float64)
        with np.errstate(invalid="ignore"):
            same = (g == e) | (np.isnan(g) & np.isnan(e))
            gap = np.where(same, 0, np.abs(g - e)).max(initial=0)
        largest = np.abs(np.where(np.isfinite(e), e, 0)).max(initial=0) or 1.0
        worst = max(worst, float("inf") if np.isnan(gap) else gap / largest)
    return worst, ""


def call(command, limit=LIMIT):
    try:
        p = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 124, f"no end after {limit} s"
    lines = [line for line in p.stderr.splitlines() if "error" in line] or p.stderr.splitlines() or [""]
    return p.returncode, f"{lines[0]} (+{len(lines) - 1})" if len(lines) > 1 else lines[0]


def file_name(output):
    return re.sub(r"[/:%\x00-\x1f\x7f]", lambda c: f"%{ord(c[0]):02X}", output) + ".npy"


def run_artefact(mlc, folder, feeds, outputs):
    """What FOLDER/m.so makes of `feeds`: a list of arrays, or a text."""
    flags = []
    for i, (name, value) in enumerate(feeds.items()):
        np.save(f"{folder}/{i}.npy", value)
        flags += ["--input", f"{name}={folder}/{i}.npy"]
    code, text = call([mlc, "run", f"{folder}/m.so", *flags, "--output-dir", f"{folder}/out"])
    return "run: " + text if code else [np.load(f"{folder}/out/{file_name(o.name)}") for o in outputs]


def compile_to(folder, path, mlc):
    """FOLDER/m.so: a verdict where there is none, and what was said or how long it took."""
    start = time.time()
    code, text = call([mlc, "compile", path, "-o", f"{folder}/m.so"])
    if code:
        return {3: "refused", 124: "hangs"}.get(code, "failed"), text.replace(str(path), path.name)
    return None, f"compiled in {time.time() - start:.1f} s"


def check_open(path, mlc):
    import onnx
    graph = onnx.load(path, load_external_data=False).graph
    names = {d.dim_param for i in graph.input for d in i.type.tensor_type.shape.dim if d.dim_param}
    right, tried, wrong, worst = 0, 0, "", 0.0
    with tempfile.TemporaryDirectory() as folder:
        verdict, text = compile_to(folder, path, mlc)
        if verdict:
            return verdict, f"[{' '.join(sorted(names))}] {text}"
        for sizes in sizes_to_try(names):
            feeds = open_inputs(graph, sizes)
            try:
                expected = run_onnxruntime(path, feeds)
            except Exception:
                continue
            tried += 1
            got = run_artefact(mlc, folder, feeds, graph.output)
            error, why = (float("inf"), got) if isinstance(got, str) else difference(got, expected)
            right += error <= TOLERANCE
            worst = max(worst, error)
            if error > TOLERANCE and not wrong:
                wrong = f"; {' '.join(f'{k}={v}' for k, v in sizes.items())}: {why or f'{error:.1e}'}"
    return "ok" if right == tried > 0 else "wrong", f"{right} of {tried} sizes of {' '.join(sorted(names))}, {worst:.1e}, {text}{wrong}"


def best_ms(mlc, artefact, flags):
    code, text = call([mlc, "bench", artefact, "--threads", "1", "--min-time", "0.1", "--json", f"{artefact}.json", *flags])
    if code:
        raise RuntimeError(text)
    return min(json.loads(Path(f"{artefact}.json").read_text())["times"]) * 1e3


def time_open(path, mlc, each):
    """Yields sizes, and ms of the open artefact and of one for these sizes."""
    import onnx
    graph = onnx.load(path, load_external_data=False).graph
    names = {d.dim_param for i in graph.input for d in i.type.tensor_type.shape.dim if d.dim_param}
    sizes = list(sizes_to_try(names))
    with tempfile.TemporaryDirectory() as folder:
        if compile_to(folder, path, mlc)[0]:
            return
        for chosen in (sizes[7 * i % len(sizes)] for i in range(min(each, len(sizes)))):  # batches and lengths are mixed
            feeds, flags = open_inputs(graph, chosen), []
            for i, (name, value) in enumerate(feeds.items()):
                np.save(f"{folder}/{i}.npy", value)
                flags += ["--input", f"{name}={folder}/{i}.npy"]
            dims = [f"--dim={k}={v}" for k, v in chosen.items()]
            if call([mlc, "compile", path, "-o", f"{folder}/fixed.so", *dims])[0]:
                continue  # a size that the model itself refuses
            both = [f"{folder}/m.so", f"{folder}/fixed.so"]
            try:
                turns = [[best_ms(mlc, artefact, flags) for artefact in both] for _ in range(3)]
            except RuntimeError:
                continue
            yield " ".join(f"{k}={v}" for k, v in chosen.items()), *(min(t[k] for t in turns) for k in range(2))


def time_all(args):
    ratios = {}
    for path in sorted(args.folder.glob("*.onnx")):
        if args.only not in path.name:
            continue
        for sizes, opened, fixed in time_open(path, args.mlc, args.each):
            ratios[f"{path.stem} {sizes}"] = opened / fixed
            print(f"{opened / fixed:5.2f} {path.stem} {sizes}: {opened:.4f} ms, {fixed:.4f} of these sizes alone", flush=True)
    if ratios:
        worst = max(ratios, key=ratios.get)
        mean = np.exp(np.mean(np.log(list(ratios.values()))))
        print(f"{len(ratios)} ratios: geometric mean {mean:.3f}, worst {ratios[worst]:.2f} ({worst})")


def check_one(path, mlc):
    import onnx
    data = np.load(path.with_name(path.name.split(".")[0] + ".npz"))
    graph = onnx.load(path, load_external_data=False).graph
    weights = {t.name for t in graph.initializer}
    feeds = {i.name: data["in:" + i.name] for i in graph.input if i.name not in weights}
    torch_results = [data[f"out:{i}"] for i in range(sum(k.startswith("out:") for k in data))]
    try:
        expected, peer = run_onnxruntime(path, feeds), ""
    except Exception as error:
        expected, peer = None, "onnxruntime: " + str(error).splitlines()[0][:100]
    with tempfile.TemporaryDirectory() as folder:
        verdict, text = compile_to(folder, path, mlc)
        if verdict:
            return verdict, f"{text} {peer}"
        got = run_artefact(mlc, folder, feeds, graph.output)
        if isinstance(got, str):
            return "failed", got
    ours, why = difference(got, expected) if expected else (float("inf"), peer)
    same = len(got) == len(torch_results)
    torch_error = difference(got, torch_results)[0] if same else float("inf")
    peers_error = difference(expected, torch_results)[0] if same and expected else 0.0
    if min(ours, torch_error) <= TOLERANCE:
        verdict = "ok"
    else:
        verdict = f"ok x{WORSE}" if torch_error <= WORSE * peers_error < float("inf") else "wrong"
    return verdict, f"onnxruntime {ours:.1e}, torch {torch_error:.1e} (onnxruntime's {peers_error:.1e}), {text} {why}"


def check_all(args):
    counts = {}
    for path in sorted(args.folder.glob("*.onnx")):
        if args.only in path.name:
            try:
                verdict, text = (check_open if args.open else check_one)(path, args.mlc)
            except Exception as error:
                verdict, text = "failed", f"{type(error).__name__}: {error}"
            counts[verdict] = counts.get(verdict, 0) + 1
            print(f"{verdict:8} {path.stem}: {text[:400]}", flush=True)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return all(verdict.startswith("ok") for verdict in counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["make", "optimise", "check", "time"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mlc", default=os.environ.get("MLC"))
    parser.add_argument("--only", default="")
    parser.add_argument("--open", action="store_true", help="with named sizes")
    parser.add_argument("--each", type=int, default=5, help="of time: sizes of a file")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.what == "make":
        make_all(args)
    elif args.what == "time":
        time_all(args)
    elif args.what == "optimise":
        optimise_all(args)
    elif not check_all(args):
        sys.exit(1)


if __name__ == "__main__":
    sys.modules["exports"] = sys.modules["__main__"]  # for more_exports
    main()
