import type { Static } from "typebox";
import type { appendDatapoints as operation } from "@swath/contract/features/datacube/points-contract";
import type { Caller, Db } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { appendDatapoints } from "./append-datapoints.ts";
import type { NewDatapoint } from "./datapoint.ts";
import { requireOwnProject } from "./project-rights.ts";
import { requestInstant } from "./request-instant.ts";

type Request = Static<typeof operation.request>;

/** @throws {ServiceError} DATA-NOT-AVAILABLE and NOT-AUTHORIZED for projects of others; as `appendDatapoints` */
export async function appendForCaller(
  db: Db,
  caller: Caller,
  { project, datapoints }: Request,
): Promise<Static<typeof operation.response>> {
  await requireOwnProject(db, caller, project);
  const points = datapoints.map((point, index) => pointOf(point, `/datapoints/${index}`));
  return await inTransaction(db, (trx) => appendDatapoints(trx, project, points));
}

function pointOf(point: Request["datapoints"][number], path: string): NewDatapoint {
  const { startDatetime, endDatetime = startDatetime, version = "1", unit = "", ...rest } = point;
  return {
    ...rest,
    version,
    unit,
    start: requestInstant(startDatetime, `${path}/startDatetime`)!,
    end: requestInstant(endDatetime, `${path}/endDatetime`)!,
  };
}
