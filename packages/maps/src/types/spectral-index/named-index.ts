import { SPECTRAL_INDICES, type SpectralIndex } from "@swath/kernel/bands/spectral-index";
import type { MapTypeDescriptor } from "../../map-type.ts";
import { spectralIndexMapType } from "./map-type.ts";

const FORM = /^index:([^:]+)(?::(.*))?$/u;
const MAX_PARAMETER = 1e6;

/** Meaning of an id of the form `index:<name>`, or its fault; null for ids of another form. */
export type NamedIndex = { readonly mapType: MapTypeDescriptor } | { readonly fault: string };

function indexOf(name: string): SpectralIndex | undefined {
  const byShortName = Object.values(SPECTRAL_INDICES).find(({ shortName }) => shortName === name);
  if (byShortName !== undefined) return byShortName;
  const id = name.toLowerCase();
  return Object.hasOwn(SPECTRAL_INDICES, id) ? SPECTRAL_INDICES[id] : undefined;
}

function withParameters(index: SpectralIndex, assignments: string): SpectralIndex | { readonly fault: string } {
  const parameters: Record<string, number> = { ...index.parameters };
  const seen = new Set<string>();
  for (const assignment of assignments.split(",")) {
    const [, name, text] = /^([^=]+)=(.+)$/u.exec(assignment) ?? [];
    if (name === undefined || text === undefined) {
      return { fault: `got the parameter "${assignment}" of ${index.id}, expected <name>=<number>` };
    }
    if (!Object.hasOwn(index.parameters, name)) {
      const known = Object.keys(index.parameters).join(", ");
      return { fault: `${index.id} has no parameter ${name}, expected ${known === "" ? "none" : `one of ${known}`}` };
    }
    const value = Number(text);
    if (text.trim() === "" || !(Math.abs(value) <= MAX_PARAMETER)) {
      return {
        fault: `got ${text} for the parameter ${name} of ${index.id}, expected a number within ±${MAX_PARAMETER}`,
      };
    }
    if (seen.has(name)) return { fault: `the parameter ${name} of ${index.id} is given twice` };
    seen.add(name);
    parameters[name] = value;
  }
  return { ...index, parameters };
}

/**
 * The map type of an id `index:<name>` or `index:<name>:<parameter>=<number>,…`: any index of the catalogue by its id or
 * its short name, with other values of its constants. Files, permission and price are those of the index.
 */
export function namedIndex(id: string): NamedIndex | null {
  const [form, name, assignments] = FORM.exec(id) ?? [];
  if (form === undefined || name === undefined) return null;
  const index = indexOf(name);
  if (index === undefined) return { fault: `there is no spectral index ${name}` };
  const adjusted = assignments === undefined ? index : withParameters(index, assignments);
  if ("fault" in adjusted) return adjusted;
  return { mapType: { ...spectralIndexMapType(adjusted), id, pricedAs: index.id } };
}
