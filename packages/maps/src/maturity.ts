/** Grades of the evidence for the accuracy of a map type, each with its meaning. Further grades may follow. */
export const MATURITIES = {
  experimental: "Accuracy is measured on simulated scenes, and on few or no labelled real ones.",
} as const satisfies Readonly<Record<string, string>>;

export type Maturity = keyof typeof MATURITIES;
