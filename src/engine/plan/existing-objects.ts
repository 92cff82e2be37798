import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type ExistingObject,
  type Neighbour,
  OwnerIndex,
  type PlanRequest,
  type Row,
  type StoredState,
} from "../../framework";
import type { InstanceContext } from "../checks/conditions";
import type { Refreshed } from "../steps/refresh";
import { stateOf } from "../steps/upgrade";
import type { PlanGraph } from "./plan-graph";
import { importForPlan } from "./planned-instance";

/** A live object with the identity of a new object, and the columns and neighbours that follow from it. */
export interface LivePlace {
  readonly columns: Pick<Row, "live" | "asked">;
  readonly neighbours: readonly Neighbour[];
  /** Why the object is not taken over, unless it is. */
  readonly problem: Diagnostic;
  /** The import that was asked for. */
  readonly imported?: Refreshed;
}

/** Fills the rows of new objects that exist already. */
export class ExistingObjects {
  /** The addresses of the objects of the state. */
  #held: Promise<OwnerIndex<string>> | undefined;

  constructor(private readonly plan: PlanGraph) {}

  /** Returns the request to the provider. Without a refresh, the plan reads no live objects. */
  get wanted(): PlanRequest["existing"] {
    const { refresh, canFindExisting, stop } = this.plan.run.context;
    return refresh === false || canFindExisting === false || stop?.aborted ? undefined : "tell";
  }

  /**
   * Finds the owner of the live object, and imports the object on request.
   *
   * @param isReplaced whether the new object replaces an object of the state, over which no import is possible
   */
  async placeOf(
    stage: InstanceContext,
    existing: ExistingObject,
    planned: StoredState,
    isReplaced: boolean,
  ): Promise<LivePlace> {
    const { identities, others, run } = this.plan;
    const { type, provider } = stage.declaration;
    const live = "present" as const;
    const notAsked = (problem: Diagnostic): LivePlace => ({
      columns: { live, asked: "nothing" },
      neighbours: [],
      problem,
    });
    const identity = await identities.identify(provider, type, planned);
    const holder =
      (await this.#holder(provider, type, planned, identity)) ??
      (await others?.owner(provider, type, planned));
    if (holder !== undefined)
      return {
        ...notAsked(existing.problem),
        neighbours: [{ relation: "part of a held object", ...holder }],
      };
    if (!run.context.importsExisting) return notAsked(withOption(existing.problem));
    if (identity === undefined || existing.isAmbiguous || isReplaced) return notAsked(existing.problem);
    const unread = await others?.unread();
    if (unread !== undefined) return notAsked(notTakenOver(existing, `the stack "${unread}" may own it`));
    const { id } = existing;
    const imported: Refreshed = {
      ...(await importForPlan(stage, { id })),
      importing: { id, existing: true },
    };
    const isSame =
      hasErrors(imported.diagnostics) ||
      (await identities.identify(provider, type, imported.before)) === identity;
    if (!isSame) return notAsked(existing.problem);
    return { ...notAsked(existing.problem), columns: { live, asked: "import existing" }, imported };
  }

  /** The address at which the state holds the object or a part of it. */
  async #holder(provider: string, type: string, planned: StoredState, identity: string | undefined) {
    this.#held ??= this.#heldObjects();
    const held = await this.#held;
    const [same] = held.same(identity);
    if (same !== undefined) return { address: same };
    const { service, owns } = this.plan.run.configured(provider);
    const shares = (await owns?.({ type, ...planned, isCacheOnly: true })) ?? [];
    const [address] = held.related({ service, shares });
    return address === undefined ? undefined : { address };
  }

  async #heldObjects(): Promise<OwnerIndex<string>> {
    const { run, identities, managed } = this.plan;
    const found = new OwnerIndex<string>();
    for (const object of managed) {
      const client = run.configured(object.provider);
      // Without a client, the object is neither known nor changed.
      if (client === undefined) continue;
      const identity = await identities.identifyObject(object);
      const { type } = object.resource;
      const shares = await client.owns?.({ type, ...stateOf(object.instance), isCacheOnly: true });
      found.add({ identity, service: client.service, shares }, object.address);
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
