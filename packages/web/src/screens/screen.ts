import type { ComponentType } from "preact";
import type { Rights } from "../rights.ts";

/**
 * Where a screen stands: instead of the search beside the map, below the map instead of the timeline, over the map, or
 * instead of all of them.
 */
type Place = "side" | "below" | "over" | "page";

/** A view of the console with a separate address. */
export interface Screen {
  /** First part of the address below `/console`. */
  readonly name: string;
  readonly title: string;
  readonly place: Place;
  /** Whether the main navigation names it for this user. */
  readonly isListed: (rights: Rights) => boolean;
  /** Code that the first page does not need is loaded with its screen. */
  readonly load: () => Promise<ComponentType<ScreenProps>>;
}

export interface ScreenProps {
  /** Parts of the address below the name of the screen. */
  readonly parts: readonly string[];
}
