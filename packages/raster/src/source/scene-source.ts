import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { SceneKey } from "@swath/kernel/scenes/scene-key";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SceneMetadata } from "../scene-metadata/scene-metadata.ts";
import type { NamedRaster } from "../store/scene-draft.ts";

/*
 * Terminology.
 * - Source: a catalogue of scenes with pixels. Each dataset has a source, or the store alone.
 * - Catalogue scene: metadata of a scene whose pixels need not be in the store.
 * - Opening a scene: making its pixels readable, as far as possible without copying all of them.
 */

export interface SourceQuery {
  readonly provider: string;
  readonly dataset: string;
  /** Normal form: split at the antimeridian. Sources may use its boxes only; the exact test is the caller's. */
  readonly extent: MultiPolygon;
  readonly boxes: readonly Bounds[];
  /** Half-open interval, milliseconds since 1970; null where it is open. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only scenes that come after this one. */
  readonly after: SceneKey | null;
  /** Largest number of scenes wanted at once, 1 to 1000. */
  readonly limit: number;
}

export interface SourcePage {
  /** In search order. Every scene whose footprint overlaps the extent is in some page; others may be too. */
  readonly scenes: readonly Scene[];
  /** Whether nothing follows. When false, ask again after the last scene. */
  readonly end: boolean;
}

/** The pixels of a scene, ready to be read; released by disposing. */
export interface OpenedScene extends AsyncDisposable {
  readonly rasters: readonly NamedRaster[];
  readonly metadata: SceneMetadata;
}

/** Which part of a scene to open; null for the whole of it. The rasters may be larger, never smaller. */
export interface SceneWindow {
  readonly extent: MultiPolygon;
}

/** The pixels of scenes. Errors are the errors of `SceneSource`. */
export interface PixelSource {
  /**
   * Whether catalogue and pixels are computed in this process, not fetched over a network: another page is cheap, all
   * pixels of a large scene take minutes.
   */
  readonly isComputed: boolean;
  /** Whether large scenes are read in parts, as requests need them. */
  readonly readsParts?: boolean;
  open(scene: Scene, window: SceneWindow | null, signal: AbortSignal): Promise<OpenedScene>;
  /** Encoded picture of at most 512 pixels a side, or null when the source has none. */
  thumbnail(
    scene: Scene,
    signal: AbortSignal,
  ): Promise<{ readonly mediaType: string; readonly body: Uint8Array } | null>;
}

/**
 * A catalogue with pixels. Failures are ServiceErrors: SERVICE-UNAVAILABLE when the catalogue does not answer (after
 * the source's own retries), SCENE-UNREADABLE when its answer makes no sense, NON-EXISTING-SCENE.
 */
export interface SceneSource extends PixelSource, AsyncDisposable {
  search(query: SourceQuery, signal: AbortSignal): Promise<SourcePage>;
  /** Null when the catalogue has no such scene. */
  scene(sceneId: string, signal: AbortSignal): Promise<Scene | null>;
  /** Work that is due, such as reading the catalogue again; workers ask for it every minute. */
  upkeep?(signal: AbortSignal): Promise<void>;
}
