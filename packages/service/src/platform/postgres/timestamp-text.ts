/**
 * A moment of the years 0 to 9999 as PostgreSQL reads it in a text. ISO 8601 writes the year before year 1 as 0000,
 * PostgreSQL as 1 BC; it refuses a year 0.
 */
export function timestampText(moment: Date): string {
  const text = moment.toISOString();
  return text.startsWith("0000-") ? `0001-${text.slice(5)} BC` : text;
}
