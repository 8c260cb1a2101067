import { AnswerWithHeaders } from "./answer-with-headers.ts";

/** The answer to a request that has made something: 201 with the address. */
export class Created<Value> extends AnswerWithHeaders<Value> {
  /**
   * @param location address of the thing
   * @param headers further ones of the answer
   */
  constructor(value: Value, location: string, headers: Readonly<Record<string, string>> = {}) {
    super(value, { ...headers, location });
  }
}
