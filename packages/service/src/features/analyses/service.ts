import type { Static } from "typebox";
import type { Analysis, AnalysisToSave } from "@swath/contract/features/analyses/analysis";
import type { analysesContract } from "@swath/contract/features/analyses/contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Trx } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { newAnalysisId } from "./analysis-id.ts";
import { createAddMapTypes, type FramesDeps } from "./add-map-types.ts";
import { createExportAnalysis, type ExportAnalysisDeps } from "./archive/export-analysis.ts";
import { createImportAnalysis, type ImportAnalysisDeps } from "./archive/import-analysis.ts";
import { boundOutcome } from "./bound-maps.ts";
import type { FrameOutcome } from "./frame-outcome.ts";
import { readFrames, writeFrames, type FrameChange } from "./frame-store.ts";
import { insertNew } from "./insert-new.ts";
import { listPage } from "./list-page.ts";
import { pathExpression } from "./path-expression.ts";
import { readableAnalysis } from "./readable-analysis.ts";
import { readerOf, type Reader } from "./rights.ts";
import { savedDocument, type AnalysisDocument } from "./saved-document.ts";
import { shownAnalysis } from "./shown-analysis.ts";
import { createSpawnFromScene } from "./spawn-from-scene.ts";
import * as store from "./store.ts";
import { unknownAnalysis } from "./unknown-analysis.ts";

type Direct = "copy" | "createOrUpdate" | "delete" | "get" | "list";
type RequestOf<Name extends Direct> = Static<(typeof analysesContract)[Name]["request"]>;
type ResponseOf<Name extends Direct> = Static<(typeof analysesContract)[Name]["response"]>;
type Saved = ResponseOf<"createOrUpdate">;

/** Saved projects. An analysis that the caller may not read does not exist: NON-EXISTENT-ANALYSIS. */
export interface AnalysesService {
  readonly addMapTypes: ReturnType<typeof createAddMapTypes>;
  readonly spawnFromScene: ReturnType<typeof createSpawnFromScene>;
  readonly exportAnalysis: ReturnType<typeof createExportAnalysis>;
  readonly importAnalysis: ReturnType<typeof createImportAnalysis>;
  /** @throws {ServiceError} NON-EXISTENT-ANALYSIS */
  get(caller: Caller, request: RequestOf<"get">): Promise<Analysis>;
  /** @throws {ServiceError} VALIDATION-ERROR, INVALID-CURSOR */
  list(caller: Caller, request: RequestOf<"list">, signal?: AbortSignal): Promise<ResponseOf<"list">>;
  /**
   * @throws {ServiceError} VALIDATION-ERROR; NON-EXISTENT-ANALYSIS; NOT-AUTHORIZED for readers, and for editors who
   *   change people; CONFLICT for another version or one analysis too many
   */
  save(caller: Caller, request: RequestOf<"createOrUpdate">, signal?: AbortSignal): Promise<Saved>;
  /** @throws {ServiceError} NON-EXISTENT-ANALYSIS */
  copy(caller: Caller, analysisId: string): Promise<Saved>;
  /** @throws {ServiceError} NON-EXISTENT-ANALYSIS, NOT-AUTHORIZED for all but the owner */
  delete(caller: Caller, analysisId: string): Promise<Record<string, never>>;
}

type AnalysesDeps = Pick<FramesDeps, "clock" | "db">;

const pages = numberCursor("analysis:1:");
/** `lastOpened` is as exact as this: reading is not writing each time. */
const OPENED_PRECISION_MS = 60_000;
/** Changes of one analysis at the same time are made one after the other. */
const SAVE_ATTEMPTS = 5;

export function createAnalysesService(deps: FramesDeps & ExportAnalysisDeps & ImportAnalysisDeps): AnalysesService {
  return {
    addMapTypes: createAddMapTypes(deps),
    spawnFromScene: createSpawnFromScene(deps),
    exportAnalysis: createExportAnalysis(deps),
    importAnalysis: createImportAnalysis(deps),
    get: (caller, request) => getAnalysis(deps, caller, request),
    list: (caller, request, signal) => listAnalyses(deps, caller, request, signal),
    save: (caller, request, signal) => saveAnalysis(deps, caller, request, signal),
    copy: (caller, analysisId) => copyAnalysis(deps, caller, analysisId),
    delete: (caller, analysisId) => deleteAnalysis(deps, caller, analysisId),
  };
}

async function getAnalysis(
  { clock, db }: AnalysesDeps,
  caller: Caller,
  { analysisId, detailed = true }: RequestOf<"get">,
): Promise<Analysis> {
  const row = await readableAnalysis(db, analysisId, readerOf(caller));
  const now = clock.now();
  if (row.rights !== "public" && now.getTime() - row.openedAt.getTime() >= OPENED_PRECISION_MS) {
    await store.touchAnalysis(db, analysisId, now);
  }
  return shownAnalysis(row, await readFrames(db, [analysisId]), detailed);
}

async function listAnalyses(
  { db }: AnalysesDeps,
  caller: Caller,
  { cursor, path, userId }: RequestOf<"list">,
  signal?: AbortSignal,
): Promise<ResponseOf<"list">> {
  const reader = readerOf(caller);
  const expression = path === undefined ? null : pathExpression(path);
  const beforeSerial = cursor === undefined ? null : pages.decode(cursor);
  const page = await listPage(db, { reader, ownerId: userId ?? null, expression, beforeSerial }, signal);
  const rows = await store.readBySerials(db, page.serials, reader);
  const frames = Map.groupBy(
    await readFrames(
      db,
      rows.map(({ id }) => id),
    ),
    ({ analysisId }) => analysisId,
  );
  return {
    results: rows.map((row) => shownAnalysis(row, frames.get(row.id) ?? [], false)),
    cursor: page.nextSerial === null ? null : pages.encode(page.nextSerial),
  };
}

async function saveAnalysis(
  deps: AnalysesDeps,
  caller: Caller,
  { analysis, analysisId, ifVersion }: RequestOf<"createOrUpdate">,
  signal?: AbortSignal,
): Promise<Saved> {
  const reader = readerOf(caller);
  for (let attempt = 1; ; attempt += 1) {
    const known = analysisId === undefined ? null : await store.readAnalysis(deps.db, analysisId, reader);
    if (analysisId === undefined || known === null) {
      return await createAnalysis(deps, caller, analysisId, analysis, signal);
    }
    requireMayChange(known, analysis);
    // Geometries are read outside of the transaction, into the document of this version.
    const document = await savedDocument(JSON.parse(known.document) as AnalysisDocument, analysis, signal);
    const isExpected = ifVersion === undefined || ifVersion === known.version;
    const version = isExpected
      ? await inTransaction(deps.db, (trx) => changeAnalysis(trx, known, analysis, document, reader))
      : null;
    if (version !== null) return { analysisId, version };
    if (ifVersion !== undefined || attempt === SAVE_ATTEMPTS) {
      const expected = ifVersion === undefined ? "" : `, expected ${ifVersion}`;
      throw new ServiceError("CONFLICT", `the analysis was changed by others${expected}: get it again`);
    }
  }
}

/** @returns the new version; null when the analysis has another version than the known one */
async function changeAnalysis(
  trx: Trx,
  { id, version }: store.AnalysisRow,
  analysis: AnalysisToSave,
  document: string,
  reader: Reader,
): Promise<number | null> {
  await store.lockAnalysis(trx, id);
  const row = await readableAnalysis(trx, id, reader);
  if (row.version !== version) return null;
  requireMayChange(row, analysis);
  await requirePeople(trx, analysis);
  const { path = row.path, public: isPublic = row.isPublic } = analysis;
  const changed = await store.updateAnalysis(trx, { id, path, isPublic, document });
  await store.replacePeople(trx, id, analysis);
  return changed;
}

async function createAnalysis(
  { clock, db }: AnalysesDeps,
  caller: Caller,
  wantedId: string | undefined,
  analysis: AnalysisToSave,
  signal?: AbortSignal,
): Promise<Saved> {
  const document = await savedDocument(null, analysis, signal);
  const id = wantedId ?? newAnalysisId();
  await inTransaction(db, async (trx) => {
    await requirePeople(trx, analysis);
    const { path = "", public: isPublic = false } = analysis;
    await insertNew(trx, caller, { id, path, isPublic, document, at: clock.now() });
    await store.replacePeople(trx, id, analysis);
  });
  return { analysisId: id, version: 1 };
}

const OWNER_MEMBERS = ["editors", "editorGroups", "viewers", "viewerGroups", "watchdogs"] as const;

/** Clients send back all that they got: an editor may name the people that are there already. */
function requireMayChange(row: store.AnalysisRow, analysis: AnalysisToSave): void {
  if (row.rights === null) throw unknownAnalysis(row.id);
  if (row.rights === "owner") return;
  if (row.rights !== "editor")
    throw new ServiceError("NOT-AUTHORIZED", "only editors and the owner change this analysis");
  const isSame =
    (analysis.public ?? row.isPublic) === row.isPublic &&
    OWNER_MEMBERS.every((member) => analysis[member] === undefined || haveSame(analysis[member], row[member]));
  if (!isSame)
    throw new ServiceError("NOT-AUTHORIZED", "only the owner changes `public` and the people of this analysis");
}

function haveSame(wanted: readonly string[], held: readonly string[]): boolean {
  return wanted.length === held.length && wanted.every((id) => held.includes(id));
}

async function requirePeople(trx: Trx, analysis: AnalysisToSave): Promise<void> {
  const faults = await store.unknownPeople(trx, analysis);
  if (faults.length === 0) return;
  const details = faults.map((fault) => ({ path: `/analysis/${fault}`, message: "must be an existing ID" }));
  const message = details.map((detail) => `${detail.path} ${detail.message}`).join("; ");
  throw new ServiceError("VALIDATION-ERROR", message, { details });
}

async function copyAnalysis({ clock, db, maps }: FramesDeps, caller: Caller, analysisId: string): Promise<Saved> {
  const row = await readableAnalysis(db, analysisId, readerOf(caller));
  const id = newAnalysisId();
  const frames: FrameChange[] = [];
  for (const { onlyIngested, outcome: text, scene, sceneId } of await readFrames(db, [analysisId])) {
    const outcome = await boundOutcome(maps.bindMap, JSON.parse(text) as FrameOutcome, id);
    const finished = outcome.finishedActions.length;
    const json = JSON.stringify(outcome);
    frames.push({ id: newAnalysisId(), sceneId, scene, onlyIngested, outcome: json, finished });
  }
  await inTransaction(db, async (trx) => {
    const { document, path } = row;
    await insertNew(trx, caller, { id, path, isPublic: false, document, at: clock.now() });
    await writeFrames(trx, id, frames);
  });
  return { analysisId: id, version: 1 };
}

async function deleteAnalysis({ db }: AnalysesDeps, caller: Caller, id: string): Promise<Record<string, never>> {
  await inTransaction(db, async (trx) => {
    await store.lockAnalysis(trx, id);
    const { rights } = await readableAnalysis(trx, id, readerOf(caller));
    if (rights !== "owner") throw new ServiceError("NOT-AUTHORIZED", "only the owner deletes this analysis");
    await store.deleteAnalysis(trx, id);
  });
  return {};
}
