import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Db, PipelineHandler } from "../../../platform/context.ts";
import type { ReportContent } from "../../../platform/pdf/report-content.ts";
import type { WrittenReport } from "../../../platform/pdf/report-worker.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { Downloads } from "../downloads/downloads.ts";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { MapLoader } from "../grid-files/load-map.ts";
import type { GridFiles } from "../grid.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import type { MapIdSigner } from "../signed-map-id.ts";
import * as store from "../store.ts";
import { composeReport } from "./compose-report.ts";
import type { ReportRequest, ReportResult } from "@swath/contract/features/maps/report-contract";
import { reportedMap, type ReportedMap } from "./reported-map.ts";

export interface ReportDeps {
  readonly db: Db;
  readonly mapTypes: Pick<MapTypes, "all" | "find">;
  readonly clock: Clock;
  readonly imagery: SceneLookup;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly signer: MapIdSigner;
  readonly gridFile: GridFiles;
  readonly loadMap: MapLoader;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly downloads: Pick<Downloads, "keep">;
  readonly writeReport: (content: ReportContent, signal: AbortSignal) => Promise<WrittenReport>;
}

export function createReport(deps: ReportDeps): PipelineHandler<ReportRequest, ReportResult> {
  const { db, clock, signer, downloads, writeReport } = deps;

  /** @throws {ServiceError} INVALID-MAP-ID, NON-EXISTENT-ANALYSIS, VALIDATION-ERROR */
  async function requireMaps({ maps, analysisId }: ReportRequest): Promise<readonly string[]> {
    if (analysisId !== undefined) {
      throw new ServiceError("NON-EXISTENT-ANALYSIS", `there is no analysis ${analysisId}`);
    }
    if (maps === undefined) {
      const message = "is required unless analysisId is given";
      throw new ServiceError("VALIDATION-ERROR", `maps ${message}`, { details: [{ path: "/maps", message }] });
    }
    for (const [index, signed] of maps.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- at most forty signatures, in order
      const { mapId } = await signer.verify(signed);
      // oxlint-disable-next-line no-await-in-loop
      if ((await store.readMap(db, mapId)) === null) {
        throw new ServiceError("INVALID-MAP-ID", `map ${index} no longer exists: release it again`);
      }
    }
    return maps;
  }

  return {
    async prepare(request) {
      await requireMaps(request);
    },
    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const maps: ReportedMap[] = [];
      for (const signed of await requireMaps(request)) {
        // oxlint-disable-next-line no-await-in-loop -- drawing one map keeps all tile threads busy
        maps.push(await reportedMap(deps, signed, job));
      }
      await job.report({ message: "Analyzing", step: 5 });
      const content = composeReport(request, maps, clock.now());
      const { body, pages } = await writeReport(content, job.signal);
      await job.report({ message: "Finalizing analysis", step: 6 });
      const kept = await downloads.keep(job, { fileName: "report.pdf", mediaType: "application/pdf", body });
      return { result: { ...kept, pages } };
    },
  };
}
