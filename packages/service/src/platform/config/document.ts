import { CONFIG_FILE_VARIABLE, variables } from "./variables.ts";

/** The configuration reference, `docs/configuration.md`, from the declarations of the variables. */
export function configurationDocument(): string {
  const rows = Object.values(variables).map(({ name, form, shownDefault, description, isSecret }) => {
    const cells = [`\`${name}\``, form, shownDefault, isSecret ? `${description} Secret.` : description];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `# Configuration

Generated from \`packages/service/src/platform/config/variables.ts\`; do not edit.

Settings are variables of the environment. An empty one counts as absent. \`${CONFIG_FILE_VARIABLE}\` may name a JSON file
of settings with the same names, such as \`{"SWATH_PORT": 9000, "SWATH_RATE_LIMIT": false}\`. The environment takes
precedence. The service reads the settings once at start and reports all faults together.

| Variable | Form | Default | Meaning |
|---|---|---|---|
${rows.join("\n")}
`;
}
