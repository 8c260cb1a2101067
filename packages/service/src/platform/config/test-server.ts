/** The PostgreSQL server that database tests use instead of the embedded one; null when not set. */
export function testServerUrl(): string | null {
  const url = process.env["DATABASE_URL_TEST"];
  return url === undefined || url === "" ? null : url;
}
