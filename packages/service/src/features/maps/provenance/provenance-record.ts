import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { ResultRow } from "../analysis/result-store.ts";
import type { KeptMosaic } from "../mosaic/kept-mosaic.ts";
import { SOFTWARE } from "./software.ts";

const ID_LENGTH = 32;

export interface RecordedInputs {
  readonly mapType: MapTypeDescriptor;
  /** In order of time. */
  readonly scenes: readonly StoredScene[];
  readonly geometryId: string;
  /** Null of maps that are drawn from the scene. */
  readonly result: Pick<ResultRow, "metadata"> | null;
  readonly pixels: ProvenanceRecord["pixels"];
  /** How it is made of many scenes; absent of other maps. */
  readonly mosaic?: KeptMosaic;
}

/** What a map was made of. The same inputs give the same record. */
export function provenanceRecord(inputs: RecordedInputs): ProvenanceRecord {
  const { mapType, scenes, geometryId, result, pixels, mosaic } = inputs;
  const given = result === null ? drawnParameters(mapType) : resultParameters(result);
  const { manifest, ...parameters } = given;
  return {
    software: SOFTWARE,
    mapType: { id: mapType.keptAs ?? mapType.id, version: mapType.version },
    algorithm: {
      name: mapType.analysis?.name ?? mapType.rendering.algorithm,
      version: mapType.analysis?.algoVersion ?? null,
      parameters: mosaic === undefined ? parameters : { ...parameters, mosaic },
    },
    models: manifest === undefined ? [] : [modelOf(manifest)],
    scenes: scenes.map(({ scene, contentHash, revision = 0 }) => {
      const { sceneId, provider, dataset, datetime } = scene;
      return { sceneId, provider, dataset, datetime, revision, contentHash };
    }),
    area: { geometryId },
    pixels,
  };
}

/** Id of a record: the digest of its canonical JSON (RFC 8785). */
export function provenanceIdOf(record: ProvenanceRecord): string {
  return createHash("sha256")
    .update(canonicalize(record) ?? "")
    .digest("base64url")
    .slice(0, ID_LENGTH);
}

/** The model among the parameters of an analysis; empty without one. */
export function modelsOf(parameters: Readonly<Record<string, unknown>>): ProvenanceRecord["models"] {
  return parameters["manifest"] === undefined ? [] : [modelOf(parameters["manifest"])];
}

function modelOf(manifest: unknown): ProvenanceRecord["models"][number] {
  const { id, version, sha256 } = manifest as { id: string; version: string; sha256: string };
  return { id, version, sha256 };
}

function drawnParameters({ rendering }: MapTypeDescriptor): Readonly<Record<string, unknown>> {
  if (rendering.kind !== "index") return {};
  const { formula, parameters } = rendering.index;
  return { formula, ...parameters };
}

function resultParameters({ metadata }: Pick<ResultRow, "metadata">): Readonly<Record<string, unknown>> {
  const { params } = metadata["algorithm"] as { readonly params?: Readonly<Record<string, unknown>> };
  return params ?? {};
}
