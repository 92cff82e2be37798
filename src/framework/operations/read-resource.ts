import { attributeEntries, sameValue } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ReadRequest, ReadResponse, StoredState } from "../protocol/protocol";
import {
  acceptedEntries,
  type HiddenEntry,
  hiddenEntryWarning,
  mayHideEntries,
  notShown,
  withHiddenEntries,
} from "./hidden-entries";
import { resolveId } from "./resolve-id";
import { formatId, identityOf, referencesOf, type Session, scopeOf } from "./session";
import { toState } from "./state";
import { explainUnreadable, isArchived, skippedArchived, withStateRm } from "./unreadable-object";

/**
 * Refreshes an object. It is gone only if the service returns its siblings and not itself; if the service
 * responds 404 for all of them, the state is kept with an error. In an archived container drift can't be
 * repaired, so the state is kept with a note.
 */
export async function readResource(
  definition: ResourceDefinition,
  session: Session,
  { state: stored }: ReadRequest,
): Promise<ReadResponse> {
  try {
    const resolved = resolveId(definition, session, stored);
    const state = resolved instanceof Promise ? await resolved : resolved;
    const identity = identityOf(state);
    session.expected.hold(definition, formatId(identity));
    let live: StoredState | undefined;
    let hidden: readonly HiddenEntry[];
    try {
      ({ live, hidden } = await look(definition, session, state));
    } catch (problem) {
      if (!session.failures.isGone(problem)) throw problem;
      return await explainUnreadable(definition, session, identity, state);
    }
    if (differs(definition, state, live) && (await isArchived(definition, session, identity.container))) {
      return { state, diagnostics: [skippedArchived(definition, identity)] };
    }
    return { ...(live && { state: live }), diagnostics: notShown(definition, identity, hidden) };
  } catch (problem) {
    const diagnostics = session.failures
      .toDiagnostics(problem)
      .map((one) => (PERMANENT.has(one.code) ? withStateRm(session, definition, one) : one));
    return { state: stored, diagnostics };
  }
}

/** Permanent refusals: the error tells how to continue without the object. */
const PERMANENT: ReadonlySet<string> = new Set(["forbidden", "feature_off"]);

/** The result of a refresh. */
interface ReadResult {
  /** The current object; undefined if it is gone. */
  readonly live: StoredState | undefined;
  /** Entries that count as present although they are hidden. */
  readonly hidden: readonly HiddenEntry[];
}

/** @throws the client's errors; `gone` if it is unknown whether the object is gone */
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
    return entry === undefined ? { live: undefined, hidden: [] } : { live: state, hidden: [entry] };
  }
  const references = referencesOf(definition, session, state);
  const { found, hidden } = mayHideEntries(definition)
    ? await withHiddenEntries(
        definition,
        session,
        shown,
        acceptedEntries(definition, state.attributes, references),
      )
    : { found: shown, hidden: [] };
  const live = toState(definition, identity, found, state.attributes, references);
  return { live: live instanceof Promise ? await live : live, hidden };
}

/** Whether the difference is drift; computed values may change by themselves. */
const differs = (
  { attributes }: ResourceDefinition,
  state: StoredState,
  live: StoredState | undefined,
): boolean =>
  live === undefined ||
  (live.attributes !== state.attributes &&
    attributeEntries(attributes).some(
      ([name, { presence, type }]) =>
        presence !== "computed" &&
        !sameValue(state.attributes[name] ?? null, live.attributes[name] ?? null, type),
    ));
