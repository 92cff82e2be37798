import {
  type AttributePath,
  type Diagnostic,
  didYouMean,
  error,
  formatPath,
  hasErrors,
  mergeDiagnostics,
  warning,
} from "../../diagnostics";
import type { StoredState } from "../../framework";
import { locate, type ResourceDeclaration } from "../../language";
import { isWhollyKnown } from "../../schema";
import { type StateBackend, StateEditor } from "../../state";
import { withoutKey } from "../declarations/address-keys";
import { resourceDependencies } from "../declarations/declarations";
import { Identities } from "../objects/identities";
import { at, objectsOf, providerAddress, type StateObject } from "../objects/objects";
import type { InstanceContext } from "../stack-run/conditions";
import type { RunContext } from "../stack-run/context";
import { expand, type Instance, instanceConfig } from "../stack-run/instances";
import { type StackRun, withRun } from "../stack-run/stack-run";
import type { StackOfApp } from "../stacks/app-stacks";
import { compareImport } from "../stacks/comparison";
import { evaluateForImport } from "../steps/data-sources";
import { planChange } from "../steps/plan-change";
import { stateInstance } from "../steps/steps";
import { importAlreadyManaged } from "./import-blocks";

export interface ImportResult {
  /** The id of the imported object, as the state stores it. Undefined if nothing was imported. */
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
  importId: string,
  stackOfApp?: StackOfApp,
): Promise<ImportResult> {
  return withRun(context, async (run) => {
    const id = await importInto(run, backend, address, importId, stackOfApp);
    return { id, diagnostics: mergeDiagnostics(run.diagnostics) };
  });
}

/** Imports an object, and returns its id. If the import is not possible, reports diagnostics and returns undefined. */
async function importInto(
  run: StackRun,
  backend: StateBackend,
  address: string,
  id: string,
  stackOfApp: StackOfApp | undefined,
): Promise<string | undefined> {
  const before = await backend.read();
  const declaration = run.context.configuration.resources.get(withoutKey(address));
  const refuse = (problem: Diagnostic) => void run.report([problem]);
  if (declaration?.mode !== "managed")
    return refuse(undeclared(address, run.context.configuration.resources.keys()));
  if (hasErrors(run.diagnostics)) return undefined;
  const { current } = objectsOf(before, run);
  const objects = [...current.values()].flat();
  if (objects.some((object) => object.address === address)) return refuse(alreadyManaged(address));
  await evaluateForImport(run, declaration, current);
  if (hasErrors(run.diagnostics)) return undefined;
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  if (run.report(diagnostics) === "failed") return undefined;
  const instance = instances.find((one) => one.address === address);
  if (instance === undefined) return refuse(notDeclared(address, instances));
  const { type, name, provider, construct } = declaration;
  const found = await run.configured(provider).importResource({ type, id });
  run.report(at(found.diagnostics, address, construct));
  const live = found.state;
  if (live === undefined) return undefined;
  const elsewhere = stackOfApp && (await compareImport(run, { ...declaration, address }, live, stackOfApp));
  if (run.report(elsewhere ?? []) === "failed") return undefined;
  const holder = await holderOf(run, declaration, live, objects);
  if (holder !== undefined) return refuse(importAlreadyManaged(address, id, holder));
  const editor = new StateEditor(before);
  editor.put(
    { mode: "managed", type, name, provider: providerAddress(run.source(provider), provider) },
    stateInstance(live, run.schema(declaration), {
      key: instance.key,
      sensitive: [],
      dependencies: resourceDependencies(run.graph, declaration.address),
    }),
  );
  await backend.write(editor.snapshot());
  run.report(await checkReplacement({ run, declaration, instance }, live));
  return String(live.attributes["id"]);
}

/** Warns if the declaration differs so much from the imported object that the next plan would replace the object. */
async function checkReplacement(stage: InstanceContext, live: StoredState): Promise<readonly Diagnostic[]> {
  const { run, declaration, instance } = stage;
  const body = instanceConfig(run, declaration, instance);
  // An invalid declaration can't be compared. The next plan reports its problems.
  if (hasErrors([...body.diagnostics, ...body.invalid])) return [];
  const { config } = body;
  const { replaceReason, requiresReplace } = await planChange(stage, { live, config });
  // Unknown values can't be compared. Some values are unknown, because an import does not read all data sources.
  const differing = requiresReplace.filter(([name]) => isWhollyKnown(config[String(name)] ?? null));
  if (replaceReason === undefined || differing.length === 0) return [];
  const problem = willBeReplaced(String(live.attributes["id"]), differing);
  return at([problem], instance.address, declaration.construct);
}

/** Returns the address at which the state already holds the object; undefined if the state does not contain the object. */
async function holderOf(
  run: StackRun,
  { provider, type }: ResourceDeclaration,
  found: StoredState,
  objects: readonly StateObject[],
): Promise<string | undefined> {
  const identities = new Identities(run);
  const identity = await identities.identify(provider, type, found);
  if (identity === undefined) return undefined;
  for (const object of objects) {
    const isOfType = object.resource.mode === "managed" && object.resource.type === type;
    if (isOfType && (await identities.identifyObject(object)) === identity) return object.address;
  }
  return undefined;
}

/** Maximum number of instances that a message names. */
const MAX_NAMED = 5;

function notDeclared(address: string, others: readonly Instance[]): Diagnostic {
  const names = others.slice(0, MAX_NAMED).map((one) => one.address);
  const isCut = others.length > MAX_NAMED;
  return importNotDeclared(
    address,
    names.length === 0 ? DECLARE : `It declares ${names.join(", ")}${isCut ? ", …" : ""}.`,
  );
}

const DECLARE = "Declare it first, then import.";

/** Returns the error for an address whose resource the configuration does not declare. */
function undeclared(address: string, declared: Iterable<string>): Diagnostic {
  const managed = [...declared].filter((one) => !one.startsWith("data."));
  return importNotDeclared(address, didYouMean(withoutKey(address), managed, DECLARE));
}

function importNotDeclared(address: string, hint: string): Diagnostic {
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
    detail: `The object with the ID ${id} is in the state now. Its live value of ${differing.map(formatPath).join(" and ")} differs from the configuration and can't be changed in place, so the next plan would replace the object. Declare the live values, or remove the object from the state with this command.`,
    action: { kind: "stateRm" },
  });

const alreadyManaged = (address: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail: `The state already contains an object at ${address}. To import a different object, first remove the managed object from the state with this command, which does not change the service.`,
    action: { kind: "stateRm" },
    ...locate({ address, construct: undefined }),
  });
