import type { ServiceContract } from "./contract.ts";

/**
 * The permissions that allow everything a contract declares, one by one and sorted. Of a template they are the part
 * before its first placeholder: `imagery.images` grants `imagery.images.<provider>.<dataset>`.
 */
export function declaredPermissions(contract: ServiceContract): readonly string[] {
  const templates = Object.values(contract)
    .flatMap((feature) => Object.values(feature))
    .flatMap((declaration) => [
      ...declaration.permissions,
      ...declaration.contentPermissions,
      ...declaration.conditionalPermissions,
      ...(declaration.kind === "pipeline" ? declaration.retrievePermissions : []),
    ]);
  return [...new Set(templates.map(fixedPart))].toSorted();
}

function fixedPart(template: string): string {
  const [fixed = ""] = template.split(".<", 1);
  return fixed;
}
