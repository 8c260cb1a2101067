import type { OrderOptions, OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import type { Point, Polygon } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { orderedArea, orderedGeometryFaults, type OrderedArea } from "@swath/kernel/tasking/ordered-area";
import { ORDER_PRIORITIES, type OrderPriority } from "@swath/kernel/tasking/order-priority";
import type { Catalog } from "../../../providers/catalog.ts";
import type { TaskingInfo, TaskingInfos } from "../../../providers/tasking-info.ts";
import { namedDataset, type TaskedDataset } from "./named-dataset.ts";
import { invalidMember, invalidMembers } from "../contracts/invalid-members.ts";

/** Kinds of tasking: anywhere in an interval, or in the pass that was chosen. */
type TaskingType = keyof TaskingInfos;

/** A request for a study or an order that is in order, but for its interval and its contract. */
export interface OrderPlan {
  readonly tasked: TaskedDataset;
  readonly taskingType: TaskingType;
  readonly info: TaskingInfo;
  readonly priority: OrderPriority;
  /** Factor of the priority on the price. */
  readonly priorityFactor: number;
  readonly originalGeometry: Point | Polygon;
  readonly area: OrderedArea;
  /** 0..1; 1 for a radar. */
  readonly maxCloudCover: number;
  readonly orderOptions: OrderOptions;
}

export interface PlannedUse {
  readonly purpose: "study" | "order";
  /** Of the order in its request, such as `/params/0`; empty for the request itself. */
  readonly path: string;
}

const DEFAULT_MAX_CLOUD_COVER = 0.2;

/**
 * Checks the parameters of a study or an order against its dataset. Every member is used or refused.
 *
 * @throws {ServiceError} VALIDATION-ERROR, EXTENT-TOO-LARGE; each names what is allowed
 */
export function planOrder(
  catalog: Pick<Catalog, "findDataset" | "findProvider" | "providers">,
  parameters: OrderParameters,
  { purpose, path }: PlannedUse,
): OrderPlan {
  const { geometry, isFeasibility, orderOptions = {} } = parameters;
  if (isFeasibility !== undefined && isFeasibility !== (purpose === "study")) {
    const other = isFeasibility
      ? "a study is asked of /scene-tasking/feasibility"
      : "this is a study, an order is created";
    throw invalidMember(`${path}/isFeasibility`, `is ${isFeasibility}, expected ${!isFeasibility}: ${other}`);
  }
  const tasked = namedDataset(catalog, parameters, path);
  const chosen = chosenPriority(tasked, parameters.priority, path);
  return {
    tasked,
    ...chosen,
    originalGeometry: geometry,
    area: plannedArea(tasked, chosen.info, geometry, path),
    maxCloudCover: cloudLimit(tasked, orderOptions.maxCloudCover, path),
    orderOptions,
  };
}

type Chosen = Pick<OrderPlan, "taskingType" | "info" | "priority" | "priorityFactor">;

function chosenPriority(
  { dataset, taskingInfo }: TaskedDataset,
  wanted: OrderPriority | undefined,
  path: string,
): Chosen {
  const offers = (["flexible", "assured"] as const).flatMap((taskingType): Chosen[] => {
    const info = taskingInfo[taskingType];
    if (info === undefined) return [];
    return ORDER_PRIORITIES.flatMap((priority): Chosen[] => {
      const priorityFactor = info.priorities[priority];
      return priorityFactor === undefined ? [] : [{ taskingType, info, priority, priorityFactor }];
    });
  });
  const chosen = wanted === undefined ? offers[0] : offers.find(({ priority }) => priority === wanted);
  if (chosen !== undefined) return chosen;
  const allowed = offers.map(({ priority }) => priority).join(", ");
  throw invalidMember(`${path}/priority`, `is ${wanted}, expected one of ${allowed} for ${dataset.dataset}`);
}

function plannedArea(
  { dataset }: TaskedDataset,
  { allowedTaskingGeometry, preallocationAreaKm2 }: TaskingInfo,
  geometry: Point | Polygon,
  path: string,
): OrderedArea {
  const at = `${path}/geometry`;
  if (!allowedTaskingGeometry.includes(geometry.type)) {
    const allowed = allowedTaskingGeometry.join(", ");
    throw invalidMember(`${at}/type`, `is ${geometry.type}, expected ${allowed} for ${dataset.dataset}`);
  }
  const faults = orderedGeometryFaults(geometry, at);
  if (faults.length > 0) throw invalidMembers(faults);
  const area = enlarged(geometry, preallocationAreaKm2, at);
  if (area.longestSideM >= dataset.maxMbrSideM) {
    const [sideKm, limitKm] = [Math.round(area.longestSideM / 1000), dataset.maxMbrSideM / 1000];
    const message = `has a bounding rectangle of ${sideKm} km, expected less than ${limitKm} km for ${dataset.dataset}`;
    throw new ServiceError("EXTENT-TOO-LARGE", `${at} ${message}; divide it into several orders`, {
      details: [{ path: at, message }],
    });
  }
  return area;
}

function enlarged(geometry: Point | Polygon, leastAreaKm2: number, path: string): OrderedArea {
  try {
    return orderedArea(geometry, leastAreaKm2);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw invalidMember(path, cause.message);
  }
}

function cloudLimit({ dataset }: TaskedDataset, wanted: number | undefined, path: string): number {
  if (dataset.type === "optical") return wanted ?? DEFAULT_MAX_CLOUD_COVER;
  if (wanted === undefined) return 1;
  throw invalidMember(
    `${path}/orderOptions/maxCloudCover`,
    `is ${wanted}, expected the member left out: clouds do not hide what the radar of ${dataset.dataset} sees`,
  );
}
