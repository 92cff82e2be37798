import { type Diagnostic, hasErrors } from "../../diagnostics";
import { type ExistingObject, type Neighbour, OwnerIndex, type Row, type StoredState } from "../../framework";
import type { ImportDeclaration, ResourceDeclaration } from "../../language";
import { ImportReader, type ImportTarget } from "../import/import-blocks";
import type { Identities } from "../objects/identities";
import { at, providerAddress, type StateObject, stateOf } from "../objects/objects";
import type { Refreshed } from "../objects/refresh";
import type { InstanceContext } from "../stack-run/conditions";
import type { Instance } from "../stack-run/instances";
import type { StackRun } from "../stack-run/stack-run";
import type { OtherStacks } from "../stacks/other-stacks";
import { stateInstance } from "../steps/steps";

/**
 * The result for a new object that already exists on the service. Contains the facts that the live object adds for the
 * decision table.
 */
export interface LivePlace {
  readonly columns: Pick<Row, "live" | "asked">;
  readonly neighbours: readonly Neighbour[];
  /**
   * The reason why the plan does not import the object. The reason is reported only if the plan does not import the
   * object.
   */
  readonly problem: Diagnostic;
  /** The imported live object, if the run imports existing objects. */
  readonly imported?: Refreshed;
}

/** The objects in the states of this stack and of the other stacks. */
interface Holders {
  readonly run: StackRun;
  readonly identities: Identities;
  readonly others?: OtherStacks | undefined;
  /** The objects of the state, at their current addresses. */
  readonly managed: readonly StateObject[];
}

/** Finds the facts about new objects that already exist on the service. */
export class ExistingObjects {
  /**
   * An index of the addresses in the state. The index finds the address of an object by the object's identity, or by
   * the parts that the object owns.
   */
  #held: Promise<OwnerIndex<string>> | undefined;

  constructor(private readonly holders: Holders) {}

  /**
   * Finds the owner of a live object. If there is no owner and the run imports existing objects, the function imports the
   * object.
   *
   * @param isReplaced whether the new object replaces an object of the state; an import is then impossible
   */
  async placeOf(
    stage: InstanceContext,
    existing: ExistingObject,
    planned: StoredState,
    isReplaced: boolean,
  ): Promise<LivePlace> {
    const { identities, others, run } = this.holders;
    const { type, provider } = stage.declaration;
    const live = "present" as const;
    const notAsked = (problem: Diagnostic): LivePlace => ({
      columns: { live, asked: "nothing" },
      neighbours: [],
      problem,
    });
    const identity = await identities.identify(provider, type, planned);
    const holder =
      (await this.#holder(provider, type, planned, identity)) ??
      (await others?.owner(provider, type, planned));
    if (holder !== undefined)
      return {
        ...notAsked(existing.problem),
        neighbours: [{ relation: "part of a held object", ...holder }],
      };
    if (!run.context.importsExisting) return notAsked(withOption(existing.problem));
    if (identity === undefined || existing.isAmbiguous || isReplaced) return notAsked(existing.problem);
    const unread = await others?.unread();
    if (unread !== undefined) return notAsked(notTakenOver(existing, `the stack "${unread}" may own it`));
    const { id } = existing;
    const imported: Refreshed = {
      ...(await importForPlan(stage, { id })),
      importing: { id, existing: true },
    };
    const isSame =
      hasErrors(imported.diagnostics) ||
      (await identities.identify(provider, type, imported.before)) === identity;
    if (!isSame) return notAsked(existing.problem);
    return { ...notAsked(existing.problem), columns: { live, asked: "import existing" }, imported };
  }

  /**
   * Returns the address at which the state holds the live object or a part of the object; undefined if there is none.
   */
  async #holder(provider: string, type: string, planned: StoredState, identity: string | undefined) {
    this.#held ??= this.#heldObjects();
    const held = await this.#held;
    const [same] = held.same(identity);
    if (same !== undefined) return { address: same };
    const { service, owns } = this.holders.run.configured(provider);
    const shares = (await owns?.({ type, ...planned, isCacheOnly: true })) ?? [];
    const [address] = held.related({ service, shares });
    return address === undefined ? undefined : { address };
  }

  async #heldObjects(): Promise<OwnerIndex<string>> {
    const { run, identities, managed } = this.holders;
    const found = new OwnerIndex<string>();
    for (const object of managed) {
      const client = run.configured(object.provider);
      // An object whose provider is not configured can be neither identified nor changed.
      if (client === undefined) continue;
      const identity = await identities.identifyObject(object);
      const { type } = object.resource;
      const shares = await client.owns?.({ type, ...stateOf(object.instance), isCacheOnly: true });
      found.add({ identity, service: client.service, shares }, object.address);
    }
    return found;
  }
}

/** Adds a hint to an error: the option that imports all existing objects. */
const withOption = (problem: Diagnostic): Diagnostic => ({
  ...problem,
  detail: `${problem.detail} To import all existing objects in the same run, plan and apply with --import-existing.`,
});

/**
 * Returns the error for an existing object that the plan would import and then replace. The plan does not import this object,
 * because the replacement would delete it.
 */
export const replacesExisting = (existing: ExistingObject): Diagnostic =>
  notTakenOver(existing, "its import would replace it");

const notTakenOver = ({ problem }: ExistingObject, why: string): Diagnostic => ({
  ...problem,
  detail: `${problem.detail} It is not imported, because ${why}.`,
});

/** Returns the id or the identity of an import as text. */
export const describeTarget = ({ id, identity }: ImportTarget): string =>
  id ?? JSON.stringify(Object.fromEntries(Object.entries(identity).filter(([, value]) => value !== null)));

/** The imports of a resource's instances, by instance address. */
export interface ImportTargets {
  readonly targets: ReadonlyMap<string, ImportTarget>;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_IMPORTS: ImportTargets = { targets: new Map(), diagnostics: [] };

/** Evaluates the `import` blocks of one resource whose instances are known. */
export function importTargets(
  run: StackRun,
  declaration: ResourceDeclaration,
  instances: readonly Instance[],
  blocks: readonly ImportDeclaration[],
): ImportTargets {
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

/** Imports a live object for a plan. The plan then treats the object as if the state held it. Writes nothing. */
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
        : // The live object has the complete identity, with a number instead of a path.
          { id: String(live.attributes["id"]), identity: live.identity ?? target.identity },
    diagnostics: at(diagnostics, address, construct),
  };
}
