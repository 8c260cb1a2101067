import { checkConfiguredModel, type ModelCheck } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { formatTable } from "../output.ts";

export interface ModelsCheckOptions {
  readonly scene?: string;
  readonly bands?: string;
  readonly sensor?: string;
}

/**
 * `swath models check`: reads a model as the service would, runs it and shows what it understood. Needs no service.
 *
 * @throws {CommandError} with exit code 1 when the model has faults
 */
export async function modelsCheck(
  { output, signal }: CommandContext,
  { scene, bands, sensor }: ModelsCheckOptions,
  [path]: readonly string[],
): Promise<void> {
  if (path === undefined) throw new UsageError("got no model, expected its folder, its manifest or its ONNX file");
  const given = { scene, bands, sensor };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const check = await checkConfiguredModel(path, known, signal);
  output.result({ valid: check.faults.length === 0, ...check }, [...shown(check), ...check.faults.map(faultLine)]);
  const count = check.faults.length;
  if (count > 0) throw new CommandError(`the model has ${count} fault${count === 1 ? "" : "s"}`, EXIT.failure);
}

function faultLine(fault: string): string {
  return `fault: ${fault}`;
}

function shown(check: ModelCheck): readonly string[] {
  const rows: (readonly [string, string])[] = [
    ["file", check.file],
    ["sha256", check.sha256 ?? "none"],
    ...check.inputs.map((input) => ["input", input] as const),
    ...check.outputs.map((output) => ["output", output] as const),
  ];
  const { manifest, trial } = check;
  if (manifest !== null) {
    const dates = manifest.dates === 1 ? "" : ` of ${manifest.dates} dates`;
    rows.push(
      ["map type", `model-${manifest.id}, version ${manifest.version}: ${manifest.description}`],
      ["task", `${manifest.task}, output ${manifest.output.format}`],
      [
        "channels",
        `${manifest.bands.join(", ")}${dates}, ${manifest.input.form}, values as ${manifest.input.valueRange}`,
      ],
      ["pixels", `${manifest.gsd.train} m; scenes from ${manifest.gsd.min} to ${manifest.gsd.max} m`],
      ...check.layers.map((layer) => ["layer", layerText(layer)] as const),
      ["licence", manifest.licence],
    );
  }
  if (trial !== null) {
    rows.push(
      ["run", `on ${trial.on}: ${trial.pixels} pixels, ${trial.calls} calls, ${trial.ms} ms`],
      ...trial.outputs.map((output) => ["answer", outputText(output)] as const),
      [
        "result",
        Object.entries(trial.result)
          .map(([name, value]) => `${name} ${numberText(value)}`)
          .join(", "),
      ],
    );
  }
  return formatTable(rows);
}

function layerText(layer: ModelCheck["layers"][number]): string {
  if (layer.kind === "classes") return `${layer.name}: ${layer.classes.map(({ name }) => name).join(", ")}`;
  return `${layer.name}, ${layer.unit}, ${layer.range.join(" to ")}, colours ${layer.ramp}`;
}

function outputText({ dims, least, most, notFinite }: NonNullable<ModelCheck["trial"]>["outputs"][number]): string {
  const odd = notFinite === 0 ? "" : `, ${notFinite} not finite`;
  return `${dims.join(" x ")}, ${numberText(least)} to ${numberText(most)}${odd}`;
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(5)));
}
