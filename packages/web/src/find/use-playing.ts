import { useEffect, useState } from "preact/hooks";
import type { Scene } from "./search.ts";

/** Long enough to see the tiles of a date. */
const STEP_MS = 1_200;

export interface Playing {
  /** Null for people who asked for less motion: they go from date to date by a button. */
  readonly toggle: (() => void) | null;
  readonly isOn: boolean;
}

/** Selects one scene after the other, until the last one or a pause. A start at the last one begins anew. */
export function usePlaying(scenes: readonly Scene[], selected: number, select: (position: number) => void): Playing {
  const [isOn, setOn] = useState(false);
  const isAtEnd = selected === scenes.length - 1;
  useEffect(() => {
    if (!isOn) return undefined;
    if (isAtEnd) {
      setOn(false);
      return undefined;
    }
    const timer = setTimeout(() => select(selected + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isOn, selected, isAtEnd]);
  const toggle = (): void => {
    if (!isOn && (isAtEnd || selected < 0)) select(0);
    setOn(!isOn);
  };
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return { isOn, toggle: isStill || scenes.length < 2 ? null : toggle };
}
