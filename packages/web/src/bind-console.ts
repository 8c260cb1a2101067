import { computed, effect, type Signal } from "@preact/signals";
import type { Console } from "./console.ts";
import type { ConsoleState } from "./console-state.ts";
import { boxGeometry, outerRings, type AreaGeometry } from "./find/area-rings.ts";
import { isUnreachable } from "./failures/message-of.ts";
import { formatAddress } from "./format-address.ts";
import { layersOfDate } from "./maps/layers-of-date.ts";
import { bindAlerts } from "./monitors/bind-alerts.ts";
import { afterPaint } from "./ui/after-paint.ts";
import { parseState } from "./parse-state.ts";
import { NO_RIGHTS, rightsOf } from "./rights.ts";
import { parseRoute, type Route } from "./route.ts";
import { userIdOf } from "./session/user-id.ts";

/** Delay of the address behind the last change: browsers limit changes to 100 in 30 s. */
const LINK_DELAY_MS = 300;

/** Lets map, address, lists and search follow the state of the page. */
export function bindConsole(
  app: Console,
  { state, route }: { readonly state: Signal<ConsoleState>; readonly route: Signal<Route> },
): void {
  bindMap(app);
  bindLink(state, route);
  bindSession(app);
  bindAlerts(app);
  bindFollowing(app);
  bindNetwork(app);
  bindDate(app);
}

function bindMap({ map, area, search, hovered, state, layers, areFootprintsShown }: Console): void {
  const selected = computed(() => state.value.selectedSceneId);
  const theme = computed(() => state.value.theme ?? "light");
  effect(() => map.setTheme(theme.value));
  effect(() => map.showArea(area.value === null ? [] : outerRings(area.value)));
  const paintedNext = afterPaint();
  effect(() => {
    const scenes = areFootprintsShown.value ? search.shown.value : [];
    // The list answers a filter first: to draw 2,000 footprints takes 30 ms.
    paintedNext(() => {
      map.showFootprints(scenes.map(({ sceneId, footprint }) => ({ sceneId, outline: footprint })));
      map.highlight({ hovered: hovered.peek(), selected: selected.peek() });
    });
  });
  effect(() => map.highlight({ hovered: hovered.value, selected: selected.value }));
  effect(() => map.showTiles(layers.tiles.value));
}

function bindLink(state: Signal<ConsoleState>, route: Signal<Route>): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    const current = formatAddress(route.value, state.value);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", current), LINK_DELAY_MS);
  });
  addEventListener("popstate", () => {
    route.value = parseRoute(location.pathname);
    state.value = parseState(location.search.slice(1)).state;
  });
}

/** Loads rights, datasets, credit and tasks when a user has signed in. */
function bindSession(app: Console): void {
  const { session, calls, state, search, area, credit, tasks, attempt } = app;
  const userId = userIdOf(session);
  effect(() => {
    if (userId.value === null) {
      app.rights.value = NO_RIGHTS;
      return;
    }
    attempt(async () => {
      await search.loadDatasets();
      const wanted = state.peek().area;
      if (wanted !== null && "geometryId" in wanted) {
        const { id: _, ...geometry } = await calls.call("/geojson/geometry/get", wanted);
        area.value = geometry as AreaGeometry;
      }
      if (area.peek() !== null) await search.run(area.peek() as AreaGeometry);
    });
    attempt(async () => {
      app.rights.value = rightsOf((await calls.call("/user/info", {})).permissions);
    });
    attempt(async () => {
      credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
    });
    tasks.look();
  });
}

/** Looks at the service when the network goes or comes; a cut search is repeated once it is back. */
function bindNetwork({ tasks, search, area, session, attempt }: Console): void {
  const look = (): void => {
    if (session.state.value.kind === "signed-in") tasks.look();
  };
  addEventListener("offline", look);
  addEventListener("online", look);
  effect(() => {
    if (tasks.isOffline.value) return;
    const status = search.status.peek();
    const searched = area.peek();
    if (status.kind === "failed" && isUnreachable(status.error) && searched !== null) {
      attempt(() => search.run(searched));
    }
  });
}

/** A drag ends many times; a search starts when the map rests this long. */
const REST_MS = 400;

function bindFollowing({ followsView, state, map, setArea, search, attempt }: Console): void {
  const view = computed(() => state.value.view);
  effect(() => {
    const { value: seen } = view;
    if (!followsView.value || seen === null) return undefined;
    const timer = setTimeout(() => {
      const area = boxGeometry(map.box());
      attempt(async () => {
        await setArea(area);
        await search.run(area);
      });
    }, REST_MS);
    return () => clearTimeout(timer);
  });
}

/** The map shows the date of the selected scene, also when a map of it comes later. */
function bindDate({ state, layers }: Console): void {
  const selected = computed(() => state.value.selectedSceneId);
  const dates = computed(() =>
    JSON.stringify(
      layers.list.value.map(({ mapId, facts }) => [mapId, facts === null || facts === "failed" ? null : facts.sceneId]),
    ),
  );
  effect(() => {
    const { value: sceneId } = selected;
    if (sceneId === null || dates.value === "[]") return;
    for (const { mapId, isShown } of layersOfDate(layers.list.peek(), sceneId)) layers.change(mapId, { isShown });
  });
}
