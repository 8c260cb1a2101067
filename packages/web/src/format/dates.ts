const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** Milliseconds of a time as the service writes it, `YYYY-MM-DD HH:MM:SS` or ISO 8601, in UTC. */
export function timeMs(text: string): number {
  const iso = text.includes("T") ? text : `${text.replace(" ", "T")}Z`;
  return Date.parse(iso);
}

/** `3 Nov 2024` */
export function formatDay(text: string): string {
  return DAY.format(timeMs(text));
}

/** `22:31` */
export function formatTime(text: string): string {
  return new Date(timeMs(text)).toISOString().slice(11, 16);
}
