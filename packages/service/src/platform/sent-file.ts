/** An answer of an operation as a file, for a client that asks for another format. */
export class SentFile<FileAnswer> {
  readonly answer: FileAnswer;

  constructor(answer: FileAnswer) {
    this.answer = answer;
  }
}
