import { useEffect, useState } from "preact/hooks";
import type { Client } from "@swath/client";
import { formatDay, formatTime } from "../format/dates.ts";
import { useConsole } from "../use-console.ts";
import { shareText } from "./share-text.ts";

type Link = Awaited<ReturnType<typeof listLinks>>[number];

/** The links of the user that work, each with its end. */
export function LinkList() {
  const { calls, attempt } = useConsole();
  const [links, setLinks] = useState<readonly Link[] | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);
  useEffect(() => attempt(async () => setLinks(await listLinks(calls))), []);
  const revoke = async (link: Link): Promise<void> => {
    await calls.call("/mapsvc/link/revoke", { linkId: link.linkId });
    setRevoked(nameOf(link));
    setLinks((links ?? []).filter(({ linkId }) => linkId !== link.linkId));
  };
  return (
    <div>
      <h3>{shareText.links}</h3>
      <p class="hint" role="status">
        {revoked === null ? "" : shareText.revoked(revoked)}
      </p>
      {links === null && <div class="skeleton" />}
      {links?.length === 0 && <p class="hint">{shareText.noLinks}</p>}
      <ul class="links">
        {(links ?? []).map((link) => (
          <li key={link.linkId} class="row">
            <span class="facts spring">
              <strong>{nameOf(link)}</strong>
              <span>{shareText.until(formatDay(link.expiresAt), formatTime(link.expiresAt))}</span>
            </span>
            <button
              type="button"
              class="button small"
              aria-label={shareText.revoke(nameOf(link))}
              onClick={() => attempt(() => revoke(link))}
            >
              {shareText.revokeShort}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

async function listLinks(calls: Client) {
  return (await calls.call("/mapsvc/link/list")).results;
}

function nameOf({ name, mapType }: Pick<Link, "mapType" | "name">): string {
  return name ?? mapType;
}
