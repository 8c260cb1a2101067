/** Where an issuer sends browsers back; the service has the same path. */
const RETURN_PATH = "/console/signed-in";
const KEY = "swath-sign-in-from";

/** Keeps the view of the page for the time after the sign-in. */
export function keepView(): void {
  sessionStorage.setItem(KEY, `${location.pathname}${location.search}`);
}

/**
 * The query with which an issuer has sent the browser back, or null. The view from before the sign-in takes the place of
 * the address, so that codes stay in no history.
 */
export function takeReturn(): string | null {
  if (location.pathname !== RETURN_PATH) return null;
  const { search } = location;
  const kept = sessionStorage.getItem(KEY) ?? "/console";
  sessionStorage.removeItem(KEY);
  const isOurs = /^\/console(?:[/?]|$)/u.test(kept) && !kept.startsWith(RETURN_PATH);
  history.replaceState(null, "", isOurs ? kept : "/console");
  return search === "" ? null : search;
}
