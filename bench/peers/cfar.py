"""CFAR peer: cell averaging with scipy.ndimage.uniform_filter in float32, as it is commonly written.

Reads one JSON line {"file", "side", "guard", "outer", "multiple"} per round from standard input; the file holds
side * side float32 values. Answers {"ms", "cpuMs", "hits", "peakMb"}.
"""
import json
import resource
import sys
import time

import numpy
from scipy.ndimage import uniform_filter


def detect(image, guard, outer, multiple):
    whole = uniform_filter(image, 2 * outer + 1, mode="constant")
    inner = uniform_filter(image, 2 * guard + 1, mode="constant")
    cells_whole = numpy.float32((2 * outer + 1) ** 2)
    cells_inner = numpy.float32((2 * guard + 1) ** 2)
    whole *= cells_whole
    inner *= cells_inner
    whole -= inner
    whole *= numpy.float32(multiple / (cells_whole - cells_inner))
    return image > whole


def main():
    for line in sys.stdin:
        request = json.loads(line)
        side = request["side"]
        image = numpy.fromfile(request["file"], dtype=numpy.float32).reshape(side, side)
        started, cpu = time.perf_counter(), time.process_time()
        hits = detect(image, request["guard"], request["outer"], request["multiple"])
        answer = {
            "ms": (time.perf_counter() - started) * 1000,
            "cpuMs": (time.process_time() - cpu) * 1000,
            "hits": int(hits[request["outer"] : side - request["outer"], request["outer"] : side - request["outer"]].sum()),
            "peakMb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        }
        print(json.dumps(answer), flush=True)


main()
