import { ErrorWithHeaders } from "../error-with-headers.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";

/** The methods each address answers to, for telling 404 from 405. */
export interface RouteTable {
  add(path: string, methods: readonly string[]): void;
  /** The error of a request no route took. */
  refusal(method: string, path: string): ServiceError;
}

export function createRouteTable(): RouteTable {
  const fixed = new Map<string, Set<string>>();
  const patterns: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  function allowed(path: string): string[] {
    const methods = new Set(fixed.get(path));
    for (const entry of patterns) {
      if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method);
    }
    return [...methods].toSorted();
  }

  return {
    add(path, methods) {
      if (path.includes(":")) {
        const source = path.split("/").map((segment) => (segment.startsWith(":") ? "[^/]+" : RegExp.escape(segment)));
        patterns.push({ pattern: new RegExp(`^${source.join("/")}$`), methods });
        return;
      }
      const known = fixed.get(path) ?? new Set();
      for (const method of methods) known.add(method);
      fixed.set(path, known);
    },
    refusal(method, path) {
      const methods = allowed(path);
      if (methods.length === 0) {
        return new ServiceError("NON-EXISTENT-ENDPOINT", `There is nothing at ${path.slice(0, 200)}`);
      }
      const allow = methods.join(", ");
      return new ErrorWithHeaders("METHOD-NOT-ALLOWED", `Got ${method}, expected ${allow}`, { allow });
    },
  };
}
