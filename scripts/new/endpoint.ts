import { changedFile, insertAfter, newFile, type Change } from "./change.ts";
import { camelCase, pascalCase, sentenceCase } from "./names.ts";

/**
 * Skeleton of an operation: its entry in the contract of a feature, its handler and the file that answers it.
 *
 * @param name feature and operation, such as `geojson/count-geometries`
 * @throws {RangeError} when the name has another form
 */
export function newEndpoint(name: string): readonly Change[] {
  const [feature, operation, ...rest] = name.split("/");
  if (feature === undefined || operation === undefined || operation === "" || rest.length > 0) {
    throw new RangeError(`an endpoint is FEATURE/OPERATION, such as geojson/count-geometries; got "${name}"`);
  }
  const key = camelCase(operation);
  const contract = (text: string): string =>
    insertAfter(text, `export const ${camelCase(feature)}Contract = {`, declaration(feature, operation));
  const handlers = (text: string): string => {
    const handled = insertAfter(text, "  return {", `    ${key}: async () => ${key}(),`);
    return `import { ${key} } from "./${operation}.ts";\n${handled}`;
  };
  return [
    changedFile(`packages/contract/src/features/${feature}/contract.ts`, contract),
    changedFile(`packages/service/src/features/${feature}/handlers.ts`, handlers),
    newFile(`packages/service/src/features/${feature}/${operation}.ts`, answer(feature, operation)),
  ];
}

function declaration(feature: string, operation: string): string {
  return `  ${camelCase(operation)}: defineOperation({
    path: "/${feature}/${operation}",
    permissions: ["${feature}.${operation}"],
    summary: "${sentenceCase(operation)}",
    request: Type.Object({}),
    response: Type.Object({}),
  }),`;
}

function answer(feature: string, operation: string): string {
  return `import type { ${camelCase(feature)}Contract } from "@swath/contract/features/${feature}/contract";
import type { Static } from "typebox";

export type ${pascalCase(operation)} = Static<(typeof ${camelCase(feature)}Contract)["${camelCase(operation)}"]["response"]>;

/** The answer of /${feature}/${operation}. */
export async function ${camelCase(operation)}(): Promise<${pascalCase(operation)}> {
  return {};
}
`;
}
