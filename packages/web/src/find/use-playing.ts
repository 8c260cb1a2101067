import { useEffect, useRef } from "preact/hooks";
import { useConsole } from "../use-console.ts";
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
  const { isPlaying } = useConsole();
  const { value: isOn } = isPlaying;
  const isAtEnd = selected === scenes.length - 1;
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isOn) {
      hasStarted.current = false;
      return undefined;
    }
    const isStart = !hasStarted.current;
    hasStarted.current = true;
    if (selected < 0 || (isAtEnd && isStart)) {
      select(0);
      return undefined;
    }
    if (isAtEnd) {
      isPlaying.value = false;
      return undefined;
    }
    const timer = setTimeout(() => select(selected + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isOn, selected, isAtEnd]);
  useEffect(
    () => () => {
      isPlaying.value = false;
    },
    [],
  );
  const toggle = (): void => {
    isPlaying.value = !isOn;
  };
  return { isOn, toggle: prefersStill() || scenes.length < 2 ? null : toggle };
}

/** Whether the person asked for less motion. */
export function prefersStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
