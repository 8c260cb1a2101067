import { exportJWK, generateKeyPair, importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";
import { randomUUID } from "node:crypto";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../context.ts";
import { activeKeyExists, insertSigningKey, listSigningKeys, lockSigningKeys, retireSigningKeys } from "./key-store.ts";

export const SIGNING_ALGORITHM = "EdDSA";

/** A key unknown to this process may have been made by another one; unknown ids make it look this often at most. */
const RELOAD_INTERVAL_MS = 1000;

export interface SigningKey {
  readonly kid: string;
  readonly key: CryptoKey;
}

/** The Ed25519 keys of the built-in provider, shared by all processes through the database. */
export interface KeyRing {
  /** The key that signs now; made when there is none. */
  signingKey(): Promise<SigningKey>;
  /** The public key of that id, or null when no process knows it. */
  verificationKey(kid: string): Promise<CryptoKey | null>;
  /** Public keys of all tokens that may still be valid, as a JWK set. */
  publicKeys(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Makes a new signing key; the former ones verify the tokens they signed and sign no more. */
  rotate(): Promise<void>;
}

interface LoadedKeys {
  readonly signing: SigningKey | null;
  readonly publicJwks: readonly JWK[];
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly loadedAtMs: number;
}

/** @param tokenLifetimeS how long after its retirement a key is still published, seconds */
export function createKeyRing(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly tokenLifetimeS: number;
}): KeyRing {
  const { db, clock, tokenLifetimeS } = deps;
  let loaded: Promise<LoadedKeys> | null = null;
  let searchedAtMs = Number.NEGATIVE_INFINITY;

  async function load(): Promise<LoadedKeys> {
    const now = clock.now();
    const rows = await listSigningKeys(db, new Date(now.getTime() - tokenLifetimeS * 1000));
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

  function reload(): Promise<LoadedKeys> {
    const next = load();
    loaded = next;
    next.catch(() => {
      if (loaded === next) loaded = null;
    });
    return next;
  }

  async function addKey(replaceCurrent: boolean): Promise<void> {
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: "Ed25519", extractable: true });
    const kid = randomUUID();
    const described = { kid, use: "sig", alg: SIGNING_ALGORITHM };
    const privateJwk = { ...(await exportJWK(pair.privateKey)), ...described };
    const publicJwk = { ...(await exportJWK(pair.publicKey)), ...described };
    await db.transaction().execute(async (trx) => {
      await lockSigningKeys(trx);
      const now = clock.now();
      if (replaceCurrent) await retireSigningKeys(trx, now);
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
    await reload();
  }

  return {
    async signingKey() {
      let keys = await (loaded ?? reload());
      // A rotation by another process is noticed within a minute; until then the former key stays good.
      if (clock.now().getTime() - keys.loadedAtMs > 60_000) keys = await reload();
      if (keys.signing === null) {
        await addKey(false);
        keys = await (loaded ?? reload());
      }
      if (keys.signing === null) throw new Error("no signing key after one was made");
      return keys.signing;
    },
    async verificationKey(kid) {
      const keys = await (loaded ?? reload());
      const known = keys.verifying.get(kid);
      if (known !== undefined) return known;
      const nowMs = clock.now().getTime();
      if (nowMs - searchedAtMs < RELOAD_INTERVAL_MS) return null;
      searchedAtMs = nowMs;
      return (await reload()).verifying.get(kid) ?? null;
    },
    async publicKeys() {
      let keys = await (loaded ?? reload());
      if (clock.now().getTime() - keys.loadedAtMs > RELOAD_INTERVAL_MS) keys = await reload();
      if (keys.publicJwks.length === 0) {
        await addKey(false);
        keys = await (loaded ?? reload());
      }
      return { keys: keys.publicJwks };
    },
    rotate: () => addKey(true),
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new TypeError("stored signing key is symmetric, expected Ed25519");
  return key;
}
