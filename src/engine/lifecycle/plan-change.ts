import type { AttributePath } from "../../diagnostics";
import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
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
import type { Lifecycle } from "../../language";
import type { Attributes, ValueObject } from "../../schema";
import type { ActionReason } from "../model/plan";
import { ignoreChanges } from "./ignore-changes";

interface ChangeRequest {
  readonly type: string;
  readonly address: string;
  readonly lifecycle: Lifecycle;
  readonly attributes: Attributes;
  readonly live: StoredState | undefined;
  readonly tainted: boolean;
  /** Replace the object whatever the provider plans. */
  readonly isForced: boolean;
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
export function planChange(provider: ConfiguredProvider, request: ChangeRequest): Resolution<ProviderPlan> {
  const { type, address, live, config, existing } = request;
  if (live === undefined || request.tainted) {
    const replaceReason = live === undefined ? undefined : ("replace_because_tainted" as const);
    return whenKnown(
      provider.planResource({ type, address, prior: undefined, config, existing }),
      (answer) => ({ ...answer, planned: answer.planned, config, replaceReason }),
    );
  }
  const ignored = ignoreChanges(request.lifecycle, request.attributes, live.attributes, config);
  const canReturnPrior = !request.isForced;
  const answer =
    request.asked ?? provider.planResource({ type, address, prior: live, config: ignored, canReturnPrior });
  return whenKnown(answer, (update): Resolution<ProviderPlan> => {
    const { requiresReplace } = update;
    if (!hasErrors(update.diagnostics) && (requiresReplace.length > 0 || request.isForced))
      return planReplacement(provider, request, update);
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
  { type, address, config, isForced, existing }: ChangeRequest,
  update: PlanResponse,
): Promise<ProviderPlan> {
  const plannedBefore = update.planned?.private;
  const create = { type, address, prior: undefined, config, plannedBefore, existing };
  const answer = await provider.planResource(create);
  return {
    planned: answer.planned,
    ...(answer.existing && { existing: answer.existing }),
    config,
    requiresReplace: update.requiresReplace,
    replaceReason: isForced ? "replace_by_request" : "replace_because_cannot_update",
    diagnostics: mergeDiagnostics(update.diagnostics, answer.diagnostics),
  };
}
