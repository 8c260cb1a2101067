import { Type } from "typebox";
import type { FeatureContract } from "../../kit/contract.ts";
import { defineFileRoute } from "../../kit/file-route.ts";
import { defineOperation } from "../../kit/operation.ts";
import { DatetimeSchema, ExpiresSchema } from "../../kit/schemas/time.ts";

const Id = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 128, pattern: "^[^\\u0000-\\u001f]*$" });
const OrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Month = Type.String({
  description: "calendar month in UTC, YYYY-MM",
  pattern: "^2\\d{3}-(0[1-9]|1[0-2])$",
  examples: ["2026-03"],
});

const InvoiceRequest = Type.Object(
  {
    month: Month,
    groupId: Type.Optional(Id("group that paid; by default the paying group of the caller")),
  },
  { title: "InvoiceRequest" },
);

const sums = {
  entries: Type.Integer({ description: "entries of the credit log", minimum: 0 }),
  areaKm2: Type.Number({ description: "allocated area, km2" }),
  credit: Type.Number({ description: "charged minus returned, credits" }),
};

const InvoiceLine = Type.Object(
  {
    provider: OrNull("null: no provider is named"),
    dataset: OrNull("null: no dataset is named"),
    mapType: OrNull("map type with a separate price; null: the price of the scenes"),
    ...sums,
  },
  { title: "InvoiceLine" },
);

const Invoice = Type.Object(
  {
    number: Type.String({ description: "month and group; the same for the same invoice" }),
    groupId: Type.String(),
    groupName: Type.String(),
    month: Month,
    timeZone: Type.Literal("UTC", { description: "time zone of the month" }),
    from: { ...DatetimeSchema, description: "first second of the month" },
    to: { ...DatetimeSchema, description: "first second of the next month" },
    isFinal: Type.Boolean({
      description: "true from an hour after the month: no running request can still add entries",
    }),
    lines: Type.Array(InvoiceLine, {
      description:
        "sums by provider, dataset and map type, without lines that sum to nothing. Beyond 1000 lines, the last line is " +
        "the sum of all further ones",
    }),
    ...sums,
    csvUrl: Type.String({ description: "the lines as CSV; accepts a plain GET until it expires", format: "uri" }),
    pdfUrl: Type.String({ description: "the invoice as PDF; accepts a plain GET until it expires", format: "uri" }),
    expires: { ...DatetimeSchema, description: "expiry of the addresses" },
  },
  { title: "Invoice", description: "Spending of a group in a month; its sums equal the sums of the credit log" },
);

export type InvoiceRequest = Type.Static<typeof InvoiceRequest>;
export type InvoiceLine = Type.Static<typeof InvoiceLine>;
export type InvoiceAnswer = Type.Static<typeof Invoice>;

/** Monthly invoices of groups. */
export const creditInvoiceContract = {
  invoice: defineOperation({
    path: "/credits/invoice",
    unknownMembers: "refuse",
    access: "user",
    conditionalPermissions: ["admin.credits.invoice", "organization"],
    summary: "Get the invoice of a group for a month, with addresses of CSV and PDF",
    description:
      "admin.credits.invoice: any group. organization: groups of the organisation of the caller. Otherwise: groups " +
      "that the caller manages.",
    request: InvoiceRequest,
    response: Invoice,
    errors: ["NON-EXISTENT-GROUP"],
  }),
  invoiceFile: defineFileRoute({
    path: "/credits/invoices/files/:fileName",
    access: "public",
    summary: "Download an invoice as CSV or PDF",
    description: "The signature of the address grants reading. /credits/invoice returns addresses.",
    params: Type.Object({
      fileName: Type.Union([Type.Literal("invoice.csv"), Type.Literal("invoice.pdf")]),
    }),
    query: Type.Object({
      groupId: Id("group"),
      userId: Id("requesting user"),
      month: Month,
      expires: ExpiresSchema,
      signature: Type.String({ maxLength: 64 }),
    }),
    mediaTypes: ["text/csv", "application/pdf"],
    statuses: { 200: "the invoice", 401: "wrong signature, expired address, or a blocked user" },
    errors: ["NOT-AUTHORIZED", "NON-EXISTENT-GROUP"],
    rateClass: "initiate",
  }),
} as const satisfies FeatureContract;
