import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Circle from "ol/style/Circle.js";
import Style from "ol/style/Style.js";
import type { Shape } from "./shape.ts";

/** Lines on pictures have a casing, so that they are seen on any of them. */
function cased(colour: string, widthPx: number, casing: string, casingPx: number, fill?: string): Style[] {
  const under = new Style({ stroke: new Stroke({ color: casing, width: casingPx }) });
  const over = new Style({ stroke: new Stroke({ color: colour, width: widthPx }) });
  return fill === undefined ? [under, over] : [new Style({ fill: new Fill({ color: fill }) }), under, over];
}

const WHITE = "#ffffff";

/** Without a fill: the fills of 200 scenes would hide the map. */
export const FOOTPRINT = cased("#3568b8", 1.1, "rgb(255 255 255 / 0.55)", 2.6);
export const HOVERED = cased("#1b58d0", 2.25, WHITE, 4.5, "rgb(27 88 208 / 0.16)");
export const SELECTED = cased("#ff7a1a", 3, WHITE, 6);

export const AREA = [
  new Style({ stroke: new Stroke({ color: "#14202a", width: 4 }) }),
  new Style({ stroke: new Stroke({ color: WHITE, width: 2, lineDash: [8, 5] }) }),
];

const DARK_CASING = "#0d1a22";

const SHAPES: Readonly<Record<Shape["look"], (colour?: string) => Style[]>> = {
  area: (colour = "#3568b8") => cased(colour, 1.5, "rgb(255 255 255 / 0.8)", 3.5),
  // The veil adds up where areas of several scenes lie on each other.
  held: () => [
    new Style({ fill: new Fill({ color: "rgb(20 32 42 / 0.14)" }) }),
    new Style({ stroke: new Stroke({ color: "rgb(20 32 42 / 0.5)", width: 3 }) }),
    new Style({ fill: new Fill({ color: hatch() }), stroke: new Stroke({ color: WHITE, width: 1.6 }) }),
  ],
  object: (colour = "#56b4e9") => withPoint(cased(colour, 2, DARK_CASING, 4.5), colour, 4),
  reach: (colour = "#3568b8") => [new Style({ fill: new Fill({ color: `${colour}1f` }) })],
  track: (colour = "rgb(107 123 133 / 0.7)") => [
    new Style({ stroke: new Stroke({ color: colour, width: 1.5, lineDash: [6, 4] }) }),
  ],
};

/** Returns one set of styles for all shapes of a look and colour: 50,000 objects would make as many otherwise. */
export function createShapeStyles(): (shape: Pick<Shape, "look" | "colour">) => Style[] {
  const known = new Map<string, Style[]>();
  return ({ look, colour }) => {
    const key = `${look} ${colour ?? ""}`;
    const style = known.get(key) ?? SHAPES[look](colour);
    known.set(key, style);
    return style;
  };
}

export const HOVERED_SHAPE = withPoint(cased("#1b58d0", 3, WHITE, 6.5), "#1b58d0", 6);
export const SELECTED_SHAPE = withPoint(cased("#ff7a1a", 3, WHITE, 6.5), "#ff7a1a", 6);

function withPoint(styles: Style[], colour: string, radiusPx: number): Style[] {
  const image = new Circle({
    radius: radiusPx,
    fill: new Fill({ color: colour }),
    stroke: new Stroke({ color: DARK_CASING, width: 1.5 }),
  });
  return [...styles, new Style({ image })];
}

/** White lines of 45°, one in 7 px. */
function hatch(): CanvasPattern | string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 7;
  const context = canvas.getContext("2d");
  if (context === null) return "rgb(255 255 255 / 0.3)";
  context.strokeStyle = "rgb(255 255 255 / 0.85)";
  context.lineWidth = 1.6;
  context.beginPath();
  // The corners join the lines of neighbouring tiles.
  for (const [x, y] of [
    [-1, 8],
    [-8, 8],
    [6, 8],
  ] as const) {
    context.moveTo(x, y);
    context.lineTo(x + 9, y - 9);
  }
  context.stroke();
  return context.createPattern(canvas, "repeat") ?? "rgb(255 255 255 / 0.3)";
}

/** Land of the basemap. */
export function landStyle(theme: "dark" | "light"): Style {
  const [land, coast] = theme === "dark" ? ["#27343a", "#4a5d66"] : ["#eef0ea", "#b4c3cb"];
  return new Style({ fill: new Fill({ color: land }), stroke: new Stroke({ color: coast, width: 1 }) });
}
