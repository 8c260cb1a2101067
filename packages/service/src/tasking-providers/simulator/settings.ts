import { Type, type Static } from "typebox";
import { settingsCheck } from "../../sources/settings-check.ts";

const Share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0, description }));

/** Shares of orders, or of calls, that meet a fault. The order decides by its identifier, so a rehearsal repeats itself. */
const Faults = Type.Object(
  {
    rejected: Share("Share of orders that are refused."),
    cloudy: Share("Share of orders whose captures are all overcast."),
    late: Share("Share of orders whose captures take three days longer to be published."),
    partial: Share("Share of orders of which only a part is delivered."),
    down: Share("Share of hours in which the provider does not answer for an order."),
    duplicates: Share("Share of answers that name every capture twice."),
    reordered: Share("Share of answers that are a day old."),
  },
  { additionalProperties: false },
);

/** Settings of the simulated provider. */
const SimulatorSettings = Type.Object(
  {
    speed: Type.Optional(
      Type.Number({
        minimum: 1,
        maximum: 10_000_000,
        description: "Seconds of an order per second of the clock; SWATH_TASKING_SPEED unless given.",
      }),
    ),
    megapixels: Type.Optional(
      Type.Number({
        minimum: 0.01,
        maximum: 100,
        default: 2,
        description: "Most pixels of a band of a delivered scene, millions; a larger area is drawn more coarsely.",
      }),
    ),
    faults: Type.Optional(Faults),
  },
  { additionalProperties: false, description: "The simulated constellation as a provider of tasking." },
);
type SimulatorSettings = Static<typeof SimulatorSettings>;
export type SimulatorFault = keyof Static<typeof Faults>;

export const simulatorSettings = settingsCheck(SimulatorSettings);
