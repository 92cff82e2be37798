import type { Diagnostic } from "../../diagnostics";
import type { StateResponse } from "../../framework";
import {
  type Expression,
  type ImportDeclaration,
  instanceAddress,
  keyOf,
  type Repetition,
  type ResourceDeclaration,
  type Value,
} from "../../language";
import type { ResourceSchema, ValueObject } from "../../schema";
import { invalidImport } from "../run/check-blocks";
import {
  importsOf,
  keyProblem,
  noIdentity,
  readId,
  readIdentity,
  readRepetitions,
} from "../run/import-arguments";
import type { Instance, InstanceKey } from "../run/instances";
import { at, providerAddress, type StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { Refreshed } from "../steps/refresh";
import { stateInstance } from "../steps/state-instance";

/** What names the object of an import: its id, or the attributes of its identity. */
export type ImportTarget =
  | { readonly id: string; readonly identity?: undefined }
  | { readonly id?: undefined; readonly identity: ValueObject };

/** The id or the identity of an import as text. */
export const describeTarget = ({ id, identity }: ImportTarget): string =>
  id ?? JSON.stringify(Object.fromEntries(Object.entries(identity).filter(([, value]) => value !== null)));

/** What the instances of a resource import, by instance address. */
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
    const reader = new BlockReader(run, block, declaration, diagnostics);
    for (const [address, target] of reader.targets()) {
      if (targets.has(address)) reader.reject(`It names ${address}, which an import names already.`);
      else if (!declared.has(address)) reader.reject(notDeclared(address));
      targets.set(address, target);
    }
  }
  return { targets, diagnostics };
}

const notDeclared = (address: string): string =>
  `The configuration declares no instance ${address}: its count or for_each has to make one.`;

/** Reads one block. A problem is recorded and excludes the target. */
class BlockReader {
  constructor(
    private readonly run: StackRun,
    private readonly block: ImportDeclaration,
    private readonly declaration: ResourceDeclaration,
    private readonly diagnostics: Diagnostic[],
  ) {}

  targets(): [address: string, target: ImportTarget][] {
    return this.#repetitions().flatMap((repetition) => {
      const key = this.#key(repetition);
      const target = key === undefined ? undefined : this.#target(repetition);
      if (key === undefined || target === undefined) return [];
      const [indexKey] = key;
      return [[instanceAddress(this.declaration, indexKey === undefined ? {} : { indexKey }), target]];
    });
  }

  reject(why: string): undefined {
    this.diagnostics.push(invalidImport(this.block, why));
    return undefined;
  }

  #repetitions(): Repetition[] {
    const { forEach } = this.block;
    if (forEach === undefined) return [{}];
    const value = this.#evaluate(forEach, "for_each", {});
    return (value && this.#accept(readRepetitions(value))) ?? [];
  }

  #accept<T>(read: { readonly value: T } | { readonly problem: string }): T | undefined {
    return "problem" in read ? this.reject(read.problem) : read.value;
  }

  /** The key of the target, in a tuple since there may be none; undefined if it is invalid. */
  #key(repetition: Repetition): [InstanceKey] | undefined {
    const problem = keyProblem(this.block, this.declaration);
    if (problem !== undefined) return this.reject(problem);
    const { key: expression } = this.block;
    if (expression === undefined) return [undefined];
    const value = this.#evaluate(expression, "to", repetition);
    if (value === undefined) return undefined;
    const key = keyOf(value);
    return key === undefined
      ? this.reject("The key of its target is neither a string nor a whole number.")
      : [key];
  }

  #target(repetition: Repetition): ImportTarget | undefined {
    const { id: expression, identity: values } = this.block;
    if (expression === undefined) return this.#identity(values!, repetition);
    const value = this.#evaluate(expression, "id", repetition);
    const id = value && this.#accept(readId(value));
    return id === undefined ? undefined : { id };
  }

  #identity(expression: Expression, repetition: Repetition): ImportTarget | undefined {
    const { identity: schema } = this.run.schema(this.declaration) as ResourceSchema;
    if (schema === undefined) return this.reject(noIdentity(this.declaration.type));
    const value = this.#evaluate(expression, "identity", repetition);
    if (value === undefined) return undefined;
    const found = readIdentity(value, schema);
    if ("identity" in found) return found;
    for (const problem of found.problems) this.reject(problem);
    return undefined;
  }

  #evaluate(expression: Expression, argument: string, repetition: Repetition): Value | undefined {
    const site = { address: this.block.target, construct: undefined };
    const { value, diagnostics } = this.run.evaluation.evaluate(expression, site, [argument], repetition);
    this.diagnostics.push(...diagnostics);
    if (value?.hasEphemeral)
      return this.reject(`Its ${argument} is ephemeral, and imported objects are stored.`);
    if (value === undefined || (argument === "identity" ? !value.hasUnknown : value.isKnown)) return value;
    return this.reject(
      `Its ${argument} is known after apply only, and an object is imported while the plan is made. ` +
        "Apply what it depends on first, with --target.",
    );
  }
}

/** Imports a live object for a plan, which treats it as if the state held it. Writes nothing. */
export async function importForPlan(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  target: ImportTarget,
): Promise<Refreshed> {
  const { construct } = declaration;
  const { state, diagnostics } = await readObject(run, declaration, instance, target);
  const live = state ?? { attributes: {} };
  return {
    object: objectFor(run, declaration, instance, live),
    before: live,
    live,
    importing:
      target.identity === undefined
        ? { id: target.id }
        : // The complete identity, in which a number replaces a path.
          { id: String(live.attributes["id"]), identity: live.identity ?? target.identity },
    diagnostics: at(diagnostics, instance.address, construct),
  };
}

async function readObject(
  run: StackRun,
  { type, provider }: ResourceDeclaration,
  { address }: Instance,
  target: ImportTarget,
): Promise<StateResponse> {
  const { onEvent } = run.context;
  const id = describeTarget(target);
  onEvent?.({ kind: "refresh_start", address, id });
  const answer = await run.configured(provider).importResource({ type, ...target });
  onEvent?.({ kind: "refresh_complete", address, id });
  return answer;
}

function objectFor(
  run: StackRun,
  declaration: ResourceDeclaration,
  { key, address }: Instance,
  state: Refreshed["before"],
): StateObject {
  const { type, name, provider } = declaration;
  return {
    address,
    provider,
    resource: {
      mode: "managed",
      type,
      name,
      provider: providerAddress(run.source(provider), provider),
      instances: [],
    },
    instance: stateInstance(state, run.schema(declaration), { key, sensitive: [], dependencies: [] }),
  };
}
