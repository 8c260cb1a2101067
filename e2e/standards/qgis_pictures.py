"""Renders what Swath serves with QGIS and compares it with Swath's own picture.

`python qgis_pictures.py KIND BASE MAP Z X Y FOLDER …`; the picture is the tile at Z, X, Y, of 512 pixels. KIND is one of

- `xyz` and `wmts`: the addresses of the map
- `cog COG`: the address of an export
- `oapif TOKEN COLLECTION COUNT`: outlines of a collection, compared with the same features from a file
"""

import json
import os
import sys
import urllib.parse
import urllib.request

kind, base, map_id, z, x, y, folder, *rest = sys.argv[1:]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QGIS_CUSTOM_CONFIG_PATH"] = folder
os.environ.setdefault("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR")

import numpy  # noqa: E402  the settings come first
from qgis.core import (  # noqa: E402
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsFillSymbol,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsRasterLayer,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor, QImage  # noqa: E402

SIDE_PX = 512
HALF_M = 20037508.342789244
MOST_LEVELS = 2.0

z, x, y = int(z), int(x), int(y)
side_m = 2 * HALF_M / 2**z
west, north = x * side_m - HALF_M, HALF_M - y * side_m


def pixels(image):
    """Red, green, blue over white."""
    image = image.convertToFormat(QImage.Format_RGBA8888)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    rgba = numpy.frombuffer(bits, numpy.uint8).reshape(image.height(), image.width(), 4).astype(float)
    alpha = rgba[..., 3:] / 255
    return rgba[..., :3] * alpha + 255 * (1 - alpha)


def drawn(layer, extent, crs="EPSG:3857"):
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    settings.setExtent(extent)
    settings.setOutputSize(QSize(SIDE_PX, SIDE_PX))
    settings.setBackgroundColor(QColor(255, 255, 255))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    return pixels(job.renderedImage())


def own_picture():
    box = f"{west},{north - side_m},{west + side_m},{north}"
    query = urllib.parse.urlencode({"bbox": box, "bbox-crs": "EPSG:3857", "width": SIDE_PX, "height": SIDE_PX, "f": "png"})
    with urllib.request.urlopen(f"{base}/ogc/maps/{map_id}/map?{query}") as answer:
        return pixels(QImage.fromData(answer.read()))


def compare(found, expected, what):
    difference = numpy.abs(found - expected).mean()
    assert expected.std() > 5, "the expected picture is even: it proves nothing"
    assert difference <= MOST_LEVELS, f"{what} differs by {difference:.2f} levels, expected at most {MOST_LEVELS}"
    return f"mean difference of {difference:.2f} levels"


def raster(address, provider):
    layer = QgsRasterLayer(address, kind, provider)
    assert layer.isValid(), f"QGIS does not open {address}"
    return layer


def tile_extent():
    return QgsRectangle(west, north - side_m, west + side_m, north)


def xyz():
    tiles = urllib.parse.quote(f"{base}/mapsvc/map/{map_id}/tiles/{{z}}/{{x}}/{{y}}/truecolor.png", safe="/:")
    return raster(f"type=xyz&url={tiles}&zmin={z}&zmax={z + 2}&tilePixelRatio=2&crs=EPSG3857", "wms")


def wmts():
    capabilities = urllib.parse.quote(f"{base}/mapsvc/map/{map_id}/wmts.xml", safe="/:")
    named = "layers=truecolor&styles=default&format=image/png&tileMatrixSet=WebMercatorQuad512"
    return raster(f"url={capabilities}&{named}&crs=EPSG:3857&dpiMode=7&contextualWMSLegend=0", "wms")


def cog(address):
    return raster(f"/vsicurl/{address}", "gdal")


def outlined(layer):
    assert layer.isValid(), "QGIS does not open the features"
    symbol = QgsFillSymbol.createSimple({"color": "200,80,40,120", "outline_color": "20,20,20", "outline_width": "0.4"})
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    return layer


def oapif(token, collection, count):

    def send_token(request):
        if request.url().toString().startswith(f"{base}/stac"):
            request.setRawHeader(b"Authorization", f"Bearer {token}".encode())

    # QGIS has configurations with headers since 3.24.
    QgsNetworkAccessManager.setRequestPreprocessor(send_token)
    address = f"url='{base}/stac' typename='{collection}' pageSize='50'"
    layer = outlined(QgsVectorLayer(address, "oapif", "OAPIF"))
    read = {feature["title"] for feature in layer.getFeatures()}
    request = urllib.request.Request(
        f"{base}/stac/search?collections={collection}&limit=1000", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request) as answer:
        items = json.load(answer)
    assert len(items["features"]) == int(count)
    assert read == {item["properties"]["title"] for item in items["features"]}, f"{len(read)} titles"
    path = f"{folder}/items.geojson"
    with open(path, "w") as file:
        json.dump(items, file)
    expected = outlined(QgsVectorLayer(path, "file", "ogr"))
    extent = expected.extent()
    extent.grow(extent.width() / 10)
    difference = compare(drawn(layer, extent, "EPSG:4326"), drawn(expected, extent, "EPSG:4326"), kind)
    return f"{layer.featureCount()} features, {difference}"


application = QgsApplication([], False)
application.initQgis()
QgsApplication.messageLog().messageReceived.connect(lambda text, tag, level: print(tag, text, file=sys.stderr))
try:
    if kind == "oapif":
        result = oapif(*rest)
    else:
        layer = {"xyz": xyz, "wmts": wmts, "cog": cog}[kind](*rest)
        result = compare(drawn(layer, tile_extent()), own_picture(), kind)
        del layer
except AssertionError as error:
    print(error, flush=True)
    # QGIS 3.22 may crash in its end after a failure.
    os._exit(1)
print(result, flush=True)
os._exit(0)
