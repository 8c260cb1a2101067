import { deserialize, serialize } from "node:v8";

/** Plain data with typed arrays as bytes, for a process of the same service to read. */
export function encodePlain(value: unknown): Uint8Array {
  return serialize(value);
}

/** Reads the bytes of `encodePlain`. Callers pass only bytes that this service stored. */
export function decodePlain(bytes: Uint8Array): unknown {
  return deserialize(bytes);
}
