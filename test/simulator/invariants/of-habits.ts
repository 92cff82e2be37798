// Rules for stories under habits of the live platform.
import type { Diagnostic } from "../../../src/engine";
import { identityAt } from "../world/advice";
import { hasContradiction } from "../world/contradictions";
import { about, type Finding } from "../world/records";
import type { World } from "../world/world";

/** The codes of the errors that each habit of the live platform may cause. */
const CAUSED: Readonly<Record<string, readonly string[]>> = {
  "sign-in-page": ["unexpected_answer", "state_http_failed"],
  "html-not-found": ["unexpected_answer"],
  "dropped-entries": ["inconsistent_result"],
  "admin-mode": ["forbidden", "rights_lost", "not_found", "reference_not_found"],
  "enforced-job-token-limit": ["bad_request"],
};

const errorsOf = (diagnostics: readonly Diagnostic[] = []): Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

/**
 * The plan after an apply is empty. If the apply or plan reports errors, a habit of the live platform explains one of
 * the errors, or all errors have advice.
 */
export async function secondPlanIsEmpty(world: World): Promise<Finding> {
  world.tidyUp();
  let applied = await one(world, "apply");
  // If one stack releases an object to a later stack, only the next apply removes the object from the first stack's
  // state.
  if (applied.outcome?.diagnostics.some(({ code }) => code === "taken_over_later") === true)
    applied = await one(world, "apply");
  if (world.violations.length > 0 || hasContradiction(world)) return undefined;
  const planned = await one(world, "plan");
  if (world.violations.length > 0) return undefined;
  const errors = [...errorsOf(applied.outcome?.diagnostics), ...errorsOf(planned.outcome?.diagnostics)];
  const codes = world.story.habits!.flatMap((habit) => CAUSED[habit] ?? []);
  if (errors.some(({ code }) => codes.includes(code))) return undefined;
  const other = errors.find(({ action }) => action === undefined);
  if (other !== undefined)
    return about(
      identityAt(world, other.address),
      `no habit causes ${other.code} of ${other.address}: ${other.detail}`,
    );
  // Errors with advice are checked at the end of the story, where people follow the advice.
  if (errors.length > 0) return undefined;
  const [left] = (planned.outcome?.plans ?? []).flatMap(({ plan }) =>
    plan.changes.filter(({ action }) => action !== "no-op"),
  );
  return (
    left &&
    about(identityAt(world, left.address), `the second plan is not empty: ${left.action} ${left.address}`)
  );
}

const one = async (world: World, operation: "apply" | "plan") =>
  (await world.runAll([{ run: { do: operation }, after: 0 }]))[0]!;
