/** Channel of new work; the payload is the lane. */
export const WORK_CHANNEL = "swath_work";
/** Channel of pipelines that reached a terminal status; the payload is the id. */
export const FINISHED_CHANNEL = "swath_finished";
