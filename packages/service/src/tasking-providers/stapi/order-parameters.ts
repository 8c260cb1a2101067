import type { Json } from "../../sources/stac/stac-exchange.ts";
import type { SubmittedOrder, TaskingRequest } from "../tasking-provider.ts";
import type { ParameterSource, StapiSettings } from "./settings.ts";

/** A request, or an order with the members of orders alone. */
export type Parametrized = TaskingRequest & Partial<Pick<SubmittedOrder, "orderId" | "maxCloudCover" | "offer">>;

/** The `order_parameters` of a product. Parameters without a value are left out. */
export function orderParameters({ parameters = {} }: StapiSettings, order: Parametrized): Json {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, source]) => {
      const value = valueOf(source, order);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Comparisons with queryables as CQL2 JSON; null without any. */
export function queryFilter({ filter = [] }: StapiSettings, order: Parametrized): Json | null {
  const clauses = filter.flatMap((clause): Json[] => {
    const { property, op, ...source } = clause;
    const value = valueOf(source, order);
    return value === undefined ? [] : [{ op, args: [{ property }, value] }];
  });
  const [first] = clauses;
  if (first === undefined) return null;
  return clauses.length === 1 ? first : { op: "and", args: clauses };
}

/** Name of the parameter that carries our identifier of an order; null without one. */
export function referenceParameter({ parameters = {} }: StapiSettings): string | null {
  return Object.entries(parameters).find(([, source]) => "from" in source && source.from === "orderId")?.[0] ?? null;
}

function valueOf(source: ParameterSource, order: Parametrized): unknown {
  if ("value" in source) return source.value;
  const raw = "option" in source ? order.orderOptions[source.option] : memberOf(source.from, order);
  if (raw === undefined || raw === null) return undefined;
  const { scale, values = {} } = source;
  if (typeof raw === "string" && Object.hasOwn(values, raw)) return values[raw];
  return typeof raw === "number" && scale !== undefined ? Number((raw * scale).toPrecision(12)) : raw;
}

function memberOf(from: Extract<ParameterSource, { from: unknown }>["from"], order: Parametrized): unknown {
  switch (from) {
    case "orderId":
      return order.orderId;
    case "priority":
      return order.priority;
    case "maxCloudCover":
      return order.maxCloudCover;
    case "offer":
      return order.offer?.offerId;
    case "mode":
      return order.offer?.mode;
    case "satellite":
      return order.offer?.satellite;
    default:
      return from satisfies never;
  }
}
