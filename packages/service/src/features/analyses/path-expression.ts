import { RE2JS, RE2JSException } from "re2js";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** Whether a path contains what the expression describes. */
export type PathExpression = (path: string) => boolean;

const MAX_REPETITIONS = 50;
/** Steps of a match are the instructions times the characters: with 256 characters half a million, 2 ms. */
const MAX_INSTRUCTIONS = 2_000;

/**
 * A regular expression in the syntax of RE2, whose matches take time in proportion to the path.
 *
 * @throws {ServiceError} VALIDATION-ERROR
 */
export function pathExpression(text: string): PathExpression {
  for (const [, least = "", most = ""] of text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    if (Math.max(Number(least), Number(most)) > MAX_REPETITIONS) {
      refuse(`must repeat nothing more than ${MAX_REPETITIONS} times`);
    }
  }
  const expression = compiled(text);
  if (expression.programSize() > MAX_INSTRUCTIONS) {
    refuse(`must have at most ${MAX_INSTRUCTIONS} instructions, has ${expression.programSize()}: repeat less`);
  }
  return (path) => expression.matcher(path).find();
}

function compiled(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return refuse(`must be a regular expression: ${error.message}`);
  }
}

function refuse(message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `/path ${message}`, { details: [{ path: "/path", message }] });
}
