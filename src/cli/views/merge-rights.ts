import type { ReportRight } from "../document/model";

/** Each right once, with the stacks that need it. */
export function mergeRights(all: readonly ReportRight[]): ReportRight[] {
  const byKey = new Map<string, { readonly right: ReportRight; readonly stacks: Set<string> }>();
  for (const { stack, stacks = [], ...right } of all) {
    const key = JSON.stringify(right);
    const known = byKey.get(key) ?? { right: right as ReportRight, stacks: new Set<string>() };
    for (const name of [...(stack === undefined ? [] : [stack]), ...stacks]) known.stacks.add(name);
    byKey.set(key, known);
  }
  return [...byKey.values()].map(({ right, stacks }) => {
    const [first, ...others] = stacks;
    if (first === undefined) return right;
    return others.length === 0 ? { stack: first, ...right } : { stacks: [...stacks], ...right };
  });
}
