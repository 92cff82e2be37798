import type { Diagnostic } from "../../diagnostics";
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
 * Registers what an object owns if it stays as it is, so that its plan is the prior state itself; undefined where that is not certain:
 * nothing is registered then. Sends no request. Most objects of a large plan stay: whatever this says, `readResource` and `planInFull`
 * would say too, or differ in the memory of references alone.
 *
 * @returns errors about what another declaration owns too
 */
export function claimIfStays(
  definition: ResourceDefinition,
  session: Session,
  { address, state, config, isRead }: Omit<StaysRequest, "type">,
): readonly Diagnostic[] | undefined {
  if (!isPlannedAsBefore(definition.attributes, state.attributes, config)) return undefined;
  const identity = identityOf(state);
  const { container } = identity;
  // The container in the id of an object that was moved from another provider may be a path.
  if (!Number.isSafeInteger(container)) return undefined;
  const references = referencesOf(definition, session, state);
  if (references.notRemoved.length > 0) return undefined;
  if (!isRead) {
    if (!isLive(definition, session, state, identity, references)) return undefined;
    references.startAgain();
  }
  const declared = references.ifKnown(() =>
    declaredAsBefore(definition, config, state.attributes, references),
  );
  if (declared === undefined) return undefined;
  noteDeclared(definition, config, references);
  if (references.remember() !== state.private) return undefined;
  if ((definition.check?.(declared, container) ?? []).length > 0) return undefined;
  const planning = { definition, session, prior: state, address, plannedObject: undefined };
  // Last: it registers what the object owns.
  return claim(planning, declared, container);
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
