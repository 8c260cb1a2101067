"""Independent reference of geometry ids: standard library only, exact arithmetic, nothing of the service.

Reads a JSON array of geometries on standard input, writes a JSON array of {canonical, jcs, id}.
"""

import base64
import hashlib
import json
import math
import sys
from fractions import Fraction


def rounded(x):
    """Math.round(x * 1e7) / 1e7 of ECMAScript: halves go up, no negative zero."""
    if abs(x) >= 1e8:
        return x
    scaled = float(x) * 1e7
    whole = math.floor(scaled)
    if Fraction(scaled) - whole >= Fraction(1, 2):
        whole += 1
    return whole / 1e7 + 0.0


def position(p):
    return [rounded(x) for x in p]


def twice_area(ring):
    """Twice the signed area, exact, of the ring unwrapped across the antimeridian and closed over a pole it winds around."""
    decimals = [(Fraction(round(p[0] * 10**7)), Fraction(round(p[1] * 10**7))) for p in ring]
    turn = Fraction(360 * 10**7)
    flat = [decimals[0]]
    for before, after in zip(decimals, decimals[1:]):
        step = after[0] - before[0]
        if turn / 2 < step < turn:
            step -= turn
        elif -turn < step < -turn / 2:
            step += turn
        flat.append((flat[-1][0] + step, after[1]))
    if flat[-1][0] != flat[0][0]:
        mean = sum(lat for _, lat in flat) / len(flat)
        pole = Fraction(90 * 10**7 if mean >= 0 else -90 * 10**7)
        flat += [(flat[-1][0], pole), (flat[0][0], pole), flat[0]]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(flat, flat[1:] + flat[:1]))


def polygon(rings):
    result = []
    for index, ring in enumerate(rings):
        ring = [position(p) for p in ring]
        area = twice_area(ring)
        counter_clockwise = area > 0
        if area != 0 and counter_clockwise != (index == 0):
            ring.reverse()
        result.append(ring)
    return result


def canonical(geometry):
    kind = geometry["type"]
    if kind == "GeometryCollection":
        return {"type": kind, "geometries": [canonical(g) for g in geometry["geometries"]]}
    c = geometry["coordinates"]
    if kind == "Point":
        c = position(c)
    elif kind in ("MultiPoint", "LineString"):
        c = [position(p) for p in c]
    elif kind == "MultiLineString":
        c = [[position(p) for p in line] for line in c]
    elif kind == "Polygon":
        c = polygon(c)
    else:
        c = [polygon(p) for p in c]
    return {"type": kind, "coordinates": c}


def number(x):
    """A number as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if x == 0:
        return "0"
    if x < 0:
        return "-" + number(-x)
    # repr gives the shortest digits that read back as the same double.
    mantissa, _, exponent = ("%r" % float(x)).partition("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + part) - len(digits))
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        if len(digits) <= point:
            return digits + "0" * (point - len(digits))
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    sign = "+" if point - 1 >= 0 else "-"
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return digits[0] + fraction + "e" + sign + str(abs(point - 1))


def jcs(value):
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + jcs(value[k]) for k in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(jcs, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return number(value)


def identify(geometry):
    form = canonical(geometry)
    text = jcs(form)
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return {"canonical": form, "jcs": text, "id": base64.urlsafe_b64encode(digest).rstrip(b"=").decode()}


if __name__ == "__main__":
    json.dump([identify(geometry) for geometry in json.load(sys.stdin)], sys.stdout)
