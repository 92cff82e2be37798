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
  /** A failed create may have left an incomplete object: the next plan replaces it. */
  readonly tainted?: boolean;
  /** The number of the journal's intent; undefined if nothing was sent or the outcome is uncertain. */
  readonly intent?: number | undefined;
  /** The run ended before the change was sent. */
  readonly isSkipped?: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Sends a change when its turn comes. Returns undefined if the run ends earlier. */
export type SendInTurn = (send: () => Promise<ApplyResponse>) => Promise<ApplyResponse | undefined>;

/** Finds the steps that the token may not perform, or probably may not perform, before the first change. */
export class Rights {
  /** The names of the objects of refused steps. The steps themselves are rebuilt when further values are known. */
  readonly #refused = new Set<string>();

  constructor(private readonly run: StackRun) {}

  /**
   * Asks a provider about its steps.
   *
   * @returns the errors of refused steps and the warnings of doubtful ones; all are emitted as events too
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
    /** The object that the state held under this address, if the plan did not find it on the service. */
    private readonly vanished?: StoredState,
  ) {}

  /** Creates or updates the object, with the values that are known now. */
  async applyStep(): Promise<StepResult> {
    const { change } = this.step;
    const prior = change.action === "update" ? this.step.prior : undefined;
    const { planned, config, diagnostics } = await this.#finalPlan(prior);
    if (planned === undefined) return { state: prior, diagnostics };
    // A change of sensitivity concerns the state only.
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
   * Returns the object that the plan did not find, if the service refuses to create it because it exists. The reads of the plan
   * then missed a change by another run. A live object with other values is a new object.
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
   * Deletes the object.
   *
   * @param held the object in the state
   */
  destroyStep(held: InstanceState | undefined): Promise<StepResult> {
    return this.#send({ prior: this.step.prior, planned: undefined, config: undefined }, held);
  }

  /** Records a change in the journal, and sends it once its turn comes. */
  async #send(request: Pick<ApplyRequest, "prior" | "planned" | "config">, held?: InstanceState) {
    const { type, address, construct } = this.step.change;
    const intent = await this.journal.recordIntent(this.#change(request, held));
    const provider = this.run.configured(this.step.provider);
    const answer = await this.inTurn(() => provider.applyResource({ type, address, ...request }));
    if (answer === undefined) return { state: request.prior, intent, isSkipped: true, diagnostics: [] };
    return { answer, state: answer.state, intent, diagnostics: at(answer.diagnostics, address, construct) };
  }

  /** The journal's record of a change, with enough data to recover the change after the run is killed. */
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

  /** Returns the planned values. If values were unknown at plan time, plans again and compares the result with the plan. */
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

/** The codes of creates that the service refused because the object exists, whether or not a read found the object. */
const EXISTING: ReadonlySet<string> = new Set(["already_exists", "already_there"]);

const existsAfterAll: Diagnostic = error({
  code: "already_exists",
  summary: "Already exists",
  detail:
    "The service refused to create the object because it already exists, but the plan did not find it. Another run may have " +
    "just created it, and the service may return old data for a short time. The state keeps the object. Apply again.",
  cause: "not found by the plan",
});

/** A recovery reads the object from the service, and identifies it again. */
const withoutIdentity = ({ identity: _identity, ...state }: StoredState): StoredState => state;

const onlyKnown = ({ attributes, private: bytes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => isWhollyKnown(value))),
  ...(bytes !== undefined && { private: bytes }),
});

/** The name of an attribute that differs from its known planned value. */
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
