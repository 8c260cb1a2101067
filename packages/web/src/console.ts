import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Client } from "@swath/client";
import { createCalls } from "./calls/create-calls.ts";
import { createRecorder, type Recorder } from "./calls/recorder.ts";
import type { ConsoleState } from "./console-state.ts";
import { boxGeometry, boxOfGeometry, outerRings, type AreaGeometry } from "./find/area-rings.ts";
import { createSearch, type Search } from "./find/search.ts";
import { formatState } from "./format-state.ts";
import { createKeySetting, type KeySetting } from "./commands/key-setting.ts";
import { createDrawing, type Drawing } from "./map/create-drawing.ts";
import { createRememberedUploads } from "./ingest/remembered-uploads.ts";
import { createUploads, type Uploads } from "./ingest/uploads.ts";
import { createEngine, type MapEngine } from "./map/engine.ts";
import { createInspector, type Inspector } from "./maps/inspector.ts";
import { createLayers, type Layers } from "./maps/layers.ts";
import { parseState } from "./parse-state.ts";
import { NO_RIGHTS, rightsOf, type Rights } from "./rights.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";
import { createSession, type Session } from "./session/session.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";

/** Everything that the parts of the page share. */
export interface Console {
  readonly session: Session;
  readonly calls: Client;
  /** The last calls of the page. */
  readonly recorder: Recorder;
  /** The state that a link holds. */
  readonly state: ReadonlySignal<ConsoleState>;
  readonly droppedParts: readonly string[];
  readonly update: (change: Partial<ConsoleState>) => void;
  /** The view of the address. */
  readonly route: ReadonlySignal<Route>;
  /** Opens a view; the browser's way back leads to the former one. An empty name is the search. */
  readonly open: (screen: string, ...parts: readonly string[]) => void;
  readonly rights: Signal<Rights>;
  /** The searched area; null without one, or until a saved one is loaded. */
  readonly area: Signal<AreaGeometry | null>;
  readonly setArea: (area: AreaGeometry | null) => Promise<void>;
  readonly search: Search;
  /** Scenes that are ticked, to make maps of. */
  readonly ticked: Signal<ReadonlySet<string>>;
  readonly hovered: Signal<string | null>;
  readonly areFootprintsShown: Signal<boolean>;
  readonly credit: Signal<number | null>;
  readonly layers: Layers;
  readonly inspector: Inspector;
  readonly tasks: Tasks;
  readonly uploads: Uploads;
  readonly map: MapEngine;
  readonly drawing: Drawing;
  readonly keys: KeySetting;
  readonly error: Signal<unknown>;
  /** Runs an action; its failure appears on the page. */
  readonly attempt: (action: () => Promise<void>) => void;
}

/** Delay of the address behind the last change: browsers limit changes to 100 in 30 s. */
const LINK_DELAY_MS = 300;

export function createConsole(): Console {
  const { state: first, dropped } = parseState(location.search.slice(1));
  const state = signal(first);
  const route = signal(parseRoute(location.pathname));
  const hovered = signal<string | null>(null);
  const error = signal<unknown>(null);
  const area = signal<AreaGeometry | null>(
    first.area !== null && "box" in first.area ? boxGeometry(first.area.box) : null,
  );
  const session = createSession();
  const recorder = createRecorder(() => performance.now());
  const calls = createCalls(session, recorder);
  const update = (change: Partial<ConsoleState>): void => {
    state.value = { ...state.value, ...change };
  };
  const attempt = (action: () => Promise<void>): void => {
    action().catch((reason: unknown) => {
      error.value = reason;
    });
  };
  const layers = createLayers(calls, state, update);
  const inspector = createInspector(calls, layers);
  const map = createEngine({
    onView: (view) => update({ view }),
    onHover: (longitude, latitude) => {
      // Values belong to the maps below the footprints.
      hovered.value = inspector.isOn.value ? null : (map.scenesAt(longitude, latitude)[0] ?? null);
    },
    onClick: (longitude, latitude) => {
      if (inspector.isOn.value) return attempt(() => inspector.read(longitude, latitude));
      update({ selectedSceneId: nextAt(map.scenesAt(longitude, latitude), state.value.selectedSceneId) });
    },
  });
  const search = createSearch(calls, state);
  const tasks = createTasks(calls);
  const made: Console = {
    session,
    calls,
    recorder,
    state,
    droppedParts: dropped,
    update,
    route,
    open: (screen, ...parts) => {
      route.value = { screen, parts };
      history.pushState(null, "", address(route.value, state.value));
    },
    rights: signal(NO_RIGHTS),
    area,
    setArea: async (next) => setArea({ calls, area, update }, next),
    search,
    ticked: signal(new Set<string>()),
    hovered,
    areFootprintsShown: signal(true),
    credit: signal<number | null>(null),
    layers,
    inspector,
    tasks,
    uploads: createUploads({
      calls,
      userId: userIdOf(session),
      remembered: createRememberedUploads(localStorage, () => Date.now()),
      onIngested: () => tasks.look(),
    }),
    map,
    drawing: createDrawing(map, (drawn) =>
      attempt(async () => {
        await made.setArea(drawn);
        await search.run(drawn);
      }),
    ),
    keys: createKeySetting(localStorage),
    error,
    attempt,
  };
  bindMap(made);
  bindLink(state, route);
  bindSession(made);
  return made;
}

/** Scenes that overlap at a click are chosen one after the other. */
function nextAt(sceneIds: readonly string[], selected: string | null): string | null {
  const position = selected === null ? -1 : sceneIds.indexOf(selected);
  return sceneIds[(position + 1) % Math.max(1, sceneIds.length)] ?? null;
}

/** A box stands in the link; another shape is saved first, and its identifier stands there. */
async function setArea(
  {
    calls,
    area,
    update,
  }: { readonly calls: Client; readonly area: Signal<AreaGeometry | null>; readonly update: Console["update"] },
  next: AreaGeometry | null,
): Promise<void> {
  area.value = next;
  if (next === null) return update({ area: null });
  const box = boxOfGeometry(next);
  if (JSON.stringify(boxGeometry(box)) === JSON.stringify(next)) return update({ area: { box } });
  const { id } = await calls.call("/geojson/geometry/save", next);
  update({ area: { geometryId: id } });
}

function bindMap({ map, area, search, hovered, state, layers, areFootprintsShown }: Console): void {
  const selected = computed(() => state.value.selectedSceneId);
  const theme = computed(() => state.value.theme ?? "light");
  effect(() => map.setTheme(theme.value));
  effect(() => map.showArea(area.value === null ? [] : outerRings(area.value)));
  effect(() => {
    const scenes = areFootprintsShown.value ? search.shown.value : [];
    map.showFootprints(scenes.map(({ sceneId, footprint }) => ({ sceneId, outline: footprint })));
    map.highlight({ hovered: hovered.peek(), selected: selected.peek() });
  });
  effect(() => map.highlight({ hovered: hovered.value, selected: selected.value }));
  effect(() => map.showTiles(layers.tiles.value));
}

function bindLink(state: Signal<ConsoleState>, route: Signal<Route>): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    const current = address(route.value, state.value);
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => history.replaceState(null, "", current), LINK_DELAY_MS);
  });
  addEventListener("popstate", () => {
    route.value = parseRoute(location.pathname);
    state.value = parseState(location.search.slice(1)).state;
  });
}

function address(route: Route, state: ConsoleState): string {
  const query = formatState(state);
  return query === "" ? formatRoute(route) : `${formatRoute(route)}?${query}`;
}

function userIdOf({ state }: Session): ReadonlySignal<string | null> {
  return computed(() => (state.value.kind === "signed-in" ? state.value.userId : null));
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
