import type { Diagnostic } from "../../../src/diagnostics";
import type { ConfiguredProvider, Provider } from "../../../src/framework";
import { canonicalJson, type StoredState, type ValueObject } from "../../../src/schema";
import type { Run } from "../story/story";
import { type App, addressOf, type Declaration, importIdOf } from "../world/app";
import { ORIGIN, TOKEN } from "../world/company";
import { attributesOf, TYPES } from "../world/objects";
import { type Instance, type Resource, StateFile } from "./terraform-state";
import { alike, filled } from "./terraform-values";

/** The planned change of one address by Terraform, in the format of the engine's plans. */
export interface TerraformChange {
  readonly address: string;
  readonly mode: "managed";
  readonly type: string;
  readonly action: "no-op" | "create" | "update" | "delete" | "delete-then-create" | "forget";
  readonly before: ValueObject | null;
  readonly after: ValueObject | null;
}

/** The result of a Terraform command. */
export interface TerraformOutcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly changes: readonly TerraformChange[];
  readonly hasApplied: boolean;
}

/** An object that a walk of Terraform's graph visits. */
interface Node {
  readonly address: string;
  readonly type: string;
  readonly declaration: Declaration | undefined;
}

interface Planned extends Node {
  readonly change: TerraformChange;
  readonly planned: StoredState | undefined;
  /** For a replacement: the private bytes of the first plan, which asked for the replacement. */
  readonly plannedBefore: string | undefined;
}

const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");

/**
 * A model of Terraform for one stack with its state in a file. The model calls the provider in Terraform's order, for
 * the walks of `plan`, `apply` and `destroy`. `terraform.long.test.ts` compares this order with the calls of the real
 * program. The calls for one object are sequential, and calls for different objects are independent. The model writes
 * the state after each change.
 */
export class Terraform {
  readonly #provider: Provider;
  readonly #stack: App["stacks"][number];
  readonly #state: StateFile;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(provider: Provider, app: App) {
    this.#provider = provider;
    this.#stack = app.stacks[0]!;
    this.#state = new StateFile(this.#stack.name);
  }

  async run(what: Run["do"]): Promise<TerraformOutcome> {
    await this.#validate();
    if (hasErrors(this.#diagnostics)) return this.#outcome([], false);
    this.#move();
    let planned = await this.#walk((client) => this.#each(this.#nodes(), (node) => this.#plan(client, node)));
    if (what === "destroy" && !hasErrors(this.#diagnostics))
      planned = await this.#walk((client) =>
        this.#each(this.#held(), (node) => this.#planDestroyed(client, node)),
      );
    const changes = planned.map(({ change }) => change);
    if (what === "plan" || hasErrors(this.#diagnostics)) return this.#outcome(changes, false);
    this.#state.write();
    const pending = planned.filter(({ change }) => change.action !== "no-op");
    await this.#walk((client) => this.#each(pending, (node) => this.#apply(client, node)));
    return this.#outcome(changes, true);
  }

  #outcome(changes: readonly TerraformChange[], hasApplied: boolean): TerraformOutcome {
    return { diagnostics: this.#diagnostics, changes, hasApplied };
  }

  /** Walks Terraform's graph as `terraform validate` does, with a provider that is not configured. */
  async #validate(): Promise<void> {
    this.#note(undefined, this.#provider.validateProvider(this.#providerConfig()));
    for (const declaration of this.#stack.declarations) this.#validated(addressOf(declaration), declaration);
  }

  /** Walks the graph once, with a newly configured provider, as Terraform starts the provider again for each walk. */
  async #walk<T>(visit: (client: ConfiguredProvider) => Promise<readonly T[]>): Promise<readonly T[]> {
    const config = this.#providerConfig();
    this.#note(undefined, this.#provider.validateProvider(config));
    const { provider: client, diagnostics } = this.#provider.configure(config, {
      host: "terraform",
      env: {},
    });
    this.#note(undefined, diagnostics);
    if (client === undefined) return [];
    const visited = await visit(client);
    await client.close();
    return visited;
  }

  async #each<N, T>(nodes: readonly N[], visit: (node: N) => Promise<T | undefined>): Promise<T[]> {
    const visited = await Promise.all(nodes.map(visit));
    return visited.filter((one) => one !== undefined);
  }

  #providerConfig(): ValueObject {
    return filled(this.#provider.schema.provider.attributes, { base_url: ORIGIN, token: TOKEN });
  }

  #configOf(declaration: Declaration): ValueObject {
    const { attributes } = this.#provider.schema.resources[TYPES[declaration.kind]]!;
    return filled(attributes, attributesOf(declaration, declaration.spelling) as ValueObject);
  }

  #validated(address: string, declaration: Declaration): ValueObject | undefined {
    const config = this.#configOf(declaration);
    const found = this.#provider.validateResource(TYPES[declaration.kind], config);
    return this.#note(address, found) ? undefined : config;
  }

  /**
   * Collects diagnostics.
   * @returns true if one of the diagnostics is an error
   */
  #note(address: string | undefined, diagnostics: readonly Diagnostic[]): boolean {
    for (const one of diagnostics) this.#diagnostics.push(address === undefined ? one : { ...one, address });
    return hasErrors(diagnostics);
  }

  /** Moves objects in the state as the `moved` blocks say. Terraform moves objects before it reads anything. */
  #move(): void {
    for (const [from, to] of this.#stack.moved) this.#state.move(from, to);
  }

  #isReleased = ({ address }: Node): boolean => this.#stack.released?.includes(address) === true;

  #nodes(): Node[] {
    const declared = this.#stack.declarations.map(
      (declaration): Node => ({
        address: addressOf(declaration),
        type: TYPES[declaration.kind],
        declaration,
      }),
    );
    const names = new Set(declared.map(({ address }) => address));
    return [...declared, ...this.#held().filter(({ address }) => !names.has(address))];
  }

  #held = (): Node[] =>
    this.#state.resources.map(({ type, name }) => ({
      address: `${type}.${name}`,
      type,
      declaration: undefined,
    }));

  /** Returns the object that the state has at an address, upgraded to the current version of its schema. */
  #upgraded({ address, type }: Node): Instance | undefined {
    const held = this.#state.find(address);
    if (held === undefined) return undefined;
    const { attributes, diagnostics } = this.#provider.upgradeResource(type, held.version, held.attributes);
    this.#note(address, diagnostics);
    return attributes && { ...held, attributes };
  }

  async #refreshed(
    client: ConfiguredProvider,
    node: Node,
    held: Instance,
  ): Promise<Instance | undefined | "failed"> {
    const { address, type } = node;
    const { state, diagnostics } = await client.readResource({ type, state: storedOf(held) });
    if (this.#note(address, diagnostics)) return "failed";
    if (state === undefined) {
      this.#state.remove(address);
      return undefined;
    }
    const live = { ...held, ...state };
    this.#state.put(address, this.#resource(node, live));
    return live;
  }

  async #imported(client: ConfiguredProvider, node: Node): Promise<Instance | undefined | "failed"> {
    const { address, type, declaration } = node;
    const { state, diagnostics } = await client.importResource({ type, id: importIdOf(declaration!) });
    if (this.#note(address, diagnostics) || state === undefined) return "failed";
    return this.#refreshed(client, node, { ...state, version: this.#version(type), isTainted: false });
  }

  async #plan(client: ConfiguredProvider, node: Node): Promise<Planned | undefined> {
    const { address, type, declaration } = node;
    const held = this.#upgraded(node);
    if (this.#isReleased(node)) return held && changing(node, "forget", held.attributes);
    if (declaration === undefined) return held && this.#planOrphan(client, node, held);
    let prior: Instance | "failed" | undefined;
    if (held !== undefined) prior = await this.#refreshed(client, node, held);
    else if (declaration.isImported === true) prior = await this.#imported(client, node);
    if (prior === "failed") return undefined;
    const config = this.#validated(address, declaration);
    if (config === undefined) return undefined;
    const kept = prior === undefined || prior.isTainted ? undefined : storedOf(prior);
    let answer = await client.planResource({ type, prior: kept, config, existing: "refuse" });
    if (this.#note(address, answer.diagnostics) || answer.planned === undefined) return undefined;
    const isReplaced = prior !== undefined && (prior.isTainted || answer.requiresReplace.length > 0);
    let plannedBefore: string | undefined;
    if (answer.requiresReplace.length > 0) {
      plannedBefore = answer.planned.private;
      answer = await client.planResource({
        type,
        prior: undefined,
        config,
        plannedBefore,
        existing: "refuse",
      });
      if (this.#note(address, answer.diagnostics) || answer.planned === undefined) return undefined;
    }
    const { planned } = answer;
    if (isReplaced && declaration.preventDestroy === true) return this.#protected(address);
    const isSame = kept !== undefined && alike(kept.attributes, planned!.attributes);
    const unreplaced = isSame ? "no-op" : "update";
    const whole = prior === undefined ? "create" : unreplaced;
    const action = isReplaced ? "delete-then-create" : whole;
    return { ...changing(node, action, prior?.attributes, planned!.attributes), planned, plannedBefore };
  }

  /** Plans an object without a declaration. Terraform calls `planDestroy` before it reads the object. */
  async #planOrphan(client: ConfiguredProvider, node: Node, held: Instance): Promise<Planned | undefined> {
    const planned = await this.#planDestroyed(client, node, held);
    const live = await this.#refreshed(client, node, held);
    return planned === undefined || live === undefined || live === "failed" ? undefined : planned;
  }

  async #planDestroyed(
    client: ConfiguredProvider,
    node: Node,
    held = this.#upgraded(node)!,
  ): Promise<Planned | undefined> {
    const { address, type } = node;
    const { diagnostics } = await client.planDestroy({ type, prior: storedOf(held) });
    if (this.#note(address, diagnostics)) return undefined;
    const declared = this.#stack.declarations.find((one) => addressOf(one) === address);
    if (declared?.preventDestroy === true) return this.#protected(address);
    return changing(node, "delete", held.attributes);
  }

  #protected(address: string): undefined {
    this.#diagnostics.push({
      severity: "error",
      code: "destroy_prevented",
      address,
      summary: "Instance cannot be destroyed",
      detail: `${address} has prevent_destroy.`,
    });
    return undefined;
  }

  async #apply(client: ConfiguredProvider, node: Planned): Promise<undefined> {
    const { action } = node.change;
    const held = action === "create" ? undefined : this.#upgraded(node);
    if (action === "forget") return this.#forget(node);
    if (action === "delete" || action === "delete-then-create") {
      // In a replacement, the delete gets the private bytes that the plan returned.
      const ending = held && node.planned ? { ...held, private: node.planned.private } : held;
      const isGone = await this.#change(client, node, ending, undefined, undefined);
      if (!isGone || action === "delete") return undefined;
    }
    const config = this.#validated(node.address, node.declaration!);
    if (config === undefined) return undefined;
    const { type, address, plannedBefore } = node;
    const prior = action === "update" && held !== undefined ? storedOf(held) : undefined;
    const answer = await client.planResource({ type, prior, config, plannedBefore, existing: "refuse" });
    if (this.#note(address, answer.diagnostics) || answer.planned === undefined) return undefined;
    this.#requireAlike(address, "final plan", node.planned!.attributes, answer.planned.attributes);
    await this.#change(client, node, action === "update" ? held : undefined, answer.planned, config);
    return undefined;
  }

  #forget({ address }: Node): undefined {
    this.#state.remove(address);
    this.#state.write();
    return undefined;
  }

  /**
   * Sends one change to the provider and writes the new state.
   * @returns true if the change succeeded
   */
  async #change(
    client: ConfiguredProvider,
    node: Planned,
    held: Instance | undefined,
    planned: StoredState | undefined,
    config: ValueObject | undefined,
  ): Promise<boolean> {
    const { address, type } = node;
    const prior = held && storedOf(held);
    const { state, diagnostics } = await client.applyResource({ type, prior, planned, config });
    const isFailed = this.#note(address, diagnostics);
    if (!isFailed && planned !== undefined)
      this.#requireAlike(address, "result after apply", planned.attributes, state?.attributes ?? {});
    if (state === undefined) this.#state.remove(address);
    else {
      const isTainted = prior === undefined && isFailed;
      this.#state.put(address, this.#resource(node, { ...state, version: this.#version(type), isTainted }));
    }
    this.#state.write();
    return !isFailed;
  }

  /** Fails if the provider's result differs from its plan. Terraform refuses a result that differs from the plan. */
  #requireAlike(address: string, what: string, planned: ValueObject, given: ValueObject): void {
    if (alike(planned, given)) return;
    const detail = `${canonicalJson(planned)} became ${canonicalJson(given)}`;
    throw new Error(`Provider produced inconsistent ${what}: ${address}: ${detail}`);
  }

  #version = (type: string): number => this.#provider.schema.resources[type]!.version ?? 0;

  #resource = ({ type, address }: Node, instance: Instance): Resource => ({
    type,
    name: address.slice(type.length + 1),
    instance,
  });
}

const storedOf = ({ attributes, private: bytes, identity }: Instance): StoredState => ({
  attributes,
  ...(bytes !== undefined && { private: bytes }),
  ...(identity !== undefined && { identity }),
});

const changing = (
  node: Node,
  action: TerraformChange["action"],
  before: ValueObject | undefined,
  after?: ValueObject,
): Planned => {
  const { address, type } = node;
  const change = {
    address,
    mode: "managed" as const,
    type,
    action,
    before: before ?? null,
    after: after ?? null,
  };
  return { ...node, change, planned: undefined, plannedBefore: undefined };
};
