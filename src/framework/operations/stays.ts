import { isPlannedAsBefore } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StaysRequest, StoredState } from "../protocol/protocol";
import type { References } from "../references/references";
import { claim } from "./check-plan";
import { mayHideEntries } from "./hidden-entries";
import { withIdentity } from "./resource-identity";
import { type Identity, identityOf, referencesOf, type Session, scopeOf } from "./session";
import { declaredAsBefore, isAsRead, noteDeclared } from "./state";

/**
 * Whether an object stays as it is, so that its plan is the prior state itself; then what it owns is registered. False where that
 * is not certain: nothing is registered then, unless another declaration owns a part of it. Sends no request. Most objects of a
 * large plan stay: whatever this says, `readResource` and `planInFull` would say too, or differ in the memory of references alone.
 */
export function stays(
  definition: ResourceDefinition,
  session: Session,
  { address, state, config, isRead }: Omit<StaysRequest, "type">,
): boolean {
  if (!session.host.canFindMoves || !isPlannedAsBefore(definition.attributes, state.attributes, config))
    return false;
  const identity = identityOf(state);
  const { container } = identity;
  // The container in the id of an object that was moved from another provider may be a path.
  if (!Number.isSafeInteger(container)) return false;
  const references = referencesOf(definition, session, state);
  if (references.notRemoved.length > 0) return false;
  if (!isRead) {
    if (!isLive(definition, session, state, identity, references)) return false;
    references.startAgain();
  }
  const declared = references.ifKnown(() =>
    declaredAsBefore(definition, config, state.attributes, references),
  );
  if (declared === undefined) return false;
  noteDeclared(definition, config, references);
  if (references.remember() !== state.private) return false;
  if ((definition.check?.(declared, container) ?? []).length > 0) return false;
  const planning = { definition, session, prior: state, address, plannedObject: undefined };
  // Last: it registers what the object owns.
  return claim(planning, declared, container).length === 0;
}

/** Whether the records in memory show an object as the state says. */
function isLive(
  definition: ResourceDefinition,
  session: Session,
  state: StoredState,
  identity: Identity,
  references: References,
): boolean {
  if (mayHideEntries(definition)) return false;
  const found = read(definition, session, state, identity);
  return (
    found !== undefined &&
    isAsRead(definition, identity, found, state, references) &&
    withIdentity(definition, state) === state
  );
}

function read(definition: ResourceDefinition, session: Session, state: StoredState, identity: Identity) {
  try {
    const scope = scopeOf(definition, session, identity.container);
    const found = definition.read(scope, identity.key, state.attributes);
    if (!(found instanceof Promise)) return found;
    found.catch(() => undefined);
  } catch {
    // The read of the object reports it.
  }
  return undefined;
}
