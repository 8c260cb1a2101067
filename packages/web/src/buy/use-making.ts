import { useState } from "preact/hooks";
import { useConsole } from "../use-console.ts";
import { askPrice, makeMaps, type Order, type Price } from "./price.ts";

/** Pays the shown price and makes the maps; where the price moved since, it asks again and charges nothing. */
export function useMaking(onStarted: () => void): {
  readonly make: (order: Order, told: Price) => void;
  readonly hasChanged: boolean;
} {
  const { calls, attempt, layers, tasks, credit, ticked, map } = useConsole();
  const [hasChanged, setChanged] = useState(false);
  const run = async (order: Order, told: Price): Promise<void> => {
    const now = await askPrice(calls, order, new AbortController().signal);
    if (now.credits !== told.credits) return setChanged(true);
    onStarted();
    tasks.look();
    const { maps, failed } = await makeMaps(calls, order, told.credits);
    credit.value = (await calls.call("/credits/get-remaining-credit")).remainingCredit;
    tasks.look();
    ticked.value = new Set();
    await layers.add(maps);
    const [first] = layers.tiles.value;
    if (first !== undefined && maps.length > 0) map.fitTiles(first.tiles);
    const [problem] = failed;
    if (problem !== undefined) throw new Error(`${problem.mapType}: ${problem.errorMessage}`);
  };
  return {
    hasChanged,
    make: (order, told) => {
      setChanged(false);
      attempt(() => run(order, told));
    },
  };
}
