import type { CommandContext } from "../command-context.ts";
import { serviceUrl } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { readMemory, userMemory, type UserMemory } from "../memory.ts";
import { userOf } from "../remember.ts";
import type { StudyRequest } from "./order-options.ts";

/** Short name of the latest order. */
export const LAST_ORDER = "@last";

/** A window to order, and the study that found it where the study is remembered. */
export interface NamedWindow {
  readonly windowId: string;
  readonly request: StudyRequest | null;
}

/** The window that a text means: `@3` is the third of the latest study. @throws {UsageError} */
export async function resolveWindow(context: CommandContext, text: string): Promise<NamedWindow> {
  const { study } = await memoryOf(context);
  const request = study === null ? null : (study.request as unknown as StudyRequest);
  if (!text.startsWith("@")) {
    return { windowId: text, request: study?.windows.includes(text) === true ? request : null };
  }
  if (study === null) {
    throw new UsageError(`${text} is the name of a window, and no study is remembered: swath task feasibility first`);
  }
  const windowId = /^@[1-9]\d{0,3}$/.test(text) ? study.windows[Number(text.slice(1)) - 1] : undefined;
  if (windowId === undefined) {
    const { length } = study.windows;
    const known = length === 0 ? "it has no window" : `its windows are @1 to @${length}`;
    throw new UsageError(`the latest study has no window ${text}; ${known}`);
  }
  return { windowId, request };
}

/** The order ID that a text means; `@last` is the latest order of this user. @throws {UsageError} */
export async function resolveOrder(context: CommandContext, text: string): Promise<string> {
  if (!text.startsWith("@")) return text;
  const [latest] = (await memoryOf(context)).orders;
  if (text !== LAST_ORDER) throw new UsageError(`no order is remembered as ${text}; expected ${LAST_ORDER} or an ID`);
  if (latest === undefined) throw new UsageError("no order is remembered: place one first with swath task order");
  return latest;
}

async function memoryOf(context: CommandContext): Promise<UserMemory> {
  const url = await serviceUrl(context);
  return userMemory(await readMemory(context.environment.configFolder), url, await userOf(context, url));
}
