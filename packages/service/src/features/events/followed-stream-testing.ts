/** A message of server-sent events. */
export interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Text of a comment. */
  readonly comment?: string;
}

/** A stream of server-sent events, read message by message as the HTML standard says. */
export class FollowedStream implements AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #messages: AsyncGenerator<Message>;

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    this.#messages = messagesOf(response);
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<FollowedStream> {
    const abort = new AbortController();
    return new FollowedStream(await fetch(url, { headers, signal: abort.signal }), abort);
  }

  /** The next message; null at the end of the stream. */
  async next(): Promise<Message | null> {
    const { done, value } = await this.#messages.next();
    return done === true ? null : value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#messages.return(undefined).catch(() => {});
  }
}

async function* messagesOf({ body }: Response): AsyncGenerator<Message> {
  if (body === null) return;
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield messageOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function messageOf(block: string): Message {
  const members = block.split("\n").map((line) => {
    const [name = "", ...rest] = line.split(":");
    return [name === "" ? "comment" : name, rest.join(":").trimStart()];
  });
  return Object.fromEntries(members) as Message;
}
