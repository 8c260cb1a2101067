import type { ElementSet } from "@swath/kernel/orbits/element-set";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { MAX_PASS_WINDOWS } from "@swath/kernel/tasking/area-windows";
import { staleElementsWarning } from "@swath/kernel/tasking/element-set-faults";
import type { PassWindow } from "@swath/kernel/tasking/pass-window";
import type { PassSearch } from "../../platform/geometry/pass-search.ts";
import { warn } from "../../platform/request-warnings.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import type { OfferedWindow, TaskingRequest } from "../tasking-provider.ts";
import type { ElementsFor } from "./elements-for.ts";

export interface OrbitWindowDeps {
  readonly elementsFor: ElementsFor;
  readonly passes: Pick<PassSearch, "find">;
}

/**
 * Windows of the satellites of a dataset by SGP4, ascending, at most 200. Satellites without usable elements are left
 * out while others have some.
 *
 * @param atMs moment of the request: elements are those known then
 * @throws {ServiceError} DATA-NOT-AVAILABLE when no satellite has usable elements; VALIDATION-ERROR for an area that is
 *   too long; TOO-MANY-REQUESTS or SERVICE-UNAVAILABLE by `PassSearch`
 */
export async function orbitWindows(
  { elementsFor, passes }: OrbitWindowDeps,
  registered: RegisteredDataset,
  request: Pick<TaskingRequest, "geometry" | "fromMs" | "toMs">,
  atMs: number,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const { dataset } = registered;
  const { sensors } = dataset;
  const sets = sensors === null ? [] : await elementsFor(registered, atMs);
  if (sensors === null || sets.length === 0) {
    throw new ServiceError(
      "DATA-NOT-AVAILABLE",
      `no satellite of the dataset ${dataset.dataset} has elements; an operator imports them`,
    );
  }
  const { limits, swathKm, setupGapS, mode } = sensors;
  const satellites = sets.map((elements) => ({ elements, limits, swathKm, setupGapS }));
  const { geometry: area, fromMs, toMs } = request;
  const { windows, failed } = await passes.find({ satellites, area, fromMs, toMs }, signal).catch(refuseLongArea);
  const [fault] = failed;
  if (fault !== undefined && failed.length === sets.length) throw new ServiceError("DATA-NOT-AVAILABLE", fault.message);
  const byNumber = new Map(sets.map((set) => [set.catalogueNumber, set]));
  return windows
    .slice(0, MAX_PASS_WINDOWS)
    .map((window) => offered(window, byNumber.get(window.catalogueNumber), mode));
}

function refuseLongArea(cause: unknown): never {
  if (!(cause instanceof RangeError)) throw cause;
  const details = [{ path: "/geometry", message: cause.message }];
  throw new ServiceError("VALIDATION-ERROR", `/geometry: ${cause.message}`, { cause, details });
}

function offered(pass: PassWindow, set: ElementSet | undefined, mode: string): OfferedWindow {
  const { catalogueNumber, elementsEpochMs, ...window } = pass;
  const warning = set === undefined ? null : staleElementsWarning(set, window.endMs);
  if (warning !== null) warn({ path: "", message: warning });
  return {
    ...window,
    mode,
    offerId: null,
    computedFrom: {
      catalogueNumber,
      epoch: new Date(elementsEpochMs).toISOString(),
      elements: set ?? null,
      ...(warning === null ? {} : { warning }),
    },
  };
}
