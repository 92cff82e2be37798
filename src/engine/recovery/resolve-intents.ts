import { type Diagnostic, DiagnosticError, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { RecoverResponse } from "../../framework";
import { objectName, resourceAddress } from "../../language";
import type { ResourceSchema } from "../../schema";
import type { Change, InstanceState, IntentEntry, StateEditor } from "../../state";
import { evaluateNodes } from "../data/evaluate-nodes";
import type { RunContext } from "../run/context";
import { providerNode } from "../run/declarations";
import { at, constructOf, objectsOf, providerKeyOf } from "../run/objects";
import { type PendingRecovery, recoveryPending } from "../run/pending-recovery";
import { type StackRun, withRun } from "../run/stack-run";
import { schemaFor, storedValues } from "../steps/state-instance";
import { holdsId } from "./merge-journal";

interface Resolution {
  /** Undefined if everything is resolved. */
  readonly pendingRecovery?: PendingRecovery;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Looks up on the service the outcome of each change that was started and not confirmed, and updates the
 * state. A failure for one object does not affect the others.
 *
 * @throws DiagnosticError if the service can't be reached at all
 */
export function resolveIntents(
  context: RunContext,
  editor: StateEditor,
  pending: readonly IntentEntry[],
): Promise<Resolution> {
  return withRun(context, async (run) => {
    const keys = new Map(pending.map(({ change }) => [change, providerKeyOf(change.resource.provider, run)]));
    await configureProviders(run, [...new Set(keys.values())], editor);
    if (hasErrors(run.diagnostics)) throw new DiagnosticError(mergeDiagnostics(run.diagnostics));
    const found = await Promise.all(
      pending.map(({ change }) =>
        run.guard(change.address, async () => recoverChange(run, change, keys.get(change)!, editor)),
      ),
    );
    const intents = pending.filter((_, at) => found[at] === "failed");
    const [errors, others] = [
      run.diagnostics.filter(isError),
      run.diagnostics.filter((one) => !isError(one)),
    ];
    if (intents.length === 0) return { diagnostics: others };
    const problems = intents.map(({ change: { address, resource } }) =>
      recoveryPending(address, constructOf(context.configuration, { ...resource, instances: [] })),
    );
    return {
      pendingRecovery: { intents, diagnostics: mergeDiagnostics(errors, problems) },
      diagnostics: others,
    };
  });
}

async function configureProviders(
  run: StackRun,
  providers: readonly string[],
  editor: StateEditor,
): Promise<void> {
  for (const key of providers) {
    const node = providerNode(key);
    if (!run.graph.has(node)) run.graph.add(node, { kind: "provider", key, declaration: undefined });
  }
  await evaluateNodes(run, providers.map(providerNode), objectsOf(editor.snapshot(), run).current);
}

async function recoverChange(
  run: StackRun,
  change: Change,
  provider: string,
  editor: StateEditor,
): Promise<"done" | "failed"> {
  const { address, resource, prior, planned, observed } = change;
  const answer = await run
    .configured(provider)
    .recoverResource({ type: resource.type, prior, planned, observed });
  const construct = constructOf(run.context.configuration, { ...resource, instances: [] });
  const diagnostics = at(answer.diagnostics, address, construct);
  if (answer.outcome === undefined) return run.report(diagnostics);
  const outcome = applyRecovery(editor, change, answer, answer.outcome, schemaFor(run, provider, resource));
  const id = (answer.state ?? prior)?.attributes["id"];
  run.context.onEvent?.({
    kind: "settled",
    address,
    action: actionOf(change),
    outcome,
    ...(typeof id === "string" && { id }),
  });
  return run.report(diagnostics);
}

/**
 * Updates the state to what the provider found.
 *
 * @returns the outcome of the change
 */
function applyRecovery(
  editor: StateEditor,
  change: Change,
  { state }: RecoverResponse,
  outcome: NonNullable<RecoverResponse["outcome"]>,
  schema: ResourceSchema,
): typeof outcome {
  const { address, resource } = change;
  if (state === undefined) {
    if (actionOf(change) === "delete" && outcome === "done") {
      editor.remove(resourceAddress(resource), objectName(address, change.instance.deposed));
    }
    return outcome;
  }
  const instance: InstanceState = { ...change.instance, ...storedValues(state, schema) };
  // An object that another address holds was not created for this one.
  if (actionOf(change) === "create" && holdsId(editor, resource, instance)) return "foreign";
  const makesReplacement = actionOf(change) === "create" && editor.find(resourceAddress(resource), address);
  if (makesReplacement) editor.depose(resourceAddress(resource), address);
  editor.put(resource, instance);
  return outcome;
}

const actionOf = ({ prior, planned }: Change): "create" | "update" | "delete" =>
  planned === undefined ? "delete" : prior === undefined ? "create" : "update";

const isError = ({ severity }: Diagnostic): boolean => severity === "error";
