import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { ChangedInput } from "@swath/contract/features/maps/reproduce-contract";
import { modelsOf } from "./provenance-record.ts";
import { SOFTWARE } from "./software.ts";

/** Inputs as they are now; null for those that are gone. */
export interface PresentInputs {
  readonly mapType: MapTypeDescriptor | null;
  /** In the order of the record. */
  readonly scenes: readonly (StoredScene | null)[];
}

/** The inputs of a record that are gone or others. */
export function changedInputs(record: ProvenanceRecord, { mapType, scenes }: PresentInputs): readonly ChangedInput[] {
  const changes: ChangedInput[] = [];
  const compare = (input: ChangedInput["input"], id: string, expected: string | null, got: string | null): void => {
    if (expected !== got) changes.push({ input, id, expected, got });
  };
  for (const [i, { sceneId, contentHash }] of record.scenes.entries()) {
    compare("scene", sceneId, contentHash, scenes[i]?.contentHash ?? null);
  }
  const { id, version } = record.mapType;
  compare("map-type", id, String(version), mapType === null ? null : String(mapType.version));
  const { algorithm } = record;
  if (mapType !== null && algorithm.version !== null) {
    compare("algorithm", algorithm.name, String(algorithm.version), String(mapType.analysis?.algoVersion ?? ""));
  }
  const present = scenes.filter((scene) => scene !== null);
  if (mapType !== null && present.length === record.scenes.length) {
    const models = plannedModels(mapType, present);
    for (const model of record.models) {
      compare("model", model.id, model.sha256, models.find((one) => one.id === model.id)?.sha256 ?? null);
    }
  }
  compare("software", SOFTWARE.name, record.software.version, SOFTWARE.version);
  return changes;
}

/** Models that an analysis of the scenes would use now. */
function plannedModels({ analysis }: MapTypeDescriptor, scenes: readonly StoredScene[]): ProvenanceRecord["models"] {
  const plan = analysis?.plan(
    scenes.map(({ scene, raster }) => ({ scene, raster, roles: raster.bands.map(({ role }) => role) })),
  );
  return plan?.accepted === true ? modelsOf({ ...plan.parameters }) : [];
}
