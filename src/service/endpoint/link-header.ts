/** The `Link` header of a page; all links keep the parameters of the request. */
export function linkHeader(
  address: URL,
  relations: readonly (readonly [relation: string, parameters: Record<string, string>])[],
): string {
  // Each relation sets the same parameters, so one copy of the URL serves all.
  const target = new URL(address);
  return relations
    .map(([relation, parameters]) => {
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return `<${target.href}>; rel="${relation}"`;
    })
    .join(", ");
}
