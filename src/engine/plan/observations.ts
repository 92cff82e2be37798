import { isChange, type Step } from "../steps/steps";

const MAKING: ReadonlySet<string> = new Set(["create", "update"]);

/**
 * Leaves out what was observed in the place of a new object where the same plan ends that: who looks later can't tell
 * whether the old one is there or the new.
 */
export function withoutOwn(steps: readonly Step[]): Step[] {
  const ending = new Set(
    steps
      .filter((step) => isChange(step) && !MAKING.has(step.change.action))
      .map(({ change: { type, before } }) => `${type} ${String(before?.["id"])}`),
  );
  return steps.map((step) => {
    const { observed, ...rest } = step;
    const isOwn = observed?.ids.some((id) => ending.has(`${step.change.type} ${id}`)) ?? false;
    return isOwn ? rest : step;
  });
}
