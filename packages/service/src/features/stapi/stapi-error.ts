import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";

/** The refusal of a member of a request, 400 as in the other dialects. */
export function badRequest(path: string, message: string): ServiceError {
  return badMembers([{ path, message }]);
}

function badMembers(details: readonly ErrorDetail[], cause?: unknown): ServiceError {
  const text = details.map(({ path, message }) => `${path} ${message}`).join("; ");
  return new ServiceError("BAD-REQUEST", text, { details, ...(cause === undefined ? {} : { cause }) });
}

/** Members of tasking, and the members of STAPI that stand for them. */
const MEMBERS: Readonly<Record<string, string>> = {
  startTime: "/datetime",
  endTime: "/datetime",
  windowId: "/order_parameters/opportunity_id",
  dataset: "/productId",
  provider: "/productId",
};
const OPTIONS = "orderOptions";

/** The member of STAPI at the place of a member of tasking, such as `/order_parameters/eula`. */
function placeInStapi(path: string): string {
  const [, first = "", ...rest] = path.split("/");
  if (first === OPTIONS) {
    const [option = ""] = rest;
    return option === "maxCloudCover" ? "/filter" : `/order_parameters/${snakeCase(option)}`;
  }
  if (first === "geometry") return path;
  return MEMBERS[first] ?? `/order_parameters/${snakeCase(first)}`;
}

/** A name of tasking in the spelling of STAPI. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** The result of tasking; its refusals name the members of STAPI, with 400 in place of 422. */
export async function inWordsOfStapi<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "NON-EXISTENT-WINDOW") {
      const message = error.message.replace(/^\/windowId: /u, `${MEMBERS["windowId"]}: `);
      throw new ServiceError(error.code, message, { cause: error });
    }
    if (error.code !== "VALIDATION-ERROR") throw error;
    const details = error.details ?? [];
    if (details.length === 0) throw new ServiceError("BAD-REQUEST", error.message, { cause: error });
    throw badMembers(
      details.map(({ path, message }) => ({ path: placeInStapi(path), message })),
      error,
    );
  }
}
