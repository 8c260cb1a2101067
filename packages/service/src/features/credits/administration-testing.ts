import assert from "node:assert/strict";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { sql } from "kysely";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createMapTypes } from "@swath/maps/registry";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { createAuditService, type AuditService } from "../audit/service.ts";
import { createUserService } from "../users/service.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { createCreditAdministration, type CreditAdministration } from "./administration.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { boxArea, boxPolygon, imageryOf, testCaller, testScene } from "./testing.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const mapTypes = createMapTypes([]);

export const spot = testScene("one");
export const { sceneId } = spot.scene;
export const user = testCaller();
export const admin = testCaller({ userId: "admin", groupId: "group-0", permissions: new Set(["admin"]) });
export const manager = testCaller({ userId: "manager", permissions: new Set(["admin.credits"]) });

export function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

export interface AdministrationWorld {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly administration: CreditAdministration;
  readonly audit: AuditService;
  readonly setTime: (text: string) => void;
}

/** Two groups with a user each, one more of administrators; afterwards the log must account for everything. */
export async function administrationWorld(body: (world: AdministrationWorld) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  let now = new Date("2026-03-01T12:00:00Z");
  const clock = { now: () => now };
  await sql`
    insert into groups (id, name, created_at, updated_at)
    values ('group-0', 'admins', now(), now()), ('group-1', 'one', now(), now()), ('group-2', 'two', now(), now())`.execute(
    db,
  );
  await sql`
    insert into users (id, email, name, type, accounting, created_at, updated_at)
    values ('user-1', 'one@example.com', 'One', 'user', 'group-1', now(), now()),
      ('user-2', 'two@example.com', 'Two', 'user', 'group-2', now(), now()),
      ('loner', 'loner@example.com', 'Loner', 'user', null, now(), now())`.execute(db);
  const catalog = createCatalog(providers);
  const audit = createAuditService({ db, clock });
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit });
  await body({
    db,
    audit,
    credits: createCreditsService({ areas: createAreas(), mapTypes, db, clock, imagery: imageryOf(spot), catalog }),
    administration: createCreditAdministration({ areas: createAreas(), mapTypes, db, clock, catalog, audit, users }),
    setTime: (text) => {
      now = new Date(text);
    },
  });
  const report = await verifyLedger(db, AbortSignal.timeout(60_000));
  assert.deepEqual(report.differences, []);
}

export const box = { sceneIds: [sceneId], geojson: boxPolygon([14, 50, 14.02, 50.02]) };
export const boxKm2 = Math.round(areaKm2(boxArea([14, 50, 14.02, 50.02])) * 1e6) / 1e6;

/** Equal but for the rounding of two areas to a square metre. */
export function assertClose(credits: number, expected: number): void {
  assert.ok(Math.abs(credits - expected) <= 2e-6, `${credits} credits, expected ${expected}`);
}

/** Newest first. */
export async function actions(audit: AuditService): Promise<string[]> {
  return (await audit.list({})).results.map(({ action }) => action);
}
