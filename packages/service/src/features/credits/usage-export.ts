import { Readable } from "node:stream";
import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { formatInstant } from "@swath/kernel/time/instant";
import { stringify } from "csv-stringify/sync";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isSignatureOf, signText, type SigningKeys } from "../../platform/signed-text.ts";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { LogPlace } from "./cursor.ts";
import type { UsageExport, UsageExportRequest } from "@swath/contract/features/credits/history-contract";
import { requireReach } from "./history.ts";
import { isActiveUser, selectUsage, type TransactionRow } from "./history-store.ts";
import { requestedPeriod } from "./period.ts";
import { payingGroupId } from "./paying-group.ts";

/** What an address of a table gives access to. */
export interface UsageAddress {
  readonly groupId: string;
  readonly userId: string;
  /** Milliseconds since 1970, inclusive. */
  readonly from: number;
  /** Milliseconds since 1970, exclusive. */
  readonly to: number;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Tables of the log of credits. */
export interface UsageExporter {
  /** @throws {ServiceError} NOT-AUTHORIZED for a group of another organization */
  export(caller: Caller, request: UsageExportRequest, baseUrl: string): Promise<UsageExport>;
  /** The table of an address; rows are read while they are sent. @throws {ServiceError} NOT-AUTHORIZED */
  file(address: UsageAddress & { readonly signature: string }): Promise<FileAnswer>;
}

export interface UsageExporterDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Secret of the addresses, at least 32 bytes, the same in all processes. */
  readonly signingKeys: SigningKeys;
}

const ADDRESS_LIFETIME_S = 3600;
/** Rows read at a time: bounds memory to about 1 MB, however long the period. */
const PAGE_ROWS = 1000;

/** Columns of the table by name, in their order. */
const COLUMNS: Readonly<Record<string, (row: TransactionRow) => string | number>> = {
  time: (row) => formatInstant(row.created_at.getTime()),
  transactionId: (row) => row.id,
  kind: (row) => row.kind,
  groupId: (row) => row.group_id,
  userId: (row) => row.user_id,
  provider: (row) => row.provider ?? "",
  dataset: (row) => row.dataset ?? "",
  sceneId: (row) => row.scene_id ?? "",
  mapType: (row) => row.map_type ?? "",
  areaKm2: (row) => squareMetresToKm2(row.area_m2),
  credit: (row) => microToCredits(BigInt(row.micro)),
  orderReferenceId: (row) => row.order_reference_id ?? "",
  allocationIds: (row) => row.allocation_ids.join(" "),
  storeTiles: (row) => row.tiles?.length ?? 0,
};

/** One line each; a text that a spreadsheet would take for a formula is led by an apostrophe. */
function usageLines(rows: readonly TransactionRow[]): string {
  const columns = Object.values(COLUMNS);
  return stringify(
    rows.map((row) => columns.map((column) => column(row))),
    { escape_formulas: true, record_delimiter: "windows" },
  );
}

const HEADER = stringify([Object.keys(COLUMNS)], { record_delimiter: "windows" });

async function* table(db: Db, groupId: string, from: Date, to: Date): AsyncGenerator<string> {
  yield HEADER;
  let after: LogPlace | null = null;
  for (;;) {
    const rows: readonly TransactionRow[] = await selectUsage(db, groupId, { from, to }, { after, limit: PAGE_ROWS });
    if (rows.length > 0) yield usageLines(rows);
    const last = rows.at(-1);
    if (rows.length < PAGE_ROWS || last === undefined) return;
    after = last;
  }
}

function textOf({ groupId, userId, from, to, expires }: UsageAddress): string {
  return JSON.stringify(["usage", groupId, userId, from, to, expires]);
}

export function createUsageExporter({ db, clock, signingKeys }: UsageExporterDeps): UsageExporter {
  return {
    async export(caller, request, baseUrl) {
      const groupId = request.groupId ?? payingGroupId(caller);
      if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group");
      await requireReach(db, caller, groupId, "admin.credits.export-usage");
      const nowMs = clock.now().getTime();
      const period = requestedPeriod(request, "startTime", "endTime");
      const address: UsageAddress = {
        groupId,
        userId: caller.userId,
        from: Math.max(0, period.from?.getTime() ?? 0),
        to: Math.max(0, period.to?.getTime() ?? nowMs),
        expires: Math.floor(nowMs / 1000) + ADDRESS_LIFETIME_S,
      };
      const query = new URLSearchParams(Object.entries(address).map(([name, value]) => [name, String(value)]));
      query.set("signature", signText(signingKeys, textOf(address)));
      return {
        url: `${baseUrl}/credits/usage/files/usage.csv?${query.toString()}`,
        expires: formatInstant(address.expires * 1000),
      };
    },

    async file({ signature, ...address }) {
      const { groupId, userId, from, to, expires } = address;
      if (!isSignatureOf(signingKeys, textOf(address), signature)) {
        throw new ServiceError("NOT-AUTHORIZED", "the signature is not that of the address");
      }
      if (expires * 1000 <= clock.now().getTime()) throw new ServiceError("NOT-AUTHORIZED", "the address has expired");
      if (!(await isActiveUser(db, userId))) throw new ServiceError("NOT-AUTHORIZED", "the user is blocked");
      return {
        status: 200,
        mediaType: "text/csv; charset=utf-8",
        body: Readable.from(table(db, groupId, new Date(from), new Date(to))),
        headers: { "content-disposition": 'attachment; filename="usage.csv"', "cache-control": "private, no-store" },
      };
    },
  };
}
