import type { Client } from "@swath/client";
import { CommandError, EXIT } from "../exit-code.ts";
import { readPages } from "./pages.ts";

/** Users whose address holds the wanted one. */
const MOST_USERS = 1000;

/** The id of the user with this e-mail or id; ids are taken as they are. @throws {CommandError} for no such e-mail */
export async function findUserId(client: Client, idOrEmail: string, signal: AbortSignal): Promise<string> {
  if (!idOrEmail.includes("@")) return idOrEmail;
  const wanted = idOrEmail.toLowerCase();
  const { results } = await readPages(MOST_USERS, (page) =>
    client.call("/user/list", { search: idOrEmail, ...page }, { signal }),
  );
  const found = results.find(({ email }) => email.toLowerCase() === wanted);
  if (found !== undefined) return found.id;
  throw new CommandError(
    `there is no user with the e-mail ${idOrEmail}`,
    EXIT.notFound,
    "swath admin users list shows the users",
  );
}
