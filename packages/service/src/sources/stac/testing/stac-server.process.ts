import { filesOf, LANDSAT_ASSETS, landsatItems } from "./sample-items.ts";
import { startStacServer } from "./stac-server.ts";

// The Landsat items as a STAC API in a separate process; its address is the only line of its output.
const items = landsatItems();
const server = await startStacServer({ items, file: filesOf(items, LANDSAT_ASSETS), maxPage: 20 });
process.stdout.write(`${server.url}\n`);
process.on("disconnect", () => process.exit(0));
