import { isRecord } from "@swath/raster/scene-metadata/json-reader";
import type { Json } from "../../sources/stac/stac-exchange.ts";
import { parseInstant } from "./interval.ts";
import { recordOf, textOf } from "./stapi-peer.ts";

/** A status of an order at the provider. */
export interface StapiStatus {
  readonly atMs: number;
  /** In lower case, with underscores. */
  readonly code: string;
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  /** The document, for its links. */
  readonly json: Json;
}

/** An order as the provider describes it. */
export interface StapiOrder {
  readonly id: string;
  readonly productId: string | null;
  readonly createdMs: number | null;
  readonly status: StapiStatus;
  /** The request, as far as the provider repeats it. */
  readonly request: {
    readonly datetime: unknown;
    readonly geometry: unknown;
    readonly orderParameters: Json;
  };
  /** Interval of the opportunity that was ordered; undefined without one. */
  readonly opportunityDatetime: unknown;
  readonly json: Json;
}

const MAX_ID = 300;

/**
 * An order, with its members at the top as the specification has them or among the `properties` as stapi-pydantic does.
 * A text for a document that is none: the fault.
 */
export function readOrder(json: Json): StapiOrder | string {
  const properties = recordOf(json["properties"]);
  const member = (name: string): unknown => json[name] ?? properties[name];
  const { id } = json;
  if (typeof id !== "string" || id === "" || id.length > MAX_ID) return `the id ${shown(id)}, expected a text`;
  const status = readStatus(member("status"));
  if (typeof status === "string") return status;
  const request = recordOf(member("request") ?? member("search_parameters"));
  const parameters = member("order_parameters") ?? request["order_parameters"];
  return {
    id,
    productId: textOf(member("product_id")),
    createdMs: parseInstant(member("created")),
    status,
    request: {
      datetime: request["datetime"],
      geometry: request["geometry"] ?? json["geometry"],
      orderParameters: recordOf(parameters),
    },
    opportunityDatetime: recordOf(member("opportunity_properties"))["datetime"],
    json,
  };
}

/** A text for a document that is no status: the fault. */
export function readStatus(value: unknown): StapiStatus | string {
  if (!isRecord(value)) return `the status ${shown(value)}, expected an object`;
  const { timestamp, status_code: code } = value;
  const atMs = parseInstant(timestamp);
  if (atMs === null) return `the timestamp ${shown(timestamp)} of a status, expected an RFC 3339 time`;
  if (typeof code !== "string" || !/^[A-Za-z_-]{1,50}$/u.test(code)) {
    return `the status_code ${shown(code)}, expected a word`;
  }
  return {
    atMs,
    code: code
      .toLowerCase()
      .replaceAll("-", "_")
      .replace(/canceled$/u, "cancelled"),
    reasonCode: textOf(value["reason_code"], 100),
    reasonText: textOf(value["reason_text"]),
    json: value,
  };
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 60);
}
