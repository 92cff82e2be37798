import { isChange, type Step } from "../steps/steps";

const CREATE_OR_UPDATE: ReadonlySet<string> = new Set(["create", "update"]);

/**
 * Removes observations that will be stale: if the plan deletes the observed object, a later recovery could
 * not tell the old object from the new one.
 */
export function withoutStaleObservations(steps: readonly Step[]): readonly Step[] {
  const deleted = new Set(
    steps
      .filter((step) => isChange(step) && !CREATE_OR_UPDATE.has(step.change.action))
      .map(({ change: { type, before } }) => `${type} ${String(before?.["id"])}`),
  );
  if (deleted.size === 0) return steps;
  return steps.map((step) => {
    const { observed, ...rest } = step;
    const isStale = observed?.ids.some((id) => deleted.has(`${step.change.type} ${id}`)) ?? false;
    return isStale ? rest : step;
  });
}
