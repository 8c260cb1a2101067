import { after } from "node:test";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { taskingProviderConformance } from "../tasking-provider.conformance.ts";
import { openBench } from "./testing/conformance-bench.ts";
import { startSmallStapi } from "./testing/small-stapi.ts";

const server = await startSmallStapi();
const database = await testDatabase();
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
taskingProviderConformance("stapi", () => openBench(server, "visual", database.db));
