import type { ResourceDefinition } from "../definition";
import type { ApplyResponse, LeavingObject, StayingObject, StoredState } from "../protocol";
import type { Session } from "./session";
import { sharesOf } from "./shares-of";

/** Notes before the first change what stays declared, and what goes. */
export async function expectChanges(
  session: Session,
  byType: (type: string) => ResourceDefinition,
  staying: readonly StayingObject[],
  leaving: readonly LeavingObject[],
): Promise<void> {
  for (const { type, address, object, planned } of staying) {
    session.holdings.hold({ type, address, object }, await sharesOf(byType(type), session, planned, "has"));
  }
  for (const { type, ...prior } of leaving) {
    session.holdings.letGo(await sharesOf(byType(type), session, prior, "takes"));
  }
}

/** Makes or changes an object that stays from now on, one at a time. */
export async function holding(
  definition: ResourceDefinition,
  session: Session,
  { declared, address, object }: { declared: StoredState; address: string | undefined; object?: string },
  work: () => Promise<ApplyResponse>,
): Promise<ApplyResponse> {
  const type = `steward_${definition.type}`;
  const shares = await sharesOf(definition, session, declared, "has");
  const [own] = shares;
  if (own === undefined) return work();
  session.holdings.hold({ type, address, object }, shares);
  return session.holdings.inTurn(own.place, async () => {
    const answer = await work();
    const made = answer.state?.attributes["id"];
    if (object === undefined && made !== undefined)
      session.holdings.hold({ type, address, object: String(made) }, shares);
    return answer;
  });
}
