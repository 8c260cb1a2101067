import { Type } from "typebox";

/** A moment as every answer writes it. */
export const DatetimeSchema = Type.String({
  title: "Datetime",
  description: "UTC, YYYY-MM-DD HH:MM:SS",
  pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$",
  examples: ["2024-06-30 10:15:00"],
});

/** A moment as requests may write it: the form of answers, or ISO 8601 with an optional zone (UTC without one). */
export const DatetimeInputSchema = Type.String({
  title: "DatetimeInput",
  description: "UTC, YYYY-MM-DD HH:MM:SS; ISO 8601 is also accepted, as UTC unless it names a zone",
  pattern: "^\\d{4}-\\d{2}-\\d{2}([ T]\\d{2}:\\d{2}(:\\d{2}([.]\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?$",
  examples: ["2024-06-30 10:15:00"],
});

/** Year 10,000: later ends of addresses are no dates. */
const MAX_EPOCH_S = 253_402_300_800;

/** End of a signed address. */
export const ExpiresSchema = Type.Integer({
  description: "end of the address, seconds since 1970",
  minimum: 0,
  maximum: MAX_EPOCH_S,
});
