import type { Analysis } from "./analysis.ts";
import { splitList } from "./split-list.ts";

export const PEOPLE = ["editors", "editorGroups", "viewers", "viewerGroups"] as const;
type People = (typeof PEOPLE)[number];

/** Values of the form of an analysis; lists are divided by commas. */
export interface AnalysisDraft extends Readonly<Record<People, string>> {
  readonly name: string;
  readonly path: string;
  readonly tags: string;
  readonly description: string;
  readonly public: boolean;
}

export function analysisDraftOf(analysis: Analysis): AnalysisDraft {
  const listed = (name: People): string => (analysis[name] ?? []).join(", ");
  return {
    name: analysis.polygon?.properties?.name ?? "",
    path: analysis.path,
    tags: analysis.tags.join(", "),
    description: analysis.description,
    public: analysis.public,
    editors: listed("editors"),
    editorGroups: listed("editorGroups"),
    viewers: listed("viewers"),
    viewerGroups: listed("viewerGroups"),
  };
}

/** Fields in which two drafts differ. */
export function changedFields(before: AnalysisDraft, after: AnalysisDraft): readonly (keyof AnalysisDraft)[] {
  return (Object.keys(after) as (keyof AnalysisDraft)[]).filter((name) => before[name] !== after[name]);
}

/** The members of an analysis that the changed fields write; the others keep their values. */
export function changedMembers(analysis: Analysis, fields: readonly (keyof AnalysisDraft)[], draft: AnalysisDraft) {
  const has = (name: keyof AnalysisDraft): boolean => fields.includes(name);
  const { polygon } = analysis;
  return {
    ...(has("name") && polygon !== null
      ? { polygon: { ...polygon, properties: { ...polygon.properties, name: draft.name } } }
      : {}),
    ...(has("path") ? { path: draft.path } : {}),
    ...(has("description") ? { description: draft.description } : {}),
    ...(has("tags") ? { tags: [...splitList(draft.tags)] } : {}),
    ...(has("public") ? { public: draft.public } : {}),
    ...Object.fromEntries(PEOPLE.filter(has).map((name) => [name, splitList(draft[name])])),
  };
}
