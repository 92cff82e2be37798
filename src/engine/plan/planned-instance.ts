import type { ResourceDeclaration } from "../../language";
import type { InstanceContext } from "../checks/conditions";
import { resourceDependencies } from "../run/declarations";
import { type Instance, type InstanceConfig, instanceConfig } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import type { Step } from "../steps/steps";
import type { ImportTargets } from "./import-targets";

/** An instance of a declared resource, and what was planned for it. */
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

  /** The evaluated configuration. */
  get config(): InstanceConfig {
    this.#config ??= instanceConfig(this.run, this.declaration, this.instance);
    return this.#config;
  }
}

/** The planning progress of one declaration. */
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

  /** Addresses of the resources and data sources that it depends on. */
  get dependencies(): readonly string[] {
    this.#dependencies ??= resourceDependencies(this.run.graph, this.declaration.address);
    return this.#dependencies;
  }

  /** Whether one of its instances has this address. */
  isDeclared(address: string): boolean {
    // Most declarations have one instance.
    if (this.instances.length === 1) return this.instances[0]!.address === address;
    this.#addresses ??= new Set(this.instances.map((instance) => instance.address));
    return this.#addresses.has(address);
  }
}
