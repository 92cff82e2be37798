import { type AttributePath, type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import {
  type ConfiguredProvider,
  type ExistingObject,
  type ObservedBeforeCreate,
  type PlanRequest,
  type PlanResponse,
  type Resolution,
  type StoredState,
  whenKnown,
} from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceContext } from "../checks/conditions";
import type { ActionReason } from "../model/plan";
import { ignoreChanges } from "./ignore-changes";

interface ChangeRequest {
  readonly live: StoredState | undefined;
  readonly tainted?: boolean;
  /** Replace the object whatever the provider plans. */
  readonly isForced?: boolean;
  readonly config: ValueObject;
  /** Whether live objects in the place of a new one are looked for. */
  readonly existing?: PlanRequest["existing"];
  /** The answer for an object that stays, if the provider was asked for it already. */
  readonly asked?: Resolution<PlanResponse> | undefined;
}

/** The provider's plan for one instance. */
export interface ProviderPlan {
  readonly planned: StoredState | undefined;
  /** The configuration that the plan is based on, after `ignore_changes`. */
  readonly config: ValueObject;
  /** Why the object is replaced; undefined if it is not. */
  readonly replaceReason: ActionReason | undefined;
  readonly requiresReplace: readonly AttributePath[];
  readonly observed?: ObservedBeforeCreate;
  readonly existing?: ExistingObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans an update. If that requires a replacement, or the object is tainted, plans a create as well. */
export function planChange(stage: InstanceContext, request: ChangeRequest): Resolution<ProviderPlan> {
  const { type, lifecycle, provider } = stage.declaration;
  const of = { type, address: stage.instance.address };
  const configured = stage.run.configured(provider);
  const { live, config, existing, isForced = false } = request;
  if (live === undefined || request.tainted) {
    const replaceReason = live === undefined ? undefined : ("replace_because_tainted" as const);
    return whenKnown(configured.planResource({ ...of, prior: undefined, config, existing }), (answer) => ({
      ...answer,
      planned: answer.planned,
      config,
      replaceReason,
    }));
  }
  const { attributes } = stage.run.schema(stage.declaration);
  const ignored = ignoreChanges(lifecycle, attributes, live.attributes, config);
  const answer =
    request.asked ??
    configured.planResource({ ...of, prior: live, config: ignored, canReturnPrior: !isForced });
  return whenKnown(answer, (update): Resolution<ProviderPlan> => {
    const { requiresReplace } = update;
    if (!hasErrors(update.diagnostics) && (requiresReplace.length > 0 || isForced))
      return planReplacement(configured, { ...of, prior: undefined, config, existing }, update, isForced);
    return {
      planned: update.planned,
      config: ignored,
      replaceReason: undefined,
      requiresReplace,
      diagnostics: update.diagnostics,
    };
  });
}

async function planReplacement(
  provider: ConfiguredProvider,
  create: PlanRequest,
  update: PlanResponse,
  isForced: boolean,
): Promise<ProviderPlan> {
  const answer = await provider.planResource({ ...create, plannedBefore: update.planned?.private });
  return {
    planned: answer.planned,
    ...(answer.existing && { existing: answer.existing }),
    config: create.config,
    requiresReplace: update.requiresReplace,
    replaceReason: isForced ? "replace_by_request" : "replace_because_cannot_update",
    diagnostics: mergeDiagnostics(update.diagnostics, answer.diagnostics),
  };
}
