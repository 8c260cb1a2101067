import type { Rights } from "../rights.ts";

/** Whether a user may create a monitor; the rights on datasets and maps are the service's to check. */
export function mayWatch(rights: Rights): boolean {
  return ["imagery.monitors", "mapsvc.statistics", "credits.allocate-area"].every((one) => rights.holds(one));
}
