/** How many objects were changed and deleted outside since the last apply, and what applying does about it. */
export function outsideSentences(
  { changed, deleted }: { readonly changed: number; readonly deleted: number },
  {
    planner = "Steward",
    isApplied = false,
  }: { readonly planner?: string; readonly isApplied?: boolean } = {},
): string[] {
  const objects = (count: number) => (count === 1 ? "1 object was" : `${count} objects were`);
  const where = `outside of ${planner} since the last apply`;
  const [overwrites, creates] = isApplied
    ? ["the apply overwrote that", "the apply created"]
    : ["applying overwrites that", "applying creates"];
  return [
    ...(changed > 0 ? [`${objects(changed)} changed ${where}: ${overwrites}.`] : []),
    ...(deleted > 0
      ? [`${objects(deleted)} deleted ${where}: ${creates} ${deleted === 1 ? "it" : "them"} again.`]
      : []),
  ];
}
