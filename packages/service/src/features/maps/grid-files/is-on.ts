/** Whether a flag of a query is set. */
export function isOn(flag: string | undefined): boolean {
  return flag !== undefined && (flag === "1" || flag.toLowerCase() === "true");
}
