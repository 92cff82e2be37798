import {
  type Attribute,
  attributeEntries,
  differences,
  isUnknown,
  isWhollyKnown,
  sameValue,
  type Value,
} from "../../schema";
import type { ResourceChange } from "../model/plan";
import { partOf } from "../plan/plan-result";
import type { ExecutablePlan } from "../steps/executable-plan";
import type { Step } from "../steps/steps";
import type { DriftedObject } from "./detect-drift";

/** A drifted object that a repair leaves as it is, and why. */
export interface LeftObject {
  readonly address: string;
  /** A sentence without its end, such as `the code changed expires_at since it was applied`. */
  readonly reason: string;
}

/** The part of a plan that undoes drift, and what it leaves alone. */
export interface Repair {
  readonly plan: ExecutablePlan;
  readonly left: readonly LeftObject[];
}

/**
 * Takes out of a plan what brings drifted objects back to what was applied: every value that it writes is one that the
 * state holds. An object of which the code says something else by now is left to an apply, as a whole.
 */
export function repairOf(plan: ExecutablePlan, drifted: readonly DriftedObject[]): Repair {
  const left: LeftObject[] = [];
  const undone = new Set<string>();
  for (const one of drifted) {
    const { address } = one.change;
    const step = plan.steps.find(({ change }) => change.address === address && change.deposed === undefined);
    const reason = obstacle(one, step);
    if (reason === undefined) undone.add(address);
    else left.push({ address, reason });
  }
  return { plan: partOf(plan, undone), left };
}

const LOOK = "look at the plan, and apply it";

/** Why a step does not just bring back what was applied; nothing where it does. */
function obstacle(one: DriftedObject, step: Step | undefined): string | undefined {
  if (step === undefined) return "it could not be planned: see the errors";
  const { action } = step.change;
  if (action === "no-op") return "the code says by now what is live: apply takes that over into the state";
  if (one.kind === "vanished")
    return action === "create" ? changedSince(one, step.change) : `the plan is to ${action} it: ${LOOK}`;
  if (action !== "update") return `undoing it takes a new object: ${LOOK}`;
  return changedSince(one, step.change) ?? untold(one, step.change);
}

/** Whether the code says something else than what was applied, in what the step would write. */
function changedSince(
  { kind, change, attributes }: DriftedObject,
  planned: ResourceChange,
): string | undefined {
  const minded = kind === "vanished" ? everyAttribute(planned) : [...attributes, ...written(planned)];
  const [unknown, changed] = [new Set<string>(), new Set<string>()];
  for (const name of minded) {
    const attribute = planned.attributes[name]!;
    const wanted = planned.after?.[name] ?? null;
    if (isAsApplied(attribute, change.before?.[name] ?? null, wanted)) continue;
    const isOpen = !isWhollyKnown(wanted) && attribute.presence !== "optionalComputed";
    (isOpen ? unknown : changed).add(name);
  }
  if (changed.size > 0) return `the code changed ${listed(changed)} since it was applied: ${LOOK}`;
  if (unknown.size === 0) return undefined;
  return `${listed(unknown)} ${unknown.size === 1 ? "is" : "are"} known after apply only: ${LOOK}`;
}

/** A setting that the code leaves to the service is made anew without what was in it. */
const isAsApplied = (attribute: Attribute, applied: Value, planned: Value): boolean =>
  isUnknown(planned) && attribute.presence === "optionalComputed"
    ? isNothing(applied)
    : sameValue(planned, applied, attribute.type);

const isNothing = (value: Value): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** What else the update would write: what an ignore file passes over, or what changed since the drift was told. */
function untold({ attributes }: DriftedObject, planned: ResourceChange): string | undefined {
  const told = new Set(attributes);
  const others = written(planned).filter((name) => !told.has(name));
  if (others.length === 0) return undefined;
  return `${listed(others)} would change as well, which is not told as drift: ${LOOK}`;
}

/** The attributes that an update changes. */
const written = ({ attributes, before, after }: ResourceChange): string[] =>
  differences(attributes, before ?? {}, after ?? {})
    .filter(({ attribute }) => attribute.presence !== "computed")
    .map(({ name }) => name);

const everyAttribute = ({ attributes }: ResourceChange): string[] =>
  attributeEntries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name]) => name);

const listed = (names: Iterable<string>): string => [...names].join(", ");
