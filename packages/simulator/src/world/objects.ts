import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { View } from "./view.ts";
import { paintBurns } from "./burns.ts";
import { paintCountry } from "./country.ts";
import { placesNear } from "./places.ts";
import { paintShips } from "./ships.ts";
import { paintAirport } from "./airport.ts";
import { paintHarbour } from "./harbour.ts";
import { paintTown } from "./town.ts";

/** Paints everything that people have put there, from the large to the small. */
export function paintObjects(
  canvas: Canvas,
  block: Block,
  geography: Geography,
  view: View,
  sink: ObjectSink | null,
): void {
  const places = placesNear(block);
  if (geography.anyLand) {
    paintCountry(canvas, block, places, view);
    paintBurns(canvas, block, geography, view, sink);
    for (const place of places) {
      paintTown(canvas, block, place, view, sink);
      paintAirport(canvas, block, place, view, sink);
    }
  }
  // Quays reach into blocks that would be open sea.
  for (const place of places) paintHarbour(canvas, block, place, view, sink);
  if (geography.anySea) paintShips(canvas, block, view, sink);
}
