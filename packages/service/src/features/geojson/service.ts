import { randomUUID } from "node:crypto";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import { boundedJson } from "../../platform/bounded-json.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type {
  FeaturePage,
  FeatureToSave,
  SavedFeature,
  StoredFeature,
  StoredGeometry,
} from "@swath/contract/features/geojson/contract";
import * as store from "./store.ts";
import { geometryForm, withId } from "./stored-form.ts";

/** Geometries, which belong to whoever knows their id, and features, which belong to the user who saved them. */
export interface GeojsonService {
  /** @throws {ServiceError} VALIDATION-ERROR when it is no valid geometry once rounded */
  saveGeometry(geometry: Geometry, signal?: AbortSignal): Promise<StoredGeometry>;
  /** @throws {ServiceError} NON-EXISTENT-GEOMETRY */
  getGeometry(geometryId: string): Promise<StoredGeometry>;
  /** @throws {ServiceError} VALIDATION-ERROR, NON-EXISTENT-FEATURE for an id that is none of the caller's */
  saveFeature(caller: Caller, feature: FeatureToSave, signal?: AbortSignal): Promise<SavedFeature>;
  /** @throws {ServiceError} NON-EXISTENT-FEATURE */
  getFeature(caller: Caller, featureId: string): Promise<StoredFeature>;
  /** @throws {ServiceError} NON-EXISTENT-FEATURE */
  deleteFeature(caller: Caller, featureId: string): Promise<void>;
  /** @throws {ServiceError} INVALID-CURSOR */
  listFeatures(caller: Caller, cursor?: string): Promise<FeaturePage>;
}

export interface GeojsonServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
}

const pages = numberCursor("geojson-feature:1:");
const PAGE_SIZE = 100;
/** As much as one request may bring. */
const PAGE_BYTES = 10 * 1024 * 1024;

function unknownFeature(featureId: string): ServiceError {
  return new ServiceError("NON-EXISTENT-FEATURE", `you have no feature ${featureId}`);
}

function storedFeature({ featureId, geometryId, geometry, properties }: store.FeatureRow): StoredFeature {
  return { type: "Feature", id: featureId, geometry: withId(geometry, geometryId), properties };
}

export function createGeojsonService({ db, clock }: GeojsonServiceDeps): GeojsonService {
  return {
    async saveGeometry(value, signal) {
      const { geometryId, geometry, json } = await geometryForm(value, "", signal);
      await store.insertGeometry(db, geometryId, json, clock.now());
      return withId(geometry, geometryId);
    },

    async getGeometry(geometryId) {
      const geometry = await store.readGeometry(db, geometryId);
      if (geometry === null) throw new ServiceError("NON-EXISTENT-GEOMETRY", `there is no geometry ${geometryId}`);
      return withId(geometry, geometryId);
    },

    async saveFeature({ userId }, feature, signal) {
      const { geometryId, json } = await geometryForm(feature.geometry, "/geometry", signal);
      const properties = boundedJson(feature.properties ?? {}, "/properties");
      const featureId = feature.id ?? randomUUID();
      const content = { featureId, userId, geometryId, properties, at: clock.now() };
      await inTransaction(db, async (trx) => {
        await store.insertGeometry(trx, geometryId, json, content.at);
        if (feature.id === undefined) await store.insertFeature(trx, content);
        else if (!(await store.replaceFeature(trx, content))) throw unknownFeature(featureId);
      });
      return { featureId, geometryId };
    },

    async getFeature({ userId }, featureId) {
      const row = await store.readFeature(db, userId, featureId);
      if (row === null) throw unknownFeature(featureId);
      return storedFeature(row);
    },

    async deleteFeature({ userId }, featureId) {
      if (!(await store.deleteFeature(db, userId, featureId))) throw unknownFeature(featureId);
    },

    async listFeatures({ userId }, cursor) {
      const before = cursor === undefined ? null : pages.decode(cursor);
      const query = { userId, before, limit: PAGE_SIZE, limitBytes: PAGE_BYTES };
      const { features, hasMore } = await store.readFeaturePage(db, query);
      const last = features.at(-1);
      return {
        results: features.map(storedFeature),
        cursor: hasMore && last !== undefined ? pages.encode(last.featureKey) : null,
      };
    },
  };
}
