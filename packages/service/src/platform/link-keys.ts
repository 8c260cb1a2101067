import type { Clock } from "@swath/base/clock";
import { ensureLinkSecret, FIRST_SECRET, readLinkSecrets, type LinkSecret } from "./postgres/link-secrets.ts";
import type { Db } from "./context.ts";
import type { SigningKeys } from "./signed-text.ts";

/** How often a process looks for new secrets. */
export const RELOAD_EVERY_MS = 15_000;
/** A new secret signs after this time: every process knows it by then, and so verifies its links. */
export const ACTIVATION_MS = 60_000;

/** The link secrets that this process knows. */
export interface LinkKeys {
  /** The first secret of the service, which is never replaced. */
  readonly first: Uint8Array;
  /** Newest first after the secret that signs now. */
  readonly current: SigningKeys;
  /** Learns of the secrets that other processes added. */
  reload(): Promise<void>;
}

export async function openLinkKeys(db: Db, clock: Clock): Promise<LinkKeys> {
  await ensureLinkSecret(db);
  let secrets = await readLinkSecrets(db);
  const first = secrets.find(({ id }) => id === FIRST_SECRET);
  if (first === undefined) throw new Error("the first link secret was not stored");
  return {
    first: first.secret,
    current: () => signingFirst(secrets, clock.now()),
    async reload() {
      secrets = await readLinkSecrets(db);
    },
  };
}

function signingFirst(secrets: readonly LinkSecret[], now: Date): readonly Uint8Array[] {
  const signing = secrets.find(({ signsFrom }) => signsFrom <= now) ?? secrets.at(-1);
  return [...(signing === undefined ? [] : [signing]), ...secrets.filter((one) => one !== signing)].map(
    ({ secret }) => secret,
  );
}
