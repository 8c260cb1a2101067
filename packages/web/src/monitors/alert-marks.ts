/** Positions of events that a browser keeps for a user. */
export interface Marks {
  /** The newest alert that was looked at. */
  readonly seen: number;
  /** The alerts behind it are shown. */
  readonly from: number;
}

const START: Marks = { seen: 0, from: 0 };

export function readMarks(userId: string): Marks {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    if (typeof kept !== "object" || kept === null) return START;
    const { seen, from } = { ...START, ...kept };
    return Number.isSafeInteger(seen) && Number.isSafeInteger(from) ? { seen, from } : START;
  } catch {
    return START;
  }
}

export function writeMarks(userId: string, marks: Marks): void {
  localStorage.setItem(keyOf(userId), JSON.stringify(marks));
}

function keyOf(userId: string): string {
  return `swath-alerts-${userId}`;
}
