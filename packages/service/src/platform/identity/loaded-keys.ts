import { exportJWK, generateKeyPair, importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";
import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { activeKeyExists, insertSigningKey, listSigningKeys, lockSigningKeys, retireSigningKeys } from "./key-store.ts";

export const SIGNING_ALGORITHM = "EdDSA";
/** Time until a process notices a rotation by another one; it signs with the former key meanwhile. */
export const SIGNING_KEY_AGE_MS = 60_000;

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The keys of the database at one moment. */
export interface LoadedKeys {
  /** Null before the first key is made. */
  readonly signing: SigningKey | null;
  readonly publicJwks: readonly JWK[];
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly loadedAtMs: number;
}

export interface KeyDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** How long the tokens of a retired key may still be valid, seconds. */
  readonly tokenLifetimeS: number;
}

export async function loadKeys({ db, clock, tokenLifetimeS }: KeyDeps): Promise<LoadedKeys> {
  const now = clock.now();
  const rows = await listSigningKeys(db, new Date(now.getTime() - tokenLifetimeS * 1000 - SIGNING_KEY_AGE_MS));
  const verifying = new Map<string, CryptoKey>();
  for (const row of rows) verifying.set(row.kid, await importKey(row.public_jwk));
  const current = rows.find((row) => row.signs_until === null);
  return {
    signing: current === undefined ? null : { kid: current.kid, key: await importKey(current.private_jwk) },
    publicJwks: rows.map((row) => row.public_jwk),
    verifying,
    loadedAtMs: now.getTime(),
  };
}

/** Makes a signing key; unless it replaces the current one, only when there is none. */
export async function addKey({ db, clock }: KeyDeps, replacesCurrent: boolean): Promise<void> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: "Ed25519", extractable: true });
  const kid = randomUUID();
  const described = { kid, use: "sig", alg: SIGNING_ALGORITHM };
  const privateJwk = { ...(await exportJWK(pair.privateKey)), ...described };
  const publicJwk = { ...(await exportJWK(pair.publicKey)), ...described };
  await db.transaction().execute(async (trx) => {
    await lockSigningKeys(trx);
    const now = clock.now();
    if (replacesCurrent) await retireSigningKeys(trx, now);
    else if (await activeKeyExists(trx)) return;
    await insertSigningKey(trx, {
      kid,
      algorithm: SIGNING_ALGORITHM,
      private_jwk: JSON.stringify(privateJwk),
      public_jwk: JSON.stringify(publicJwk),
      created_at: now,
      signs_until: null,
    });
  });
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError("stored signing key is symmetric, expected Ed25519");
  return key;
}
