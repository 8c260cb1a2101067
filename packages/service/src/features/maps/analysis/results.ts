import { randomUUID } from "node:crypto";
import type { PlacedObject } from "@swath/maps/analysis/placed-object";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import { sleep } from "@swath/base/concurrency/sleep";
import type { Db } from "../../../platform/context.ts";
import { windowTransform } from "@swath/maps/engine/block-raster";
import type { WorkFolders } from "../../../platform/uploads/work-folders.ts";
import type { Analyser } from "@swath/maps/engine/analyser";
import type { AnalysisJob, AnalysisModel, AnalysisProduct } from "@swath/maps/engine/analysis-job";
import type { AnalysisParts } from "./parts.ts";
import { metadataOf, planJob, resultIdOf, type RefusedResult, type ResultRequest } from "./result-plan.ts";
import * as store from "./result-store.ts";

export type ResultOutcome = { readonly kind: "ready"; readonly result: store.ResultRow } | RefusedResult;

/** Results of analyses: each is computed once, whoever asks for it and in whichever process. */
export interface Results {
  /** @throws {ServiceError} when the pixels cannot be read; the signal's reason when it aborts */
  ensure(request: ResultRequest, signal: AbortSignal, onProgress?: (share: number) => void): Promise<ResultOutcome>;
  read(resultId: string): Promise<store.ResultRow | null>;
  /** Objects of a finished result. */
  objects(result: store.ResultRow): Promise<readonly PlacedObject[]>;
}

export interface ResultsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly folders: WorkFolders;
  readonly analyser: Analyser;
  /** Shares large windows out among all workers. */
  readonly parts: Pick<AnalysisParts, "compute">;
  /** Windows of more pixels are shared out; those that take seconds on all cores of one machine unless given. */
  readonly sharedPixels?: number;
}

/** A process that dies is replaced after this long. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How often a result that somebody else computes is looked for. */
const POLL_MS = 250;
/** A pipeline that is repeated after a crash takes its result over long before. */
const ABANDONED_MS = 60 * 60 * 1000;
const ABANDONED_BATCH = 20;
const SHARED_PIXELS = 24_000_000;
/** Lists of a hundred thousand objects have about this many bytes. */
const MAX_OBJECTS_BYTES = 128 * 1024 * 1024;

export function createResults(deps: ResultsDeps): Results {
  const { db, clock, blobs, folders, analyser, parts, sharedPixels = SHARED_PIXELS } = deps;

  async function compute(
    resultId: string,
    owner: string,
    job: Omit<AnalysisJob, "folder">,
    request: ResultRequest,
    signal: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<store.ResultRow | null> {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      store.renewResult(db, resultId, owner, LEASE_MS).then(
        (kept) => {
          if (!kept) lost.abort(new Error(`the lease of the result ${resultId} was lost`));
        },
        // The database may be back before the lease ends.
        () => {},
      );
    }, RENEW_MS);
    const prefix = prefixOf(resultId, owner);
    const folder = await folders.create(owner.replaceAll("-", ""), 1);
    let isFinished = false;
    try {
      const stop = AbortSignal.any([signal, lost.signal]);
      const work = { ...job, folder };
      // Clean-up of what dead processes have left, of this result and of others; the analysis does not depend on it.
      await removeAbandoned().catch(() => {});
      await removeBlobs(blobs, `results/${resultId}/`).catch(() => {});
      const { model, description } = await analyser.run({ stage: "survey", job: work }, stop);
      const product =
        job.window.columns * job.window.rows > sharedPixels
          ? await parts.compute(prefix, work, model, stop, onProgress)
          : await analyser.run({ stage: "whole", job: work, model }, stop, onProgress);
      const row = await keep(resultId, prefix, job, product, description, request, stop);
      isFinished = await store.finishResult(db, row, owner, clock.now());
      return isFinished ? row : null;
    } catch (error) {
      if (lost.signal.aborted) return null;
      // Before anybody else can take the work; what cannot be removed must not hide why it failed.
      await removeBlobs(blobs, prefix).catch(() => {});
      await store.releaseResult(db, resultId, owner);
      throw error;
    } finally {
      clearInterval(renewal);
      await folders.remove(folder);
      if (lost.signal.aborted && !isFinished) await removeBlobs(blobs, prefix).catch(() => {});
    }
  }

  /** Results that a dead process had begun and nobody has asked for since: their row and their blobs. */
  async function removeAbandoned(): Promise<void> {
    const sweeper = randomUUID();
    for (const resultId of await store.claimAbandoned(db, sweeper, LEASE_MS, ABANDONED_MS, ABANDONED_BATCH)) {
      // oxlint-disable-next-line no-await-in-loop -- a bounded batch of clean-up work
      await removeBlobs(blobs, `results/${resultId}/`);
      // oxlint-disable-next-line no-await-in-loop -- last, so that a crash before it repeats the rest
      await store.releaseResult(db, resultId, sweeper);
    }
  }

  async function keep(
    resultId: string,
    prefix: string,
    job: Omit<AnalysisJob, "folder">,
    product: AnalysisProduct,
    description: AnalysisModel["description"],
    request: ResultRequest,
    signal: AbortSignal,
  ): Promise<store.ResultRow> {
    const bands: StoredBand[] = [];
    for (const [index, { path, nodata, statistics }] of product.bands.entries()) {
      const key = `${prefix}layer${index}.tif`;
      // oxlint-disable-next-line no-await-in-loop -- bound by the disk or the network
      await blobs.putFile(key, path, { signal });
      const isClass = job.layers[index]?.kind === "classes";
      bands.push({
        key,
        role: null,
        quantity: isClass ? "class" : "other",
        dataType: isClass ? "uint8" : "float32",
        widthPx: job.window.columns,
        heightPx: job.window.rows,
        geotransform: windowTransform(job.source.grid, job.window),
        nodata,
        maskKey: null,
        statistics,
        palette: null,
      });
    }
    const objectsKey = `${prefix}objects.json`;
    await blobs.put(objectsKey, new TextEncoder().encode(JSON.stringify(product.objects)), { signal });
    const { proj4, controlGrid } = job.source.grid.raster;
    const raster: StoredRaster = { proj4, controlGrid, bands };
    return { resultId, raster, objectsKey, metadata: metadataOf(request, job, product, description) };
  }

  return {
    read: async (resultId) => store.readResult(db, resultId),

    async objects({ objectsKey }) {
      if (objectsKey === null) return [];
      const bytes = await blobs.read(objectsKey, 0, MAX_OBJECTS_BYTES);
      return JSON.parse(new TextDecoder().decode(bytes)) as readonly PlacedObject[];
    },

    async ensure(request, signal, onProgress) {
      const planned = planJob(request, (key) => blobs.localPath(key));
      if (planned.kind === "refused") return planned;
      const { job } = planned;
      const resultId = resultIdOf(request, job);
      const inputs: store.ResultInputs = {
        resultId,
        mapType: request.mapType.id,
        algoVersion: request.analysis.algoVersion,
        sceneIds: request.scenes.map(({ scene }) => scene.sceneId),
        parameters: job.parameters,
      };
      for (;;) {
        signal.throwIfAborted();
        // oxlint-disable-next-line no-await-in-loop -- until somebody has it
        const ready = await store.readResult(db, resultId);
        if (ready !== null) return { kind: "ready", result: ready };
        const owner = randomUUID();
        // oxlint-disable-next-line no-await-in-loop
        if (await store.claimResult(db, inputs, owner, LEASE_MS, clock.now())) {
          // oxlint-disable-next-line no-await-in-loop
          const result = await compute(resultId, owner, job, request, signal, onProgress);
          if (result !== null) return { kind: "ready", result };
        } else {
          // oxlint-disable-next-line no-await-in-loop
          await sleep(POLL_MS, signal);
        }
      }
    },
  };
}

async function removeBlobs(blobs: BlobStore, prefix: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) keys.push(key);
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- one blob per layer, and those of parts
    await blobs.delete(key);
  }
}

/** The owner is part of the key: one that lost its lease never touches what its successor writes. */
function prefixOf(resultId: string, owner: string): string {
  return `results/${resultId}/${owner}/`;
}

/** @throws {ServiceError} when a result that maps are drawn from is gone */
export function requireResult(result: store.ResultRow | null): store.ResultRow {
  if (result !== null) return result;
  throw new ServiceError("INVALID-MAP-ID", "the result of the map no longer exists: release it again");
}
