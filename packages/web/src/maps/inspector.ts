import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Client } from "@swath/client";
import type { ComparedIds } from "../compare/compared-ids.ts";
import type { Layers } from "./layers.ts";

/** Values of one map at a position. */
export interface LayerValues {
  readonly mapId: string;
  readonly mapType: string;
  readonly answer: Awaited<ReturnType<typeof readPoint>> | null;
}

export interface Inspection {
  readonly longitude: number;
  readonly latitude: number;
  /** Null while they are read. */
  readonly layers: readonly LayerValues[] | null;
}

export interface Inspector {
  readonly isOn: Signal<boolean>;
  readonly inspection: ReadonlySignal<Inspection | null>;
  read(longitude: number, latitude: number): Promise<void>;
  close(): void;
}

/** Values of all shown maps where the user clicks, or of both compared ones. */
export function createInspector(
  calls: Client,
  layers: Layers,
  compared: ReadonlySignal<ComparedIds | null>,
): Inspector {
  const inspection = signal<Inspection | null>(null);
  const isOn = signal(false);
  return {
    isOn,
    inspection,
    async read(longitude, latitude) {
      const asked: Inspection = { longitude, latitude, layers: null };
      inspection.value = asked;
      const { value: pair } = compared;
      const shown = layers.list.value.filter(({ mapId, isShown }) =>
        pair === null ? isShown : mapId === pair.a || mapId === pair.b,
      );
      const values = await Promise.all(
        shown.map(async ({ mapId, mapType }) => {
          // A map that is not available shows no values; its layer says why.
          const answer = await readPoint(calls, mapId, longitude, latitude).catch(() => null);
          return { mapId, mapType, answer };
        }),
      );
      if (inspection.value === asked) inspection.value = { ...asked, layers: values };
    },
    close() {
      isOn.value = false;
      inspection.value = null;
    },
  };
}

async function readPoint(calls: Client, mapId: string, longitude: number, latitude: number) {
  const { points } = await calls.call("/mapsvc/point/get", { mapId, points: [[longitude, latitude]] });
  return points[0] ?? null;
}
