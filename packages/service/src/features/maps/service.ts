import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { SigningKeys } from "../../platform/signed-text.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db, PipelineHandler, PipelineJob } from "../../platform/context.ts";
import type { SavedMaps } from "../../platform/saved-maps.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import { createCatalog, type Catalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import type { CreditsService } from "../credits/service.ts";
import type { Results } from "./analysis/results.ts";
import type { IngestionService } from "../ingestion/service.ts";
import type { ImageryService } from "../imagery/service.ts";
import type { SceneLookup } from "./scene-lookup.ts";
import type { ListMapTypesRequest, MapTypeLegend } from "@swath/contract/features/maps/map-types-contract";
import { createExport } from "./export/export.ts";
import type { ExportRequest, ExportResult } from "@swath/contract/features/maps/export-contract";
import type { CacheMeters } from "../../platform/metrics/cache-meters.ts";
import { createGridFiles, type GridFiles } from "./grid.ts";
import { createMapLoader } from "./grid-files/load-map.ts";
import type { MapGroups } from "@swath/contract/features/maps/groups-contract";
import { listGroups } from "./groups/list-groups.ts";
import { createKeptListings, type KeptListing } from "./kept-listings.ts";
import { legendOf } from "./map-type-listing.ts";
import { listedDatasets } from "./listed-datasets.ts";
import type { Downloads } from "../../platform/downloads/downloads.ts";
import type { DryRunRequest, DryRunResult } from "@swath/contract/features/maps/dry-run-contract";
import { createDryRun } from "./dry-run/dry-run.ts";
import type { PointAnswer, PointRequest } from "@swath/contract/features/maps/point-contract";
import { pointsOfMap } from "./point/point.ts";
import { createLinkStates } from "./links/link-states.ts";
import { hasLink } from "./links/link-store.ts";
import { createMosaic, type MosaicHandlers } from "./mosaic/mosaic.ts";
import { createTilesetService, type TilesetService } from "./tilesets/service.ts";
import * as store from "./store.ts";
import { createMapLinks, type MapLinks } from "./links/map-links.ts";
import { createPairing, type PairingHandlers } from "./pairing/pairing.ts";
import type { ReportRequest, ReportResult } from "@swath/contract/features/maps/report-contract";
import type { StatisticsRequest, StatisticsResult } from "@swath/contract/features/maps/statistics-contract";
import { createStatistics, type PreparedStatistics } from "./statistics/statistics.ts";
import type { TimelapseRequest, TimelapseResult } from "@swath/contract/features/maps/timelapse-contract";
import type { Provenance, ProvenanceRequest } from "@swath/contract/features/maps/provenance-contract";
import { getProvenance } from "./provenance/get-provenance.ts";
import type { ReproduceRequest, ReproduceResult } from "@swath/contract/features/maps/reproduce-contract";
import { createReproduce } from "./provenance/reproduce.ts";
import { createTimelapse } from "./timelapse/timelapse.ts";
import type { WrittenPdf } from "../../platform/pdf/run-pdf-worker.ts";
import { composeReport } from "./report/compose-report.ts";
import { reportedMap, type ReportedMap } from "./report/reported-map.ts";
import { createReport } from "./report/report.ts";
import type { ReportDeps } from "./report/report-deps.ts";
import { createRelease, type ReleaseHandlers } from "./release/release.ts";
import { createMapIdSigner, type MapIdSigner } from "./signed-map-id.ts";

/** Maps: releasing them, and the files they are looked at with. */
export interface MapsService extends MosaicHandlers, PairingHandlers, ReleaseHandlers {
  readonly gridFile: GridFiles;
  readonly links: MapLinks;
  readonly downloadFile: Downloads["file"];
  readonly dryRun: PipelineHandler<DryRunRequest, DryRunResult>;
  readonly exportMap: PipelineHandler<ExportRequest, ExportResult>;
  readonly pdfReport: PipelineHandler<ReportRequest, ReportResult>;
  /** A map with all that its page in a report shows. @throws {ServiceError} INVALID-MAP-ID */
  describeMap(signedMapId: string, job: PipelineJob): Promise<ReportedMap>;
  /** A report of maps; of the request the texts count. */
  writeReport(request: ReportRequest, maps: readonly ReportedMap[], signal: AbortSignal): Promise<WrittenPdf>;
  readonly reproduce: PipelineHandler<ReproduceRequest, ReproduceResult>;
  readonly statistics: PipelineHandler<StatisticsRequest, StatisticsResult, PreparedStatistics>;
  readonly timelapse: PipelineHandler<TimelapseRequest, TimelapseResult>;
  /** @throws {ServiceError} VALIDATION-ERROR for a filter that names nothing */
  listMapTypes(caller: Caller, filter: ListMapTypesRequest): KeptListing;
  /** The ID of a map within an analysis. @throws {ServiceError} INVALID-MAP-ID */
  readonly bindMap: MapIdSigner["bind"];
  readonly tilesets: TilesetService;
  mapTypeOfMap(signedMapId: string): Promise<MapTypeLegend>;
  mapGroupsOfMap(signedMapId: string): Promise<MapGroups>;
  /** @throws {ServiceError} INVALID-MAP-ID, DATA-NOT-AVAILABLE */
  getProvenance(request: ProvenanceRequest): Promise<Provenance>;
  /** @throws {ServiceError} INVALID-MAP-ID */
  getPoint(request: PointRequest, signal: AbortSignal): Promise<PointAnswer>;
}

export interface MapsServiceDeps {
  readonly areas: Pick<Areas, "intersection" | "read">;
  /** Pixels of the scenes. */
  readonly blobs: Pick<BlobStore, "head">;
  readonly db: Db;
  readonly clock: Clock;
  /** Tests which areas of a datacube lie in the maps of a report. */
  readonly featureTests: ReportDeps["featureTests"];
  readonly mapTypes: MapTypes;
  readonly imagery: SceneLookup & Pick<ImageryService, "search">;
  readonly credits: Pick<
    CreditsService,
    | "allocateArea"
    | "holdRelease"
    | "planCharge"
    | "quoteRelease"
    | "quoteScenes"
    | "requireAllocated"
    | "settleRelease"
  >;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
  readonly renderer: Pick<GridRenderer, "background" | "render">;
  /** Analyses that keep maps. */
  readonly savedMaps: SavedMaps;
  /** Results of analyses. */
  readonly results: Results;
  /** Files that are made once for a caller. */
  readonly downloads: Pick<Downloads, "file" | "keep">;
  /** Temporary folders of running exports. */
  readonly folders: WorkFolders;
  readonly writeReport: ReportDeps["writeReport"];
  /** The datasets; everything built in unless given. */
  readonly catalog?: Catalog;
  /** Secret of the signed map IDs, at least 32 bytes; the same in every process. */
  readonly signingKeys: SigningKeys;
  /** Memory for rendered files; 64 MiB unless given, 0 keeps none. */
  readonly renderedCacheBytes?: number;
  readonly caches?: Pick<CacheMeters, "add">;
}

const DEFAULT_RENDERED_CACHE_BYTES = 64 * 1024 * 1024;

export function createMapsService(deps: MapsServiceDeps): MapsService {
  const catalog = deps.catalog ?? createCatalog(providers);
  const listingFor = createKeptListings(catalog, deps.mapTypes, listedDatasets(catalog));
  const states = createLinkStates(deps.clock, (linkId) => hasLink(deps.db, linkId));
  const signer = createMapIdSigner(deps.signingKeys, deps.clock, (linkId) => states.isLive(linkId));
  const loadMap = createMapLoader(deps);
  const gridFile = createGridFiles({
    ...deps,
    signer,
    loadMap,
    renderedCacheBytes: deps.renderedCacheBytes ?? DEFAULT_RENDERED_CACHE_BYTES,
  });
  // Pipelines draw without delaying single files.
  const behind = { ...deps, renderer: deps.renderer.background, catalog, signer, loadMap };
  const reporting = { ...deps, catalog, signer, gridFile, loadMap };
  return {
    ...createPairing(deps),
    ...createRelease(behind),
    bindMap: (signedMapId, analysisId) => signer.bind(signedMapId, analysisId),
    gridFile,
    links: createMapLinks({ ...deps, signer, states }),
    downloadFile: (request) => deps.downloads.file(request),
    dryRun: createDryRun(deps),
    exportMap: createExport(behind),
    ...createMosaic(behind),
    pdfReport: createReport(reporting),
    describeMap: (signedMapId, job) => reportedMap(reporting, signedMapId, job),
    writeReport: (request, maps, signal) => deps.writeReport(composeReport(request, maps, deps.clock.now()), signal),
    reproduce: createReproduce(behind),
    tilesets: createTilesetService({ catalog, db: deps.db, gridFile, loadMap, signer }),
    statistics: createStatistics(behind),
    timelapse: createTimelapse(behind),
    getProvenance: (request) => getProvenance({ ...deps, signer }, request),
    getPoint: (request, signal) => pointsOfMap({ ...deps, signer, loadMap }, request, signal),
    listMapTypes: ({ permissions }, filter) => listingFor(permissions, filter),
    async mapTypeOfMap(signedMapId) {
      const { mapId, mapType: id } = await signer.verify(signedMapId);
      const mapType = deps.mapTypes.find(id);
      if (mapType === undefined) throw new ServiceError("INVALID-MAP-ID", `the map type ${id} no longer exists`);
      const map = await store.readMap(deps.db, mapId);
      return { ...legendOf(mapType), ...(map === null ? {} : { maxZoom: map.maxZoom }) };
    },
    async mapGroupsOfMap(signedMapId) {
      const { scene } = (await loadMap(await signer.verify(signedMapId), "-")).stored;
      const dataset = catalog.findDataset(scene.provider, scene.dataset)?.dataset;
      return listGroups(deps.mapTypes.all, catalog, dataset?.type ?? "optical");
    },
  };
}
