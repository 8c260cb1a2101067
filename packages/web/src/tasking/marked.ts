/** The opportunity under the pointer and the chosen one: the same in list, bars and map. */
export interface Marked {
  readonly hovered: string | null;
  readonly selected: string | null;
  readonly hover: (windowId: string | null) => void;
  readonly select: (windowId: string | null) => void;
}
