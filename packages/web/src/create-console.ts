import { computed, signal, type Signal } from "@preact/signals";
import type { Client } from "@swath/client";
import { bindConsole } from "./bind-console.ts";
import { createCalls, createPublicCalls } from "./calls/create-calls.ts";
import { createRecorder } from "./calls/recorder.ts";
import { comparedIds } from "./compare/compared-ids.ts";
import type { Console } from "./console.ts";
import type { ConsoleState } from "./console-state.ts";
import { boxGeometry, boxOfGeometry, type AreaGeometry } from "./find/area-rings.ts";
import { createSearch } from "./find/search.ts";
import { formatAddress } from "./format-address.ts";
import { createKeySetting } from "./commands/key-setting.ts";
import { createDrawing } from "./map/create-drawing.ts";
import { createRememberedUploads } from "./ingest/remembered-uploads.ts";
import { createUploads } from "./ingest/uploads.ts";
import { createEngine } from "./map/engine.ts";
import { createInspector } from "./maps/inspector.ts";
import { createLayers } from "./maps/layers.ts";
import { createAlerts } from "./monitors/alerts.ts";
import { parseState } from "./parse-state.ts";
import { NO_RIGHTS } from "./rights.ts";
import { parseRoute } from "./route.ts";
import { userIdOf } from "./session/user-id.ts";
import { takeReturn } from "./session/issuer-return.ts";
import { createSession } from "./session/session.ts";
import { createTasks } from "./tasks/tasks.ts";

export function createConsole(): Console {
  const returned = takeReturn();
  const { state: first, dropped } = parseState(location.search.slice(1));
  const state = signal(first);
  const route = signal(parseRoute(location.pathname));
  const hovered = signal<string | null>(null);
  const error = signal<unknown>(null);
  const area = signal(knownArea(first));
  const session = createSession(returned);
  const recorder = createRecorder(() => performance.now());
  const calls = createCalls(session, recorder);
  const update = (change: Partial<ConsoleState>): void => {
    state.value = { ...state.value, ...change };
  };
  const attempt = attemptWith(error);
  const emptyLayerKeys = signal<ReadonlySet<string>>(new Set());
  const layers = createLayers(createPublicCalls(recorder), state, update);
  const compared = computed(() => comparedIds(route.value));
  const inspector = createInspector(calls, layers, compared);
  const map = createEngine({
    onView: (view) => update({ view }),
    onEmptyLayers: (keys) => {
      emptyLayerKeys.value = keys;
    },
    onHover: (longitude, latitude) => {
      // Values belong to the maps below the footprints.
      hovered.value = inspector.isOn.value ? null : (map.scenesAt(longitude, latitude)[0] ?? null);
    },
    onClick: (longitude, latitude) => {
      if (inspector.isOn.value) return attempt(() => inspector.read(longitude, latitude));
      update({ selectedSceneId: nextAt(map.scenesAt(longitude, latitude), state.value.selectedSceneId) });
    },
  });
  const tasks = createTasks(calls);
  const search = createSearch(calls, state);
  const made: Console = {
    session,
    calls,
    recorder,
    state,
    droppedParts: dropped,
    isViewGiven: first.view !== null,
    update,
    route,
    open: (screen, ...parts) => {
      route.value = { screen, parts };
      history.pushState(null, "", formatAddress(route.value, state.value));
    },
    rights: signal(NO_RIGHTS),
    area,
    setArea: async (next) => setArea({ calls, area, update }, next),
    search,
    ticked: signal(new Set<string>()),
    hovered,
    followsView: signal(false),
    areFootprintsShown: signal(true),
    credit: signal<number | null>(null),
    layers,
    emptyLayerKeys,
    isPlaying: signal(false),
    compared,
    seenSide: signal<"a" | "b">("a"),
    inspector,
    tasks,
    uploads: uploadsOf({ calls, session, tasks }),
    // A stream has no end: it is no call that a person repeats.
    alerts: createAlerts(createCalls(session, { record: async (fetchIt) => await fetchIt() })),
    map,
    drawing: createDrawing(map, (drawn) =>
      attempt(async () => {
        await made.setArea(drawn);
        // Another screen asks something else of the area.
        if (["", "series"].includes(route.value.screen)) await search.run(drawn);
      }),
    ),
    keys: createKeySetting(localStorage),
    isOnlyLooking: signal(false),
    error,
    attempt,
  };
  bindConsole(made, { state, route });
  return made;
}

function uploadsOf({ calls, session, tasks }: Pick<Console, "calls" | "session" | "tasks">): Console["uploads"] {
  return createUploads({
    calls,
    userId: userIdOf(session),
    remembered: createRememberedUploads(localStorage, () => Date.now()),
    onIngested: () => tasks.look(),
  });
}

/** Runs actions; the reason of a failure goes to `error`. */
function attemptWith(error: Signal<unknown>): Console["attempt"] {
  return (action) => {
    action().catch((reason: unknown) => {
      error.value = reason;
    });
  };
}

/** The area of a link; null where it is a saved one, which is not read yet. */
function knownArea({ area }: ConsoleState): AreaGeometry | null {
  return area !== null && "box" in area ? boxGeometry(area.box) : null;
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
