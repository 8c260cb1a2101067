"""Adds a map as XYZ tiles and as WMTS, and the scenes of a collection, to the project of QGIS.

Plugins > Python Console > Show Editor runs it. SWATH_URL, SWATH_TOKEN, COLLECTION and MAP_ID name what is added.
"""

import os
from urllib.parse import quote

from qgis.core import (
    QgsApplication,
    QgsAuthMethodConfig,
    QgsNetworkAccessManager,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

url, map_id, collection = os.environ["SWATH_URL"], os.environ["MAP_ID"], os.environ["COLLECTION"]

# The map ID is the right to read a map: these addresses need no token.
tiles = quote(f"{url}/mapsvc/map/{map_id}/tiles/{{z}}/{{x}}/{{y}}/truecolor.png", safe="/:")
# Tiles have 512 pixels, which is a pixel ratio of 2.
xyz = QgsRasterLayer(f"type=xyz&url={tiles}&zmin=0&zmax=22&tilePixelRatio=2", "Map as XYZ", "wms")

capabilities = quote(f"{url}/mapsvc/map/{map_id}/wmts.xml", safe="/:")
layer = "layers=truecolor&styles=default&format=image/png&tileMatrixSet=WebMercatorQuad512&crs=EPSG:3857"
wmts = QgsRasterLayer(f"url={capabilities}&{layer}", "Map as WMTS", "wms")

authorization = f"Bearer {os.environ['SWATH_TOKEN']}"
address = f"url='{url}/stac' typename='{collection}'"
if "APIHeader" in QgsApplication.authManager().authMethodsKeys():
    # QGIS keeps the token in its encrypted store of passwords.
    config = QgsAuthMethodConfig("APIHeader")
    config.setName("Swath")
    config.setConfigMap({"Authorization": authorization})
    QgsApplication.authManager().storeAuthenticationConfig(config)
    address += f" authcfg={config.id()}"
else:
    # QGIS before 3.24 has no such store: the token is known until QGIS ends, and sent to the service only.
    def send_token(request):
        if request.url().toString().startswith(f"{url}/stac"):
            request.setRawHeader(b"Authorization", authorization.encode())

    QgsNetworkAccessManager.setRequestPreprocessor(send_token)
scenes = QgsVectorLayer(address, "Scenes", "oapif")

QgsProject.instance().addMapLayers([xyz, wmts, scenes])
