const NO_BREAK = "\u00a0";
const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** `1.2 GB`, in powers of 1,000 */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const digits = power === 0 ? 0 : 1;
  const value = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${value.format(bytes / 1_000 ** power)}${NO_BREAK}${UNITS[power]}`;
}
