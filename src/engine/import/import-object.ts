import {
  type AttributePath,
  type Diagnostic,
  error,
  formatPath,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import type { StoredState } from "../../framework";
import { locate, type ResourceDeclaration } from "../../language";
import { isWhollyKnown } from "../../schema";
import { type State, type StateBackend, StateEditor } from "../../state";
import { evaluateForImport } from "../data/evaluate-nodes";
import { planChange } from "../lifecycle/plan-change";
import { importAlreadyManaged } from "../moves/move-diagnostics";
import type { RunContext } from "../run/context";
import { resourceDependencies } from "../run/declarations";
import { instanceConfig } from "../run/instance-config";
import { expand, type Instance } from "../run/instances";
import { at, objectsOf, providerAddress } from "../run/objects";
import { type StackRun, withRun } from "../run/stack-run";
import { withoutKey } from "../run/targets";
import type { StackOfApp } from "../stacks/app-stacks";
import { compareImport } from "../stacks/comparison";
import { Identities } from "../steps/identities";
import { stateInstance } from "../steps/state-instance";

export interface ImportResult {
  /** The canonical id of the imported object; undefined if nothing was imported. */
  readonly id: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Imports a live object into the state for a declared instance that has no object yet. Writes only the state.
 */
export function importObject(
  context: RunContext,
  backend: StateBackend,
  address: string,
  id: string,
  stackOfApp?: StackOfApp,
): Promise<ImportResult> {
  return withRun(context, (run) => new Importer(run, backend, stackOfApp).import(address, id));
}

class Importer {
  constructor(
    private readonly run: StackRun,
    private readonly backend: StateBackend,
    private readonly stackOfApp: StackOfApp | undefined,
  ) {}

  async import(address: string, id: string): Promise<ImportResult> {
    const state = await this.backend.read();
    const declaration = this.run.context.configuration.resources.get(withoutKey(address));
    if (declaration?.mode !== "managed") return this.#failed(notDeclared(address));
    if (hasErrors(this.run.diagnostics)) return this.#failed();
    const { current: objects } = objectsOf(state, this.run);
    if ([...objects.values()].flat().some((object) => object.address === address)) {
      return this.#failed(alreadyManaged(address));
    }
    await evaluateForImport(this.run, declaration, objects);
    if (hasErrors(this.run.diagnostics)) return this.#failed();
    const { instances, diagnostics } = expand(declaration, this.run.evaluation);
    if (this.run.report(diagnostics) === "failed") return this.#failed();
    const instance = instances.find((one) => one.address === address);
    if (instance === undefined) return this.#failed(notDeclared(address, instances));
    return this.#importInstance(declaration, instance, id, state);
  }

  async #importInstance(
    declaration: ResourceDeclaration,
    instance: Instance,
    id: string,
    before: State | undefined,
  ): Promise<ImportResult> {
    const { type, name, provider, construct } = declaration;
    const { state, diagnostics } = await this.run.configured(provider).importResource({ type, id });
    this.run.report(at(diagnostics, instance.address, construct));
    if (state === undefined) return this.#failed();
    const { address } = instance;
    const elsewhere =
      this.stackOfApp && (await compareImport(this.run, { ...declaration, address }, state, this.stackOfApp));
    if (this.run.report(elsewhere ?? []) === "failed") return this.#failed();
    const holder = await this.#addressHolding(declaration, state, before);
    if (holder !== undefined) return this.#failed(importAlreadyManaged(address, id, holder));
    const editor = new StateEditor(before);
    editor.put(
      { mode: "managed", type, name, provider: providerAddress(this.run.source(provider), provider) },
      stateInstance(state, this.run.schema(declaration), {
        key: instance.key,
        sensitive: [],
        dependencies: resourceDependencies(this.run.graph, declaration.address),
      }),
    );
    await this.backend.write(editor.snapshot());
    this.run.report(await this.#checkReplacement(declaration, instance, state));
    return { id: String(state.attributes["id"]), diagnostics: mergeDiagnostics(this.run.diagnostics) };
  }

  /** Warns if the configuration declares another object: the next plan would destroy the imported one. */
  async #checkReplacement(
    declaration: ResourceDeclaration,
    instance: Instance,
    live: StoredState,
  ): Promise<readonly Diagnostic[]> {
    const { type, provider, construct, lifecycle } = declaration;
    const { attributes } = this.run.schema(declaration);
    const { address } = instance;
    const body = instanceConfig(this.run, declaration, instance);
    // The next plan reports what is wrong with the declaration.
    if (hasErrors([...body.diagnostics, ...body.invalid])) return [];
    const { config } = body;
    const request = { type, address, lifecycle, attributes, live, tainted: false, isForced: false, config };
    const { replaceReason, requiresReplace } = await planChange(this.run.configured(provider), request);
    // An import does not evaluate everything, such as other data sources: unknown values can't be compared.
    const differing = requiresReplace.filter(([name]) => isWhollyKnown(config[String(name)] ?? null));
    if (replaceReason === undefined || differing.length === 0) return [];
    return at([willBeReplaced(String(live.attributes["id"]), differing)], address, construct);
  }

  /** The address that already holds the object; undefined if there is none. */
  async #addressHolding(
    { provider, type }: ResourceDeclaration,
    found: StoredState,
    state: State | undefined,
  ): Promise<string | undefined> {
    const identities = new Identities(this.run);
    const identity = await identities.identify(provider, type, found);
    if (identity === undefined) return undefined;
    for (const object of [...objectsOf(state, this.run).current.values()].flat()) {
      const isOfType = object.resource.mode === "managed" && object.resource.type === type;
      if (isOfType && (await identities.identifyObject(object)) === identity) return object.address;
    }
    return undefined;
  }

  #failed(...more: readonly Diagnostic[]): ImportResult {
    return { id: undefined, diagnostics: mergeDiagnostics(this.run.diagnostics, more) };
  }
}

/** Maximum number of instances that a message names. */
const MAX_NAMED = 5;

function notDeclared(address: string, others: readonly Instance[] = []): Diagnostic {
  const names = others.slice(0, MAX_NAMED).map((one) => one.address);
  const hint =
    names.length === 0
      ? "Declare it first, then import."
      : `It declares ${names.join(", ")}${others.length > MAX_NAMED ? ", …" : ""}.`;
  return error({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail: `The configuration declares no resource instance ${address}. ${hint}`,
    ...locate({ address, construct: undefined }),
  });
}

const willBeReplaced = (id: string, differing: readonly AttributePath[]): Diagnostic =>
  warning({
    code: "import_to_be_replaced",
    summary: "Configuration does not match the imported object",
    detail:
      `The object with the id ${id} is in the state now, but the configuration differs in ` +
      `${differing.map(formatPath).join(" and ")}, which can't be changed in place: the next plan replaces the object and ` +
      "deletes it on the service. Declare its live values, or remove it from the state with this command and import another one.",
    action: { kind: "stateRm" },
  });

const alreadyManaged = (address: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail:
      `The state already holds an object at ${address}. To import another one, first remove it with this command; the ` +
      "object itself stays on the service.",
    action: { kind: "stateRm" },
    ...locate({ address, construct: undefined }),
  });
