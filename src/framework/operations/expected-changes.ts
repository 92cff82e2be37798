import type { ResourceDefinition } from "../definition/definition";
import type { ApplyResponse, LeavingObject, StayingObject, StoredState } from "../protocol/protocol";
import { sharesOf } from "./declared-ownership";
import type { Session } from "./session";

/** Records before the first change which objects stay declared, and which are destroyed. */
export async function expectChanges(
  session: Session,
  byType: (type: string) => ResourceDefinition,
  staying: readonly StayingObject[],
  leaving: readonly LeavingObject[],
): Promise<void> {
  for (const { type, address, object, planned, isElsewhere } of staying) {
    const { has, owns } = await heldBy(byType(type), session, planned);
    const isYetToTake = isElsewhere === true && object === undefined;
    session.holdings.hold({ type, address, object, isYetToTake }, has, isElsewhere ? [] : owns);
  }
  for (const { type, address, ...prior } of leaving) {
    session.holdings.release({ address }, await sharesOf(byType(type), session, prior, "takes"));
  }
}

/** Creates or updates an object that stays, one at a time. */
export async function holding(
  definition: ResourceDefinition,
  session: Session,
  { declared, address, object }: { declared: StoredState; address: string | undefined; object?: string },
  work: () => Promise<ApplyResponse>,
): Promise<ApplyResponse> {
  const type = session.typeOf(definition);
  const { has, owns } = await heldBy(definition, session, declared);
  const [own] = has;
  if (own === undefined) return work();
  session.holdings.hold({ type, address, object }, has, owns);
  return session.holdings.exclusively(own.place, async () => {
    const answer = await work();
    const made = answer.state?.attributes["id"];
    if (object === undefined && made !== undefined)
      session.holdings.hold({ type, address, object: String(made) }, has, []);
    return answer;
  });
}

/** What a declaration holds, and the sets that it owns as a whole. */
async function heldBy(definition: ResourceDefinition, session: Session, declared: StoredState) {
  const { whole, entries } = definition.owns ?? {};
  return {
    has: await sharesOf(definition, session, declared, "has"),
    owns: whole && entries ? await sharesOf(definition, session, declared, "takes") : [],
  };
}
