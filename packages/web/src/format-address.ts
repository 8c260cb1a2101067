import type { ConsoleState } from "./console-state.ts";
import { formatState } from "./format-state.ts";
import { formatRoute, type Route } from "./route.ts";

/** Path and query of a view, without the origin. */
export function formatAddress(route: Route, state: ConsoleState): string {
  const query = formatState(state);
  return query === "" ? formatRoute(route) : `${formatRoute(route)}?${query}`;
}
