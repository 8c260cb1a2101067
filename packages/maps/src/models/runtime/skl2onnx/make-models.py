"""Trains three small models on made pixels and writes them with skl2onnx, and what scikit-learn predicts by them.

    pip install scikit-learn==1.9.* skl2onnx==1.20.*
    python make-models.py

Reflectances of red and near infrared tell water, bare ground and crops; of two dates they tell biomass.
"""

import json
from pathlib import Path

import numpy
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

FOLDER = Path(__file__).parent
rng = numpy.random.default_rng(7)
CENTRES = {10: (0.04, 0.02), 20: (0.25, 0.30), 30: (0.05, 0.45)}
labels = rng.choice(list(CENTRES), 600)
pixels = numpy.array([CENTRES[label] for label in labels]) + rng.normal(0, 0.02, (600, 2))
pixels = pixels.astype(numpy.float32)

forest = RandomForestClassifier(n_estimators=5, max_depth=4, random_state=7).fit(pixels, labels)
rows = FloatTensorType([None, 2])
(FOLDER / "crops.onnx").write_bytes(to_onnx(forest, initial_types=[("X", rows)]).SerializeToString())
scores = to_onnx(forest, initial_types=[("X", rows)], options={"zipmap": False})
(FOLDER / "crops-scores.onnx").write_bytes(scores.SerializeToString())

season = rng.uniform(0, 0.6, (600, 4)).astype(numpy.float32)
biomass = 100 * numpy.clip(season[:, 3] - season[:, 2], 0, 1) + 20 * season[:, 1]
regressor = RandomForestRegressor(n_estimators=5, max_depth=5, random_state=7).fit(season, biomass)
dates = FloatTensorType([None, 4])
(FOLDER / "biomass.onnx").write_bytes(to_onnx(regressor, initial_types=[("X", dates)]).SerializeToString())

shown = pixels[:48]
expected = {
    "pixels": shown.astype(float).round(6).tolist(),
    "season": season[:48].astype(float).round(6).tolist(),
}
again = numpy.array(expected["pixels"], dtype=numpy.float32)
dated = numpy.array(expected["season"], dtype=numpy.float32)
expected["labels"] = forest.predict(again).tolist()
expected["scores"] = forest.predict_proba(again).round(6).tolist()
expected["biomass"] = regressor.predict(dated).round(5).tolist()
(FOLDER / "expected.json").write_text(json.dumps(expected) + "\n")
