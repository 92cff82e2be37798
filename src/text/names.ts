/** Names for a message: the first ones, and how many more there are. */
export function namesUpTo(most: number, names: readonly string[]): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
