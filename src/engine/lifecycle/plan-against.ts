import type { AttributePath } from "../../diagnostics";
import { type Diagnostic, hasErrors, mergeDiagnostics } from "../../diagnostics";
import type { ConfiguredProvider, ObservedBeforeCreate, PlanResponse, StoredState } from "../../framework";
import type { Lifecycle } from "../../language";
import { type Attributes, differingAttributes, type ValueObject } from "../../schema";
import type { ActionReason } from "../model/plan";
import { ignoreChanges } from "./ignore-changes";

interface Request {
  readonly type: string;
  readonly address: string;
  readonly lifecycle: Lifecycle;
  readonly attributes: Attributes;
  readonly live: StoredState | undefined;
  readonly tainted: boolean;
  /** Replaced, whatever the provider says. */
  readonly forced: boolean;
  readonly config: ValueObject;
}

/** What the provider plans for one instance. */
export interface ProviderPlan {
  readonly planned: StoredState | undefined;
  /** The configuration that it was planned from. */
  readonly config: ValueObject;
  /** Why the object is replaced, if it is. */
  readonly replaces: ActionReason | undefined;
  readonly requiresReplace: readonly AttributePath[];
  readonly observed?: ObservedBeforeCreate;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans an update; where that needs a new object, or the old one is tainted, plans a create as well. */
export async function planAgainst(provider: ConfiguredProvider, request: Request): Promise<ProviderPlan> {
  const { type, address, live, tainted, forced, config } = request;
  const create = (plannedBefore?: string) =>
    provider.planResource({ type, address, prior: undefined, config, plannedBefore });
  if (live === undefined || tainted) {
    const answer = await create();
    const replaces = live === undefined ? undefined : ("replace_because_tainted" as const);
    return { ...answer, planned: answer.planned, config, replaces };
  }
  const ignored = ignoreChanges(request.lifecycle, request.attributes, live.attributes, config);
  const update = await provider.planResource({ type, address, prior: live, config: ignored });
  const requiresReplace = differing(request, live, update);
  if (hasErrors(update.diagnostics) || (requiresReplace.length === 0 && !forced)) {
    return { ...update, planned: update.planned, config: ignored, requiresReplace, replaces: undefined };
  }
  const answer = await create(update.planned?.private);
  return {
    planned: answer.planned,
    config,
    requiresReplace,
    replaces: forced ? "replace_by_request" : "replace_because_cannot_update",
    diagnostics: mergeDiagnostics(update.diagnostics, answer.diagnostics),
  };
}

/** The attributes that need a new object, of those whose values differ at all. */
function differing({ attributes }: Request, live: StoredState, update: PlanResponse): AttributePath[] {
  if (update.planned === undefined || update.requiresReplace.length === 0) return [];
  const changed = new Set(differingAttributes(attributes, live.attributes, update.planned.attributes));
  return update.requiresReplace.filter(([name]) => changed.has(String(name)));
}
