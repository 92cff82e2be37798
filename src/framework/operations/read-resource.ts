import {
  type Attributes,
  attributeEntries,
  continueWith,
  isCollectionOfPrimitives,
  memoize,
  type Reference,
  type Resolution,
  sameValue,
  type ValueObject,
  withRecovery,
} from "../../schema";
import type { DataScope, DataSourceDefinition, Found, ResourceDefinition } from "../definition/definition";
import type { AttributesResponse, ReadRequest, StateResponse, StoredState } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import type { NamedEntry } from "../references/remembered";
import { compareContainer, compareHeld } from "./compare-paths";
import { containerKinds } from "./containers";
import {
  acceptedEntries,
  canHideEntries,
  hiddenEntryWarning,
  lacksEntries,
  notShown,
  withHiddenEntries,
} from "./hidden-entries";
import { type Identity, identityOf, placeOf, referencesOf, resolveId } from "./identity";
import { explainUnreadable, refusedContainer, skippedArchived, withStateRm } from "./object-problems";
import { confirmingScope, type ResourceSession, readingOf, type Session, scopeOf } from "./session";
import { toStateAsRead } from "./state";

/**
 * Refreshes an object. A missing object counts as gone only if the service still returns other data of its container. If the
 * request for the container gets a 404, the result is the stored state with an error. If the container is archived, drift can't
 * be repaired, so the result is the stored state with a note.
 */
export function readResource(
  session: ResourceSession,
  { state: stored }: ReadRequest,
): Resolution<StateResponse> {
  return withRecovery(
    () => continueWith(resolveId(session, stored), (state) => readResolved(session, state)),
    (problem) => notRead(session, stored, problem),
  );
}

function readResolved(session: ResourceSession, state: StoredState): Resolution<StateResponse> {
  const { definition, failures } = session;
  const identity = identityOf(state);
  session.expected.hold(String(state.attributes["id"]));
  session.lookups.isComparing = true;
  const container = compareContainer(session, state);
  const seen = withRecovery<ReadResult | StateResponse>(
    () => look(session, state, identity, container),
    (problem) => {
      if (!failures.isGone(problem)) throw problem;
      return explainUnlessTaken(session, state);
    },
  );
  return continueWith(seen, (result): Resolution<StateResponse> => {
    if (!("hidden" in result)) return result;
    const { live, hidden } = result;
    const { container: kind } = definition;
    const diagnostics =
      hidden.length > 0 ? [notShown(kind, session.lookups.nameOf(kind, identity.container), hidden)] : [];
    const response = live === undefined ? { diagnostics } : { state: live, diagnostics };
    if (live !== undefined && !isDrifted(definition, state, live)) return response;
    return session.lookups
      .isArchived(definition.container, identity.container)
      .then((isReadOnly) =>
        isReadOnly ? { state, diagnostics: [skippedArchived(session, identity)] } : response,
      );
  });
}

/**
 * Explains a 404 for an object. If the object is gone, the paths of its state are compared with the service too, because these
 * paths can now mean other objects.
 */
async function explainUnlessTaken(session: ResourceSession, state: StoredState): Promise<StateResponse> {
  const explained = await explainUnreadable(session, state);
  if (explained.state === undefined) await compareHeld(session, state);
  return explained;
}

/** Returns the response to a failed read: the stored state and the error. */
function notRead(session: ResourceSession, state: StoredState, problem: unknown): StateResponse {
  const refusedBy = () => refusedContainer(session, state.attributes[session.definition.container], 403);
  const diagnostics = session.failures
    .toDiagnostics(problem)
    .map((one) => (PERMANENT.has(one.code) ? withStateRm(session, one) : one))
    .map((one) => (one.code === "forbidden" ? { ...one, refused: refusedBy() } : one));
  return { state, diagnostics };
}

/**
 * The codes of errors that a repeated read does not solve. Their diagnostics also explain how to remove the object from the
 * state.
 */
const PERMANENT: ReadonlySet<string> = new Set(["forbidden", "feature_off"]);

/** The result of a refresh. */
interface ReadResult {
  /** The state of the live object; undefined if the object is gone. */
  readonly live: StoredState | undefined;
  /** The entries that the service does not list but may be hiding. The state keeps these entries. */
  readonly hidden: readonly NamedEntry[];
}

const NONE_HIDDEN: readonly NamedEntry[] = [];

/**
 * Reads the live object.
 *
 * @param compared the comparison of the container's path with the service, which is already in progress
 * @throws the client's errors; `gone` if it is unknown whether the object is gone
 */
function look(
  session: ResourceSession,
  state: StoredState,
  identity: Identity,
  compared: Resolution<unknown>,
): Resolution<ReadResult> {
  const { definition } = session;
  const scope = scopeOf(session, identity.container);
  return continueWith(definition.read(scope, identity.key, state.attributes), (shown) => {
    if (shown !== undefined) notePaths(session, shown);
    const references = continueWith(compared, () => comparedReferences(session, state));
    return continueWith(references, (known) =>
      shown === undefined
        ? confirmAbsence(session, state, { identity, references: known })
        : toResult(session, state, { identity, references: known }, shown),
    );
  });
}

/** The identity of an object, and the references in the private bytes of its state. */
interface Known {
  readonly identity: Identity;
  readonly references: References;
}

/**
 * Compares the paths of a state with the service. Returns the references of the state, with current paths for objects that moved
 * to another path.
 */
const comparedReferences = (session: ResourceSession, state: StoredState): Resolution<References> =>
  continueWith(compareHeld(session, state), (moved) => {
    const references = referencesOf(session, state).keepAll();
    for (const { kind, path, id } of moved) references.remembersToo(kind, path, id);
    return references;
  });

/**
 * Reads an object a second time, after the first read did not find it. The object counts as gone only if the second read does not
 * find it either.
 */
async function confirmAbsence(
  session: ResourceSession,
  state: StoredState,
  known: Known,
): Promise<ReadResult> {
  const { identity } = known;
  const scope = confirmingScope(session, identity.container);
  const shown = await session.definition.read(scope, identity.key, state.attributes);
  if (shown !== undefined) {
    notePaths(session, shown);
    return toResult(session, state, known, shown);
  }
  const entry = await hiddenEntryWarning(session, identity);
  return entry === undefined ? { live: undefined, hidden: NONE_HIDDEN } : { live: state, hidden: [entry] };
}

function toResult(
  session: ResourceSession,
  state: StoredState,
  { identity, references }: Known,
  shown: Found<Attributes>,
): Resolution<ReadResult> {
  const { definition } = session;
  const accepted = canHideEntries(definition)
    ? withEntries(session, state, identity, shown, references)
    : { found: shown, hidden: NONE_HIDDEN };
  return continueWith(accepted, ({ found, hidden }) => {
    const spelled =
      definition.key?.isAsShown === true ? placeOf(definition, identity.container, found) : identity;
    return continueWith(
      toStateAsRead({ definition, identity: spelled, found, references }, state),
      (live) => ({
        live,
        hidden,
      }),
    );
  });
}

/** Returns the live object with its hidden entries. A missing entry counts as gone only if a second read lacks it too. */
async function withEntries(
  session: ResourceSession,
  { attributes }: StoredState,
  { container, key }: Identity,
  shown: Found<Attributes>,
  references: References,
) {
  const { definition } = session;
  const accepted = acceptedEntries(definition, attributes, references);
  if (!lacksEntries(definition, shown, accepted)) return { found: shown, hidden: NONE_HIDDEN };
  const again = await definition.read(confirmingScope(session, container), key, attributes);
  return withHiddenEntries(session, again ?? shown, accepted);
}

/** Records the paths that a live object contains together with ids. A later comparison of these paths needs no request. */
function notePaths({ definition, lookups }: ResourceSession, found: Found<Attributes>): void {
  const all = shownReferences(definition);
  for (let index = 0; index < all.length; index += 1) {
    const { name, kind } = all[index]!;
    const value = (found as Readonly<Record<string, unknown>>)[name] ?? [];
    for (const { id, path } of (Array.isArray(value) ? value : [value]) as readonly Reference[])
      if (path !== undefined) lookups.shown(kind, id, path);
  }
}

/** Returns the attributes with references whose live values can contain a path in addition to the id. */
const shownReferences = memoize(
  ({
    attributes,
    container,
  }: ResourceDefinition): readonly { readonly name: string; readonly kind: string }[] =>
    attributeEntries(attributes).flatMap(([name, { type }]) => {
      const one = isCollectionOfPrimitives(type) ? type.element : type;
      return name !== container && one.kind === "reference" ? [{ name, kind: one.to }] : [];
    }),
);

/** Returns whether the live object differs from the state. Ignores differences in computed values. */
const isDrifted = ({ attributes }: ResourceDefinition, state: StoredState, live: StoredState): boolean =>
  live.attributes !== state.attributes &&
  attributeEntries(attributes).some(
    ([name, { presence, type }]) =>
      presence !== "computed" &&
      !sameValue(state.attributes[name] ?? null, live.attributes[name] ?? null, type),
  );

/** Reads a data source. If an argument contains an earlier path of an object, the result has a warning with the current path. */
export async function readDataSource(
  definition: DataSourceDefinition,
  session: Session,
  config: ValueObject,
): Promise<AttributesResponse> {
  const references = new References(session.lookups, undefined);
  const scope: DataScope = {
    ...readingOf(session),
    idOf: async (kind, name) => (await references.resolve(kind, String(name), [kind])).id,
    followed: (kind, name, fullPath) => references.recordMove(kind, String(name), fullPath, [kind]),
    noteFound: (kind, object) => session.lookups.found(kind, object),
  };
  try {
    return { attributes: await definition.read(scope, config), diagnostics: references.moved };
  } catch (problem) {
    const diagnostics = session.failures.toDiagnostics(problem);
    const kind = problem instanceof ReferenceNotFound ? String(diagnostics[0]?.attribute) : "";
    if (!containerKinds(session).includes(kind)) return { diagnostics };
    const refused = { kind, name: String(config[kind]), status: 404 } as const;
    return { diagnostics: diagnostics.map((one) => ({ ...one, refused })) };
  }
}
