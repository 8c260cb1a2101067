import type { Trx } from "../../platform/context.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { pauseLooks } from "./look-store.ts";
import { updateMonitor, type MonitorRow } from "./monitor-store.ts";

/** Stops a monitor until its owner resumes it. */
export async function stopMonitor(
  standing: Pick<StandingQueriesService, "changeForMonitor">,
  trx: Trx,
  { id, owner_id, query_id }: Pick<MonitorRow, "id" | "owner_id" | "query_id">,
  { at, reason }: { readonly at: Date; readonly reason: string },
): Promise<void> {
  await updateMonitor(trx, { id, enabled: false, stop_reason: reason, updated_at: at });
  await standing.changeForMonitor(trx, owner_id, { id: query_id, enabled: false });
  await pauseLooks(trx, id);
}
