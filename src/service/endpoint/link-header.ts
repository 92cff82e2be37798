/** The addresses of a list's other pages, all with the parameters of the request itself. */
export function linkHeader(
  address: URL,
  relations: readonly (readonly [relation: string, parameters: Record<string, string>])[],
): string {
  // Every relation sets the same parameters, so that one copy of the address does for all of them.
  const target = new URL(address);
  return relations
    .map(([relation, parameters]) => {
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
      return `<${target.href}>; rel="${relation}"`;
    })
    .join(", ");
}
