/** A message of server-sent events. */
export interface ServerMessage {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** Messages of a stream of server-sent events, in the form that the service writes: lines end with a line feed. */
export async function* readMessages({ body }: Response): AsyncGenerator<ServerMessage, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield messageOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function messageOf(block: string): ServerMessage {
  const fields = block.split("\n").flatMap((line) => {
    const [, name, value] = /^(id|event|data): ?(.*)$/u.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields) as ServerMessage;
}
