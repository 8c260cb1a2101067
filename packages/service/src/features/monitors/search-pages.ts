import type { FoundScene, SearchRequest } from "@swath/contract/features/imagery/contract";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";

/**
 * All pages of a search as a caller sees them, newest scenes first.
 *
 * @throws {ServiceError} of a search; SERVICE-UNAVAILABLE when a catalogue has failed
 */
export async function* searchPages(
  search: ImageryService["search"],
  request: Omit<SearchRequest, "cursor" | "limit">,
  caller: Caller,
  signal: AbortSignal,
): AsyncGenerator<readonly FoundScene[], void, void> {
  const first: SearchRequest = { ...request, limit: MAX_SCENES };
  let cursor: number | null | undefined;
  while (cursor !== null) {
    const page = await search(cursor === undefined ? first : { ...first, cursor }, signal, caller, "unexplained");
    requireComplete(page.failedDatasets);
    yield page.results;
    cursor = page.cursor ?? null;
  }
}

/** Scenes of a part of the catalogues would pass for all scenes. */
function requireComplete(
  failed: readonly { readonly dataset: string; readonly errorCode: string; readonly errorMessage: string }[] = [],
): void {
  const [first] = failed;
  if (first === undefined) return;
  const fault = `${first.dataset}: ${first.errorCode}: ${first.errorMessage}`;
  throw new ServiceError("SERVICE-UNAVAILABLE", `a catalogue failed: ${fault}`);
}
