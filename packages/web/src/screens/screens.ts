import { callsText } from "../calls/calls-text.ts";
import type { Screen } from "./screen.ts";

/** All screens besides the search, in the order of the navigation: each is one folder and one line. */
export const SCREENS: readonly Screen[] = [
  {
    name: "calls",
    title: callsText.title,
    place: "below",
    isListed: () => true,
    load: async () => (await import("../calls/calls-screen.tsx")).CallsScreen,
  },
];
