import { differences } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ReadRequest, ReadResponse, StoredState } from "../protocol/protocol";
import {
  acceptedEntries,
  type HiddenEntry,
  hiddenEntryWarning,
  notShown,
  withHiddenEntries,
} from "./hidden-entries";
import { resolveId } from "./resolve-id";
import { formatId, identityOf, referencesOf, type Session, scopeOf } from "./session";
import { toState } from "./state";
import { explainUnreadable, isArchived, skippedArchived, withStateRm } from "./unreadable-object";

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
    const state = await resolveId(definition, session, stored);
    const identity = identityOf(state);
    session.expected.hold(definition, formatId(identity));
    let live: StoredState | undefined;
    let unseen: readonly HiddenEntry[];
    try {
      ({ live, unseen } = await look(definition, session, state));
    } catch (problem) {
      if (!session.failures.isGone(problem)) throw problem;
      return await explainUnreadable(definition, session, identity, state);
    }
    if (differs(definition, state, live) && (await isArchived(definition, session, identity.container))) {
      return { state, diagnostics: [skippedArchived(definition, identity)] };
    }
    return { ...(live && { state: live }), diagnostics: notShown(definition, identity, unseen) };
  } catch (problem) {
    const diagnostics = session.failures
      .toDiagnostics(problem)
      .map((one) => (PERMANENT.has(one.code) ? withStateRm(session, definition, one) : one));
    return { state: stored, diagnostics };
  }
}

/** Refusals that the next run will meet again: how to go on without the object is told. */
const PERMANENT: ReadonlySet<string> = new Set(["forbidden", "feature_off"]);

/** What a look comes to. */
interface ReadResult {
  /** The object as it is now; nothing where it is gone. */
  readonly live: StoredState | undefined;
  /** What counts as there, and can't be seen. */
  readonly unseen: readonly HiddenEntry[];
}

/** @throws the client's errors; `gone` where it can't be told whether the object is gone */
async function look(
  definition: ResourceDefinition,
  session: Session,
  state: StoredState,
): Promise<ReadResult> {
  const identity = identityOf(state);
  const scope = scopeOf(definition, session, identity.container);
  const shown = await definition.read(scope, identity.key, state.attributes);
  if (shown === undefined) {
    const entry = await hiddenEntryWarning(definition, session, identity);
    return entry === undefined ? { live: undefined, unseen: [] } : { live: state, unseen: [entry] };
  }
  const references = referencesOf(definition, session, state);
  const accepted = acceptedEntries(definition, state.attributes, references);
  const { found, unseen } = await withHiddenEntries(definition, session, shown, accepted);
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
