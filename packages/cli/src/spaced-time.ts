/** A time of an answer as tables show it. */
export function spacedTime(dateTime: string): string {
  return `${dateTime.slice(0, 10)} ${dateTime.slice(11, 19)}`;
}
