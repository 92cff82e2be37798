// Rules for fleets, partial runs and lists of several stacks. The rules compare settings on the service, states and
// results of runs. The rules do not use the planner.
import type { RoundHistory } from "../world/fleet-history";
import { about, type Finding } from "../world/records";

/**
 * Partial runs leave the same settings and states as one run of everything, unless a run fails. The rule holds for any
 * division into parts.
 */
export function partitionsEndAlike({ whole, divided }: RoundHistory): Finding {
  if (!whole.last.succeeded) return undefined;
  const parts = divided.runs.slice(0, -1);
  if (!divided.last.succeeded)
    return parts.every(({ succeeded }) => succeeded) && whole.last.errors.length === 0
      ? `one run succeeds. After parts of it, which succeeded too, it fails (${divided.last.errors.join(", ")})`
      : undefined;
  for (const [identity, content] of [...whole.live, ...divided.live])
    if (whole.live.get(identity) !== divided.live.get(identity))
      return about(
        identity,
        `${identity} is ${content} in one of the two: ${whole.live.get(identity) ?? "absent"} after one run, ${divided.live.get(identity) ?? "absent"} after parts of it`,
      );
  const [one, other] = [whole.held.join("; "), divided.held.join("; ")];
  return one === other ? undefined : `the states differ. After one run: ${one}. After parts of it: ${other}`;
}

/** No request removes an object that a stack declares, even if a later request restores it. */
export function declaredStays({ removed }: RoundHistory): Finding {
  const [first] = removed;
  return (
    first &&
    about(first.identity, `${first.request} removes ${first.identity}, which ${first.stack} declares`)
  );
}

/** If an object leaves a fleet with `keep` and nothing else declares the object, the object stays on the service. */
export function leaversAreKept({ kept, whole, divided }: RoundHistory): Finding {
  for (const identity of kept)
    for (const [name, { live }] of Object.entries({ "one run": whole, "parts of it": divided }))
      if (!live.has(identity))
        return about(identity, `${identity} left a fleet that keeps it, and is gone after ${name}`);
  return undefined;
}

/** A plan and the apply that follows it both succeed, or both fail. */
export function planAgreesWithApply({ plan, whole }: RoundHistory): Finding {
  const [first] = whole.runs;
  if (first === undefined || plan.succeeded === first.succeeded) return undefined;
  return `plan ${plan.succeeded ? "succeeds" : `fails (${plan.errors.join(", ")})`}, and apply ${first.succeeded ? "succeeds" : `fails (${first.errors.join(", ")})`}`;
}

/** After a successful run, every declared object is live, and the next plan is empty. */
export function applyConverges({ declared, divided, after }: RoundHistory): Finding {
  if (!divided.last.succeeded) return undefined;
  const missing = declared.find((identity) => !divided.live.has(identity));
  if (missing !== undefined) return about(missing, `${missing} is declared, and not there after the apply`);
  return after.succeeded && after.hasChanges
    ? `the plan after the apply changes ${after.changing.join(", ") || "outputs"}`
    : undefined;
}

/** No run ends with an internal error. */
export function noInternalErrors({ whole, divided }: RoundHistory): Finding {
  const failed = [...whole.runs, ...divided.runs].find(({ errors }) => errors.includes("internal_error"));
  return failed && "a run ends with an internal error";
}

/** An object is deleted after its only declaration is removed. The rule holds for any fleets of the app. */
export function droppedIsGone({ dropped, whole, divided }: RoundHistory): Finding {
  for (const [name, { last, live }] of Object.entries({ "one run": whole, "parts of it": divided }))
    for (const identity of dropped)
      if (last.succeeded && live.has(identity))
        return about(identity, `the declaration of ${identity} is removed, and it stays after ${name}`);
  return undefined;
}

/**
 * A reader without the lock recognizes objects that a running or killed run created. The reader does not report these
 * objects as foreign or as drift.
 */
export function readersKnowRuns({ readers, plan, whole }: RoundHistory): Finding {
  const known = new Set([...plan.errors, ...whole.runs.flatMap(({ errors }) => errors)]);
  const wrong = readers.flatMap(({ errors }) => errors).find((code) => STRANGE.has(code) && !known.has(code));
  if (wrong !== undefined) return `a reader next to a run reports ${wrong}`;
  const drifted = readers.flatMap((reader) => reader.drifted)[0];
  return drifted && `a reader next to a run reports drift of ${drifted}, which only runs have changed`;
}

const STRANGE = new Set(["already_exists", "internal_error"]);
