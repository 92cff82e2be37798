import { type Diagnostic, error, formatPath, hasErrors } from "../../diagnostics";
import type { ApplyRequest, ApplyResponse, StoredState } from "../../framework";
import { objectName } from "../../language";
import { differences, isSameObject, isWhollyKnown, type ValueObject } from "../../schema";
import type { Change, InstanceState, Journal } from "../../state";
import { at } from "../objects/objects";
import { instanceConfig } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import { ignoreChanges } from "../steps/lifecycle";
import { isChange, resourceIdentity, type Step, schemaOf, stateInstance } from "../steps/steps";

export interface StepResult {
  /** The object after the step; undefined if there is none. */
  readonly state: StoredState | undefined;
  /** Whether a failed create may have left an incomplete object. The next plan replaces an incomplete object. */
  readonly tainted?: boolean;
  /** The number of the intent in the journal. Undefined if nothing was sent, or if the outcome is unknown. */
  readonly intent?: number | undefined;
  /** Whether the run ended before the change was sent. */
  readonly isSkipped?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Sends a change when a slot is free. Returns undefined if the run ends before a slot is free. */
export type SendInTurn = (send: () => Promise<ApplyResponse>) => Promise<ApplyResponse | undefined>;

/** Finds, before the first change, the steps for which the token certainly or probably lacks a right. */
export class Rights {
  /**
   * The names of the objects of refused steps. Names are stored instead of steps, because the run creates a step again when an
   * unknown value becomes known.
   */
  readonly #refused = new Set<string>();

  constructor(private readonly run: StackRun) {}

  /**
   * Asks a provider whether the token may send the changes of these steps.
   *
   * @returns the errors about refused steps and the warnings about doubtful steps; the function also emits these diagnostics as
   * events
   */
  async check(provider: string, steps: readonly Step[]): Promise<readonly Diagnostic[]> {
    const changes = steps.filter((step) => step.provider === provider && isChange(step));
    const { checkRights } = this.run.configured(provider);
    if (checkRights === undefined || changes.length === 0) return [];
    const answers = await checkRights(
      changes.map((step) => ({ type: step.change.type, prior: step.prior, planned: step.planned })),
    );
    const found = changes.map(({ change }, index) => ({
      change,
      diagnostics: at(answers[index]!, change.address, change.construct),
    }));
    const doubts = found.flatMap(({ diagnostics }) => (hasErrors(diagnostics) ? [] : diagnostics));
    if (doubts.length > 0) this.run.context.onEvent?.({ kind: "warned", diagnostics: doubts });
    const refused = found.filter(({ diagnostics }) => hasErrors(diagnostics));
    return [...doubts, ...refused.flatMap(({ change, diagnostics }) => this.#refuse(change, diagnostics))];
  }

  isRefused({ change }: Step): boolean {
    return this.#refused.has(objectName(change.address, change.deposed));
  }

  #refuse({ address, action, deposed }: Step["change"], diagnostics: readonly Diagnostic[]) {
    this.#refused.add(objectName(address, deposed));
    this.run.context.onEvent?.({
      kind: "apply_errored",
      address,
      ...(deposed !== undefined && { deposed }),
      action,
      milliseconds: 0,
      diagnostics,
    });
    return diagnostics;
  }
}

/** Records the change of one step in the journal, and then sends the change. */
export class ChangeSender {
  constructor(
    private readonly run: StackRun,
    private readonly journal: Journal,
    private readonly step: Step,
    private readonly inTurn: SendInTurn,
    /** The object that the state had at this address, if the plan did not find it on the service. */
    private readonly vanished?: StoredState,
  ) {}

  /** Creates or updates the object. Values that were unknown in the plan are known now. */
  async applyStep(): Promise<StepResult> {
    const { change } = this.step;
    const prior = change.action === "update" ? this.step.prior : undefined;
    const { planned, config, diagnostics } = await this.#finalPlan(prior);
    if (planned === undefined) return { state: prior, diagnostics };
    // If no value changes, only the sensitive marks in the state change, so no request is needed.
    if (prior !== undefined && isSameObject(change.attributes, prior.attributes, planned.attributes))
      return { state: prior, diagnostics };
    const sent = await this.#send({ prior, planned, config });
    if (sent.answer === undefined) return sent;
    const kept = prior === undefined ? await this.#vanishedAfterAll(sent) : undefined;
    if (kept !== undefined) return kept;
    const { isSound, isUncertain } = sent.answer;
    const tainted = prior === undefined && hasErrors(sent.diagnostics) && isSound !== true;
    return { ...sent, tainted, intent: isUncertain === true ? undefined : sent.intent };
  }

  /**
   * Returns a corrected result if the service refused a create because the object exists, although the plan did not find it. The
   * plan then read outdated data, so the result contains the object from the state. Returns undefined in all other cases, for
   * example if the live object differs from the state.
   */
  async #vanishedAfterAll(sent: StepResult): Promise<StepResult | undefined> {
    const { change, provider } = this.step;
    const { vanished } = this;
    if (vanished === undefined || sent.state !== undefined) return undefined;
    if (!sent.diagnostics.some(({ code }) => EXISTING.has(code))) return undefined;
    const { type, address, attributes, construct } = change;
    const { state: live } = await this.run.configured(provider).readResource({ type, state: vanished });
    const isOther =
      live !== undefined &&
      differences(attributes, vanished.attributes, live.attributes).some(
        ({ name }) => attributes[name]?.presence !== "computed",
      );
    if (isOther) return undefined;
    return { ...sent, state: vanished, diagnostics: at([existsAfterAll], address, construct) };
  }

  /**
   * Deletes the object of the step.
   *
   * @param held the object as the state stores it
   */
  destroyStep(held: InstanceState | undefined): Promise<StepResult> {
    return this.#send({ prior: this.step.prior, planned: undefined, config: undefined }, held);
  }

  /** Records the intent of a change in the journal, and then sends the change when a slot is free. */
  async #send(request: Pick<ApplyRequest, "prior" | "planned" | "config">, held?: InstanceState) {
    const { type, address, construct } = this.step.change;
    const intent = await this.journal.recordIntent(this.#change(request, held));
    const provider = this.run.configured(this.step.provider);
    const answer = await this.inTurn(() => provider.applyResource({ type, address, ...request }));
    if (answer === undefined) return { state: request.prior, intent, isSkipped: true, diagnostics: [] };
    return { answer, state: answer.state, intent, diagnostics: at(answer.diagnostics, address, construct) };
  }

  /**
   * Returns the record of a change for the journal. The record has enough data to find the outcome of the change after the run
   * was killed.
   */
  #change(
    { prior, planned }: Pick<ApplyRequest, "prior" | "planned">,
    held: InstanceState | undefined,
  ): Change {
    const { change, sensitive, dependencies, createBeforeDestroy, observed } = this.step;
    const metadata = { key: change.indexKey, sensitive, dependencies, createBeforeDestroy };
    const instance = held ?? stateInstance({ attributes: {} }, schemaOf(this.run, this.step), metadata);
    const { attributes: _attributes, private: _private, identity: _identity, ...kept } = instance;
    return {
      address: change.address,
      resource: resourceIdentity(this.run, this.step),
      instance: kept,
      ...(prior && { prior: withoutIdentity(prior) }),
      ...(planned && { planned: onlyKnown(planned) }),
      ...(prior === undefined && observed && { observed }),
    };
  }

  /**
   * Returns the values to send. If some values were unknown at plan time, plans the object again. Reports a value that
   * was known at plan time and has changed since.
   */
  async #finalPlan(prior: StoredState | undefined) {
    const { change, declared, config: shown, planned } = this.step;
    if (isWhollyKnown(shown!)) return { planned: planned!, config: shown!, diagnostics: [] };
    const { declaration, instance } = declared!;
    const { type, address, construct, attributes } = change;
    const body = instanceConfig(this.run, declaration, instance);
    const found = [...body.diagnostics, ...at(body.invalid, address, construct)];
    if (hasErrors(found)) return { config: body.config, diagnostics: found };
    const ignored = declaration.lifecycle.ignoreChanges;
    const config =
      prior === undefined || ignored.length === 0
        ? body.config
        : ignoreChanges(ignored, attributes, prior.attributes, body.config);
    const provider = this.run.configured(this.step.provider);
    const plannedBefore = prior === undefined ? planned!.private : undefined;
    const answer = await provider.planResource({ type, address, prior, config, plannedBefore });
    const diagnostics = [...found, ...at(answer.diagnostics, address, construct)];
    if (answer.planned === undefined) return { config, diagnostics };
    const changed = changedAttribute(this.step, answer.planned.attributes);
    if (changed === undefined) return { planned: answer.planned, config, diagnostics };
    return { config, diagnostics: [...diagnostics, inconsistent(this.step, changed)] };
  }
}

/** The error codes of a create that the service refused because the object exists. */
const EXISTING: ReadonlySet<string> = new Set(["already_exists", "already_there"]);

const existsAfterAll: Diagnostic = error({
  code: "already_exists",
  summary: "Already exists",
  detail:
    "The service refused to create the object because it already exists, but the plan did not find it. Another run may have " +
    "just created it, and the service may return old data for a short time. The state keeps the object. Apply again.",
  cause: "not found by the plan",
});

/** Removes the identity from an object. A recovery reads the object from the service and determines the identity again. */
const withoutIdentity = ({ identity: _identity, ...state }: StoredState): StoredState => state;

const onlyKnown = ({ attributes, private: bytes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => isWhollyKnown(value))),
  ...(bytes !== undefined && { private: bytes }),
});

/** Returns the name of an attribute whose final value differs from its planned value. Returns undefined if none differs. */
const changedAttribute = ({ change }: Step, final: ValueObject): string | undefined =>
  differences(change.attributes, change.after!, final).find(({ before }) => isWhollyKnown(before))?.name;

const inconsistent = ({ change }: Step, name: string): Diagnostic =>
  error({
    code: "inconsistent_plan",
    summary: "Value differs from the plan",
    detail: `During apply, \`${formatPath([name])}\` got another value than in the plan. Nothing was sent for this object. Plan again.`,
    address: change.address,
    attribute: [name],
    ...(change.construct !== undefined && { construct: change.construct }),
  });
