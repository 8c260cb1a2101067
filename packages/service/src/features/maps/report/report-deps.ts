import type { Clock } from "@swath/base/clock";
import type { MapTypes } from "@swath/maps/registry";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { Db } from "../../../platform/context.ts";
import type { ReportContent } from "../../../platform/pdf/report-content.ts";
import type { SavedMaps } from "../../../platform/saved-maps.ts";
import type { WrittenPdf } from "../../../platform/pdf/run-pdf-worker.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { Downloads } from "../../../platform/downloads/downloads.ts";
import type { SelectAoisDeps } from "../../datacube/select-aois.ts";
import type { MapLoader } from "../grid-files/load-map.ts";
import type { GridFiles } from "../grid.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import type { MapIdSigner } from "../signed-map-id.ts";

export interface ReportDeps {
  readonly db: Db;
  readonly areas: SelectAoisDeps["areas"];
  readonly featureTests: SelectAoisDeps["featureTests"];
  readonly mapTypes: Pick<MapTypes, "all" | "find">;
  readonly clock: Clock;
  readonly imagery: SceneLookup;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly signer: MapIdSigner;
  readonly gridFile: GridFiles;
  readonly loadMap: MapLoader;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly savedMaps: Pick<SavedMaps, "ofAnalysis">;
  readonly downloads: Pick<Downloads, "keep">;
  readonly writeReport: (content: ReportContent, signal: AbortSignal) => Promise<WrittenPdf>;
}
