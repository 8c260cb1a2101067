import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineHandler } from "../../../platform/context.ts";
import { chartCsv } from "../../../platform/pdf/chart-csv.ts";
import * as store from "../store.ts";
import { composeReport } from "./compose-report.ts";
import type { ReportRequest, ReportResult } from "@swath/contract/features/maps/report-contract";
import type { ReportDeps } from "./report-deps.ts";
import { reportedMap, type ReportedMap } from "./reported-map.ts";

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
      const { mapId } = await signer.verify(signed);
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
        maps.push(await reportedMap(deps, signed, job));
      }
      await job.report({ message: "Analyzing", step: 5 });
      const content = composeReport(request, maps, clock.now());
      const { body, pages } = await writeReport(content, job.signal);
      await job.report({ message: "Finalizing analysis", step: 6 });
      const kept = await downloads.keep(job, { fileName: "report.pdf", mediaType: "application/pdf", body });
      const charts = content.charts.map((chart) => {
        const { name, title, unit } = chart;
        return { name, title, unit, csv: chartCsv(chart) };
      });
      return { result: { ...kept, pages, charts } };
    },
  };
}
