"""More models for exports.py: one function for each kind of task, small configurations of real architectures.

Models that generate are exported as they are deployed: a step of the decoder with the keys and values of earlier steps, and a
mask over both. Those of diffusers are left out where it is not installed.
"""
from exports import DECODERS, First, LLAMA, TEXT, VIT, boxes, first, maker, randomise, tokens

DECODERS |= {
    "gptj": ("GPTJForCausalLM", "GPTJConfig", dict(n_embd=64, n_layer=2, n_head=4, rotary_dim=8, vocab_size=500, n_positions=64)),
    "codegen": ("CodeGenForCausalLM", "CodeGenConfig", dict(n_embd=64, n_layer=2, n_head=4, rotary_dim=8, vocab_size=500, n_positions=64)),
    "gpt_bigcode": ("GPTBigCodeForCausalLM", "GPTBigCodeConfig", dict(n_embd=64, n_layer=2, n_head=4, vocab_size=500, n_positions=64)),
    "gemma2": ("Gemma2ForCausalLM", "Gemma2Config", LLAMA | dict(head_dim=16, sliding_window=8)),
    "gemma3": ("Gemma3ForCausalLM", "Gemma3TextConfig", LLAMA | dict(head_dim=16, sliding_window=8)),
    "starcoder2": ("Starcoder2ForCausalLM", "Starcoder2Config", LLAMA), "granite": ("GraniteForCausalLM", "GraniteConfig", LLAMA),
    "cohere": ("CohereForCausalLM", "CohereConfig", LLAMA | dict(pad_token_id=0)), "glm": ("GlmForCausalLM", "GlmConfig", LLAMA | dict(head_dim=16, pad_token_id=0)),
    "smollm3": ("SmolLM3ForCausalLM", "SmolLM3Config", LLAMA | dict(pad_token_id=0)), "olmo2": ("Olmo2ForCausalLM", "Olmo2Config", LLAMA),
    "qwen2_moe": ("Qwen2MoeForCausalLM", "Qwen2MoeConfig", LLAMA | dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
                                                                      shared_expert_intermediate_size=32, decoder_sparse_step=1)),
    "deepseek_v3": ("DeepseekV3ForCausalLM", "DeepseekV3Config", TEXT | dict(n_routed_experts=4, n_group=2, topk_group=1, num_experts_per_tok=2, q_lora_rank=32,
                                                                            kv_lora_rank=16, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=16,
                                                                            moe_intermediate_size=32, num_key_value_heads=4, first_k_dense_replace=1)),
    "mamba2": ("Mamba2ForCausalLM", "Mamba2Config", dict(hidden_size=64, num_hidden_layers=2, state_size=8, num_heads=8, head_dim=16, n_groups=1, vocab_size=500,
                                                         chunk_size=8)),
    "xglm": ("XGLMForCausalLM", "XGLMConfig", dict(d_model=64, num_layers=2, attention_heads=4, ffn_dim=128, vocab_size=500, max_position_embeddings=64)),
    "mpt": ("MptForCausalLM", "MptConfig", dict(d_model=64, n_layers=2, n_heads=4, vocab_size=500, max_seq_len=64)),
}
STEPS = {name: 2 if values is LLAMA or "num_key_value_heads" in values else 4 for name, (_, _, values) in DECODERS.items()}


@maker(*[f"{name}_step" for name in ("gpt2", "gpt_neox", "gptj", "opt", "llama", "mistral", "qwen2", "qwen3", "phi", "phi3", "gemma", "gemma2", "gemma3", "stablelm",
                                     "starcoder2", "granite", "cohere", "smollm3", "olmo2")])
def decoder_step(name):
    """Two more tokens behind eight, of which a sample has five."""
    import torch
    import transformers as tf
    kind, config, values = DECODERS[name.removesuffix("_step")]
    inner = randomise(getattr(tf, kind)(getattr(tf, config)(**values))).eval()

    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, input_ids, attention_mask, position_ids, past):
            cache = tf.DynamicCache()
            for i in range(2):
                cache.update(past[2 * i], past[2 * i + 1], i)
            out = self.inner(input_ids=input_ids, attention_mask=attention_mask, position_ids=position_ids, past_key_values=cache, use_cache=True)
            return (out.logits, *[t for layer in out.past_key_values.layers for t in (layer.keys, layer.values)])
    mask = torch.ones(2, 10, dtype=torch.int64)
    mask[1, :3] = 0
    positions = torch.tensor([[8, 9], [5, 6]])
    return Step().eval(), {"input_ids": tokens(2), "attention_mask": mask, "position_ids": positions,
                           "past": [torch.randn(2, STEPS[name.removesuffix("_step")], 8, 16) for _ in range(4)]}


BART = dict(d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128,
            vocab_size=500, max_position_embeddings=64, pad_token_id=1)


@maker("t5_step", "mt5_step", "bart_step", "marian_step", "pegasus_step", "m2m_100_step", "mbart_step", "blenderbot_step", "whisper_step")
def generator_step(name):
    """A decoder's step: one token behind four, beside what an encoder gave, of which keys and values are kept."""
    import torch
    import transformers as tf
    name = name.removesuffix("_step")
    if name in ("t5", "mt5"):
        kind = {"t5": "T5", "mt5": "MT5"}[name]
        config = getattr(tf, kind + "Config")(d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4, vocab_size=500)
    elif name == "whisper":
        kind, config = "Whisper", tf.WhisperConfig(**BART | dict(num_mel_bins=20, max_source_positions=50, max_target_positions=32, pad_token_id=0))
    else:
        kind = {"bart": "Bart", "marian": "Marian", "pegasus": "Pegasus", "m2m_100": "M2M100", "mbart": "MBart", "blenderbot": "Blenderbot"}[name]
        config = getattr(tf, kind + "Config")(**BART)
    config.use_cache = True
    model = kind + {"Marian": "MTModel"}.get(kind, "ForConditionalGeneration")
    inner = randomise(getattr(tf, model)(config)).eval()

    class Step(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def forward(self, decoder_input_ids, past):
            states = past[0].new_zeros(2, 9, 64)  # which nobody reads
            own, cross = tf.DynamicCache(), tf.DynamicCache()
            for i in range(2):
                own.update(past[4 * i], past[4 * i + 1], i)
                cross.update(past[4 * i + 2], past[4 * i + 3], i)
            cache = tf.EncoderDecoderCache(own, cross)
            out = self.inner(decoder_input_ids=decoder_input_ids, encoder_outputs=(states,), past_key_values=cache, use_cache=True)
            layers = out.past_key_values.self_attention_cache.layers
            return (out.logits, *[t for layer in layers for t in (layer.keys, layer.values)])
    past = [torch.randn(2, 4, 9 if i % 4 > 1 else 4, 16) for i in range(8)]
    return Step().eval(), {"decoder_input_ids": tokens(1), "past": past}


@maker("unet", "vae_decoder", "vae_encoder", "dit", "controlnet")
def diffusion(name):
    import diffusers
    import torch
    blocks = dict(block_out_channels=(32, 64), layers_per_block=1, norm_num_groups=8)
    latents, steps = torch.randn(2, 4, 16, 16), torch.tensor([7, 500])
    if name in ("unet", "controlnet"):
        down = dict(down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), cross_attention_dim=32, attention_head_dim=4, in_channels=4)
        text = {"encoder_hidden_states": torch.randn(2, 7, 32)}
        if name == "controlnet":
            module = diffusers.ControlNetModel(**blocks, **down, conditioning_embedding_out_channels=(8, 16))
            inputs = {"sample": latents, "timestep": steps} | text | {"controlnet_cond": torch.randn(2, 3, 32, 32)}
            return First(randomise(module).eval(), lambda out: (*out.down_block_res_samples, out.mid_block_res_sample)), inputs
        module = diffusers.UNet2DConditionModel(sample_size=16, up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), **blocks, **down)
        return First(randomise(module).eval(), lambda out: out[0]), {"sample": latents, "timestep": steps} | text
    if name == "dit":
        module = diffusers.DiTTransformer2DModel(num_attention_heads=4, attention_head_dim=16, in_channels=4, out_channels=8, num_layers=2, sample_size=16,
                                                 norm_num_groups=4, num_embeds_ada_norm=20)
        return First(randomise(module).eval(), lambda out: out[0]), {"hidden_states": latents, "timestep": steps, "class_labels": torch.tensor([3, 9])}
    vae = randomise(diffusers.AutoencoderKL(down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2, **blocks)).eval()

    class Half(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.vae = vae

        def forward(self, x):
            return self.vae.decode(x).sample if name == "vae_decoder" else self.vae.encode(x).latent_dist.mean
    return Half().eval(), {"x": latents if name == "vae_decoder" else torch.randn(1, 3, 32, 32)}


@maker("sam_vision", "sam", "maskformer", "mask2former", "depth_anything", "grounding_dino", "deformable_detr", "conditional_detr", "rt_detr_v2", "dinov3", "swin2sr",
       "trocr", "donut_swin", "layoutlm", "layoutlmv3", "table_transformer", "vitpose", "superpoint", "efficientnet_tf", "regnet_tf", "resnet_tf", "bit", "focalnet", "pvt",
       "glpn", "timesformer", "videomae", "clipseg", "blip_text")
def more_vision(name):
    import torch
    import transformers as tf
    images = {"pixel_values": torch.randn(1, 3, 64, 64)}

    resnet = dict(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], layer_type="basic")
    backbone = tf.ResNetConfig(**resnet, out_features=["stage2", "stage3", "stage4"])
    last = tf.ResNetConfig(**resnet, out_features=["stage4"])
    swin = tf.SwinConfig(image_size=64, patch_size=4, embed_dim=16, depths=[1, 1, 1, 1], num_heads=[1, 2, 4, 4], window_size=2,
                         out_features=["stage1", "stage2", "stage3", "stage4"])
    detr = dict(d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=128, decoder_ffn_dim=128,
                num_queries=10, use_timm_backbone=False, use_pretrained_backbone=False, backbone=None)
    if name.startswith("sam"):
        vision = tf.SamVisionConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, image_size=64, patch_size=8, mlp_dim=128, output_channels=32,
                                    window_size=4, global_attn_indexes=[1])
        module = randomise(tf.SamModel(tf.SamConfig(
            vision_config=vision, prompt_encoder_config=tf.SamPromptEncoderConfig(hidden_size=32, image_size=64, patch_size=8, mask_input_channels=4),
            mask_decoder_config=tf.SamMaskDecoderConfig(hidden_size=32, mlp_dim=64, num_attention_heads=4, iou_head_hidden_dim=32)))).eval()
        if name == "sam_vision":
            return First(module.vision_encoder, first), images
        return First(module, lambda out: (out.iou_scores, out.pred_masks)), images | {
            "input_points": torch.rand(1, 1, 2, 2) * 64, "input_labels": torch.tensor([[[1, 0]]])}
    if name == "maskformer":
        config = tf.MaskFormerConfig(backbone_config=swin, decoder_config=tf.DetrConfig(**detr | dict(backbone_config=last)), fpn_feature_size=32, mask_feature_size=32,
                                     num_labels=5)
        return First(randomise(tf.MaskFormerForInstanceSegmentation(config)).eval(), lambda out: (out.class_queries_logits, out.masks_queries_logits)), images
    if name == "mask2former":
        config = tf.Mask2FormerConfig(backbone_config=swin, feature_size=32, mask_feature_size=32, hidden_dim=32, encoder_feedforward_dim=64, encoder_layers=1,
                                      decoder_layers=2, num_attention_heads=4, dim_feedforward=64, num_queries=10, num_labels=5)
        return First(randomise(tf.Mask2FormerForUniversalSegmentation(config)).eval(), lambda out: (out.class_queries_logits, out.masks_queries_logits)), images
    if name == "depth_anything":
        inner = tf.Dinov2Config(**VIT | dict(image_size=56, patch_size=14, num_hidden_layers=4, out_features=["stage1", "stage2", "stage3", "stage4"],
                                             reshape_hidden_states=False, apply_layernorm=True))
        config = tf.DepthAnythingConfig(backbone_config=inner, reassemble_hidden_size=64, patch_size=14, neck_hidden_sizes=[8, 16, 32, 32], fusion_hidden_size=16,
                                        head_hidden_size=8)
        return First(randomise(tf.DepthAnythingForDepthEstimation(config)).eval(), first), {"pixel_values": torch.randn(1, 3, 56, 56)}
    if name == "grounding_dino":
        config = tf.GroundingDinoConfig(backbone_config=swin, text_config=tf.BertConfig(**TEXT), **detr | dict(num_feature_levels=4, max_text_len=16, two_stage=True))
        ids = torch.tensor([[101, 200, 300, 1012, 250, 1012, 102]]) % 500
        return First(randomise(tf.GroundingDinoForObjectDetection(config)).eval(), boxes), images | {"input_ids": ids}
    if name in ("deformable_detr", "conditional_detr", "table_transformer"):
        kind = {"deformable_detr": "DeformableDetr", "conditional_detr": "ConditionalDetr", "table_transformer": "TableTransformer"}[name]
        config = getattr(tf, kind + "Config")(backbone_config=backbone if kind == "DeformableDetr" else last, **detr | (
            dict(num_feature_levels=3) if kind == "DeformableDetr" else {}))
        return First(randomise(getattr(tf, kind + "ForObjectDetection")(config)).eval(), boxes), images
    if name == "rt_detr_v2":
        inner = tf.RTDetrResNetConfig(**resnet, out_features=["stage2", "stage3", "stage4"])
        config = tf.RTDetrV2Config(backbone_config=inner, encoder_hidden_dim=64, encoder_in_channels=[32, 48, 64], encoder_ffn_dim=128, encoder_attention_heads=4,
                                   d_model=64, decoder_in_channels=[64, 64, 64], decoder_ffn_dim=128, decoder_layers=2, decoder_attention_heads=4, num_queries=20,
                                   num_denoising=0)
        return First(randomise(tf.RTDetrV2ForObjectDetection(config)).eval(), boxes), images
    if name == "trocr":
        encoder = tf.ViTConfig(**VIT)
        decoder = tf.TrOCRConfig(d_model=64, decoder_layers=2, decoder_attention_heads=4, decoder_ffn_dim=128, vocab_size=500, max_position_embeddings=64,
                                 use_cache=False, cross_attention_hidden_size=64, is_decoder=True, add_cross_attention=True)
        module = tf.VisionEncoderDecoderModel(tf.VisionEncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder))
        return First(randomise(module).eval(), first), images | {"decoder_input_ids": tokens(7, 1)}
    if name.startswith("layoutlm"):
        boxes_of_words = torch.randint(0, 500, (2, 12, 4)).sort(-1).values[..., [0, 1, 2, 3]]
        if name == "layoutlm":
            return First(randomise(tf.LayoutLMModel(tf.LayoutLMConfig(**TEXT | dict(max_2d_position_embeddings=512)))).eval(), first), {
                "input_ids": tokens(), "bbox": boxes_of_words}
        config = tf.LayoutLMv3Config(**TEXT | dict(max_2d_position_embeddings=512, coordinate_size=10, shape_size=12, input_size=64, patch_size=16, rel_pos_bins=8,
                                                   rel_2d_pos_bins=8))
        return First(randomise(tf.LayoutLMv3Model(config)).eval(), first), {"input_ids": tokens(), "bbox": boxes_of_words, "pixel_values": torch.randn(2, 3, 64, 64)}
    video = {"pixel_values": torch.randn(1, 4, 3, 32, 32)}
    small = {
        "dinov3": ("DINOv3ViTModel", lambda: tf.DINOv3ViTConfig(**VIT), images),
        "swin2sr": ("Swin2SRForImageSuperResolution", lambda: tf.Swin2SRConfig(image_size=16, embed_dim=24, depths=[2], num_heads=[2], window_size=4, upscale=2),
                    {"pixel_values": torch.randn(1, 3, 16, 16)}),
        "donut_swin": ("DonutSwinModel", lambda: tf.DonutSwinConfig(image_size=64, embed_dim=16, depths=[1, 1], num_heads=[2, 4], window_size=4), images),
        "vitpose": ("VitPoseForPoseEstimation", lambda: tf.VitPoseConfig(backbone_config=tf.VitPoseBackboneConfig(
            image_size=[64, 64], patch_size=[16, 16], hidden_size=64, num_hidden_layers=2, num_attention_heads=4, out_features=["stage2"]), num_labels=5), images),
        "superpoint": ("SuperPointForKeypointDetection", lambda: tf.SuperPointConfig(encoder_hidden_sizes=[8, 8, 16, 16], decoder_hidden_size=32, descriptor_decoder_dim=32),
                       images),
        "efficientnet_tf": ("EfficientNetModel", lambda: tf.EfficientNetConfig(image_size=64, width_coefficient=.25, depth_coefficient=.25), images),
        "regnet_tf": ("RegNetModel", lambda: tf.RegNetConfig(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], groups_width=8), images),
        "resnet_tf": ("ResNetModel", lambda: tf.ResNetConfig(**resnet), images),
        "bit": ("BitModel", lambda: tf.BitConfig(embedding_size=32, hidden_sizes=[32, 32, 64, 64], depths=[1, 1, 1, 1], num_groups=8, layer_type="preactivation"), images),
        "focalnet": ("FocalNetModel", lambda: tf.FocalNetConfig(image_size=64, embed_dim=16, depths=[1, 1, 1, 1]), images),
        "pvt": ("PvtModel", lambda: tf.PvtConfig(image_size=64, hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 3, 4]), images),
        "glpn": ("GLPNForDepthEstimation", lambda: tf.GLPNConfig(hidden_sizes=[16, 32, 48, 64], depths=[1, 1, 1, 1], decoder_hidden_size=16), images),
        "timesformer": ("TimesformerModel", lambda: tf.TimesformerConfig(**VIT | dict(image_size=32, num_frames=4)), video),
        "videomae": ("VideoMAEModel", lambda: tf.VideoMAEConfig(**VIT | dict(image_size=32, num_frames=4)), video),
        "clipseg": ("CLIPSegForImageSegmentation", lambda: tf.CLIPSegConfig(text_config=TEXT | dict(projection_dim=64), vision_config=VIT | dict(num_hidden_layers=3),
                                                                          projection_dim=64, extract_layers=[0, 1, 2], reduce_dim=32), {"input_ids": tokens(12, 1)} | images),
        "blip_text": ("BlipTextModel", lambda: tf.BlipTextConfig(**TEXT | dict(encoder_hidden_size=64)), {"input_ids": tokens()}),
    }
    kind, config, inputs = small[name]
    return First(randomise(getattr(tf, kind)(config())).eval(), first), inputs


@maker("wavlm", "sew", "unispeech", "data2vec_audio", "speech_to_text", "speecht5_encoder", "vits", "encodec", "dac", "clap_audio", "audio_spectrogram", "musicgen_decoder",
       "wav2vec2_ctc", "wav2vec2_bert", "moonshine", "seamless_encoder")
def speech(name):
    import torch
    import transformers as tf
    base = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, conv_dim=(32, 32, 32), conv_kernel=(10, 3, 3), conv_stride=(5, 2, 2),
                num_feat_extract_layers=3, vocab_size=32)
    wave, kinds = {"input_values": torch.randn(1, 1600)}, {"wavlm": "WavLM", "sew": "SEW", "unispeech": "UniSpeech", "data2vec_audio": "Data2VecAudio"}

    if name in kinds:
        return First(randomise(getattr(tf, kinds[name] + "Model")(getattr(tf, kinds[name] + "Config")(**base))).eval(), first), wave
    if name == "wav2vec2_ctc":
        return First(randomise(tf.Wav2Vec2ForCTC(tf.Wav2Vec2Config(**base | dict(do_stable_layer_norm=True, feat_extract_norm="layer")))).eval(), first), wave
    if name == "wav2vec2_bert":
        config = tf.Wav2Vec2BertConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, feature_projection_input_dim=40)
        return First(randomise(tf.Wav2Vec2BertModel(config)).eval(), first), {"input_features": torch.randn(1, 20, 40)}
    if name == "speech_to_text":
        config = tf.Speech2TextConfig(**BART | dict(num_conv_layers=2, conv_channels=32, input_feat_per_channel=20, max_source_positions=100, max_target_positions=64,
                                                    use_cache=False))
        return First(randomise(tf.Speech2TextModel(config)).eval(), first), {"input_features": torch.randn(1, 40, 20), "decoder_input_ids": tokens(7, 1)}
    if name == "vits":
        config = tf.VitsConfig(vocab_size=50, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, ffn_dim=64, flow_size=16, spectrogram_bins=17,
                               use_stochastic_duration_prediction=False, duration_predictor_filter_channels=16, upsample_initial_channel=32, upsample_rates=[4, 4],
                               upsample_kernel_sizes=[8, 8], resblock_kernel_sizes=[3], resblock_dilation_sizes=[[1, 3]], prior_encoder_num_flows=1,
                               posterior_encoder_num_wavenet_layers=1, prior_encoder_num_wavenet_layers=1, noise_scale=0.0)
        module = randomise(tf.VitsModel(config)).eval()
        module.noise_scale = 0.0
        return First(module, first), {"input_ids": tokens(9, 1) % 50}
    if name == "encodec":
        module = randomise(tf.EncodecModel(tf.EncodecConfig(num_filters=8, hidden_size=16, codebook_size=32, codebook_dim=16, upsampling_ratios=[4, 2], normalize=False,
                                                            target_bandwidths=[24.0]))).eval()
        return First(module, lambda out: (out.audio_codes, out.audio_values)), {"input_values": torch.randn(1, 1, 640)}
    if name == "dac":
        module = randomise(tf.DacModel(tf.DacConfig(encoder_hidden_size=8, downsampling_ratios=[2, 4], decoder_hidden_size=32, n_codebooks=2, codebook_size=32, codebook_dim=4,
                                                    hidden_size=32))).eval()
        return First(module, lambda out: out.audio_values), {"input_values": torch.randn(1, 1, 320)}
    if name == "clap_audio":
        config = tf.ClapAudioConfig(spec_size=64, num_mel_bins=16, patch_embeds_hidden_size=16, hidden_size=128, depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 4, 4],
                                    window_size=2, patch_size=4, patch_stride=[4, 4])
        return First(randomise(tf.ClapAudioModel(config)).eval(), first), {"input_features": torch.randn(1, 1, 256, 16)}
    if name == "audio_spectrogram":
        config = tf.ASTConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, max_length=64, num_mel_bins=32, patch_size=16)
        return First(randomise(tf.ASTModel(config)).eval(), first), {"input_values": torch.randn(1, 64, 32)}
    if name == "musicgen_decoder":
        config = tf.MusicgenDecoderConfig(vocab_size=64, num_hidden_layers=2, num_attention_heads=4, ffn_dim=128, hidden_size=64, num_codebooks=2, use_cache=False,
                                          max_position_embeddings=64)
        return First(randomise(tf.MusicgenForCausalLM(config)).eval(), first), {"input_ids": torch.randint(0, 60, (4, 9))}
    if name == "moonshine":
        config = tf.MoonshineConfig(hidden_size=64, encoder_num_hidden_layers=2, decoder_num_hidden_layers=2, encoder_num_attention_heads=4, decoder_num_attention_heads=4,
                                    intermediate_size=128, vocab_size=500, use_cache=False, pad_token_id=2)
        return First(randomise(tf.MoonshineModel(config)).eval(), first), {"input_values": torch.randn(1, 4000), "decoder_input_ids": tokens(7, 1)}
    if name == "seamless_encoder":
        config = tf.SeamlessM4TConfig(**dict(hidden_size=64, encoder_layers=1, encoder_attention_heads=4, encoder_ffn_dim=128, decoder_layers=1, decoder_attention_heads=4,
                                             decoder_ffn_dim=128, vocab_size=500, speech_encoder_layers=1))
        return First(randomise(tf.SeamlessM4TForTextToText(config)).eval(), first), {"input_ids": tokens(9, 1), "decoder_input_ids": tokens(5, 1)}
    config = tf.SpeechT5Config(**BART | dict(hidden_size=64, encoder_attention_heads=4, conv_dim=(32, 32), conv_kernel=(10, 3), conv_stride=(5, 2), num_feat_extract_layers=2))
    return First(randomise(tf.SpeechT5ForSpeechToText(config)).speecht5.encoder.eval(), first), wave


@maker("xlnet", "longformer", "big_bird", "funnel", "squeezebert", "mobilebert", "camembert", "xlm_roberta", "esm", "rembert", "nystromformer", "fnet", "ibert", "splinter",
       "bert_questions", "bert_tokens", "bert_choices", "bert_similarity", "deberta", "convbert", "tapas", "canine", "perceiver", "luke", "roformer", "bigbird_pegasus",
       "prophetnet", "reformer", "time_series", "patchtst", "informer", "autoformer", "decision_transformer")
def more_text(name):
    import torch
    import transformers as tf

    ids = {"input_ids": tokens()}
    heads = {"bert_questions": ("BertForQuestionAnswering", lambda out: (out.start_logits, out.end_logits)), "bert_tokens": ("BertForTokenClassification", first)}
    if name in heads:
        kind, pick = heads[name]
        return First(randomise(getattr(tf, kind)(tf.BertConfig(**TEXT))).eval(), pick), ids
    if name == "bert_choices":
        return First(randomise(tf.BertForMultipleChoice(tf.BertConfig(**TEXT))).eval(), first), {"input_ids": torch.randint(3, 500, (2, 3, 12))}
    if name == "bert_similarity":  # sentence transformers: the mean of what counts, normalised
        class Embed(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.bert = randomise(tf.BertModel(tf.BertConfig(**TEXT)))

            def forward(self, input_ids, attention_mask):
                states, counts = self.bert(input_ids=input_ids, attention_mask=attention_mask)[0], attention_mask.unsqueeze(-1)
                mean = (states * counts).sum(1) / counts.sum(1).clamp(min=1e-9)
                return torch.nn.functional.normalize(mean, p=2, dim=1)
        mask = torch.ones(2, 12, dtype=torch.int64)
        mask[1, 7:] = 0
        return Embed().eval(), ids | {"attention_mask": mask}
    if name == "patchtst":
        config = tf.PatchTSTConfig(num_input_channels=3, context_length=32, patch_length=8, patch_stride=8, d_model=32, num_attention_heads=4, ffn_dim=64,
                                   num_hidden_layers=2, prediction_length=8, distribution_output=None, loss="mse")
        return First(randomise(tf.PatchTSTForPrediction(config)).eval(), first), {"past_values": torch.randn(2, 32, 3)}
    if name == "decision_transformer":
        config = tf.DecisionTransformerConfig(state_dim=5, act_dim=3, hidden_size=32, n_layer=2, n_head=2, max_ep_len=64)
        module = First(randomise(tf.DecisionTransformerModel(config)).eval(), lambda out: (out.state_preds, out.action_preds, out.return_preds))
        return module, {"states": torch.randn(1, 6, 5), "actions": torch.randn(1, 6, 3), "rewards": torch.randn(1, 6, 1), "returns_to_go": torch.randn(1, 6, 1),
                        "timesteps": torch.arange(6)[None], "attention_mask": torch.ones(1, 6)}
    kinds = {"xlnet": ("XLNet", dict(d_model=64, n_layer=2, n_head=4, d_inner=128, vocab_size=500)), "longformer": ("Longformer", TEXT | dict(attention_window=4)),
             "big_bird": ("BigBird", TEXT | dict(attention_type="original_full")), "funnel": ("Funnel", dict(d_model=64, n_head=4, d_head=16, d_inner=128, block_sizes=[1, 1],
                                                                                                         vocab_size=500)),
             "squeezebert": ("SqueezeBert", TEXT | dict(embedding_size=64)), "mobilebert": ("MobileBert", dict(
                 hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=500, embedding_size=32, intra_bottleneck_size=32)),
             "camembert": ("Camembert", TEXT), "xlm_roberta": ("XLMRoberta", TEXT), "esm": ("Esm", TEXT | dict(pad_token_id=1, mask_token_id=4, position_embedding_type="rotary")),
             "rembert": ("RemBert", TEXT | dict(input_embedding_size=32)), "nystromformer": ("Nystromformer", TEXT | dict(num_landmarks=4, segment_means_seq_len=12)),
             "fnet": ("FNet", dict(hidden_size=64, num_hidden_layers=2, intermediate_size=128, vocab_size=500)), "ibert": ("IBert", TEXT), "splinter": ("Splinter", TEXT),
             "deberta": ("Deberta", TEXT | dict(relative_attention=True, pos_att_type=["p2c", "c2p"])), "convbert": ("ConvBert", TEXT | dict(embedding_size=32)),
             "tapas": ("Tapas", TEXT), "canine": ("Canine", dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, downsampling_rate=4,
                                                               local_transformer_stride=8, num_hash_buckets=500, max_position_embeddings=64)),
             "luke": ("Luke", TEXT | dict(entity_vocab_size=20, entity_emb_size=16)), "roformer": ("RoFormer", TEXT | dict(embedding_size=64))}
    kind, values = kinds[name]
    if name == "canine":
        ids = {"input_ids": torch.randint(3, 500, (1, 32))}
    return First(randomise(getattr(tf, kind + "Model")(getattr(tf, kind + "Config")(**values))).eval(), first), ids


@maker("yolo_v8", "yolo_one_hot_nms", "super_resolution", "gan_generator", "pointnet", "stft_frontend", "wavenet", "embedding_bag", "mixer", "tcn", "crnn", "vq", "greedy_loop",
       "graph_conv", "unet_3d")
def other(name):
    import torch
    import torchvision
    from torch import nn
    F, image = nn.functional, {"x": torch.randn(1, 3, 64, 64)}

    def module(build, forward):
        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                for key, part in build.items():
                    setattr(self, key, part)

            def forward(self, *args):
                return forward(self, *args)
        return Model().eval()
    body = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.SiLU(), nn.Conv2d(16, 32, 3, 2, 1), nn.SiLU())
    if name == "yolo_v8":  # distances as distributions, the best 30 of all classes, thinned out, and filled up to a fixed number
        def forward(m, x):
            y = m.head(m.body(x)).flatten(2)
            distances = (y[:, :32].view(1, 4, 8, -1).softmax(2) * torch.arange(8, dtype=x.dtype).view(1, 1, 8, 1)).sum(2)
            at = torch.stack(torch.meshgrid(torch.arange(16), torch.arange(16), indexing="xy"), 0).flatten(1).to(x.dtype) + 0.5
            boxes = torch.cat([at - distances[0, :2], at + distances[0, 2:]], 0).t() * 4
            scores, labels = y[0, 32:].sigmoid().max(0)
            best, order = scores.topk(30)
            boxes, labels = boxes[order], labels[order]
            kept = torchvision.ops.nms(boxes + labels[:, None].to(x.dtype) * 1000, best, 0.5)[:10]
            found = torch.cat([boxes[kept], best[kept, None], labels[kept, None].to(x.dtype)], 1)
            return F.pad(found, (0, 0, 0, 10 - found.shape[0]))
        return module({"body": body, "head": nn.Conv2d(32, 36, 1)}, forward), image
    if name == "yolo_one_hot_nms":  # masks of scores, boxes by class
        def forward(m, x):
            y = m.head(m.body(x)).flatten(2)[0].t().sigmoid()
            at = (y[:, 4:] > 0.6).nonzero()
            scores, boxes = y[at[:, 0], at[:, 1] + 4], y[at[:, 0], :4].sort(-1).values * 64
            kept = torchvision.ops.nms(boxes + at[:, 1:].to(x.dtype) * 100, scores, 0.6)
            return boxes[kept], scores[kept], at[kept, 1]
        return module({"body": body, "head": nn.Conv2d(32, 7, 1)}, forward), image
    if name == "super_resolution":
        return nn.Sequential(nn.Conv2d(3, 16, 5, padding=2), nn.PReLU(16), nn.Conv2d(16, 27, 3, padding=1), nn.PixelShuffle(3)).eval(), {"x": torch.randn(1, 3, 20, 24)}
    if name == "gan_generator":
        parts = [nn.ConvTranspose2d(16, 32, 4, 1, 0), nn.BatchNorm2d(32), nn.LeakyReLU(0.2), nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.InstanceNorm2d(16, affine=True), nn.ReLU(),
                 nn.ReflectionPad2d(3), nn.Conv2d(16, 3, 7), nn.Tanh()]
        return randomise(nn.Sequential(*parts)).eval(), {"x": torch.randn(2, 16, 1, 1)}
    if name == "pointnet":
        def forward(m, x):
            near = torch.cdist(x, x).topk(4, largest=False).indices
            neighbours = torch.gather(x[:, None].expand(-1, x.shape[1], -1, -1), 2, near[..., None].expand(-1, -1, -1, 3))
            return m.mlp(neighbours - x[:, :, None]).amax(2).amax(1)
        return module({"mlp": nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 32))}, forward), {"x": torch.randn(2, 20, 3)}
    if name == "stft_frontend":
        def forward(m, x):
            spectrum = torch.stft(x, 64, 16, 64, torch.hann_window(64, dtype=x.dtype), center=True, pad_mode="reflect", return_complex=False)
            return (m.mel(spectrum.pow(2).sum(-1).transpose(1, 2)).clamp(min=1e-6)).log()
        return module({"mel": nn.Linear(33, 12)}, forward), {"x": torch.randn(2, 400)}
    if name == "wavenet":
        def forward(m, x):
            x = total = m.begin(x)
            for i in range(3):
                gate = F.conv1d(F.pad(x, (2 ** i, 0)), m.weights[i], dilation=2 ** i)
                total = total + (x := x + gate[:, :8].tanh() * gate[:, 8:].sigmoid())
            return total
        return module({"begin": nn.Conv1d(1, 8, 1), "weights": nn.ParameterList(torch.randn(16, 8, 2) * 0.2 for _ in range(3))}, forward), {"x": torch.randn(2, 1, 50)}
    if name == "embedding_bag":
        def forward(m, ids, dense):
            return torch.sigmoid(m.top(torch.cat([m.bag(ids), m.one(ids[:, 0]), F.relu(m.bottom(dense))], 1)))
        parts = {"bag": nn.EmbeddingBag(50, 8, mode="sum"), "one": nn.Embedding(50, 8), "bottom": nn.Linear(5, 8), "top": nn.Linear(24, 1)}
        return module(parts, forward), {"ids": torch.randint(0, 50, (3, 4)), "dense": torch.randn(3, 5)}
    if name == "mixer":
        def forward(m, x):
            x = m.patch(x).flatten(2).transpose(1, 2)
            x = x + m.tokens(m.norm(x).transpose(1, 2)).transpose(1, 2)
            return (x + m.channels(m.norm(x))).mean(1)
        parts = {"patch": nn.Conv2d(3, 24, 8, 8), "norm": nn.LayerNorm(24), "tokens": nn.Sequential(nn.Linear(64, 16), nn.GELU(), nn.Linear(16, 64)),
                 "channels": nn.Sequential(nn.Linear(24, 48), nn.GELU(approximate="tanh"), nn.Linear(48, 24))}
        return randomise(module(parts, forward)), image
    if name == "tcn":
        parts = [nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 16, 3, padding=2, dilation=2)), nn.ReLU(), nn.AvgPool1d(2), nn.Upsample(scale_factor=3), nn.Conv1d(16, 4, 1),
                 nn.Softplus(), nn.AdaptiveAvgPool1d(4)]
        return nn.Sequential(*parts).eval(), {"x": torch.randn(2, 4, 40)}
    if name == "crnn":
        def forward(m, x):
            x, _ = m.gru(m.conv(x).squeeze(2).permute(2, 0, 1))
            best = m.head(x).argmax(-1)
            return m.head(x).log_softmax(-1), best, (best[1:] != best[:-1]).sum(0)
        return module({"conv": nn.Sequential(nn.Conv2d(1, 16, (16, 3), padding=(0, 1)), nn.ReLU(), nn.MaxPool2d((1, 2))), "gru": nn.GRU(16, 12, bidirectional=True),
                       "head": nn.Linear(24, 11)}, forward), {"x": torch.randn(2, 1, 16, 40)}
    if name == "vq":
        def forward(m, x):
            flat = m.encode(x).permute(0, 2, 3, 1)
            codes = ((flat[..., None, :] - m.book.weight) ** 2).sum(-1).argmin(-1)
            return codes, m.decode(m.book(codes).permute(0, 3, 1, 2))
        return module({"encode": nn.Conv2d(3, 8, 4, 4), "book": nn.Embedding(20, 8), "decode": nn.ConvTranspose2d(8, 3, 4, 4)}, forward), image
    if name == "graph_conv":
        def forward(m, x, edges):
            sums = torch.zeros(x.shape[0], 16, dtype=x.dtype).index_add(0, edges[1], m.one(x)[edges[0]])
            counts = torch.zeros(x.shape[0], dtype=x.dtype).scatter_add(0, edges[1], torch.ones_like(edges[1], dtype=x.dtype))
            return m.two(F.elu(sums / counts.clamp(min=1)[:, None]))
        return module({"one": nn.Linear(6, 16), "two": nn.Linear(16, 3)}, forward), {"x": torch.randn(10, 6), "edges": torch.randint(0, 10, (2, 30))}
    if name == "unet_3d":
        def forward(m, x):
            inner = m.up(m.down(x))
            return m.last(torch.cat([x, inner], 1))
        return module({"down": nn.Sequential(nn.Conv3d(2, 8, 3, 2, 1), nn.GroupNorm(2, 8), nn.ReLU()), "up": nn.ConvTranspose3d(8, 4, 2, 2), "last": nn.Conv3d(6, 3, 3, padding=1)},
                      forward), {"x": torch.randn(1, 2, 8, 16, 16)}

    class Greedy(nn.Module):  # a loop that ends when a token says so
        def __init__(self):
            super().__init__()
            self.embedding, self.cell, self.head = nn.Embedding(20, 16), nn.GRUCell(16, 16), nn.Linear(16, 20)

        def forward(self, state):
            tokens = torch.full((6, state.shape[0]), -1)
            token = torch.zeros(state.shape[0], dtype=torch.int64)
            for i in range(6):
                state = self.cell(self.embedding(token), state)
                token = self.head(state).argmax(-1)
                tokens[i] = token
            return tokens
    return Greedy().eval(), {"state": torch.randn(3, 16)}


VIDEO = {"r3d_18": 32, "mc3_18": 32, "s3d": 64, "mvit_v2_s": 224, "swin3d_t": 64}
TIMM = """mobileone_s0 repvgg_a0 ghostnet_050 tinynet_e hardcorenas_a mixnet_s efficientvit_b0 efficientformerv2_s0 edgenext_xx_small mobilevitv2_050 fastvit_t8 repvit_m0_9
    nfnet_f0 resnest14d ecaresnet26t seresnext26d_32x4d skresnet18 dla34 dpn48b hrnet_w18_small vovnet39a cspresnet50 darknet53 rexnet_100 gcvit_xxtiny coat_lite_tiny
    crossvit_tiny_240 pit_ti_224 tnt_s_patch16_224 xcit_nano_12_p16_224 volo_d1_224 cait_xxs24_224 convmixer_768_32 poolformerv2_s12 sequencer2d_s mambaout_femto
    hiera_tiny_224 eva02_tiny_patch14_224 vit_tiny_r_s16_p8_224 mvitv2_tiny swin_s3_tiny_224 twins_pcpvt_small visformer_tiny nextvit_small inception_next_tiny starnet_s1
    mobilenetv4_conv_small lcnet_035 regnety_002 resmlp_12_224 gmixer_24_224 convnextv2_atto tf_efficientnetv2_b0 bat_resnext26ts halonet26t lambda_resnet26t
    botnet26t_256 eca_nfnet_l0 davit_tiny focalnet_tiny_srf levit_128s maxvit_rmlp_pico_rw_256 coatnet_nano_rw_224 deit3_small_patch16_224 beit_base_patch16_224""".split()


@maker(*VIDEO, "raft_small", *[f"timm_{name}" for name in TIMM])
def zoo(name):
    import torch
    import torchvision

    from exports import settled
    if name in VIDEO:
        shape = (1, 3, 16 if name != "s3d" else 16, VIDEO[name], VIDEO[name])
        return settled(randomise(getattr(torchvision.models.video, name)(weights=None)), shape), {"x": torch.randn(shape)}
    if name == "raft_small":
        module = randomise(torchvision.models.optical_flow.raft_small(weights=None)).eval()
        return First(module, lambda out: out[-1]), {"image1": torch.randn(1, 3, 128, 128), "image2": torch.randn(1, 3, 128, 128)}
    import timm
    module = timm.create_model(name.removeprefix("timm_"), pretrained=False, num_classes=10)
    size = module.default_cfg["input_size"][-1] if module.default_cfg.get("fixed_input_size") else 96
    if "224" in name or "240" in name or "256" in name or "maxvit" in name or "vit" in name or "hiera" in name or "pvt" in name or "swin" in name or "halonet" in name:
        size = module.default_cfg["input_size"][-1]
    shape = (1, 3, size, size)
    return settled(randomise(module), (2, 3, size, size)), {"x": torch.randn(shape)}
