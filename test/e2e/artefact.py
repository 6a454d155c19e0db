"""A compiled model's bytes, changed and given the right hash again. The layout is read from include/mlc/runtime/artefact.h."""
import re
import struct
from pathlib import Path

from harness import Failure

LAYOUT = (Path(__file__).resolve().parent.parent.parent / "include/mlc/runtime/artefact.h").read_text()
SIZES = {"char": 1, "uint32_t": 4, "uint64_t": 8, "MlcArtefactSection": 16}


def section_kinds():
    """The enum's names, without their prefix, in its order."""
    body = LAYOUT.split("typedef enum MlcArtefactSectionKind {")[1].split("}")[0]
    return re.findall(r"^ *MLC_ARTEFACT_(\w+),", body, re.M)


def header_offsets():
    """The header's fields and where each begins: no padding lies between them."""
    body = LAYOUT.split("typedef struct MlcArtefactHeader {")[1].split("}")[0]
    offsets, at = {}, 0
    for kind, name, count in re.findall(r"^ *(\w+) (\w+)(?:\[(\w+)\])?;", body, re.M):
        offsets[name] = at
        at += SIZES[kind] * int(count if count.isdigit() else 1)  # the sections, which come last, are counted by a name
    return offsets


HASH, CONSTANTS_HASH, MACHINE, FEATURES, SECTIONS = (
    header_offsets()[name] for name in ("hash", "constants_hash", "machine", "features", "sections"))
STRINGS, DEVICE, TEXT, CONSTANTS, NUM_SECTIONS = (
    section_kinds().index(name) for name in ("STRINGS", "DEVICE", "TEXT", "CONSTANTS", "NUM_SECTIONS"))
MASK = 2**64 - 1


def mix(a, b):
    product = a * b
    return (product ^ product >> 64) & MASK


def artefact_hash(data):
    k, m = 0xA0761D6478BD642F, 0xE7037ED1A0B428DB
    lanes = [(k + i * m) & MASK for i in range(4)]
    size = len(data)
    data += bytes(-size % 64)
    for words in struct.iter_unpack("<8Q", data):
        lanes = [(mix(lane ^ words[2 * i], words[2 * i + 1] ^ m) + words[2 * i]) & MASK for i, lane in enumerate(lanes)]
    result = mix(size ^ k, m)
    for i, lane in enumerate(lanes):
        result = mix(result ^ lane, k + 2 * i)
    return result


def section(data, kind):
    return struct.unpack_from("<QQ", data, SECTIONS + 16 * kind)


def rehash(data):
    """`data` with the right hash again, so that a test reaches what lies behind it."""
    end = section(data, CONSTANTS)[0] or len(data)
    return data[:HASH] + struct.pack("<Q", artefact_hash(data[CONSTANTS_HASH:end])) + data[HASH + 8:]


def patched(data, at, text):
    return data[:at] + text + data[at + len(text):]


def for_other_machine(data):
    """Whole, but made for AArch64."""
    return rehash(patched(data, MACHINE, struct.pack("<I", 183)))


def with_feature(data, letter):
    """The CPU features that the code needs, each letter replaced: features that no machine has."""
    strings = section(data, STRINGS)[0]
    at = strings + struct.unpack_from("<I", data, FEATURES)[0]
    end = data.index(b"\0", at)
    if end == at:
        raise Failure("the artefact names no features")
    return patched(data, at, letter * (end - at))


def rehash_as_is(data):
    """Right hash over what the header now calls the file up to its constants, where that is sensible."""
    end = section(data, CONSTANTS)[0]
    if not CONSTANTS_HASH < end <= len(data):
        return data
    return rehash(data)
