import { type Diagnostic, error, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { ApplyRequest } from "../../framework";
import {
  type Attribute,
  attributeEntries,
  differences,
  isDeclared,
  isUnknown,
  isWhollyKnown,
  sameValue,
  type Value,
  type ValueObject,
} from "../../schema";
import type { State } from "../../state";
import type { ApplyResult } from "../apply/apply-plan";
import { at } from "../objects/objects";
import { restrictPlan } from "../plan/plan-result";
import type { DriftedObject } from "../results/drift";
import type { Plan, ResourceChange } from "../results/plan";
import { summarize } from "../results/plan";
import type { RunContext } from "../stack-run/context";
import type { StackRun } from "../stack-run/stack-run";
import type { ExecutablePlan, Step } from "../steps/steps";
import { selectStateObjects, withProvider } from "./state-drift";

/** A drifted object that a repair skips, with the reason. */
export interface SkippedObject {
  readonly address: string;
  /**
   * The reason as a clause without a full stop, such as `the code changed expires_at since it was applied`.
   */
  readonly reason: string;
}

/**
 * Reduces a plan to steps that restore drifted objects to the values of the last apply. The state contains these values. If the
 * declaration of an object has changed since that apply, the whole object is skipped.
 */
export function planRepair(plan: ExecutablePlan, drifted: readonly DriftedObject[]) {
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
const NOT_PLANNED = "it could not be planned: see the errors";

/**
 * Returns the reason to skip a step in the repair; for example, the step would do more than restore the applied values. Returns
 * undefined if the repair can use the step.
 */
function skipReason(one: DriftedObject, step: Step | undefined): string | undefined {
  if (step === undefined) return NOT_PLANNED;
  const { action } = step.change;
  if (action === "no-op") return "the code already matches the live object: an apply updates the state";
  const isWrite = action === "create" || action === "update";
  if (isWrite && step.newPaths !== undefined)
    return `the state does not record the earlier meaning of ${listed(step.newPaths)}: ${REVIEW_PLAN}`;
  if (one.kind === "vanished")
    return action === "create" ? changedSince(one, step) : `the plan would ${action} it: ${REVIEW_PLAN}`;
  if (action !== "update") return `undoing the drift requires a replacement: ${REVIEW_PLAN}`;
  return changedSince(one, step) ?? unreportedChange(one, step.change);
}

/**
 * Compares the declaration with the applied values, in the attributes that the step would write. Returns a text about the
 * difference; undefined if there is none.
 */
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
    // For a vanished object, the spelling of a value can differ from the state. `declared` contains only values that really
    // differ.
    if (kind === "vanished" && isDeclared(attribute, config?.[name]) && !(name in declared)) continue;
    const isNotKnown = !isWhollyKnown(wanted) && attribute.presence !== "optionalComputed";
    // The service chooses the value of an omitted attribute, so it is not certain that the step restores the applied value.
    const isUndeclared = attribute.presence === "optionalComputed" && (config?.[name] ?? null) === null;
    const known = isUndeclared ? undeclared : changed;
    (isNotKnown ? unknown : known).add(name);
  }
  if (changed.size > 0) return `the code changed ${listed(changed)} since it was applied: ${REVIEW_PLAN}`;
  if (undeclared.size > 0)
    return `the code does not declare ${listed(undeclared)}, which would not be restored: ${REVIEW_PLAN}`;
  if (unknown.size === 0) return undefined;
  return `${listed(unknown)} ${unknown.size === 1 ? "is" : "are"} known only after apply: ${REVIEW_PLAN}`;
}

/**
 * Returns whether a planned value restores the applied value. If the service chooses the value of an omitted attribute, only an
 * empty value is certain to be restored.
 */
const isAsApplied = (attribute: Attribute, applied: Value, planned: Value): boolean =>
  isUnknown(planned) && attribute.presence === "optionalComputed"
    ? isEmpty(applied)
    : sameValue(planned, applied, attribute.type);

const isEmpty = (value: Value): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * Returns the reason to skip an update, if it would also write attributes that the drift report does not list. An
 * ignore file may exclude these attributes, or the attributes changed after the report.
 */
function unreportedChange({ attributes }: DriftedObject, planned: ResourceChange): string | undefined {
  const reported = new Set(attributes);
  const others = changedAttributes(planned).filter((name) => !reported.has(name));
  if (others.length === 0) return undefined;
  return `${listed(others)} would also change, and drift does not report that: ${REVIEW_PLAN}`;
}

/** Returns the attributes that an update changes. */
const changedAttributes = ({ attributes, before, after }: ResourceChange): string[] =>
  differences(attributes, before ?? {}, after ?? {})
    .filter(({ attribute }) => attribute.presence !== "computed")
    .map(({ name }) => name);

const configurableAttributes = ({ attributes }: ResourceChange): string[] =>
  attributeEntries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name]) => name);

const listed = (names: Iterable<string>): string => [...names].join(", ");

/**
 * Plans a repair for a state that another engine manages. The repair restores the values of the state in attributes
 * that are known to be declared. The repair creates and replaces nothing. The returned `apply` sends the requests.
 * `apply` does not write the state, because only the other engine writes it.
 */
export function planStateRepair(context: RunContext, state: State, drifted: readonly DriftedObject[]) {
  return withProvider(context, async (run, key) => {
    const { objects } = selectStateObjects(state, run, key);
    const stored = new Map(objects.map(({ address, instance }) => [address, instance.private]));
    const skipped: SkippedObject[] = [];
    const requests = new Map<ResourceChange, ApplyRequest>();
    for (const one of drifted) {
      const { address, after: live } = one.change;
      const skip = (reason: string) => skipped.push({ address, reason });
      const found = await run.guard(address, () => planRequest(run, key, one, stored.get(address)));
      if (typeof found === "string") skip(["done", "failed"].includes(found) ? NOT_PLANNED : found);
      else {
        if (one.notKnownDeclared !== undefined) skip(notKnown(one.notKnownDeclared));
        const after = found.planned!.attributes;
        requests.set({ ...one.change, action: "update", before: live, after }, found);
      }
    }
    const diagnostics = mergeDiagnostics(run.diagnostics);
    const plan = planOf([...requests.keys()], diagnostics);
    return { plan, skipped, diagnostics, apply: () => applyRequests(context, state, requests) };
  });
}

function applyRequests(
  context: RunContext,
  state: State,
  requests: ReadonlyMap<ResourceChange, ApplyRequest>,
): Promise<ApplyResult> {
  const { onEvent, stop } = context;
  const done = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
  return withProvider(
    context,
    async (run, key) => {
      const apply = async ({ address, before }: ResourceChange, request: ApplyRequest): Promise<void> => {
        if (stop?.aborted) return void run.report([notSent(address)]);
        const of = { address, action: "update", id: String(before!["id"]) } as const;
        const started = performance.now();
        onEvent?.({ kind: "apply_start", ...of });
        const answer = await run.configured(key).applyResource(request);
        const diagnostics = at(answer.diagnostics, address, undefined);
        const milliseconds = performance.now() - started;
        run.report(diagnostics);
        if (hasErrors(diagnostics)) onEvent?.({ kind: "apply_errored", ...of, milliseconds, diagnostics });
        else {
          done.change += 1;
          onEvent?.({ kind: "apply_complete", ...of, milliseconds });
        }
      };
      const all = [...requests].map(([change, request]) =>
        run.guard(change.address, () => apply(change, request)),
      );
      await Promise.all(all);
      // The result contains no outputs, because a repair does not change them and the other engine shows them.
      return {
        state: { ...state, outputs: {} },
        diagnostics: mergeDiagnostics(run.diagnostics),
        unchecked: [],
        done,
      };
    },
    "change",
  );
}

/** Returns the request that repairs one object, or the reason to skip the object. */
async function planRequest(
  run: StackRun,
  key: string,
  { kind, change, attributes: drifted, notKnownDeclared = [] }: DriftedObject,
  bytes: string | undefined,
): Promise<ApplyRequest | string> {
  if (kind === "vanished") return "it is gone, and only the engine that keeps the state can create it again";
  const restored = drifted.filter((name) => !notKnownDeclared.includes(name));
  if (restored.length === 0) return notKnown(notKnownDeclared);
  const { type, address, attributes } = change;
  const [before, live] = [change.before!, change.after!];
  const provider = run.configured(key);
  const declaredNames = provider.declaredIn?.({ attributes: before, private: bytes }) ?? [];
  const config: ValueObject = Object.fromEntries(
    attributeEntries(attributes).map(([name, { presence }]) => {
      const isSet =
        presence !== "computed" && (presence !== "optionalComputed" || declaredNames.includes(name));
      return [name, isSet ? (before[name] ?? null) : null];
    }),
  );
  const prior = { attributes: live, private: bytes };
  const { planned, requiresReplace, diagnostics } = await provider.planResource({
    type,
    address,
    prior,
    config,
  });
  if (run.report(at(diagnostics, address, undefined)) === "failed" || planned === undefined)
    return NOT_PLANNED;
  if (requiresReplace.length > 0)
    return "the repair needs a new object, which only the engine that keeps the state can create";
  const isRestored = (name: string) =>
    sameValue(planned.attributes[name] ?? null, before[name] ?? null, attributes[name]!.type);
  if (!restored.every(isRestored)) return "the service does not accept the applied values";
  return { type, address, prior, planned, config };
}

const notKnown = (names: readonly string[]): string =>
  `${names.join(", ")} ${names.length === 1 ? "is" : "are"} not recorded as declared: apply once with this release`;

const notSent = (address: string): Diagnostic =>
  error({
    code: "interrupted",
    summary: "Interrupted",
    detail:
      "The run was interrupted before it repaired this object. Nothing was sent for it. Run the command again.",
    address,
  });

const planOf = (changes: readonly ResourceChange[], diagnostics: readonly Diagnostic[]): Plan => ({
  mode: "normal",
  applicable: true,
  complete: !hasErrors(diagnostics),
  changes,
  drift: [],
  outputs: [],
  relevantAttributes: [],
  checks: [],
  diagnostics,
  unchecked: [],
  blocked: [],
  summary: summarize(changes),
  hasChanges: changes.length > 0,
  basis: { timestamp: "", variables: {}, sensitiveVariables: [], priorState: undefined, configuration: {} },
});
