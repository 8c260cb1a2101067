import type { ModelLimits } from "@swath/maps/models/runtime/installed-model";
import { ConfigError, type Settings } from "./config.ts";
import { variables } from "./variables.ts";

const MIB = 1024 * 1024;

/**
 * Limits of models alone, for commands that need no other setting.
 *
 * @throws {ConfigError} naming every fault
 */
export function readModelLimits(environment: Settings = process.env): ModelLimits {
  const faults: string[] = [];
  const read = (variable: (typeof variables)["modelMemoryMb"]): number => {
    const { name, defaultText } = variable;
    try {
      return variable.parse(environment[name] ?? defaultText ?? "");
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return 0;
    }
  };
  const limits = {
    timeoutMs: read(variables.modelTimeoutSeconds) * 1000,
    memoryBytes: read(variables.modelMemoryMb) * MIB,
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return limits;
}
