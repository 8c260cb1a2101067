/** The answer of an operation whose dialect prescribes headers, such as `ETag` or `Location`. */
export class AnswerWithHeaders<Value> {
  readonly value: Value;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: Value, headers: Readonly<Record<string, string>>) {
    this.value = value;
    this.headers = headers;
  }
}
