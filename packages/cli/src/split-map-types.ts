import { UsageError } from "./exit-code.ts";

/**
 * Map types between commas. Commas in parentheses belong to a formula, commas before `<name>=` to the constants of an
 * index: `ndvi,expression:max(B08,B04)`, `index:evi:C1=6,C2=7.5,ndvi`.
 *
 * @throws {UsageError} when one is empty
 */
export function splitMapTypes(text: string, option: string): readonly string[] {
  const types: string[] = [];
  for (const part of outerParts(text)) {
    const before = types.at(-1);
    if (before?.startsWith("index:") === true && /^\w+=/.test(part)) types[types.length - 1] = `${before},${part}`;
    else types.push(part);
  }
  if (types.includes("")) throw new UsageError(`${option} is "${text}", expected map types between commas`);
  return types;
}

/** Parts between the commas outside of parentheses. */
function outerParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth = Math.max(0, depth - 1);
    else if (text[at] === "," && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...parts, text.slice(from).trim()];
}
