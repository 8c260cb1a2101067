import { RAMPS, type RampName } from "@swath/kernel/raster-mathematics/colormap";
import type { Rendering } from "@swath/kernel/raster-mathematics/rendering";
import type { Position } from "@swath/kernel/geometry/geojson";
import sharp from "sharp";

/** West, south, east, north. */
export type Bounds = readonly [number, number, number, number];

/** One of the pictures side by side. */
export interface Panel {
  /** Drawn one over the other; all show the bounds. */
  readonly layers: readonly Uint8Array[];
  /** Outlines over the layers. */
  readonly outlines: readonly (readonly Position[])[];
  readonly title: string;
}

/** A picture with all that a reader needs to know of it. */
export interface Framed {
  readonly panels: readonly Panel[];
  readonly bounds: Bounds;
  readonly legend: Legend;
  /** Place, then date. */
  readonly caption: readonly [place: string, date: string];
}

type Colour = readonly [red: number, green: number, blue: number];

export type Legend =
  | { readonly kind: "classes"; readonly classes: readonly { readonly name: string; readonly color: Colour }[] }
  | { readonly kind: "ramp"; readonly ramp: RampName; readonly low: string; readonly high: string }
  | { readonly kind: "none" };

const FRAME_WIDTH_PX = 800;
const GAP_PX = 8;
const TITLE_PX = 26;
const LINE_PX = 24;
const FONT = "font-family='DejaVu Sans' font-size='14'";
const METRES_PER_DEGREE = 111_320;
const QUALITY = 76;
const OUTLINE: Colour = [255, 0, 200];

/** Of pictures whose objects are outlined. */
export const OUTLINE_LEGEND: Legend = { kind: "classes", classes: [{ name: "found objects", color: OUTLINE }] };

/** Width of each of some panels side by side. */
export function panelWidthPx(panels: number): number {
  return Math.floor((FRAME_WIDTH_PX - (panels - 1) * GAP_PX) / panels);
}

/** The legend of a file of a map type. */
export function legendOf(rendering: Rendering, fileName: string): Legend {
  if (rendering.kind === "index") {
    const [low, high] = rendering.range;
    return { kind: "ramp", ramp: rendering.ramp, low: String(low), high: String(high) };
  }
  if (rendering.kind !== "result") return { kind: "none" };
  const product = rendering.products[fileName];
  const layer = product !== undefined && "layer" in product ? rendering.layers[product.layer] : rendering.layers[0];
  if (layer === undefined) return { kind: "none" };
  if (layer.kind === "values") {
    const [low, high] = layer.range;
    return {
      kind: "ramp",
      ramp: layer.ramp,
      low: `${layer.name.replaceAll("-", " ")} ${low}`,
      high: `${high} ${layer.unit}`,
    };
  }
  const only = product?.kind === "class-png" ? product.className : null;
  return { kind: "classes", classes: layer.classes.filter(({ name }) => only === null || name === only) };
}

/** Draws panels, legend, caption and scale bar as WebP of 800 pixels. */
export async function framed({ panels, bounds, legend, caption }: Framed): Promise<Buffer> {
  const aspect = aspectOf(bounds);
  const width = Math.min(panelWidthPx(panels.length), Math.round(FRAME_WIDTH_PX / aspect));
  const height = Math.max(1, Math.round(width * aspect));
  const composed: { readonly input: Buffer; readonly left: number; readonly top: number }[] = [];
  for (const [index, panel] of panels.entries()) {
    composed.push({
      input: await drawnPanel(panel, bounds, width, height),
      left: index * (width + GAP_PX),
      top: TITLE_PX,
    });
  }
  const rows =
    legend.kind === "classes" ? Math.max(1, Math.ceil(legend.classes.length / classesALine(legend.classes))) : 1;
  const footTop = TITLE_PX + height;
  const total = footTop + 10 + LINE_PX * (rows + 1);
  const titles = panels.map(({ title }, i) => text(i * (width + GAP_PX), 18, title, "font-weight='bold'"));
  const bottom = footTop + 8 + LINE_PX * rows;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='${FRAME_WIDTH_PX}' height='${total}'>
${titles.join("\n")}
${legendSvg(legend, footTop + 8)}
${text(0, bottom + 17, caption.join(" · "), "")}
${scaleBar(bounds, width, bottom)}
</svg>`;
  const background = { r: 255, g: 255, b: 255, alpha: 1 };
  return await sharp({ create: { width: FRAME_WIDTH_PX, height: total, channels: 4, background } })
    .composite([...composed, { input: Buffer.from(svg), left: 0, top: 0 }])
    .webp({ quality: QUALITY })
    .toBuffer();
}

/** Height over width on the ground. */
function aspectOf([west, south, east, north]: Bounds): number {
  return (north - south) / ((east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180));
}

async function drawnPanel({ layers, outlines }: Panel, bounds: Bounds, width: number, height: number): Promise<Buffer> {
  const [west, south, east, north] = bounds;
  const fitted: Buffer[] = [];
  for (const [index, layer] of layers.entries()) {
    // The picture below is enlarged smoothly; classes keep their borders.
    const kernel = layers.length > 1 && index === 0 ? "cubic" : "nearest";
    fitted.push(await sharp(layer).resize(width, height, { kernel, fit: "fill" }).png().toBuffer());
  }
  const rings = outlines.map((ring) => {
    const points = ring.map(([lon, lat]) => {
      const x = ((lon - west) / (east - west)) * width;
      const y = ((north - lat) / (north - south)) * height;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    return `<polygon points='${points.join(" ")}' fill='none' stroke='rgb(${OUTLINE.join(",")})' stroke-width='2'/>`;
  });
  const over = Buffer.from(
    `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'>${rings.join("")}</svg>`,
  );
  const background = { r: 235, g: 235, b: 235, alpha: 1 };
  return await sharp({ create: { width, height, channels: 4, background } })
    .composite([...fitted, over].map((input) => ({ input })))
    .png()
    .toBuffer();
}

const LONG_NAME = 12;

/** Fewer where a name is long. */
function classesALine(classes: readonly { readonly name: string }[]): number {
  return classes.some(({ name }) => name.length > LONG_NAME) ? 3 : 6;
}

function legendSvg(legend: Legend, top: number): string {
  if (legend.kind === "none") return "";
  if (legend.kind === "classes") {
    const perLine = classesALine(legend.classes);
    const step = FRAME_WIDTH_PX / perLine;
    return legend.classes
      .map(({ name, color }, i) => {
        const x = (i % perLine) * step;
        const y = top + Math.floor(i / perLine) * LINE_PX;
        const box = `<rect x='${x}' y='${y + 4}' width='16' height='14' fill='rgb(${color.join(",")})' stroke='#888'/>`;
        return box + text(x + 22, y + 16, name.replaceAll("-", " "), "");
      })
      .join("");
  }
  const ramp = RAMPS[legend.ramp];
  const stops = Array.from({ length: 17 }, (_, i) => {
    const at = Math.round((i * 255) / 16) * 3;
    return `<stop offset='${(100 * i) / 16}%' stop-color='rgb(${[...ramp.subarray(at, at + 3)].join(",")})'/>`;
  });
  const lowWidth = 9 * legend.low.length + 8;
  return `<defs><linearGradient id='ramp'>${stops.join("")}</linearGradient></defs>
${text(0, top + 16, legend.low, "")}
<rect x='${lowWidth}' y='${top + 3}' width='220' height='16' fill='url(#ramp)' stroke='#888'/>
${text(lowWidth + 228, top + 16, legend.high, "")}`;
}

/** A round length of at most a third of a panel, at the right end of the last line. */
function scaleBar([west, south, east, north]: Bounds, width: number, top: number): string {
  const metres = (east - west) * METRES_PER_DEGREE * Math.cos((((south + north) / 2) * Math.PI) / 180);
  const most = metres / 3;
  const power = 10 ** Math.floor(Math.log10(most));
  const length = power * ([5, 2, 1].find((digit) => digit * power <= most) ?? 1);
  const barPx = (length / metres) * width;
  const label = length >= 1000 ? `${length / 1000} km` : `${length} m`;
  const [left, right, y] = [FRAME_WIDTH_PX - barPx - 1, FRAME_WIDTH_PX - 1, top + 19];
  const path = `<path d='M${left} ${y - 6}V${y}H${right}V${y - 6}' fill='none' stroke='#000' stroke-width='2'/>`;
  return `${path}<text x='${left - 6}' y='${y - 1}' text-anchor='end' ${FONT}>${label}</text>`;
}

function text(x: number, y: number, content: string, more: string): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x='${x}' y='${y}' ${FONT} ${more}>${escaped}</text>`;
}
