/** The part of an opportunity that limits look at. */
export interface Limited {
  /** Degrees; null where the provider does not say. */
  readonly offNadir: number | null;
  readonly sunElevation: number | null;
  /** 0 to 1. */
  readonly cloudProbability: number;
  readonly coverageRatio: number;
  readonly product: { readonly isOptical: boolean };
}

/** Limits on the shown opportunities of a study: angles in degrees, shares 0 to 1. */
export interface Limits {
  readonly offNadirDeg: number;
  readonly sunDeg: number;
  readonly clear: number;
  readonly coverage: number;
}

export type LimitName = keyof Limits;

/** Nothing is hidden until the user says so. */
export const NO_LIMITS: Limits = { offNadirDeg: 90, sunDeg: -90, clear: 0, coverage: 0 };

export const LIMIT_NAMES: readonly LimitName[] = ["offNadirDeg", "sunDeg", "clear", "coverage"];

const PASSES: Readonly<Record<LimitName, (one: Limited, limit: number) => boolean>> = {
  offNadirDeg: ({ offNadir }, limit) => offNadir === null || offNadir <= limit,
  // Radar sees by night.
  sunDeg: ({ sunElevation, product }, limit) => !product.isOptical || sunElevation === null || sunElevation >= limit,
  clear: ({ cloudProbability }, limit) => cloudProbability >= limit,
  coverage: ({ coverageRatio }, limit) => coverageRatio >= limit,
};

export interface LimitedList<One> {
  readonly shown: readonly One[];
  /** How many each limit hides, also where another hides them too. */
  readonly hiddenBy: Readonly<Record<LimitName, number>>;
}

export function withinLimits<One extends Limited>(all: readonly One[], limits: Limits): LimitedList<One> {
  const hides = (name: LimitName, one: One): boolean => !PASSES[name](one, limits[name]);
  const count = (name: LimitName): number => all.filter((one) => hides(name, one)).length;
  return {
    shown: all.filter((one) => !LIMIT_NAMES.some((name) => hides(name, one))),
    hiddenBy: {
      offNadirDeg: count("offNadirDeg"),
      sunDeg: count("sunDeg"),
      clear: count("clear"),
      coverage: count("coverage"),
    },
  };
}
