#!/usr/bin/env python3
# An independent writer of artifacts: make.py NAME=RATIO[,PAIRS]... [MEMBER:JSON]... prints a document.
#
# Pairs scatter by 0.2 % about the ratio, the same ones each time. A member is a path like limits.cpu
# and gets the JSON value behind the colon; one that is new is added.
import base64
import json
import math
import random
import struct
import sys

VERSION = {"commit": "a" * 40, "ref": "main", "subject": "made by a test", "worktree": False}
NO_RATIO = {"ratio": 0, "low": 0, "high": 0}


def packed(numbers, kind):
    return base64.b64encode(struct.pack(f"<{len(numbers)}{kind}", *numbers)).decode()


def scattered(ratio, count, source):
    return [round((math.log(ratio) + source.gauss(0, 0.002)) * 1e6) for _ in range(count)]


def benchmark(name, ratio, pairs):
    source = random.Random(name)
    return {
        "name": name, "worker": "bench", "verdict": "unsettled", "reason": "", "limit": 1.02, "alpha": 0.005,
        "pairs_min": 8, "pairs_max": 64, "counts_only": False, "identical": False, "layout": "varied",
        "layout_reason": "", "cpu": NO_RATIO, "smallest_loss": 0, "baseline_ns": 1000, "candidate_ns": 1000 * ratio,
        "baseline_wall_ns": 1000, "candidate_wall_ns": 1000 * ratio, "iterations": 1, "bytes": 0, "items": 0,
        "confirmed": False, "bimodal": False, "drifting": False,
        "pairs": packed(scattered(ratio, pairs, source), "i"), "visits": packed(list(range(pairs)), "I"),
        "nulls": packed(scattered(1, pairs // 8, source), "i"), "log": ""}


document = {
    "format": "duel", "major": 1, "minor": 0, "verdict": "passed", "failure": "", "failure_log": "",
    "duel_version": "0", "started": "2026-01-02T03:04:05Z", "seed": "1", "gate_changes": [], "notes": [],
    "across_verdict": "unsettled", "across": NO_RATIO, "across_reason": "", "null_trusted": True,
    "null_reason": "", "noise_floor": 0, "baseline": VERSION, "candidate": {**VERSION, "commit": "b" * 40},
    "machine": {"cpu": "x", "kernel": "x", "tier": "flat", "missing": [], "cores": 2, "cpu_used": 0,
                "load_start": 0, "load_end": 0, "steal": 0},
    "limits": {"cpu": 1.02, "instructions": 1.005, "allocations": 0, "allocated_bytes": 1.02, "syscalls": 0,
               "across": 1.005, "confidence": 0.99, "budget_s": 20, "strict": False, "source": "a test"},
    "time": dict.fromkeys(("total", "checkout", "build", "confinement", "links", "starts", "setup", "warmup",
                           "samples", "handover"), 0),
    "benchmarks": []}

for word in sys.argv[1:]:
    if "=" in word:
        name, _, figures = word.rpartition("=")
        ratio, _, pairs = figures.partition(",")
        document["benchmarks"].append(benchmark(name, float(ratio), int(pairs or 40)))
        continue
    path, _, value = word.partition(":")
    *folders, member = path.split(".")
    place = document
    for folder in folders:
        place = place[int(folder) if folder.isdigit() else folder]
    place[member] = json.loads(value)
json.dump(document, sys.stdout)
