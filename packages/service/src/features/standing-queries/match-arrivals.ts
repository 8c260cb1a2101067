import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Clock } from "@swath/base/clock";
import { decodeFootprintRings } from "@swath/kernel/geometry/footprint-codec";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import {
  containsBox,
  overlapByBoxes,
  overlapsEnough,
  prepareRings,
  type PreparedArea,
} from "@swath/kernel/geometry/intersection-ratio";
import { isGranted } from "@swath/kernel/permissions/permission";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, Db } from "../../platform/context.ts";
import type { NewEvent } from "../../platform/events/record-event.ts";
import type { Identity } from "../../platform/identity/identity.ts";
import { maySee } from "../imagery/visibility.ts";
import {
  memberAreas,
  memberFeatures,
  type ClusterMembers,
  type MemberArea,
  type MemberFeature,
} from "./area-cluster.ts";
import * as store from "./match-store.ts";
import { meetsFilter } from "./scene-filter.ts";
import { readCriteria, type StoredCriteria } from "./stored-criteria.ts";

export interface MatchDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly identity: Pick<Identity, "recentCallers">;
}

/** Scenes matched together, and clusters of a scene that it compares: the rest waits behind other scenes. */
const SCENES_TOGETHER = 10;
const CLUSTERS_TOGETHER = 250;
/** Features that an event names. */
const NAMED_FEATURES = 100;

/** A query whose areas, time and filter a scene meets. */
interface Meeting {
  readonly arrival: store.ArrivalRow;
  readonly query: store.CandidateRow;
  readonly criteria: StoredCriteria;
  readonly featureIds: readonly string[];
}

/**
 * Matches scenes that became known, until none waits or the signal aborts. A scene leaves the list in the statement
 * that writes its matches and their events: none is lost, and none is repeated.
 *
 * @returns how many matches were written
 */
export async function matchArrivals(deps: MatchDeps, signal: AbortSignal): Promise<number> {
  let matched = 0;
  let waits = true;
  while (waits && !signal.aborted) {
    const round = await matchSome(deps, signal);
    matched += round.matched;
    waits = round.waits;
  }
  return matched;
}

interface Round {
  readonly matched: number;
  /** Whether scenes may still wait. */
  readonly waits: boolean;
}

async function matchSome({ clock, db, identity }: MatchDeps, signal: AbortSignal): Promise<Round> {
  const { arrivals, serials } = await store.waitingArrivals(db, SCENES_TOGETHER);
  if (serials.length === 0) return { matched: 0, waits: false };
  const meetings: Meeting[] = [];
  const rest: { readonly serial: number; readonly afterBox: number }[] = [];
  for (const arrival of arrivals) {
    const page = await meetingsOf(db, arrival, signal);
    if (page.afterBox !== null) rest.push({ serial: arrival.serial, afterBox: page.afterBox });
    meetings.push(...page.meetings);
  }
  const owners = meetings.map(({ query }) => query.owner_id);
  const callers = await identity.recentCallers(owners);
  const allowed = meetings.filter((meeting) => isAllowed(callers.get(meeting.query.owner_id), meeting));
  const matches = allowed.map((meeting) => ({
    queryId: meeting.query.query_id,
    serial: meeting.arrival.serial,
    sceneKey: meeting.arrival.scene_key,
    taken: meeting.query.purpose === "user",
    event: meeting.query.purpose === "user" ? eventOf(meeting) : null,
  }));
  const matched = await store.settle(db, { serials, rest, matches }, clock.now());
  return { matched, waits: rest.length > 0 || serials.length === SCENES_TOGETHER };
}

interface MeetingPage {
  readonly meetings: readonly Meeting[];
  /** The last box that was compared, when candidates may be left behind it. */
  readonly afterBox: number | null;
}

async function meetingsOf(db: Db, arrival: store.ArrivalRow, signal: AbortSignal): Promise<MeetingPage> {
  const boxes = turnedBoxes([arrival.west, arrival.south, arrival.east, arrival.north]);
  const { candidates, next } = await store.findCandidates(db, arrival, boxes, CLUSTERS_TOGETHER);
  const footprint = prepareRings(decodeFootprintRings(arrival.footprint));
  const share = loopShare();
  const meetings: Meeting[] = [];
  for (const query of candidates) {
    if (isUsedUp(share)) await giveWay(share, signal);
    const criteria = metCriteria(readCriteria(query.criteria), arrival);
    if (criteria === null) continue;
    const met: MemberFeature[] = [];
    for (const { box, members, start } of clustersOf(query)) {
      if (meetsWhenCovered(criteria) && containsBox(footprint, box)) {
        met.push(...memberFeatures(members));
        continue;
      }
      for (const member of memberAreas(members, query.areas, start)) {
        if (isUsedUp(share)) await giveWay(share, signal);
        if (meetsArea(member, footprint, criteria)) met.push(member);
      }
    }
    const featureIds = met.toSorted((a, b) => a.place - b.place).map(({ featureId }) => featureId);
    if (met.length > 0) meetings.push({ arrival, query, criteria, featureIds });
  }
  return { meetings, afterBox: next };
}

interface MetCluster {
  readonly members: ClusterMembers;
  readonly box: Bounds;
  /** Of its bytes in the areas of the candidate. */
  readonly start: number;
}

function clustersOf({ boxes, members }: store.CandidateRow): readonly MetCluster[] {
  const corners = JSON.parse(boxes) as readonly (readonly [number, number])[];
  let end = 0;
  return (JSON.parse(members) as readonly ClusterMembers[]).map((cluster, index) => {
    const [east, north] = corners[2 * index]!;
    const [west, south] = corners[2 * index + 1]!;
    const start = end;
    for (const bytes of cluster[2]) end += bytes;
    return { members: cluster, box: [west, south, east, north], start };
  });
}

/** Whether an area within the scene meets the threshold, whatever its size. */
function meetsWhenCovered({ threshold }: StoredCriteria): boolean {
  return threshold.of === "extent" || threshold.ratio === 0;
}

function meetsArea({ area }: MemberArea, footprint: PreparedArea, criteria: StoredCriteria): boolean {
  const polygons = decodeFootprintRings(area);
  const byBoxes = overlapByBoxes(polygons, footprint);
  if (byBoxes === "none") return false;
  if (byBoxes === "whole" && meetsWhenCovered(criteria)) return true;
  return overlapsEnough(prepareRings(polygons), footprint, criteria.threshold);
}

/** The criteria, when the scene meets those besides areas; else null. */
function metCriteria(criteria: StoredCriteria, arrival: store.ArrivalRow): StoredCriteria | null {
  const { conditions, fromMs, toMs } = criteria;
  const atMs = arrival.acquired_at.getTime();
  if ((fromMs !== null && atMs < fromMs) || (toMs !== null && atMs > toMs)) return null;
  if (conditions.onlyIngested === true && !arrival.ingested) return null;
  const { filter } = conditions;
  return filter === undefined || meetsFilter(filter, arrival.scene_id, arrival.document) ? criteria : null;
}

/** The rights of a search, at this moment. */
function isAllowed(owner: Caller | undefined, { arrival, criteria }: Meeting): boolean {
  if (owner === undefined || !maySee(owner, arrival.audience)) return false;
  const required = [
    "imagery.availability",
    `imagery.images.${arrival.provider}.${arrival.dataset}`,
    ...(criteria.conditions.onlyIngested === true ? ["store.ingested"] : []),
  ];
  return required.every((permission) => isGranted(owner.permissions, permission));
}

/** The box of a scene and its copies a turn away, as far as the unwrapped boxes of areas reach. */
function turnedBoxes([west, south, east, north]: Bounds): readonly Bounds[] {
  return [0, -360, 360]
    .map((turn): Bounds => [west + turn, south, east + turn, north])
    .filter(([turnedWest, , turnedEast]) => turnedEast >= -180 && turnedWest <= 540);
}

function eventOf({ arrival, featureIds, query }: Meeting): NewEvent {
  return {
    type: "search.matched",
    subject: `standing-query:${query.query_id}`,
    audience: { userId: query.owner_id },
    data: {
      queryId: query.query_id,
      name: query.name,
      sceneId: arrival.scene_id,
      provider: arrival.provider,
      dataset: arrival.dataset,
      datetime: formatInstant(arrival.acquired_at.getTime()),
      ...cloudCoverOf(arrival.document),
      featureIds: featureIds.slice(0, NAMED_FEATURES),
      featureCount: featureIds.length,
    },
  };
}

function cloudCoverOf(document: unknown): { readonly cloudCover?: number } {
  const { cloudCover } = document as { readonly cloudCover?: number };
  return cloudCover === undefined ? {} : { cloudCover };
}
