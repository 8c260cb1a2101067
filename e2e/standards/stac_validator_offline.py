"""Runs stac-api-validator with the schemas of files: the suite fetches them from three hosts otherwise.

Schemas of STAC and GeoJSON come from the package pystac, those of extensions from the folder `schemas`.
"""

import io
import pathlib
import urllib.error
import urllib.parse
import urllib.request

import pystac
import requests
import stac_validator.utilities

CORE = pathlib.Path(pystac.__file__).parent / "validation" / "jsonschemas"
OWN = pathlib.Path(__file__).parent / "schemas"
LOOPBACK = ("127.0.0.1", "localhost", None)

real_send = requests.sessions.Session.send
real_urlopen = urllib.request.urlopen


def schema(url):
    parts = urllib.parse.urlparse(url)
    names = parts.path.strip("/").split("/")
    if parts.hostname == "schemas.stacspec.org":
        file = CORE / "stac-spec" / names[0] / names[-1]
    elif parts.hostname == "geojson.org":
        file = CORE / "geojson" / names[-1]
    else:
        file = OWN / str(parts.hostname) / parts.path.strip("/")
    return file.read_bytes() if file.exists() else None


def send(self, request, **options):
    if urllib.parse.urlparse(request.url).hostname in LOOPBACK:
        return real_send(self, request, **options)
    body = schema(request.url)
    answer = requests.Response()
    answer.url, answer.request = request.url, request
    answer.status_code, answer._content = (404, b"{}") if body is None else (200, body)
    answer.headers["content-type"] = "application/json"
    return answer


def urlopen(request, *positional, **options):
    url = request if isinstance(request, str) else request.full_url
    if urllib.parse.urlparse(url).hostname in LOOPBACK:
        return real_urlopen(request, *positional, **options)
    body = schema(url)
    if body is None:
        raise urllib.error.HTTPError(url, 404, "not among the schemas", {}, None)
    stream = io.BytesIO(body)
    stream.status = 200
    return stream


requests.sessions.Session.send = send
urllib.request.urlopen = urlopen
stac_validator.utilities.urlopen = urlopen

from stac_api_validator.__main__ import main  # noqa: E402  the patches come first

main()
