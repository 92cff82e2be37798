import type { Decision } from "../../framework";
import { objectName, type ResourceDeclaration, sensitiveAttributes } from "../../language";
import { withoutKey } from "../declarations/address-keys";
import { resourceDependencies } from "../declarations/declarations";
import { containerOf } from "../objects/identities";
import type { UnchangedCandidate } from "../objects/refresh";
import { sensitivePathsOf } from "../results/redaction";
import type { InstanceContext } from "../stack-run/conditions";
import {
  constantConfig,
  type Instance,
  type InstanceConfig,
  instanceConfig,
  onlyInstance,
} from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import { changeOf, type Step } from "../steps/steps";
import type { ImportTargets } from "./existing-objects";

/** Returns the name of a step's object. */
export const nameOfStep = ({ change: { address, deposed } }: Step): string => objectName(address, deposed);

interface StepsOfResource {
  readonly steps: Map<string, Step>;
  pending: number;
}

/** The steps that are already planned. */
export class PlannedSteps {
  readonly #byName = new Map<string, Step>();
  /**
   * The unchanged objects, by address. The steps of these objects are created on first use, because most objects are
   * unchanged.
   */
  readonly #staying = new Map<string, UnchangedCandidate>();
  /**
   * Steps that remove an object, by the name of the object. These steps come from replacements and from undeclared
   * objects. The plan decides about these steps last, and until then counts them as pending changes.
   */
  readonly #expected = new Map<string, Step>();
  /** The steps that the table of objects postpones. The plan does not contain them. */
  readonly postponed: Step[] = [];
  /** The steps by resource, created on first use, because few plans need them. */
  #byResource: Map<string, StepsOfResource> | undefined;

  /** @param stepOf creates the step of an unchanged object */
  constructor(private readonly stepOf: (standing: UnchangedCandidate) => Step) {}

  get all(): Step[] {
    return [...this.#byName.values(), ...this.staying()];
  }

  /** Returns all steps, except the steps of unchanged objects that `stay` recorded. */
  get planned(): Step[] {
    return [...this.#byName.values()];
  }

  /** Returns the steps of the unchanged objects that `stay` recorded. */
  staying(): Step[] {
    return this.standing.map(this.stepOf);
  }

  /** The objects recorded by `stay`. */
  get standing(): readonly UnchangedCandidate[] {
    return [...this.#staying.values()];
  }

  get stayingCount(): number {
    return this.#staying.size;
  }

  has(name: string): boolean {
    return this.#staying.has(name) || this.#byName.has(name);
  }

  /** Returns whether an object was recorded as unchanged by `stay`. */
  isStaying(name: string): boolean {
    return this.#staying.has(name);
  }

  /** Returns the step of an object, by the name of the object. */
  get(name: string): Step | undefined {
    const standing = this.#staying.get(name);
    return standing === undefined ? this.#byName.get(name) : this.stepOf(standing);
  }

  /** Records a step that the plan postpones because of other objects. */
  postpone(step: Step, decision: Decision): void {
    this.postponed.push({ ...step, change: { ...step.change, decision } });
  }

  /** Records that an object is unchanged. The resource of the object has neither `count` nor `for_each`. */
  stay(standing: UnchangedCandidate): void {
    this.#staying.set(standing.object.address, standing);
  }

  add(step: Step): void {
    const name = nameOfStep(step);
    this.#staying.delete(name);
    if (this.#byResource !== undefined) addTo(this.#byResource, name, step);
    this.#byName.set(name, step);
  }

  /** Records a step that will remove an object. Data sources that depend on the object's resource then wait for the apply. */
  expect(step: Step): void {
    const name = nameOfStep(step);
    this.#expected.set(name, step);
    if (this.#byResource !== undefined) addTo(this.#byResource, name, step);
  }

  /** Withdraws the expected removal of an object that a move has brought to another address. */
  leave(name: string): void {
    const step = this.#expected.get(name);
    if (step === undefined) return;
    this.#expected.delete(name);
    this.#withdraw(name, step);
  }

  /** Withdraws a step, so that the plan does not contain it. */
  remove(step: Step): void {
    const name = nameOfStep(step);
    this.#byName.delete(name);
    this.#staying.delete(name);
    this.#expected.delete(name);
    this.#withdraw(name, step);
  }

  #withdraw(name: string, step: Step): void {
    const known = this.#byResource?.get(withoutKey(step.change.address));
    if (known === undefined) return;
    known.pending -= Number(isPending(known.steps.get(name)));
    known.steps.delete(name);
  }

  /** The replacements about which the plan has not decided yet. */
  get replacements(): Step[] {
    return [...this.#expected.values()].filter(({ declared }) => declared !== undefined);
  }

  /** Removes all expected steps, because the plan now decides about them. Returns the replacements among them. */
  takeReplacements(): Step[] {
    const { replacements } = this;
    if (this.#expected.size > 0) this.#byResource = undefined;
    this.#expected.clear();
    return replacements;
  }

  of(resource: string): readonly Step[] {
    const standing = this.#staying.get(resource);
    if (standing !== undefined) return [this.stepOf(standing)];
    return [...(this.#resource(resource)?.steps.values() ?? [])];
  }

  /** Returns whether changes of a resource are planned. */
  isPending(resource: string): boolean {
    return (this.#resource(resource)?.pending ?? 0) > 0;
  }

  #resource(resource: string): StepsOfResource | undefined {
    if (this.#byResource === undefined) {
      const all = new Map<string, StepsOfResource>();
      for (const [name, step] of [...this.#expected, ...this.#byName]) addTo(all, name, step);
      this.#byResource = all;
    }
    return this.#byResource.get(resource);
  }
}

function addTo(all: Map<string, StepsOfResource>, name: string, step: Step): void {
  const resource = withoutKey(step.change.address);
  const known = all.get(resource) ?? { steps: new Map<string, Step>(), pending: 0 };
  all.set(resource, known);
  known.pending += Number(isPending(step)) - Number(isPending(known.steps.get(name)));
  known.steps.set(name, step);
}

const isPending = (step: Step | undefined): boolean =>
  step !== undefined && step.change.mode === "managed" && step.change.action !== "no-op";

/**
 * Returns whether an object is certain to be unchanged, on the service and in its declaration. The declaration must be
 * constant, depend only on its provider, and have one instance and no lifecycle block. If the result is true, the function also
 * registers the ownership of the object.
 */
export function isUnchangedObject(
  run: StackRun,
  declaration: ResourceDeclaration,
  { object: { instance }, before: state, isRead }: UnchangedCandidate,
): boolean {
  const config = constantConfig(run, declaration);
  if (config === undefined) return false;
  const { type, address, provider } = declaration;
  const { attributes } = run.schema(declaration);
  if (instance.status !== undefined) return false;
  if (sensitivePathsOf(instance, attributes) !== sensitiveAttributes(attributes)) return false;
  return run.configured(provider).isUnchanged?.({ type, address, state, config, isRead }) === true;
}

const NO_DEPENDENCIES: readonly string[] = [];

/** Creates the step of an unchanged object. */
export function stayingStep(
  run: StackRun,
  { object, before }: UnchangedCandidate,
  createBeforeDestroy: boolean,
): Step {
  const declaration = run.context.configuration.resources.get(object.address)!;
  const { provider } = declaration;
  const instance = onlyInstance(declaration);
  const { config, sensitive } = instanceConfig(run, declaration, instance);
  const change = changeOf(run, declaration, instance, {
    action: "no-op",
    before,
    after: before,
    beforeSensitive: sensitive,
    afterSensitive: sensitive,
  });
  const container = containerOf(run, provider, change);
  if (container !== undefined) change.container = container;
  return {
    change,
    provider,
    declared: { declaration, instance },
    object,
    prior: before,
    planned: before,
    config,
    sensitive,
    dependencies: NO_DEPENDENCIES,
    createBeforeDestroy,
  };
}

/** An instance of a declared resource, and its plan. */
export class PlannedInstance implements InstanceContext {
  outcome: "done" | "failed" | undefined = undefined;
  step: Step | undefined = undefined;
  #config: InstanceConfig | undefined;

  constructor(
    readonly run: StackRun,
    readonly declaration: ResourceDeclaration,
    readonly instance: Instance,
  ) {}

  get address(): string {
    return this.instance.address;
  }

  /** The evaluated configuration of the instance. */
  get config(): InstanceConfig {
    this.#config ??= instanceConfig(this.run, this.declaration, this.instance);
    return this.#config;
  }
}

/** The plan of one declaration, which can be incomplete, with all instances of the declaration. */
export class ResourceVisit {
  readonly instances: readonly PlannedInstance[];
  #dependencies: readonly string[] | undefined;
  #addresses: ReadonlySet<string> | undefined;

  constructor(
    private readonly run: StackRun,
    readonly declaration: ResourceDeclaration,
    instances: readonly Instance[],
    readonly imports: ImportTargets,
  ) {
    this.instances = instances.map((instance) => new PlannedInstance(run, declaration, instance));
  }

  /** Addresses of the resources and data sources that the declaration depends on. */
  get dependencies(): readonly string[] {
    this.#dependencies ??= resourceDependencies(this.run.graph, this.declaration.address);
    return this.#dependencies;
  }

  /** Returns whether one of the declared instances has this address. */
  isDeclared(address: string): boolean {
    // Most declarations have one instance, so the set below is rarely needed.
    if (this.instances.length === 1) return this.instances[0]!.address === address;
    this.#addresses ??= new Set(this.instances.map((instance) => instance.address));
    return this.#addresses.has(address);
  }
}
