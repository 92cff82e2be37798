import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { ConfiguredProvider, PlanResponse, StoredState } from "../../provider/protocol";
import type { ValueObject } from "../../provider/schema";
import type { ResourceDeclaration } from "../config";
import { evaluateBody } from "../evaluate/body";
import { resourceDependencies } from "../run/declarations";
import type { Instance } from "../run/instances";
import { at } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { differingAttributes } from "./differences";
import { instanceFacts } from "./facts";
import type { Action, ActionReason } from "./model";
import type { Refreshed } from "./refresh";
import { sensitivePathsOf } from "./sensitivity";
import type { Step } from "./steps";

/** A step, or the diagnostics that say why there is none. */
export interface PlannedStep {
  readonly step: Step | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans one instance of a declared resource against what is live. */
export async function planManaged(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  refreshed: Refreshed | undefined,
): Promise<PlannedStep> {
  const { type, provider, construct } = declaration;
  const { attributes } = run.schema(declaration);
  const site = { address: instance.address, construct };
  const located = (found: readonly Diagnostic[]) => at(found, instance.address, construct);

  const looked = refreshed?.diagnostics ?? [];
  if (hasErrors(looked)) return { step: undefined, diagnostics: looked };
  const body = evaluateBody(declaration.body, attributes, run.evaluation, site, instance.repetition);
  if (hasErrors(body.diagnostics)) return { step: undefined, diagnostics: body.diagnostics };
  const invalid = located(run.providerFor(provider)!.validateResource(type, body.config));
  if (hasErrors(invalid)) return { step: undefined, diagnostics: [...body.diagnostics, ...invalid] };

  const tainted = refreshed?.object.instance.status === "tainted" && refreshed.live !== undefined;
  const answer = await planAgainst(run.configured(provider), type, refreshed?.live, tainted, body.config);
  const diagnostics = [...looked, ...body.diagnostics, ...invalid, ...located(answer.diagnostics)];
  if (hasErrors(diagnostics)) return { step: undefined, diagnostics };

  const before = refreshed?.live?.attributes ?? null;
  const after = answer.planned!.attributes;
  const { action, reason } = actionFor(
    before,
    after,
    tainted,
    answer.requiresReplace.length > 0,
    (one, other) => differingAttributes(attributes, one, other),
  );
  const step: Step = {
    change: {
      ...instanceFacts(run, declaration, instance),
      action,
      ...(reason && { reason }),
      ...(refreshed?.importing !== undefined && { importing: { id: refreshed.importing } }),
      before,
      after,
      beforeSensitive: sensitivePathsOf(refreshed?.object.instance, attributes),
      afterSensitive: body.sensitive,
      replacePaths: answer.requiresReplace,
    },
    provider,
    declared: { declaration, instance },
    object: refreshed?.object,
    prior: refreshed?.live,
    planned: answer.planned,
    config: body.config,
    sensitive: body.sensitive,
    dependencies: resourceDependencies(run.graph, declaration.address),
  };
  return { step, diagnostics };
}

/** Plans an update; where that needs a new object, or the old one is tainted, plans a create as well. */
async function planAgainst(
  provider: ConfiguredProvider,
  type: string,
  live: StoredState | undefined,
  tainted: boolean,
  config: ValueObject,
): Promise<PlanResponse> {
  if (live === undefined || tainted) return provider.planResource({ type, prior: undefined, config });
  const update = await provider.planResource({ type, prior: live, config });
  if (hasErrors(update.diagnostics) || update.requiresReplace.length === 0) return update;
  const create = await provider.planResource({ type, prior: undefined, config });
  return {
    ...create,
    requiresReplace: update.requiresReplace,
    diagnostics: mergeDiagnostics(update.diagnostics, create.diagnostics),
  };
}

function actionFor(
  before: ValueObject | null,
  after: ValueObject,
  tainted: boolean,
  replaces: boolean,
  differing: (one: ValueObject, other: ValueObject) => readonly string[],
): { action: Action; reason?: ActionReason } {
  if (before === null) return { action: "create" };
  if (tainted) return { action: "delete-then-create", reason: "replace_because_tainted" };
  if (replaces) return { action: "delete-then-create", reason: "replace_because_cannot_update" };
  return { action: differing(before, after).length === 0 ? "no-op" : "update" };
}
