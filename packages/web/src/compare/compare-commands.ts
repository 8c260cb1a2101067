import type { Command } from "../commands/command.ts";
import type { Console } from "../console.ts";
import { compareText } from "./compare-text.ts";

/** Keys of the comparison; none on other screens. */
export function compareCommands({ compared, state, update, seenSide }: Console): readonly Command[] {
  if (compared.value === null) return [];
  return [
    {
      name: compareText.swipeKey,
      key: "s",
      run: () => update({ comparison: { kind: "swipe", share: 0.5 } }),
    },
    {
      name: compareText.blinkKey,
      key: " ",
      run: () => {
        if (state.value.comparison?.kind !== "blink") update({ comparison: { kind: "blink" } });
        seenSide.value = seenSide.value === "a" ? "b" : "a";
      },
    },
  ];
}
