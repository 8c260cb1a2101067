import type { ProviderDescriptor } from "../providers/provider.ts";
import { pointerSegment } from "./pointer-segment.ts";

/**
 * Faults of names that mean two providers or two datasets. Identifiers of built-in providers and datasets stay theirs
 * when they are off: stored scenes and permissions name them.
 *
 * @param providers as configured
 */
export function repeatedNames(
  providers: readonly ProviderDescriptor[],
  builtIn: readonly ProviderDescriptor[],
): readonly string[] {
  const faults: string[] = [];
  const providerOf = new Map(builtIn.map(({ id }) => [id, id]));
  const datasetOf = new Map(datasetsOf(builtIn).map(({ provider, dataset }) => [dataset, `${provider} ${dataset}`]));
  const check = (name: string, kind: string, owner: string, owners: Map<string, string>, path: string): void => {
    const other = owners.get(name);
    if (other !== undefined && other !== owner) faults.push(`${path}: "${name}" means ${kind} ${other} already`);
    owners.set(name, other ?? owner);
  };
  // Built-in providers come first, so that the fault is at the name of the document.
  for (const { id, aliases } of providers) {
    const path = `/providers/${pointerSegment(id)}`;
    check(id, "provider", id, providerOf, path);
    for (const alias of aliases) check(alias, "provider", id, providerOf, `${path}/aliases`);
  }
  for (const { provider, dataset, aliases } of datasetsOf(providers)) {
    const path = `/providers/${pointerSegment(provider)}/datasets/${pointerSegment(dataset)}`;
    const owner = `${provider} ${dataset}`;
    check(dataset, "dataset", owner, datasetOf, path);
    for (const alias of aliases) check(alias, "dataset", owner, datasetOf, `${path}/aliases`);
  }
  return faults;
}

function datasetsOf(providers: readonly ProviderDescriptor[]) {
  return providers.flatMap(({ id, datasets }) =>
    datasets.map(({ dataset, aliases }) => ({ provider: id, dataset, aliases })),
  );
}
