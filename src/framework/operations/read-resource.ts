import { differences } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ReadRequest, ReadResponse, StoredState } from "../protocol/protocol";
import { isArchived, passedOver, whyUnseen, withWayOut } from "./container";
import { located } from "./located";
import { formatId, identityOf, referencesOf, type Session, scopeOf } from "./session";
import { toState } from "./state";
import { acceptedEntries, notShown, type UnseenEntry, unseenEntry, withUnseen } from "./unseen-entries";

/**
 * Reads an object again. It is gone only where the service answers for its siblings and not for it; where the service
 * answers 404 for all of them, the state is kept, with an error. In an archived container nothing can be mended, so what
 * differs there stays as the state has it, with a note.
 */
export async function readResource(
  definition: ResourceDefinition,
  session: Session,
  { state: stored }: ReadRequest,
): Promise<ReadResponse> {
  try {
    const state = await located(definition, session, stored);
    const identity = identityOf(state);
    session.expected.hold(definition, formatId(identity));
    let live: StoredState | undefined;
    let unseen: readonly UnseenEntry[];
    try {
      ({ live, unseen } = await look(definition, session, state));
    } catch (problem) {
      if (!session.failures.isGone(problem)) throw problem;
      return await whyUnseen(definition, session, identity, state);
    }
    if (differs(definition, state, live) && (await isArchived(definition, session, identity.container))) {
      return { state, diagnostics: [passedOver(definition, identity)] };
    }
    return { ...(live && { state: live }), diagnostics: notShown(definition, identity, unseen) };
  } catch (problem) {
    const diagnostics = session.failures
      .toDiagnostics(problem)
      .map((one) => (LASTING.has(one.code) ? withWayOut(session, definition, one) : one));
    return { state: stored, diagnostics };
  }
}

/** Refusals that the next run will meet again: how to go on without the object is told. */
const LASTING: ReadonlySet<string> = new Set(["forbidden", "feature_off"]);

/** What a look comes to. */
interface Look {
  /** The object as it is now; nothing where it is gone. */
  readonly live: StoredState | undefined;
  /** What counts as there, and can't be seen. */
  readonly unseen: readonly UnseenEntry[];
}

/** @throws the client's errors; `gone` where it can't be told whether the object is gone */
async function look(definition: ResourceDefinition, session: Session, state: StoredState): Promise<Look> {
  const identity = identityOf(state);
  const scope = scopeOf(definition, session, identity.container);
  const shown = await definition.read(scope, identity.key, state.attributes);
  if (shown === undefined) {
    const entry = await unseenEntry(definition, session, identity);
    return entry === undefined ? { live: undefined, unseen: [] } : { live: state, unseen: [entry] };
  }
  const references = referencesOf(definition, session, state);
  const accepted = acceptedEntries(definition, state.attributes, references);
  const { found, unseen } = await withUnseen(definition, session, shown, accepted);
  return { live: await toState(definition, identity, found, state.attributes, references), unseen };
}

/** Whether somebody would call it drift; computed values move by themselves. */
const differs = (
  { attributes }: ResourceDefinition,
  state: StoredState,
  live: StoredState | undefined,
): boolean =>
  live === undefined ||
  differences(attributes, state.attributes, live.attributes).some(
    ({ attribute }) => attribute.presence !== "computed",
  );
