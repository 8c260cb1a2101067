/**
 * Starts the service in an empty folder, waits until it is ready, and stops it: `npm run check` fails when a registry,
 * a dataset or a migration keeps it from starting.
 */
import { ServiceProcess } from "../e2e/service-process.ts";

await using service = await ServiceProcess.start();
const { ok: isReady } = await fetch(`${service.baseUrl}/health/ready`);
const code = await service.stop();
if (!isReady || code !== 0) {
  process.stderr.write(`${service.output}\nthe service ${isReady ? `stopped with code ${code}` : "was not ready"}\n`);
  process.exitCode = 1;
}
