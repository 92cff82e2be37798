import { type AttributePath, type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import {
  type ConfiguredProvider,
  continueWith,
  type ExistingObject,
  type ObservedBeforeCreate,
  type PlanRequest,
  type PlanResponse,
  type Resolution,
  type StoredState,
} from "../../framework";
import type { ValueObject } from "../../schema";
import type { ActionReason } from "../results/plan";
import type { InstanceContext } from "../stack-run/conditions";
import { ignoreChanges } from "./lifecycle";

interface ChangeRequest {
  readonly live: StoredState | undefined;
  readonly tainted?: boolean;
  /** Whether the object is replaced even if the provider plans no replacement. */
  readonly isForced?: boolean;
  readonly config: ValueObject;
  /** Whether the plan looks for live objects that block a create. */
  readonly existing?: PlanRequest["existing"];
}

/** The plan that the provider returned for one instance. */
export interface ProviderPlan {
  readonly planned: StoredState | undefined;
  /** The configuration after `ignore_changes`, from which the provider planned. */
  readonly config: ValueObject;
  /** The reason for a replacement; undefined without a replacement. */
  readonly replaceReason: ActionReason | undefined;
  readonly requiresReplace: readonly AttributePath[];
  readonly observed?: ObservedBeforeCreate;
  readonly existing?: ExistingObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans an update. If the update requires a replacement, or the object is tainted, the function also plans a create. */
export function planChange(stage: InstanceContext, request: ChangeRequest): Resolution<ProviderPlan> {
  const { type, lifecycle, provider } = stage.declaration;
  const of = { type, address: stage.instance.address };
  const configured = stage.run.configured(provider);
  const { live, config, existing, isForced = false } = request;
  if (live === undefined || request.tainted) {
    const replaceReason = live === undefined ? undefined : ("replace_because_tainted" as const);
    const { type, address } = of;
    return continueWith(
      configured.planResource({ type, address, prior: undefined, config, existing }),
      (answer) => ({ planned: undefined, config, replaceReason, ...answer }),
    );
  }
  const { attributes } = stage.run.schema(stage.declaration);
  const ignored =
    lifecycle.ignoreChanges.length === 0
      ? config
      : ignoreChanges(lifecycle.ignoreChanges, attributes, live.attributes, config);
  const answer = configured.planResource({ ...of, prior: live, config: ignored, canReturnPrior: !isForced });
  return continueWith(answer, (update): Resolution<ProviderPlan> => {
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
