import type { PipelineHandler } from "../../../platform/context.ts";
import { chartCsv } from "../../../platform/pdf/chart-csv.ts";
import { composeReport } from "./compose-report.ts";
import type { ReportRequest, ReportResult } from "@swath/contract/features/maps/report-contract";
import type { ReportDeps } from "./report-deps.ts";
import { reportSubject } from "./report-subject.ts";
import { seriesCharts } from "./series-charts.ts";
import { reportedMap, type ReportedMap } from "./reported-map.ts";

export function createReport(deps: ReportDeps): PipelineHandler<ReportRequest, ReportResult> {
  const { clock, downloads, writeReport } = deps;
  return {
    async prepare(request, { caller, signal }) {
      const { areas } = await reportSubject(deps, request, caller);
      await seriesCharts(deps, caller, request, areas, signal);
    },
    async run(request, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const maps: ReportedMap[] = [];
      const subject = await reportSubject(deps, request, job.caller);
      for (const signed of subject.mapIds) {
        maps.push(await reportedMap(deps, signed, job));
      }
      await job.report({ message: "Analyzing", step: 5 });
      const series = await seriesCharts(deps, job.caller, request, subject.areas, job.signal);
      const composed = composeReport({ ...request, ...subject.texts }, maps, clock.now());
      const content = { ...composed, charts: [...composed.charts, ...series] };
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
