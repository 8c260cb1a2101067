"""Runs a notebook whole and checks its table: `python run_notebook.py PATH`."""

import sys

import nbformat
from nbclient import NotebookClient

# The figures of the service and the mean of the pixels differ by the pixels at the edge of the area.
CHECK = """
assert len(table) == len(scene_ids) >= 2, len(table)
assert table["count"].min() > 100
assert (table["mean"] - table["meanOfPixels"]).abs().max() < 0.005, table
assert table["mean"].std() > 0.01, "all scenes have one mean: the comparison proves nothing"
print(len(table), "scenes,", "largest difference", round(float((table["mean"] - table["meanOfPixels"]).abs().max()), 5))
"""

notebook = nbformat.read(sys.argv[1], as_version=4)
cells = sum(cell.cell_type == "code" for cell in notebook.cells)
notebook.cells.append(nbformat.v4.new_code_cell(CHECK))
NotebookClient(notebook, timeout=240, kernel_name="python3").execute()
[told] = [output.text for output in notebook.cells[-1].outputs if output.output_type == "stream"]
print(f"{cells} cells, {told.strip()}")
