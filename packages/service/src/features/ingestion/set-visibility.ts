import type { Static } from "typebox";
import type { SetVisibilityAnswer, SetVisibilityRequest } from "@swath/contract/features/ingestion/contract";
import type { Db, RequestContext } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { AuditService } from "../audit/service.ts";
import type { ImageryService } from "../imagery/service.ts";
import { shownRights } from "../imagery/share-scene.ts";

export interface SetVisibilityDeps {
  readonly db: Db;
  readonly imagery: Pick<ImageryService, "share">;
  readonly audit: Pick<AuditService, "record">;
}

/** Changes the audience of an uploaded scene, and records the change. */
export async function setVisibility(
  { db, imagery, audit }: SetVisibilityDeps,
  request: Static<typeof SetVisibilityRequest>,
  { caller, requestId }: RequestContext,
): Promise<Static<typeof SetVisibilityAnswer>> {
  const { sceneId } = request;
  return await inTransaction(db, async (trx) => {
    const { before, after } = await imagery.share(trx, caller, request);
    const shown = shownRights(after);
    if (before.owner !== after.owner || before.audience !== after.audience) {
      await audit.record(trx, {
        actor: caller,
        requestId,
        action: "scene.set-visibility",
        target: { kind: "scene", id: sceneId },
        before: shownRights(before),
        after: shown,
      });
    }
    return { sceneId, visibility: shown.visibility };
  });
}
