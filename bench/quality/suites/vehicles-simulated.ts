import type { Bar, Figure } from "../figure.ts";
import { listedFigures, type ListedCase } from "../listed-objects.ts";
import type { QualityBench } from "../quality-bench.ts";

const atLeast = (value: number): Bar => ({ kind: "at-least", value });

/** Towns whose streets and car parks are busy, and the surroundings of their airports. */
const TOWNS = [
  { lonDeg: 153.13, latDeg: -27.42 },
  { lonDeg: -122.35, latDeg: 37.78 },
  { lonDeg: 2.35, latDeg: 48.86 },
  { lonDeg: 139.77, latDeg: 35.62 },
  { lonDeg: 103.82, latDeg: 1.26 },
  { lonDeg: 13.4, latDeg: 52.52 },
  { lonDeg: -99.13, latDeg: 19.43 },
  { lonDeg: 28.98, latDeg: 41.01 },
] as const;
/** Aprons of simulated airports. */
const AIRPORTS = [
  { lonDeg: 153.0406, latDeg: -27.3258 },
  { lonDeg: 2.447, latDeg: 48.9707 },
  { lonDeg: 139.4806, latDeg: 35.7722 },
  { lonDeg: -122.3083, latDeg: 37.7508 },
  { lonDeg: 13.5647, latDeg: 52.5761 },
  { lonDeg: -98.9883, latDeg: 19.3542 },
  { lonDeg: -43.2646, latDeg: -22.8014 },
  { lonDeg: 28.7937, latDeg: 41.0308 },
] as const;

const CASES: readonly ListedCase[] = [
  {
    mapType: "aircraft",
    data: "simulated Pléiades 0.5 m, aprons",
    provider: "ab",
    dataset: "pleiades",
    sideM: 700,
    places: AIRPORTS,
    truth: ({ aircraft }) => aircraft,
    reachM: ({ lengthM }) => Math.max(15, lengthM / 2),
    bars: { recall: atLeast(0.5), precision: atLeast(0.4) },
  },
  {
    mapType: "aircraft",
    data: "simulated PlanetScope 3 m, aprons",
    provider: "pl",
    dataset: "PSScene",
    sideM: 1400,
    places: AIRPORTS,
    truth: ({ aircraft }) => aircraft,
    reachM: ({ lengthM }) => Math.max(15, lengthM / 2),
    bars: { recall: null, precision: null },
  },
  {
    mapType: "cars",
    data: "simulated Pléiades Neo 0.3 m",
    provider: "ab",
    dataset: "pleiades-neo",
    sideM: 200,
    places: TOWNS,
    truth: ({ cars, trucks }) => [...cars, ...trucks],
    reachM: ({ lengthM }) => Math.max(2.5, lengthM / 2),
    bars: { recall: null, precision: null },
  },
  {
    mapType: "cars",
    data: "simulated Pléiades 0.5 m",
    provider: "ab",
    dataset: "pleiades",
    sideM: 200,
    places: TOWNS,
    truth: ({ cars, trucks }) => [...cars, ...trucks],
    reachM: ({ lengthM }) => Math.max(2.5, lengthM / 2),
    bars: { recall: null, precision: null },
  },
  ...(["pleiades-neo", "pleiades"] as const).map((dataset): ListedCase => ({
    mapType: "cars",
    data: dataset === "pleiades" ? "simulated Pléiades 0.5 m, trucks" : "simulated Pléiades Neo 0.3 m, trucks",
    provider: "ab",
    dataset,
    sideM: 500,
    places: TOWNS,
    truth: ({ trucks }) => trucks,
    reachM: ({ lengthM }) => lengthM / 2,
    className: "trucks",
    bars: { recall: null, precision: null },
  })),
];

export async function simulatedVehicleFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return await listedFigures(bench, CASES);
}
