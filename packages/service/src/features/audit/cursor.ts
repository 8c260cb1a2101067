/** Place in the list: the entry after which the next page begins. */
export interface AuditPlace {
  /** Microseconds since 1970, the precision of the database. */
  readonly atMicros: string;
  readonly id: number;
}

export function encodeCursor(place: AuditPlace): string {
  return Buffer.from(`${place.atMicros}.${place.id}`).toString("base64url");
}

/** The place a cursor stands for, or null when it is none. */
export function decodeCursor(cursor: string): AuditPlace | null {
  const match = /^(-?\d{1,17})\.(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  return match === null ? null : { atMicros: match[1] ?? "", id: Number(match[2]) };
}
