import { integerVariable, textVariable, type Variable } from "./variable.ts";

/** Settings of events and of the webhooks that they are delivered to. */
export const eventVariables = {
  eventDays: integerVariable({
    name: "SWATH_EVENT_DAYS",
    default: 30,
    min: 1,
    max: 3_650,
    description: "Days that events and deliveries of webhooks stay.",
  }),
  lowCredit: integerVariable({
    name: "SWATH_LOW_CREDIT",
    default: 100,
    min: 0,
    max: 1_000_000_000,
    description: "Credits of a group: a charge that takes the group below them is the event `credits.low`. 0 for none.",
  }),
  webhookHosts: hostsVariable({
    name: "SWATH_WEBHOOK_HOSTS",
    description:
      "Hosts, separated by commas, that webhooks may reach besides public ones by https, such as " +
      "`http://localhost:9000`: hosts of private addresses, and hosts by http. Users then reach them through the service.",
  }),
} as const;

function hostsVariable(input: { readonly name: string; readonly description: string }): Variable<readonly string[]> {
  return {
    ...textVariable({ ...input, default: null }),
    form: "hosts or origins",
    whenAbsent: [],
    parse(text) {
      const hosts = text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
      const wrong = hosts.find((host) => !isOrigin(/^https?:\/\//iu.test(host) ? host : `https://${host}`));
      if (wrong === undefined) return hosts;
      throw new Error(`got "${wrong}", expected such as hooks.internal or http://localhost:9000`);
    },
  };
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
}
