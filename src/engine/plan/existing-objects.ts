import { type Diagnostic, hasErrors } from "../../diagnostics";
import { type ExistingObject, type PlanRequest, ShareIndex, type StoredState } from "../../framework";
import { once } from "../../schema";
import type { InstanceContext } from "../checks/conditions";
import { at } from "../run/objects";
import type { Refreshed } from "../steps/refresh";
import { stateOf } from "../steps/upgrade";
import type { PlanGraph } from "./plan-graph";
import { importForPlan } from "./planned-instance";

/** What becomes of a new object whose place a live object has. */
export type ExistingVerdict =
  /** Nothing: the state or another stack has the live object, and other checks compare them. */
  "planned" | { readonly refused: readonly Diagnostic[] } | { readonly imported: Refreshed };

/** What the state holds, for comparison with live objects. */
interface Held {
  readonly identities: ReadonlySet<string>;
  /** Parts of sets with several owners, by service. */
  readonly shares: ReadonlyMap<string, ShareIndex<true>>;
}

/** Live objects in the place of new ones: errors of the plan or, on request, imports. */
export class ExistingObjects {
  #held: Promise<Held> | undefined;

  constructor(private readonly plan: PlanGraph) {}

  /** What to ask the provider. Without a refresh nothing is read. */
  get wanted(): PlanRequest["existing"] {
    const { refresh, canFindExisting, stop } = this.plan.run.context;
    return refresh === false || canFindExisting === false || stop?.aborted ? undefined : "tell";
  }

  /** @param isReplaced whether the new object replaces one of the state, which can't be imported over */
  async decide(
    stage: InstanceContext,
    existing: ExistingObject,
    planned: StoredState,
    isReplaced: boolean,
  ): Promise<ExistingVerdict> {
    const { identities, others, run } = this.plan;
    const { type, provider, construct } = stage.declaration;
    const refused = (...found: readonly Diagnostic[]) => ({
      refused: at(found, stage.instance.address, construct),
    });
    const identity = await identities.identify(provider, type, planned);
    if (await this.#isHeld(provider, type, planned, identity)) return "planned";
    if (await others?.hasOwner(provider, type, planned)) return "planned";
    if (!run.context.importsExisting) return refused(withOption(existing.problem));
    if (identity === undefined || existing.isAmbiguous || isReplaced) return refused(existing.problem);
    const unread = await others?.unread();
    if (unread !== undefined) return refused(notTakenOver(existing, `the stack "${unread}" may own it`));
    const { id } = existing;
    const imported: Refreshed = {
      ...(await importForPlan(stage, { id })),
      importing: { id, existing: true },
    };
    const isSame =
      hasErrors(imported.diagnostics) ||
      (await identities.identify(provider, type, imported.before)) === identity;
    return isSame ? { imported } : refused(existing.problem);
  }

  /** Whether the state holds the object or a part of it, at any address. */
  async #isHeld(provider: string, type: string, planned: StoredState, identity: string | undefined) {
    this.#held ??= this.#heldObjects();
    const held = await this.#held;
    if (identity !== undefined && held.identities.has(identity)) return true;
    const { service = "", owns } = this.plan.run.configured(provider);
    const shares = (await owns?.({ type, ...planned, isCacheOnly: true })) ?? [];
    return shares.some((share) => (held.shares.get(service)?.of(share).length ?? 0) > 0);
  }

  async #heldObjects(): Promise<Held> {
    const { run, identities, managed } = this.plan;
    const found = { identities: new Set<string>(), shares: new Map<string, ShareIndex<true>>() };
    for (const object of managed) {
      const client = run.configured(object.provider);
      // Without a client, nothing of it is known, and nothing of it is changed.
      if (client === undefined) continue;
      const identity = await identities.identifyObject(object);
      if (identity !== undefined) found.identities.add(identity);
      const { type } = object.resource;
      const request = { type, ...stateOf(object.instance), isCacheOnly: true };
      const index = once(found.shares, client.service ?? "", () => new ShareIndex<true>());
      for (const share of (await client.owns?.(request)) ?? []) index.add(share, true);
    }
    return found;
  }
}

/** The error of a plan, which names the option that takes over whatever exists. */
const withOption = (problem: Diagnostic): Diagnostic => ({
  ...problem,
  detail: `${problem.detail} To import all existing objects in the same run, plan and apply with --import-existing.`,
});

/** An existing object that would have to be replaced is not taken over: that would delete it. */
export const replacesExisting = (existing: ExistingObject): Diagnostic =>
  notTakenOver(existing, "its import would replace it");

const notTakenOver = ({ problem }: ExistingObject, why: string): Diagnostic => ({
  ...problem,
  detail: `${problem.detail} It is not imported, because ${why}.`,
});
