import {
  type Attribute,
  attributeEntries,
  differences,
  isDeclared,
  isUnknown,
  isWhollyKnown,
  sameValue,
  type Value,
} from "../../schema";
import type { DriftedObject } from "../model/drift";
import type { ResourceChange } from "../model/plan";
import { restrictPlan } from "../plan/plan-result";
import type { ExecutablePlan, Step } from "../steps/steps";

/** A drifted object that a repair skips, and why. */
export interface SkippedObject {
  readonly address: string;
  /** A clause without a full stop, such as `the code changed expires_at since it was applied`. */
  readonly reason: string;
}

/** The part of a plan that undoes drift, and the objects that it skips. */
export interface Repair {
  readonly plan: ExecutablePlan;
  readonly skipped: readonly SkippedObject[];
}

/**
 * Restricts a plan to steps that restore what was applied: the state holds every value that they write. An
 * object whose declaration has changed since is skipped as a whole.
 */
export function planRepair(plan: ExecutablePlan, drifted: readonly DriftedObject[]): Repair {
  const skipped: SkippedObject[] = [];
  const repaired = new Set<string>();
  const steps = new Map(
    plan.steps
      .filter(({ change }) => change.deposed === undefined)
      .map((step) => [step.change.address, step]),
  );
  for (const one of drifted) {
    const { address } = one.change;
    const step = steps.get(address);
    const reason = skipReason(one, step);
    if (reason === undefined) repaired.add(address);
    else skipped.push({ address, reason });
  }
  return { plan: restrictPlan(plan, repaired), skipped };
}

const REVIEW_PLAN = "review the plan, then apply it";

/** Why a step does more than restore what was applied; undefined if it does not. */
function skipReason(one: DriftedObject, step: Step | undefined): string | undefined {
  if (step === undefined) return "it could not be planned: see the errors";
  const { action } = step.change;
  if (action === "no-op") return "the code already matches the live object: an apply updates the state";
  if (one.kind === "vanished")
    return action === "create" ? changedSince(one, step) : `the plan is to ${action} it: ${REVIEW_PLAN}`;
  if (action !== "update") return `undoing the drift requires a replacement: ${REVIEW_PLAN}`;
  return changedSince(one, step) ?? unreportedChange(one, step.change);
}

/** Why the declaration differs from what was applied, in the attributes that the step would write. */
function changedSince(
  { kind, change, attributes, declared }: DriftedObject,
  { change: planned, config }: Step,
): string | undefined {
  const compared =
    kind === "vanished" ? configurableAttributes(planned) : [...attributes, ...changedAttributes(planned)];
  const [unknown, changed, undeclared] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const name of compared) {
    const attribute = planned.attributes[name]!;
    const wanted = planned.after?.[name] ?? null;
    if (isAsApplied(attribute, change.before?.[name] ?? null, wanted)) continue;
    // A create spells references as the code does, whatever the state says.
    if (kind === "vanished" && isDeclared(attribute, config?.[name]) && !(name in declared)) continue;
    const isNotKnown = !isWhollyKnown(wanted) && attribute.presence !== "optionalComputed";
    // The service decides what is not declared, whatever it was when it was applied.
    const isUndeclared = attribute.presence === "optionalComputed" && (config?.[name] ?? null) === null;
    (isNotKnown ? unknown : isUndeclared ? undeclared : changed).add(name);
  }
  if (changed.size > 0) return `the code changed ${listed(changed)} since it was applied: ${REVIEW_PLAN}`;
  if (undeclared.size > 0)
    return `the code does not declare ${listed(undeclared)}, which would not be restored: ${REVIEW_PLAN}`;
  if (unknown.size === 0) return undefined;
  return `${listed(unknown)} ${unknown.size === 1 ? "is" : "are"} known after apply only: ${REVIEW_PLAN}`;
}

/** A recreated object loses an optional-computed setting, unless it was empty. */
const isAsApplied = (attribute: Attribute, applied: Value, planned: Value): boolean =>
  isUnknown(planned) && attribute.presence === "optionalComputed"
    ? isEmpty(applied)
    : sameValue(planned, applied, attribute.type);

const isEmpty = (value: Value): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * What else the update would write: attributes that an ignore file filters, or that changed after the drift
 * was reported.
 */
function unreportedChange({ attributes }: DriftedObject, planned: ResourceChange): string | undefined {
  const reported = new Set(attributes);
  const others = changedAttributes(planned).filter((name) => !reported.has(name));
  if (others.length === 0) return undefined;
  return `${listed(others)} would change as well, which is not reported as drift: ${REVIEW_PLAN}`;
}

/** The attributes that an update changes. */
const changedAttributes = ({ attributes, before, after }: ResourceChange): string[] =>
  differences(attributes, before ?? {}, after ?? {})
    .filter(({ attribute }) => attribute.presence !== "computed")
    .map(({ name }) => name);

const configurableAttributes = ({ attributes }: ResourceChange): string[] =>
  attributeEntries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name]) => name);

const listed = (names: Iterable<string>): string => [...names].join(", ");
