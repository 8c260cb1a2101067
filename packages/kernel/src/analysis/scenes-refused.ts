/**
 * Scenes that only their pixels tell an analysis cannot take: the survey throws it, and whoever asked is told the message,
 * which says what was got and what was expected.
 */
export class ScenesRefused extends Error {
  override readonly name = "ScenesRefused";
}
