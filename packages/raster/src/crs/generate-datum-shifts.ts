/**
 * Writes `datum-shifts.generated.ts` from the EPSG tables in PROJ's database:
 *
 *     node generate-datum-shifts.ts /usr/share/proj/proj.db
 *
 * For each geographic CRS it selects a Helmert transformation to WGS 84, or to a frame that equals it within a metre:
 * the transformation with the widest area of use, and of equal areas the most accurate.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** WGS 84 and continental frames within 1 to 2 m of it: ETRS89, NAD83, GDA94, JGD2000, SIRGAS 2000, NZGD2000, RGF93, POSGAR. */
const EQUIVALENT_FRAMES = [4326, 4258, 4269, 4283, 4612, 4674, 4167, 4171, 5340, 4979, 4978, 4937, 4936, 4190, 4694];

/** NAD27: the mean over Canada is the widest, but the one of the conterminous United States serves more scenes. */
const PREFERRED: Readonly<Record<number, number>> = { 4267: 1173 };

/** CRSs that differ from another in the prime meridian only share its shift. */
const SAME_FRAME: Readonly<Record<number, number>> = {
  4801: 4149,
  4805: 4312,
  4806: 4265,
  4807: 4275,
  4813: 4211,
  4818: 4156,
};

/** Shifts smaller than this are left out: the frame counts as WGS 84. */
const NEGLIGIBLE_M = 3;

const POSITION_VECTOR = new Set([9606, 1033, 1037]);
const COORDINATE_FRAME = new Set([9607, 1032, 1038]);
const TRANSLATION = new Set([9603, 1031, 1035]);

interface TransformationRow {
  readonly [column: string]: unknown;
}

const database = new DatabaseSync(process.argv[2] ?? "/usr/share/proj/proj.db", { readOnly: true });
const number = (value: unknown): number => (typeof value === "number" ? value : Number(value ?? 0));

function unitFactor(code: unknown): number {
  const row = database
    .prepare("select conv_factor from unit_of_measure where auth_name = 'EPSG' and code = ?")
    .get(number(code));
  return number(row?.["conv_factor"]);
}

/** Seven parameters in metres, arc seconds and parts per million, rotations in the position vector convention. */
function helmert(row: TransformationRow): readonly number[] | null {
  const method = number(row["method_code"]);
  const metres = unitFactor(row["translation_uom_code"]);
  const translation = ["tx", "ty", "tz"].map((key) => number(row[key]) * metres);
  if (TRANSLATION.has(method)) return translation;
  if (!POSITION_VECTOR.has(method) && !COORDINATE_FRAME.has(method)) return null;
  const seconds = (unitFactor(row["rotation_uom_code"]) * 648_000) / Math.PI;
  const sign = COORDINATE_FRAME.has(method) ? -1 : 1;
  const rotation = ["rx", "ry", "rz"].map((key) => sign * number(row[key]) * seconds);
  const scale = number(row["scale_difference"]) * unitFactor(row["scale_difference_uom_code"]) * 1e6;
  return [...translation, ...rotation, scale].map((value) => Number(value.toPrecision(12)));
}

function areaOfUse(row: TransformationRow): number {
  const west = number(row["west_lon"]);
  const east = number(row["east_lon"]);
  const width = east >= west ? east - west : east - west + 360;
  const radians = Math.PI / 180;
  return width * (Math.sin(number(row["north_lat"]) * radians) - Math.sin(number(row["south_lat"]) * radians));
}

const candidates = database.prepare(`
  select t.*, e.south_lat, e.north_lat, e.west_lon, e.east_lon
  from helmert_transformation_table t
  join usage u on u.object_table_name = 'helmert_transformation' and u.object_auth_name = t.auth_name and u.object_code = t.code
  join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
  where t.auth_name = 'EPSG' and t.deprecated = 0 and t.source_crs_auth_name = 'EPSG' and t.source_crs_code = ?
    and t.target_crs_code in (${EQUIVALENT_FRAMES.join(", ")})`);

/** Accuracy in metres; 0 in the tables means unknown. */
function accuracy(row: TransformationRow): number {
  return number(row["accuracy"]) || 999;
}

function bestShift(code: number): readonly number[] | null {
  const rows = candidates
    .all(SAME_FRAME[code] ?? code)
    .map((row) => ({ row, area: areaOfUse(row), shift: helmert(row) }));
  const usable = rows.filter((entry) => entry.shift !== null);
  const widest = Math.max(0, ...usable.map((entry) => entry.area));
  const preferred = usable.find((entry) => number(entry.row["code"]) === PREFERRED[code]);
  if (preferred !== undefined) return preferred.shift;
  const wide = usable.filter((entry) => entry.area >= 0.8 * widest);
  wide.sort((a, b) => accuracy(a.row) - accuracy(b.row) || number(b.row["code"]) - number(a.row["code"]));
  return wide[0]?.shift ?? null;
}

const geographic = database
  .prepare(
    `select g.code as code, e.semi_major_axis as a, g.datum_code as datum
     from geodetic_crs g
     join geodetic_datum d on d.auth_name = g.datum_auth_name and d.code = g.datum_code
     join ellipsoid e on e.auth_name = d.ellipsoid_auth_name and e.code = d.ellipsoid_code
     where g.auth_name = 'EPSG' and g.type = 'geographic 2D'`,
  )
  .all();

const shifts: string[] = [];
const bases: string[] = [];
for (const row of geographic) {
  const code = number(row["code"]);
  const shift = bestShift(code);
  const onModernEllipsoid = number(row["a"]) === 6_378_137;
  if (shift === null ? onModernEllipsoid : magnitudeM(shift) < NEGLIGIBLE_M) continue;
  shifts.push(`  ${code}: ${shift === null ? "null" : `"${shift.join(",")}"`},`);
  const projected = database
    .prepare(
      "select code from projected_crs where auth_name = 'EPSG' and geodetic_crs_auth_name = 'EPSG' and geodetic_crs_code = ? order by code",
    )
    .all(code)
    .map((entry) => number(entry["code"]));
  if (projected.length > 0) bases.push(`  ${code}: "${ranges(projected)}",`);
}

/** Upper bound of the displacement: 31 m on the ground per arc second, 6.4 m per part per million. */
function magnitudeM([x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0, scale = 0]: readonly number[]): number {
  return Math.hypot(x, y, z) + 31 * Math.hypot(rx, ry, rz) + 6.4 * Math.abs(scale);
}

const hotineVariantA = database
  .prepare(
    `select p.code as code from projected_crs p
     join conversion c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
     where p.auth_name = 'EPSG' and c.method_code = 9812 order by p.code`,
  )
  .all()
  .map((row) => number(row["code"]));

function ranges(codes: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < codes.length;) {
    let end = i;
    while (codes[end + 1] === (codes[end] ?? 0) + 1) end++;
    parts.push(end === i ? `${codes[i]}` : `${codes[i]}-${codes[end]}`);
    i = end + 1;
  }
  return parts.join(" ");
}

const version = database.prepare("select value from metadata where key = 'EPSG.VERSION'").get();
writeFileSync(
  join(import.meta.dirname, "datum-shifts.generated.ts"),
  `// Generated by generate-datum-shifts.ts from the EPSG Geodetic Parameter Dataset ${String(version?.["value"])} (IOGP).

/** Helmert shift to WGS 84 by EPSG code of the geographic CRS, as a towgs84 list; null when the tables have none. */
export const DATUM_SHIFTS: Readonly<Record<number, string | null>> = {
${shifts.join("\n")}
};

/** EPSG codes of the projected CRSs of each of these geographic CRSs, as ranges. */
export const PROJECTED_CODES: Readonly<Record<number, string>> = {
${bases.join("\n")}
};

/** EPSG codes of projected CRSs of the Hotine oblique Mercator, variant A: coordinates from the natural origin. */
export const HOTINE_VARIANT_A_CODES = "${ranges(hotineVariantA)}";
`,
);
