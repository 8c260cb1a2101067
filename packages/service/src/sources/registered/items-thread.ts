import { parentPort } from "node:worker_threads";
import { ThreadCalls } from "@swath/base/threads/thread-calls";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { readItems, type ItemsJob } from "./read-items.ts";

workInBackground();

const port = parentPort;
if (port === null) throw new Error("items-thread.ts runs in a worker thread only");

void new ThreadCalls(port, async (_name, input) => ({ output: await readItems(input as ItemsJob) }));
