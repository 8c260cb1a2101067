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
      "TCP port for operators, in every role: `/health/live` and `/health/ready` answer probes, also in a worker. " +
      "0 opens none.",
  }),
  opsHost: textVariable({
    name: "SWATH_OPS_HOST",
    default: "127.0.0.1",
    description: "Address of SWATH_OPS_PORT. Probes of a container run inside of it and reach the loopback interface.",
  }),
} as const;
