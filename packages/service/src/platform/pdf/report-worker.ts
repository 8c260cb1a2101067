import { workerData } from "node:worker_threads";
import { postPdf } from "./post-pdf.ts";
import type { ReportContent } from "./report-content.ts";
import { writeReport } from "./write-report.ts";

await postPdf(() => writeReport(workerData as ReportContent));
