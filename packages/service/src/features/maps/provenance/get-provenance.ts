import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Provenance, ProvenanceRequest } from "@swath/contract/features/maps/provenance-contract";
import type { Db } from "../../../platform/context.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import type { MapIdSigner } from "../signed-map-id.ts";
import * as store from "../store.ts";
import { provenanceIdOf } from "./provenance-record.ts";

export interface GetProvenanceDeps {
  readonly db: Db;
  readonly signer: Pick<MapIdSigner, "verify">;
}

/** The record of a map. @throws {ServiceError} INVALID-MAP-ID; DATA-NOT-AVAILABLE of maps without a record */
export async function getProvenance(
  { db, signer }: GetProvenanceDeps,
  { mapId: signedMapId }: ProvenanceRequest,
): Promise<Provenance> {
  const { map, record } = await requireRecord({ db, signer }, signedMapId);
  return { mapId: map.mapId, provenanceId: provenanceIdOf(record), ...record, geometry: map.geometry };
}

/** A map and its record, whether or not its inputs are still there. */
export async function requireRecord(
  { db, signer }: GetProvenanceDeps,
  signedMapId: string,
): Promise<{
  readonly map: store.MapWithGeometry;
  readonly record: NonNullable<store.MapWithGeometry["provenance"]>;
}> {
  const { mapId } = await signer.verify(signedMapId);
  const map = await store.readMap(db, mapId);
  if (map === null) throw new ServiceError("INVALID-MAP-ID", "the map no longer exists: release it again");
  if (map.provenance === null) {
    throw new ServiceError("DATA-NOT-AVAILABLE", "the map was released before inputs were recorded: release it again");
  }
  return { map, record: map.provenance };
}

/** References to the records of maps, for answers about several. */
export function provenanceOf(
  maps: readonly Pick<LoadedMap, "map">[],
): { readonly mapType: string; readonly sceneId: string; readonly provenanceId: string }[] {
  return maps.flatMap(({ map: { mapType, sceneId, provenance } }) =>
    provenance === null ? [] : [{ mapType, sceneId, provenanceId: provenanceIdOf(provenance) }],
  );
}
