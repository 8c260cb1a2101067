import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Client } from "@swath/client";
import type { Recorder } from "./calls/recorder.ts";
import type { KeySetting } from "./commands/key-setting.ts";
import type { ComparedIds } from "./compare/compared-ids.ts";
import type { ConsoleState } from "./console-state.ts";
import type { AreaGeometry } from "./find/area-rings.ts";
import type { Search } from "./find/search.ts";
import type { Drawing } from "./map/create-drawing.ts";
import type { Uploads } from "./ingest/uploads.ts";
import type { MapEngine } from "./map/engine.ts";
import type { Inspector } from "./maps/inspector.ts";
import type { Layers } from "./maps/layers.ts";
import type { Alerts } from "./monitors/alerts.ts";
import type { Rights } from "./rights.ts";
import type { Route } from "./route.ts";
import type { Session } from "./session/session.ts";
import type { Tasks } from "./tasks/tasks.ts";

/** Everything that the parts of the page share. */
export interface Console {
  readonly session: Session;
  readonly calls: Client;
  /** The last calls of the page. */
  readonly recorder: Recorder;
  /** The state that a link holds. */
  readonly state: ReadonlySignal<ConsoleState>;
  readonly droppedParts: readonly string[];
  /** Whether the address that the page was opened with says what the map shows. */
  readonly isViewGiven: boolean;
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
  /** Whether each move of the map searches what it shows. */
  readonly followsView: Signal<boolean>;
  readonly areFootprintsShown: Signal<boolean>;
  readonly credit: Signal<number | null>;
  readonly layers: Layers;
  /** Keys of shown layers without a pixel in the view. */
  readonly emptyLayerKeys: ReadonlySignal<ReadonlySet<string>>;
  /** Whether the timeline goes from date to date. */
  readonly isPlaying: Signal<boolean>;
  /** The maps of the comparison; null on other screens. */
  readonly compared: ReadonlySignal<ComparedIds | null>;
  /** The map that a comparison by blinking shows. */
  readonly seenSide: Signal<"a" | "b">;
  readonly inspector: Inspector;
  readonly tasks: Tasks;
  readonly uploads: Uploads;
  /** Alerts of the user's monitors. */
  readonly alerts: Alerts;
  readonly map: MapEngine;
  readonly drawing: Drawing;
  readonly keys: KeySetting;
  /** Whether a stranger looks at the maps of a link without signing in. */
  readonly isOnlyLooking: Signal<boolean>;
  readonly error: Signal<unknown>;
  /** Runs an action; its failure appears on the page. */
  readonly attempt: (action: () => Promise<void>) => void;
}
