import { changedFile, insertSorted, newFile, type Change } from "./change.ts";
import { camelCase, sentenceCase } from "./names.ts";

/** Skeleton of a provider with one dataset that users upload to, and its line in the registry. */
export function newProvider(id: string): readonly Change[] {
  const name = camelCase(id);
  const importLine = `import { ${name} } from "./${id}/datasets.ts";`;
  const registry = (text: string): string =>
    insertSorted(
      insertSorted(text, importLine, (line) => /^import \{ \w+ \} from "\.\/[\w-]+\/datasets\.ts"/.test(line)),
      `  ${name},`,
      (line) => /^ {2}\w+,$/.test(line),
    );
  return [
    newFile(`packages/service/src/providers/${id}/datasets.ts`, datasets(id)),
    changedFile("packages/service/src/providers/registry.ts", registry),
  ];
}

function datasets(id: string): string {
  const name = sentenceCase(id);
  return `import { defineDataset, type ProviderDescriptor } from "../provider.ts";

/** Imagery of ${name}. */
export const ${camelCase(id)}: ProviderDescriptor = {
  id: "${id}",
  name: "${name}",
  aliases: [],
  ownImagery: false,
  datasets: [
    defineDataset({
      dataset: "${id.replaceAll("-", "_")}_optical",
      name: "${name} optical",
      type: "optical",
      resolutionClass: "high",
      resolutionM: [1, 1],
      attribution: "© ${name}",
      changeGroup: "${id}",
      externalProvider: "${name}",
      canBeIngested: true,
    }),
  ],
};
`;
}
