/** Names and values that distinguish the samples of a family. Every name has few values: each makes a series. */
type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
  /** Behind the name of the family, such as `_bucket` of a histogram. */
  readonly suffix?: string;
}

/** The samples of one metric. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Families in the text format of Prometheus, version 0.0.4. The library prom-client would take 5 MiB of every install,
 * most of it for summaries and tracing.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function writeExposition(families: readonly MetricFamily[]): string {
  return families.map(writeFamily).join("");
}

/** A family of one sample without labels. */
export function single(type: "counter" | "gauge", name: string, help: string, value: number): MetricFamily {
  return { type, name, help, samples: [{ labels: {}, value }] };
}

function writeFamily({ help, name, samples, type }: MetricFamily): string {
  const about = `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
  return (
    about +
    samples
      .map(({ labels, suffix = "", value }) => `${name}${suffix}${writeLabels(labels)} ${textOf(value)}\n`)
      .join("")
  );
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function textOf(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
