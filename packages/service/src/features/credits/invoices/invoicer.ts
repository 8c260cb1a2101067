import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Clock } from "@swath/base/clock";
import type { InvoiceAnswer, InvoiceRequest } from "@swath/contract/features/credits/invoice-contract";
import type { Caller, Db } from "../../../platform/context.ts";
import type { FileAnswer } from "../../../platform/sent-file.ts";
import type { InvoiceContent } from "../../../platform/pdf/invoice-content.ts";
import type { WrittenPdf } from "../../../platform/pdf/run-pdf-worker.ts";
import { isSignatureOf, signText, type SigningKeys } from "../../../platform/signed-text.ts";
import type { UserService } from "../../users/service.ts";
import { isActiveUser } from "../history-store.ts";
import { payingGroupId } from "../paying-group.ts";
import { linesToBill, monthPeriod, sumOf, type Invoice, type InvoiceSums } from "./invoice.ts";
import { invoiceCsv, invoiceNumber, invoicePages } from "./invoice-files.ts";
import { sumTransactions } from "./invoice-store.ts";

/** The file that an address gives access to. */
export interface InvoiceAddress {
  readonly groupId: string;
  readonly userId: string;
  readonly month: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Monthly invoices of groups. */
export interface Invoicer {
  /** @throws {ServiceError} NON-EXISTENT-GROUP, NOT-AUTHORIZED; VALIDATION-ERROR for a month that has not begun */
  invoice(caller: Caller, request: InvoiceRequest, baseUrl: string): Promise<InvoiceAnswer>;
  /** @throws {ServiceError} NOT-AUTHORIZED, NON-EXISTENT-GROUP */
  file(
    fileName: "invoice.csv" | "invoice.pdf",
    address: InvoiceAddress & { readonly signature: string },
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}

export interface InvoicerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly users: Pick<UserService, "groupInCare" | "groupName">;
  readonly signingKeys: SigningKeys;
  readonly writeInvoice: (content: InvoiceContent, signal: AbortSignal) => Promise<WrittenPdf>;
}

const ADDRESS_LIFETIME_S = 3600;
/** No request runs that long: afterwards nothing is logged in the month any more. */
const FINAL_AFTER_MS = 3_600_000;

export function createInvoicer(deps: InvoicerDeps): Invoicer {
  return {
    invoice: (caller, request, baseUrl) => answer(deps, caller, request, baseUrl),
    file: (fileName, address, signal) => file(deps, fileName, address, signal),
  };
}

async function answer(
  deps: InvoicerDeps,
  caller: Caller,
  { month, groupId = payingGroupId(caller) }: InvoiceRequest,
  baseUrl: string,
): Promise<InvoiceAnswer> {
  const now = deps.clock.now();
  if (monthPeriod(month).from > now) {
    const message = `has not begun, got ${month}, expected ${now.toISOString().slice(0, 7)} or earlier`;
    throw new ServiceError("VALIDATION-ERROR", `/month ${message}`, { details: [{ path: "/month", message }] });
  }
  const { name } = await deps.users.groupInCare(caller, groupId, "admin.credits.invoice");
  const invoice = await readInvoice(deps, { groupId, groupName: name, month });
  const expires = Math.floor(now.getTime() / 1000) + ADDRESS_LIFETIME_S;
  const query = queryOf(deps.signingKeys, { groupId, userId: caller.userId, month, expires });
  return {
    number: invoiceNumber(invoice),
    groupId,
    groupName: name,
    month,
    timeZone: "UTC",
    from: formatInstant(invoice.from.getTime()),
    to: formatInstant(invoice.to.getTime()),
    isFinal: invoice.isFinal,
    lines: invoice.lines.map((line) => ({
      provider: line.provider,
      dataset: line.dataset,
      mapType: line.mapType,
      ...answerSums(line),
    })),
    ...answerSums(invoice.total),
    csvUrl: `${baseUrl}/credits/invoices/files/invoice.csv?${query}`,
    pdfUrl: `${baseUrl}/credits/invoices/files/invoice.pdf?${query}`,
    expires: formatInstant(expires * 1000),
  };
}

function answerSums({ entries, areaM2, micro }: InvoiceSums) {
  return { entries, areaKm2: squareMetresToKm2(Number(areaM2)), credit: microToCredits(micro) };
}

async function readInvoice(
  { db, clock }: InvoicerDeps,
  named: Pick<Invoice, "groupId" | "groupName" | "month">,
): Promise<Invoice> {
  const period = monthPeriod(named.month);
  const isFinal = clock.now().getTime() >= period.to.getTime() + FINAL_AFTER_MS;
  const lines = await sumTransactions(db, named.groupId, period);
  return { ...named, ...period, isFinal, lines: linesToBill(lines), total: sumOf(lines) };
}

function textOf({ groupId, userId, month, expires }: InvoiceAddress): string {
  return JSON.stringify(["invoice", groupId, userId, month, expires]);
}

function queryOf(keys: SigningKeys, address: InvoiceAddress): string {
  const query = new URLSearchParams(Object.entries(address).map(([name, value]) => [name, String(value)]));
  query.set("signature", signText(keys, textOf(address)));
  return query.toString();
}

async function file(
  deps: InvoicerDeps,
  fileName: "invoice.csv" | "invoice.pdf",
  { signature, ...address }: InvoiceAddress & { readonly signature: string },
  signal: AbortSignal,
): Promise<FileAnswer> {
  const { db, clock, users, signingKeys, writeInvoice } = deps;
  const { groupId, userId, month, expires } = address;
  if (!isSignatureOf(signingKeys, textOf(address), signature)) {
    throw new ServiceError("NOT-AUTHORIZED", "the signature is not that of the address");
  }
  if (expires * 1000 <= clock.now().getTime()) throw new ServiceError("NOT-AUTHORIZED", "the address has expired");
  if (!(await isActiveUser(db, userId))) throw new ServiceError("NOT-AUTHORIZED", "the user is blocked");
  const invoice = await readInvoice(deps, { groupId, groupName: await users.groupName(groupId), month });
  const headers = {
    "content-disposition": `attachment; filename="${fileName.replace("invoice", `invoice-${month}`)}"`,
    "cache-control": "private, no-store",
  };
  if (fileName === "invoice.csv") {
    return { status: 200, mediaType: "text/csv; charset=utf-8", body: Buffer.from(invoiceCsv(invoice)), headers };
  }
  const { body } = await writeInvoice(invoicePages(invoice, clock.now()), signal);
  return { status: 200, mediaType: "application/pdf", body, headers };
}
