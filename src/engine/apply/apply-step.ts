import { type Diagnostic, error, formatPath, hasErrors } from "../../diagnostics";
import type { ApplyRequest, ApplyResponse, StoredState } from "../../framework";
import { differences, isSameObject, isWhollyKnown, type ValueObject } from "../../schema";
import type { Change, InstanceState, Journal } from "../../state";
import { ignoreChanges } from "../lifecycle/ignore-changes";
import { instanceConfig } from "../run/instance-config";
import { at } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { resourceIdentity, schemaOf, stateInstance } from "../steps/state-instance";
import type { Step } from "../steps/steps";

export interface StepResult {
  /** The object after the step; undefined if there is none. */
  readonly state: StoredState | undefined;
  /** A failed create may have left an incomplete object: the next plan replaces it. */
  readonly tainted?: boolean;
  /** The number of the journal's intent; undefined if nothing was sent or the outcome is uncertain. */
  readonly intent?: number | undefined;
  /** The run ended before the change was sent. */
  readonly isSkipped?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Sends a change once its turn comes; undefined if the run ends before. */
export type SendInTurn = (send: () => Promise<ApplyResponse>) => Promise<ApplyResponse | undefined>;

/** Creates or updates the object of a step, with the values that are known now. */
export async function applyStep(
  run: StackRun,
  step: Step,
  journal: Journal,
  inTurn: SendInTurn,
): Promise<StepResult> {
  const { change } = step;
  const prior = change.action === "update" ? step.prior : undefined;
  const final = await finalPlan(run, step, prior);
  if (final.planned === undefined) return { state: prior, diagnostics: final.diagnostics };
  const { planned, config } = final;
  // A change of sensitivity concerns the state only.
  if (prior !== undefined && isSameObject(change.attributes, prior.attributes, planned.attributes))
    return { state: prior, diagnostics: final.diagnostics };
  const sent = await send(run, step, { prior, planned, config }, undefined, journal, inTurn);
  if (sent.answer === undefined) return sent;
  const { isSound, isUncertain } = sent.answer;
  const tainted = prior === undefined && hasErrors(sent.diagnostics) && isSound !== true;
  return { ...sent, tainted, intent: isUncertain === true ? undefined : sent.intent };
}

/**
 * Deletes the object of a step.
 *
 * @param held the object in the state
 */
export const destroyStep = (
  run: StackRun,
  step: Step,
  held: InstanceState | undefined,
  journal: Journal,
  inTurn: SendInTurn,
): Promise<StepResult> =>
  send(run, step, { prior: step.prior, planned: undefined, config: undefined }, held, journal, inTurn);

/** Records a change in the journal, and sends it once its turn comes. */
async function send(
  run: StackRun,
  step: Step,
  request: Pick<ApplyRequest, "prior" | "planned" | "config">,
  held: InstanceState | undefined,
  journal: Journal,
  inTurn: SendInTurn,
): Promise<StepResult & { readonly answer?: ApplyResponse }> {
  const { type, address, construct } = step.change;
  const intent = await journal.recordIntent(journalChange(run, step, request, held));
  const answer = await inTurn(() =>
    run.configured(step.provider).applyResource({ type, address, ...request }),
  );
  if (answer === undefined) return { state: request.prior, intent, isSkipped: true, diagnostics: [] };
  return { answer, state: answer.state, intent, diagnostics: at(answer.diagnostics, address, construct) };
}

/** The journal's record of a change: enough to recover it after the run is killed. */
function journalChange(
  run: StackRun,
  step: Step,
  { prior, planned }: Pick<ApplyRequest, "prior" | "planned">,
  held: InstanceState | undefined,
): Change {
  const { address, indexKey: key } = step.change;
  const { sensitive, dependencies, createBeforeDestroy } = step;
  const instance =
    held ??
    stateInstance({ attributes: {} }, schemaOf(run, step), {
      key,
      sensitive,
      dependencies,
      createBeforeDestroy,
    });
  const { attributes: _attributes, private: _private, identity: _identity, ...metadata } = instance;
  return {
    address,
    resource: resourceIdentity(step),
    instance: metadata,
    ...(prior && { prior: withoutIdentity(prior) }),
    ...(planned && { planned: onlyKnown(planned) }),
    ...(prior === undefined && step.observed && { observed: step.observed }),
  };
}

/** A recovery looks at the service, and so at the identity, again. */
const withoutIdentity = ({ identity: _identity, ...state }: StoredState): StoredState => state;

const onlyKnown = ({ attributes, private: bytes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => isWhollyKnown(value))),
  ...(bytes !== undefined && { private: bytes }),
});

interface FinalPlan {
  readonly planned?: StoredState;
  readonly config: ValueObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The planned values. If values were unknown at plan time, plans again and compares the result with the plan.
 */
async function finalPlan(run: StackRun, step: Step, prior: StoredState | undefined): Promise<FinalPlan> {
  const { change, declared, config: shown } = step;
  if (isWhollyKnown(shown!)) return { planned: step.planned!, config: shown!, diagnostics: [] };
  const { declaration, instance } = declared!;
  const { address } = change;
  const body = instanceConfig(run, declaration, instance);
  const found = [...body.diagnostics, ...at(body.invalid, change.address, change.construct)];
  if (hasErrors(found)) return { config: body.config, diagnostics: found };
  const configured = run.configured(step.provider);
  const config =
    prior === undefined
      ? body.config
      : ignoreChanges(declaration.lifecycle, change.attributes, prior.attributes, body.config);
  const answer = await configured.planResource({ type: change.type, address, prior, config });
  const diagnostics = [...found, ...at(answer.diagnostics, change.address, change.construct)];
  if (answer.planned === undefined) return { config, diagnostics };
  const changed = changedAttribute(step, answer.planned.attributes);
  if (changed !== undefined) return { config, diagnostics: [...diagnostics, inconsistent(step, changed)] };
  return { planned: answer.planned, config, diagnostics };
}

/** The name of an attribute that differs from its known planned value. */
const changedAttribute = ({ change }: Step, final: ValueObject): string | undefined =>
  differences(change.attributes, change.after!, final).find(({ before }) => isWhollyKnown(before))?.name;

const inconsistent = ({ change }: Step, name: string): Diagnostic =>
  error({
    code: "inconsistent_plan",
    summary: "Inconsistent final plan",
    detail:
      `With all values known, ${formatPath([name])} would get a value that differs from the plan. ` +
      "Nothing was sent for this object. Plan again.",
    address: change.address,
    attribute: [name],
    ...(change.construct !== undefined && { construct: change.construct }),
  });
