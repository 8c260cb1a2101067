/** Channel of events that wait for their position. The database function `announce_events` writes to it. */
export const RECORDED_CHANNEL = "swath_recorded";
/** Channel of events that have a position. */
export const PLACED_CHANNEL = "swath_events";
