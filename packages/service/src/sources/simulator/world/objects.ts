import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { View } from "./view.ts";

/** Paints everything that people and animals of the world have put there, from the large to the small. */
export function paintObjects(_canvas: Canvas, _block: Block, _geography: Geography, _view: View): void {}
