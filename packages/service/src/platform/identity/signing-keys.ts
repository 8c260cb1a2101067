import type { CryptoKey, JWK } from "jose";
import { addKey, loadKeys, SIGNING_KEY_AGE_MS, type KeyDeps, type LoadedKeys, type SigningKey } from "./loaded-keys.ts";
import { UNWATCHED, type RightsChanges } from "./rights-changes.ts";

/** Another process may have made an unknown key; unknown ids make this one look this often at most. */
const RELOAD_INTERVAL_MS = 1000;

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

/** @param deps.changes without it, keys that verify are read again when they are a second old */
export function createKeyRing(deps: KeyDeps & { readonly changes?: RightsChanges }): KeyRing {
  const { changes = UNWATCHED } = deps;
  const ring: Ring = { deps, changes, loaded: null, searchedAtMs: Number.NEGATIVE_INFINITY };
  changes.onChange((subject) => {
    if (subject === null) ring.loaded = null;
  });
  return {
    signingKey: () => signingKey(ring),
    verificationKey: (kid) => verificationKey(ring, kid),
    publicKeys: async () => ({ keys: await publicKeys(ring) }),
    rotate: async () => {
      await addKey(deps, true);
      await reload(ring);
    },
  };
}

interface Ring {
  readonly deps: KeyDeps;
  readonly changes: RightsChanges;
  /** Null before the first and after a failed load. */
  loaded: Promise<LoadedKeys> | null;
  searchedAtMs: number;
}

function reload(ring: Ring): Promise<LoadedKeys> {
  const next = loadKeys(ring.deps);
  ring.loaded = next;
  next.catch(() => {
    if (ring.loaded === next) ring.loaded = null;
  });
  return next;
}

/** The keys, read again when they are older than that. */
async function keysOf(ring: Ring, maxAgeMs: number): Promise<LoadedKeys> {
  const keys = await (ring.loaded ?? reload(ring));
  return ring.deps.clock.now().getTime() - keys.loadedAtMs > maxAgeMs ? await reload(ring) : keys;
}

async function keysAfterAdding(ring: Ring): Promise<LoadedKeys> {
  await addKey(ring.deps, false);
  return await reload(ring);
}

async function signingKey(ring: Ring): Promise<SigningKey> {
  const keys = await keysOf(ring, SIGNING_KEY_AGE_MS);
  const { signing } = keys.signing === null ? await keysAfterAdding(ring) : keys;
  if (signing === null) throw new Error("no signing key after one was made");
  return signing;
}

async function verificationKey(ring: Ring, kid: string): Promise<CryptoKey | null> {
  const keys = await keysOf(ring, ring.changes.isCurrent() ? Number.POSITIVE_INFINITY : RELOAD_INTERVAL_MS);
  const known = keys.verifying.get(kid);
  if (known !== undefined) return known;
  const nowMs = ring.deps.clock.now().getTime();
  if (nowMs - ring.searchedAtMs < RELOAD_INTERVAL_MS) return null;
  ring.searchedAtMs = nowMs;
  return (await reload(ring)).verifying.get(kid) ?? null;
}

async function publicKeys(ring: Ring): Promise<readonly JWK[]> {
  const keys = await keysOf(ring, RELOAD_INTERVAL_MS);
  return keys.publicJwks.length === 0 ? (await keysAfterAdding(ring)).publicJwks : keys.publicJwks;
}
