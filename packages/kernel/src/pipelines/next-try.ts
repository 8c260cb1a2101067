/**
 * Seconds a caller should wait before it asks for the status of a pipeline again: 1 for the first ten seconds,
 * then a tenth of the pipeline's age, never more than 30. The wait adds about a tenth to a long job's duration.
 *
 * @param ageSeconds time since the pipeline was accepted, >= 0
 * @returns whole seconds, 1 to 30
 * @example nextTrySeconds(0) // 1
 * @example nextTrySeconds(95) // 10
 */
export function nextTrySeconds(ageSeconds: number): number {
  return Math.min(30, Math.max(1, Math.ceil(ageSeconds / 10)));
}
