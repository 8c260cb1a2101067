/**
 * Grades of the evidence for the accuracy of a map type, each with its meaning. The figures of `bench/quality` decide them:
 * `maturity.test.ts` there compares each declared grade with the figures.
 */
export const MATURITIES = {
  validated: "Meets a bar on real scenes, by labels or reference values that chose none of its limits.",
  "self-tested":
    "Not validated on real imagery: measured on simulated scenes, or on real ones without labels that could refute it.",
  experimental:
    "Not validated on real imagery: too few labelled scenes, or figures too low to decide by. Default lists leave it out.",
} as const satisfies Readonly<Record<string, string>>;

export type Maturity = keyof typeof MATURITIES;
