import { statFields } from "./proc-stat.ts";

/** Place of the time of user among the fields; the time of system follows. */
const USER = 11;
/** Linux tells these times in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of a process since its start, all its threads together; null where the system does not tell it. */
export function processorMs(pid: number | undefined): number | null {
  if (pid === undefined) return null;
  try {
    const [user, system] = statFields(String(pid))
      .slice(USER, USER + 2)
      .map(Number);
    return user === undefined || system === undefined ? null : (user + system) * TICK_MS;
  } catch {
    return null;
  }
}
