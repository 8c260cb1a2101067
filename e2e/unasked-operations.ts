/** Operations of an OpenAPI document that no request had success with. @param succeeded such as `GET /stac` */
export function unaskedOperations(
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  succeeded: Iterable<string>,
): readonly string[] {
  const asked = [...succeeded];
  return Object.entries(paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
    return Object.keys(item)
      .map((method) => method.toUpperCase())
      .filter(
        (method) => !asked.some((one) => one.startsWith(`${method} `) && pattern.test(one.slice(method.length + 1))),
      )
      .map((method) => `${method} ${path}`);
  });
}
