import { UsageError } from "./exit-code.ts";

/** A date or time as the service writes it, `YYYY-MM-DD HH:MM:SS` in UTC; a time without zone is UTC. @throws {UsageError} */
export function parseInstant(text: string, option: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text.trim());
  if (match !== null) {
    const [, day, minutes = "00:00", seconds = ":00", zone = "Z"] = match;
    const time = new Date(`${day}T${minutes}${seconds}${zone}`);
    if (!Number.isNaN(time.getTime()) && (zone !== "Z" || time.toISOString().startsWith(day ?? ""))) {
      return time.toISOString().slice(0, 19).replace("T", " ");
    }
  }
  throw new UsageError(`${option} is "${text}", expected a date or time such as 2026-06-03 or 2026-06-03T11:24:36Z`);
}
