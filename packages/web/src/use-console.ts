import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Console } from "./console.ts";

export const ConsoleContext = createContext<Console | null>(null);

/** The console of the page. */
export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (found === null) throw new Error("expected a console around the component");
  return found;
}
