import type { Declaration, ServiceContract } from "../packages/contract/src/kit/contract.ts";

/** Every operation of the contract on a line, for people who look for a permission or a path. */
export function operationTable(contract: ServiceContract): string {
  const lines = Object.entries(contract).flatMap(([feature, declarations]) =>
    Object.values(declarations).map((declaration) => row(feature, declaration)),
  );
  return [
    "# Operations",
    "",
    "Generated from the contract by `npm run gen`. The request fills in `<…>`. A question mark follows permissions that depend on the request.",
    "",
    "| Feature | Operation | Access | Permissions | What it does |",
    "| --- | --- | --- | --- | --- |",
    ...lines.toSorted(),
    "",
  ].join("\n");
}

function row(feature: string, declaration: Declaration): string {
  const method = declaration.kind === "pipeline" ? "POST" : declaration.method;
  const path = declaration.kind === "pipeline" ? `${declaration.path}/{initiate,retrieve}` : declaration.path;
  const byRequest = [...declaration.contentPermissions, ...declaration.conditionalPermissions];
  const permissions = [...declaration.permissions, ...byRequest.map((template) => `\`${template}\`?`)];
  return `| ${[feature, `\`${method} ${path}\``, declaration.access, permissions.join(", "), declaration.summary].join(" | ")} |`;
}
