// Rules for the end of a story, when no more faults happen.
import type { Diagnostic } from "../../../src/engine";
import type { Run } from "../story/story";
import { follow, identityAt } from "../world/advice";
import { hasContradiction } from "../world/contradictions";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

const run = async (world: World, given: Run): Promise<RunRecord> =>
  (await world.runAll([{ run: given, after: 0 }]))[0]!;

/**
 * Returns true if an apply reports that only the next apply can finish the change. Either a later stack takes an object
 * over, or the plan did not show the removal of an entry.
 */
const saysToApplyAgain = ({ outcome }: RunRecord): boolean =>
  outcome?.diagnostics.some(({ code }) => code === "taken_over_later" || code === "entry_not_planned") ===
  true;

/** The maximum number of advised commands that a person runs, one after the other. */
const MOST_ADVICE = 12;

/**
 * Once faults have ended, the plan is empty after at most two applies. If an error names a command that fixes the
 * error, a person runs this command first, and it must help.
 */
export async function converges(world: World): Promise<Finding> {
  world.tidyUp();
  let last = await run(world, { do: "apply" });
  for (let given = 0; given < MOST_ADVICE && world.violations.length === 0; given += 1) {
    if (!(await follow(world, last.outcome?.diagnostics.filter(isError) ?? []))) break;
    last = await run(world, { do: "apply" });
  }
  if (world.violations.length > 0) return undefined;
  if (last.outcome?.succeeded !== true || saysToApplyAgain(last)) last = await run(world, { do: "apply" });
  if (world.violations.length > 0) return undefined;
  if (hasContradiction(world)) return undefined;
  const [problem] = last.outcome?.diagnostics.filter(isError) ?? [];
  if (problem !== undefined)
    return about(
      identityAt(world, problem.address),
      `apply fails: ${problem.code}: ${problem.address}: ${problem.detail}`,
    );
  const planned = await run(world, { do: "plan" });
  const left =
    planned.outcome?.plans.flatMap(({ plan }) => plan.changes.filter(({ action }) => action !== "no-op")) ??
    [];
  const [first] = left;
  return (
    first &&
    about(identityAt(world, first.address), `the plan is not empty: ${first.action} ${first.address}`)
  );
}
