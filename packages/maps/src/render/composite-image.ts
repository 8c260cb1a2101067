import { paintPalette } from "@swath/kernel/raster-mathematics/colormap";
import { MIN_INTENSITY, toDecibels, type Composite } from "@swath/kernel/raster-mathematics/composite";
import { stretchTable, type ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import type { PixelAccess, SceneSampler } from "@swath/raster/sample/scene-sampler";

/** A picture. */
export interface DrawnImage {
  /** RGBA; pixels with alpha 0 are (0, 0, 0, 0). May be kernel memory: valid until the next allocation there. */
  readonly rgba: Uint8Array;
  /** Pixels that have something to show; of 0 there is no file. */
  readonly shownPx: number;
}

type Three<T> = readonly [T, T, T];

/** Draws a composite; alpha is `coverage` where every band used is valid. */
export function drawComposite(
  access: PixelAccess,
  sampler: Pick<SceneSampler, "sampleBands">,
  composite: Composite,
  coverage: Uint8Array,
): DrawnImage {
  const { kernel } = access;
  const count = coverage.length;
  switch (composite.kind) {
    case "rgb": {
      const [r, g, b] = sampler.sampleBands(composite.bands, "smooth");
      const [low, middle, high] = composite.stretch.ranges;
      return compose(access, [r!, g!, b!], [low!, middle!, high!], composite.stretch.gamma, coverage);
    }
    case "gray": {
      const [gray] = sampler.sampleBands(composite.bands, composite.nearest ? "nearest" : "smooth");
      const [range] = composite.stretch.ranges;
      return compose(access, [gray!, gray!, gray!], [range!, range!, range!], composite.stretch.gamma, coverage);
    }
    case "palette": {
      const [plane] = sampler.sampleBands(composite.bands, "nearest");
      return countVisible(paintPalette(kernel.floats(plane!, count), coverage, composite.palette));
    }
    case "radar": {
      const [co, cross] = sampler.sampleBands(composite.bands, "smooth");
      const angle = kernel.allocateFloats(count);
      deriveRadar(
        kernel.floats(co!, count),
        kernel.floats(cross!, count),
        kernel.floats(angle, count),
        composite.decibels,
      );
      const ranges: Three<ValueRange> = [composite.coDb, composite.crossDb, composite.angleRad];
      return compose(access, [co!, cross!, angle], ranges, 1, coverage);
    }
    case "radar-gray": {
      const [co] = sampler.sampleBands(composite.bands, "smooth");
      if (!composite.decibels[0]) toDecibelsInPlace(kernel.floats(co!, count));
      return compose(access, [co!, co!, co!], [composite.coDb, composite.coDb, composite.coDb], 1, coverage);
    }
    default:
      return composite satisfies never;
  }
}

function compose(
  { kernel }: PixelAccess,
  planes: Three<number>,
  ranges: Three<ValueRange>,
  gamma: number,
  coverage: Uint8Array,
): DrawnImage {
  const count = coverage.length;
  const table = stretchTable(gamma);
  const tablePtr = kernel.allocate(table.length);
  const coveragePtr = kernel.allocate(count);
  const out = kernel.allocate(count * 4);
  kernel.bytes(tablePtr, table.length).set(table);
  kernel.bytes(coveragePtr, count).set(coverage);
  const shownPx = kernel.compose(planes, ranges, tablePtr, coveragePtr, out, count);
  return { rgba: kernel.bytes(out, count * 4), shownPx };
}

/** Turns co- and cross-polarised planes into decibels and fills in the angle of their ratio. */
function deriveRadar(
  co: Float32Array,
  cross: Float32Array,
  angle: Float32Array,
  decibels: readonly [co: boolean, cross: boolean],
): void {
  for (let i = 0; i < angle.length; i++) {
    angle[i] = Math.atan(linearPower(co[i]!, decibels[0]) / linearPower(cross[i]!, decibels[1]));
  }
  if (!decibels[0]) toDecibelsInPlace(co);
  if (!decibels[1]) toDecibelsInPlace(cross);
}

function linearPower(value: number, isDb: boolean): number {
  return Math.max(isDb ? 10 ** (value / 10) : value, MIN_INTENSITY);
}

function toDecibelsInPlace(plane: Float32Array): void {
  for (let i = 0; i < plane.length; i++) plane[i] = toDecibels(plane[i]!);
}

function countVisible(rgba: Uint8Array): DrawnImage {
  let shownPx = 0;
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 0) shownPx++;
  return { rgba, shownPx };
}
