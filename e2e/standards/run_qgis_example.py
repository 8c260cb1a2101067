"""Runs the example of QGIS in a project without a window: `python run_qgis_example.py FOLDER EXAMPLE`."""

import os
import sys

folder, example = sys.argv[1:3]
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QGIS_CUSTOM_CONFIG_PATH"] = folder

from qgis.core import QgsApplication, QgsProject  # noqa: E402  the settings come first

application = QgsApplication([], False)
application.initQgis()
try:
    assert QgsApplication.authManager().setMasterPassword("of this run only", True)
    with open(example) as file:
        exec(compile(file.read(), example, "exec"), {})
    layers = QgsProject.instance().mapLayers().values()
    assert len(layers) == 3, f"{len(layers)} layers, expected 3"
    for layer in layers:
        assert layer.isValid(), f"QGIS does not open {layer.name()}"
    [scenes] = [layer for layer in layers if layer.name() == "Scenes"]
    count = sum(1 for _ in scenes.getFeatures())
    assert count > 0, "no scene"
except AssertionError as error:
    print(error, flush=True)
    os._exit(1)
print(f"{len(layers)} layers, {count} scenes", flush=True)
os._exit(0)
