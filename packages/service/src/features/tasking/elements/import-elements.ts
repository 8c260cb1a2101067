import { createHash } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { ImportedSet, ImportElementsAnswer } from "@swath/contract/features/tasking/elements-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { canonicalElements, propagatorOfElementSet, type ElementSet } from "@swath/kernel/orbits/element-set";
import { elementSetFaults, staleElementsWarning } from "@swath/kernel/tasking/element-set-faults";
import type { Caller, Db, Trx } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { TaskedSatellite } from "../../../providers/tasking-sensors.ts";
import { insertElements } from "../../../tasking-providers/orbits/element-store.ts";
import type { AuditService } from "../../audit/service.ts";
import { readElementSets, type ReadSet, type ReadSets } from "./read-element-sets.ts";

export interface ElementsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "providers">;
  readonly audit: Pick<AuditService, "record">;
}

const MAX_AUDITED = 50;

/** Stores the usable element sets of a text. @throws {ServiceError} VALIDATION-ERROR when it holds none that can be read */
export async function importElements(
  deps: ElementsDeps,
  caller: Caller,
  text: string,
  requestId: string | undefined,
): Promise<ImportElementsAnswer> {
  const { format, sets } = readSets(text);
  const now = deps.clock.now();
  const satellites = satellitesOf(deps.catalog);
  const results = await inTransaction(deps.db, async (trx) => {
    const stored: ImportedSet[] = [];
    for (const one of sets) {
      stored.push(await storedSet(trx, one, { satellites, format, importedBy: caller.userId, importedAt: now }));
    }
    const imported = stored.filter(({ status }) => status === "imported");
    if (imported.length > 0) {
      await deps.audit.record(trx, {
        actor: caller,
        ...(requestId === undefined ? {} : { requestId }),
        action: "elements.import",
        target: { kind: "elements", id: format },
        after: imported.slice(0, MAX_AUDITED).map(({ catalogueNumber, epoch }) => ({ catalogueNumber, epoch })),
      });
    }
    return stored;
  });
  return { format, imported: results.filter(({ status }) => status === "imported").length, results };
}

function readSets(text: string): ReadSets {
  try {
    return readElementSets(text);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const details = [{ path: "/elements", message: cause.message }];
    throw new ServiceError("VALIDATION-ERROR", `/elements ${cause.message}`, { cause, details });
  }
}

/** Satellites of all datasets by catalogue number; of one with several descriptions that with a mean motion. */
function satellitesOf({ providers }: Pick<Catalog, "providers">): ReadonlyMap<number, TaskedSatellite> {
  const satellites = new Map<number, TaskedSatellite>();
  for (const { datasets } of providers) {
    for (const satellite of datasets.flatMap(({ sensors }) => sensors?.satellites ?? [])) {
      if (satellites.get(satellite.catalogueNumber)?.meanMotionRevPerDay == null) {
        satellites.set(satellite.catalogueNumber, satellite);
      }
    }
  }
  return satellites;
}

interface Import {
  readonly satellites: ReadonlyMap<number, TaskedSatellite>;
  readonly format: string;
  readonly importedBy: string;
  readonly importedAt: Date;
}

async function storedSet(trx: Trx, read: ReadSet, { satellites, ...one }: Import): Promise<ImportedSet> {
  const { position } = read;
  if (read.kind === "fault") {
    return { position, status: "refused", catalogueNumber: null, name: null, epoch: null, reasons: [read.fault] };
  }
  const { set } = read;
  const described = {
    position,
    catalogueNumber: set.catalogueNumber,
    name: set.name,
    epoch: new Date(set.epochMs).toISOString(),
  };
  const satellite = satellites.get(set.catalogueNumber);
  if (satellite === undefined) return { ...described, status: "ignored", reasons: [] };
  const faults = [...elementSetFaults(set, satellite, one.importedAt.getTime()), ...flightFaults(set)];
  if (faults.length > 0) return { ...described, status: "refused", reasons: faults };
  const digest = createHash("sha256").update(canonicalElements(set)).digest("base64url");
  const isNew = await insertElements(trx, { set, digest, ...one });
  const warning = staleElementsWarning(set, one.importedAt.getTime());
  return { ...described, status: isNew ? "imported" : "known", reasons: warning === null ? [] : [warning] };
}

/** Elements that SGP4 refuses or that fall to the ground at once. */
function flightFaults(set: ElementSet): readonly string[] {
  try {
    propagatorOfElementSet(set)(set.epochMs);
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [error.message];
  }
}
