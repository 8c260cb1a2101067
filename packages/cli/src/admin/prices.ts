import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { readExtent } from "../extent.ts";
import { parseInstant } from "../instant.ts";
import { findGroup } from "./find-group.ts";
import { readPages } from "./pages.ts";
import { showRows } from "./show-table.ts";

interface PriceSubject {
  readonly provider?: string;
  readonly dataset?: string;
  readonly type?: string;
  readonly group?: string;
  readonly tier?: string;
}

async function subjectOf(client: Client, { provider, dataset, type, group, tier }: PriceSubject, signal: AbortSignal) {
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(dataset === undefined ? {} : { dataset }),
    ...(type === undefined ? {} : { mapType: type }),
    ...(group === undefined ? {} : { groupId: (await findGroup(client, group, signal)).id }),
    ...(tier === undefined ? {} : { creditsTier: tier }),
  };
}

export interface ListPricesOptions extends PriceSubject {
  readonly ended?: boolean;
  readonly limit: number;
}

/** `swath admin prices list`. */
export async function listPrices(context: CommandContext, options: ListPricesOptions): Promise<void> {
  const client = await connect(context);
  const filter = { ...(await subjectOf(client, options, context.signal)), includeEnded: options.ended === true };
  const rows = await readPages(options.limit, (page) =>
    client.call("/credits/price-rules/list", { ...filter, ...page }, { signal: context.signal }),
  );
  showRows(
    context,
    rows,
    {
      id: ({ id }) => id,
      provider: ({ provider }) => provider ?? "all",
      dataset: ({ dataset }) => dataset ?? "all",
      "map type": ({ mapType }) => mapType,
      group: ({ groupId }) => groupId ?? "all",
      tier: ({ creditsTier }) => creditsTier ?? "all",
      "credits/km2": ({ creditsPerKm2 }) => creditsPerKm2,
      "min km2": ({ minAreaKm2 }) => minAreaKm2,
      area: ({ area }) => (area === null ? "" : "free area"),
      from: ({ validFrom }) => validFrom,
      until: ({ validUntil }) => validUntil,
    },
    `no price rule${options.ended === true ? "" : " in force; --ended also lists rules of before"}`,
  );
}

export interface CreatePriceOptions extends PriceSubject {
  readonly minArea?: number;
  readonly freeArea?: string;
  readonly from?: string;
  readonly until?: string;
  readonly credits: number;
}

/** `swath admin prices create`. */
export async function createPrice(context: CommandContext, options: CreatePriceOptions): Promise<void> {
  const { output, signal } = context;
  const { credits, minArea, freeArea, from, until } = options;
  const client = await connect(context);
  const request = {
    ...(await subjectOf(client, options, signal)),
    creditsPerKm2: credits,
    ...(minArea === undefined ? {} : { minAreaKm2: minArea }),
    ...(freeArea === undefined ? {} : { area: await readExtent(freeArea) }),
    ...(from === undefined ? {} : { validFrom: parseInstant(from, "--from") }),
    ...(until === undefined ? {} : { validUntil: parseInstant(until, "--until") }),
  };
  const rule = await client.call("/credits/price-rules/create", request, { signal });
  output.result(rule, [`the price ${rule.id} holds from ${rule.validFrom ?? "the beginning"} on`]);
}

/** `swath admin prices end`: an ended price is kept, so that every charge stays explainable. */
export async function endPrice(
  context: CommandContext,
  { until }: { readonly until?: string },
  [id = ""]: readonly string[],
): Promise<void> {
  const client = await connect(context);
  const rule = await client.call(
    "/credits/price-rules/end",
    { id, ...(until === undefined ? {} : { validUntil: parseInstant(until, "--until") }) },
    { signal: context.signal },
  );
  context.output.result(rule, [`the price ${rule.id} ends at ${rule.validUntil ?? ""}`]);
}
