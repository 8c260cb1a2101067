import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";

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

/** Land of the basemap. */
export function landStyle(theme: "dark" | "light"): Style {
  const [land, coast] = theme === "dark" ? ["#27343a", "#4a5d66"] : ["#eef0ea", "#b4c3cb"];
  return new Style({ fill: new Fill({ color: land }), stroke: new Stroke({ color: coast, width: 1 }) });
}
