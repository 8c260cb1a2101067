import { integerVariable, textVariable } from "./variable.ts";

/** Settings of the port for operators. */
export const opsVariables = {
  opsPort: integerVariable({
    name: "SWATH_OPS_PORT",
    default: 0,
    shownDefault: "none",
    min: 0,
    max: 65_535,
    description:
      "TCP port for operators, in every role: `/health/live` and `/health/ready` answer probes, also in a worker, and " +
      "`/metrics` answers scrapes. 0 opens none.",
  }),
  opsHost: textVariable({
    name: "SWATH_OPS_HOST",
    default: "127.0.0.1",
    description: "Address of SWATH_OPS_PORT. Probes of a container run inside of it and reach the loopback interface.",
  }),
  metricsToken: textVariable({
    name: "SWATH_METRICS_TOKEN",
    default: null,
    shownDefault: "none: only SWATH_OPS_PORT on a loopback address has metrics",
    isSecret: true,
    description:
      "Bearer token of `GET /metrics`. With it SWATH_PORT has metrics as well, and every reader must send the token.",
  }),
} as const;
