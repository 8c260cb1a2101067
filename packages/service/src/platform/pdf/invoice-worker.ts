import { workerData } from "node:worker_threads";
import type { InvoiceContent } from "./invoice-content.ts";
import { postPdf } from "./post-pdf.ts";
import { writeInvoice } from "./write-invoice.ts";

await postPdf(() => writeInvoice(workerData as InvoiceContent));
