import { formatShare } from "../format/numbers.ts";
import { monitorsText } from "./monitors-text.ts";

/** Conditions of scenes in the language of the feature store. */
export type SceneFilter = Readonly<Record<string, unknown>>;

/** The two conditions that the form has; null where there is none. */
export interface SceneLimits {
  /** Share, 0 to 1. */
  readonly mostCloud: number | null;
  readonly mostOffNadirDeg: number | null;
}

export function limitsOf(filter: SceneFilter | undefined): SceneLimits {
  return { mostCloud: mostOf(filter?.["cloudCover"]), mostOffNadirDeg: mostOf(filter?.["offNadir"]) };
}

/** Replaces the two conditions of a filter; its other members stay. */
export function withLimits(filter: SceneFilter | undefined, limits: SceneLimits): SceneFilter {
  const { cloudCover, offNadir, ...others } = filter ?? {};
  return {
    ...others,
    ...replaced("cloudCover", cloudCover, limits.mostCloud),
    ...replaced("offNadir", offNadir, limits.mostOffNadirDeg),
  };
}

/** A condition of another form stays, unless the form has one. */
function replaced(name: string, before: unknown, most: number | null): SceneFilter {
  if (most !== null) return { [name]: { $lte: most } };
  return before === undefined || mostOf(before) !== null ? {} : { [name]: before };
}

export function filterText(filter: SceneFilter | undefined): string {
  const { mostCloud, mostOffNadirDeg } = limitsOf(filter);
  const others = Object.keys(filter ?? {}).length - Number(mostCloud !== null) - Number(mostOffNadirDeg !== null);
  const parts = [
    ...(mostCloud === null ? [] : [monitorsText.filters.cloud(formatShare(mostCloud))]),
    ...(mostOffNadirDeg === null ? [] : [monitorsText.filters.offNadir(`${mostOffNadirDeg}°`)]),
    ...(others > 0 ? [monitorsText.filters.other] : []),
  ];
  return parts.length === 0 ? monitorsText.noFilter : parts.join(", ");
}

function mostOf(condition: unknown): number | null {
  if (typeof condition !== "object" || condition === null || Object.keys(condition).length !== 1) return null;
  const most: unknown = Reflect.get(condition, "$lte");
  return typeof most === "number" ? most : null;
}
