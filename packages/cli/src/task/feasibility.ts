import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { rememberSeen } from "../remember.ts";
import { spacedTime } from "../spaced-time.ts";
import { applyOptions, type OrderCommandOptions } from "./order-options.ts";
import { drawWindows } from "./draw-windows.ts";
import { runStudy, type Study, type StudyWindow } from "./run-study.ts";

export interface FeasibilityOptions extends OrderCommandOptions {
  readonly out: string;
  readonly picture: boolean;
  readonly draw: number;
}

/** `swath task feasibility`: windows for a capture, as a table and a picture. */
export async function feasibility(context: CommandContext, options: FeasibilityOptions): Promise<void> {
  const { output, signal } = context;
  const request = await applyOptions(null, options);
  const client = await connect(context);
  const study = await runStudy(client, request, signal);
  await rememberSeen(context, {
    study: { request: { ...request }, windows: study.windows.map(({ windowId }) => windowId) },
  });
  const picture =
    options.picture && study.windows.length > 0
      ? await drawWindows(study, { path: options.out, title: request.name, most: options.draw })
      : null;
  output.result({ ...study, picture }, studyLines(study, picture));
}

export function studyLines(study: Study, picture: string | null): readonly string[] {
  const { windows, provider, dataset, areaKm2 } = study;
  const [first] = windows;
  if (first === undefined) {
    const why = study.empty === undefined ? "" : `: ${study.empty.message}`;
    return [`no window of ${provider}/${dataset} over ${areaKm2.toFixed(2)} km2${why}`, "try a later --to"];
  }
  const titles = ["", "start, UTC", "seconds", "satellite", "off-nadir", "side", "sun", "covers", "clouds", "credits"];
  return [
    ...formatTable([titles, ...windows.map((window, i) => [`@${i + 1}`, ...cellsOf(window)])]),
    `${areaKm2.toFixed(2)} km2 are charged; prices hold until ${spacedTime(first.expiresAt)} at least`,
    ...(picture === null ? [] : [picture]),
    "swath task order @1 orders the first window",
  ];
}

function cellsOf(window: StudyWindow): readonly string[] {
  const { startTime, endTime, satellite, offNadir, lookSide, sunElevation, coverageRatio, cloudCover, price } = window;
  return [
    spacedTime(startTime),
    ((Date.parse(endTime) - Date.parse(startTime)) / 1000).toFixed(0),
    satellite,
    offNadir === null ? "" : `${offNadir.toFixed(1)}°`,
    lookSide ?? "",
    sunElevation === null ? "" : `${sunElevation.toFixed(0)}°`,
    `${(coverageRatio * 100).toFixed(0)}%`,
    `${(cloudCover * 100).toFixed(0)}%`,
    String(price),
  ];
}
