import { createHostRules } from "@swath/raster/remote/host-rules";
import type { SettingsFault } from "../bindings.ts";
import { connectHosts, type HostsConfig } from "./connect-peer.ts";

/** Faults of hosts and secrets. */
export function connectionFaults(config: HostsConfig): readonly SettingsFault[] {
  const faults: SettingsFault[] = [];
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["/hosts", config.hosts ?? []],
    ...(config.credentials ?? []).map(({ hosts }, i) => [`/credentials/${i}/hosts`, hosts] as const),
  ];
  for (const [path, hosts] of lists) {
    try {
      createHostRules({ hosts });
    } catch (error) {
      faults.push({ path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  if (faults.length > 0) return faults;
  try {
    // Reads the secrets, asks nobody.
    connectHosts(config, { clock: { now: () => new Date(0) } })[Symbol.dispose]();
  } catch (error) {
    faults.push({ path: "/credentials", message: error instanceof Error ? error.message : String(error) });
  }
  return faults;
}
