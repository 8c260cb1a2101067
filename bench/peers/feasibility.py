"""Feasibility peer: windows of one satellite over one point by Skyfield, its vectorised event search first.

Reads one JSON line {"line1", "line2", "lonDeg", "latDeg", "fromMs", "toMs", "maxOffNadirDeg"} per round from standard
input. Events of elevation name the passes; the angle from the geodetic nadir is searched in those only. Answers
{"ms", "cpuMs", "windows": [[startMs, endMs], ...]}.
"""
import json
import sys
import time

import numpy
from skyfield.api import EarthSatellite, load, wgs84
from skyfield.framelib import itrs
from skyfield.searchlib import find_discrete

EPOCH_JD = 2440587.5
STEP_DAYS = 10 / 86400


def search(timescale, request):
    satellite = EarthSatellite(request["line1"], request["line2"], "peer", timescale)
    place = wgs84.latlon(request["latDeg"], request["lonDeg"])
    start = timescale.utc(1970, 1, 1 + request["fromMs"] / 86400000)
    end = timescale.utc(1970, 1, 1 + request["toMs"] / 86400000)
    limit = request["maxOffNadirDeg"]
    # An elevation that the satellite passes before the limit, whatever its height on this orbit.
    height = wgs84.height_of(satellite.at(start)).km
    sine = min(1.0, (6356.7 + height - 30) / 6356.7 * numpy.sin(numpy.radians(limit)))
    elevation = max(0.0, 90 - numpy.degrees(numpy.arcsin(sine)) - 2)
    times, events = satellite.find_events(place, start, end, altitude_degrees=elevation)
    target = place.itrs_xyz.km

    def within(time):
        state = satellite.at(time)
        position = state.frame_xyz(itrs).km
        below = wgs84.subpoint_of(state).itrs_xyz.km
        nadir, look = below - position, target.reshape(3, *[1] * (position.ndim - 1)) - position
        cosine = (nadir * look).sum(axis=0) / numpy.linalg.norm(nadir, axis=0) / numpy.linalg.norm(look, axis=0)
        return numpy.degrees(numpy.arccos(numpy.clip(cosine, -1, 1))) <= limit

    within.step_days = STEP_DAYS
    windows = []
    rise = None
    for moment, event in zip(times, events):
        if event == 0:
            rise = moment
        elif event == 2 and rise is not None:
            edges, values = find_discrete(rise, moment, within)
            if len(edges) == 2:
                windows.append([edge.utc_datetime().timestamp() * 1000 for edge in edges])
            rise = None
    return windows


def main():
    timescale = load.timescale(builtin=True)
    for line in sys.stdin:
        request = json.loads(line)
        started, cpu = time.perf_counter(), time.process_time()
        windows = search(timescale, request)
        answer = {
            "ms": (time.perf_counter() - started) * 1000,
            "cpuMs": (time.process_time() - cpu) * 1000,
            "windows": windows,
        }
        print(json.dumps(answer), flush=True)


main()
