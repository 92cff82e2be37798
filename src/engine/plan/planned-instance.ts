import type { Diagnostic } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import type { InstanceContext } from "../checks/conditions";
import { importsOf } from "../run/check-blocks";
import { resourceDependencies } from "../run/declarations";
import { ImportReader, type ImportTarget } from "../run/import-blocks";
import { type Instance, type InstanceConfig, instanceConfig } from "../run/instances";
import { at, providerAddress } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "../steps/refresh";
import { type Step, stateInstance } from "../steps/steps";

/** The id or the identity of an import as text. */
export const describeTarget = ({ id, identity }: ImportTarget): string =>
  id ?? JSON.stringify(Object.fromEntries(Object.entries(identity).filter(([, value]) => value !== null)));

/** The imports of a resource's instances, by instance address. */
export interface ImportTargets {
  readonly targets: ReadonlyMap<string, ImportTarget>;
  readonly diagnostics: readonly Diagnostic[];
}

const NO_IMPORTS: ImportTargets = { targets: new Map(), diagnostics: [] };

/** Evaluates the `import` blocks of one resource whose instances are known. */
export function importTargets(
  run: StackRun,
  declaration: ResourceDeclaration,
  instances: readonly Instance[],
): ImportTargets {
  const blocks = importsOf(run.context.configuration, declaration.address);
  if (blocks.length === 0) return NO_IMPORTS;
  const targets = new Map<string, ImportTarget>();
  const diagnostics: Diagnostic[] = [];
  const declared = new Set(instances.map(({ address }) => address));
  for (const block of blocks) {
    const reader = new ImportReader(run, block, declaration, diagnostics);
    for (const [address, target] of reader.targets()) {
      if (targets.has(address)) reader.reject(`Another import already names ${address}.`);
      else if (!declared.has(address)) reader.reject(notDeclared(address));
      targets.set(address, target);
    }
  }
  return { targets, diagnostics };
}

const notDeclared = (address: string): string =>
  `The configuration declares no instance ${address}. Extend its count or for_each.`;

/** Imports a live object for a plan, which treats it as if the state held it. Writes nothing. */
export async function importForPlan(
  { run, declaration, instance: { key, address } }: InstanceContext,
  target: ImportTarget,
): Promise<Refreshed> {
  const { type, name, provider, construct } = declaration;
  const { onEvent } = run.context;
  const id = describeTarget(target);
  onEvent?.({ kind: "refresh_start", address, id });
  const { state, diagnostics } = await run.configured(provider).importResource({ type, ...target });
  onEvent?.({ kind: "refresh_complete", address, id });
  const live = state ?? { attributes: {} };
  const source = providerAddress(run.source(provider), provider);
  const instance = stateInstance(live, run.schema(declaration), { key, sensitive: [], dependencies: [] });
  return {
    object: {
      address,
      provider,
      resource: { mode: "managed", type, name, provider: source, instances: [] },
      instance,
    },
    before: live,
    live,
    importing:
      target.identity === undefined
        ? { id: target.id }
        : // The complete identity, in which a number replaces a path.
          { id: String(live.attributes["id"]), identity: live.identity ?? target.identity },
    diagnostics: at(diagnostics, address, construct),
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
