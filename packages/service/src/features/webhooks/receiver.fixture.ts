import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/*
 * A receiver that keeps every event in a file before it answers, until it is killed. Arguments: port, file. A line of
 * the file is `id subject number`.
 */
const [, , port = "0", file = ""] = process.argv;
const log = openSync(file, "a");
process.once("exit", () => closeSync(log));
createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { subject, data } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    writeSync(log, `${String(request.headers["webhook-id"])} ${subject} ${data.n}\n`);
    fsyncSync(log);
    response.writeHead(204).end();
  })();
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
