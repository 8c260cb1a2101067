import { Type } from "typebox";

/** The price that a caller has seen before it pays. */
export const ExpectedCostSchema = Type.Optional(
  Type.Number({
    description:
      "price that the caller expects, credits, to the sixth decimal: another price is refused with PRICE-CHANGED, " +
      "and nothing is charged",
    minimum: 0,
    maximum: 1_000_000_000,
  }),
);
