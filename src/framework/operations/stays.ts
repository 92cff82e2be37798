import type { Diagnostic } from "../../diagnostics";
import { isPlannedAsBefore } from "../../schema";
import type { Collection } from "../collections/listing";
import type { ResourceDefinition, Scope } from "../definition/definition";
import type { StaysRequest, StoredState } from "../protocol/protocol";
import type { References } from "../references/references";
import { claim } from "./check-plan";
import { canHideEntries } from "./hidden-entries";
import { isIdentityOf } from "./identity";
import { identityOf, parseId, type ResourceSession, referencesOf, scopeOf } from "./session";
import { declaredAsBefore, isAsRead, noteDeclared } from "./state";

/**
 * The shared context of objects with the same type and container. Such objects usually come one after the
 * other, so most of them reuse the context.
 */
class ContainerContext {
  readonly container: number;
  readonly scope: Scope;
  /** The references that the object's state remembers; none of them is in use at first. */
  references: References;
  readonly #start: string;
  readonly #text: unknown;
  #private: string | undefined;

  constructor(
    private readonly session: ResourceSession,
    state: StoredState,
  ) {
    this.container = identityOf(state).container;
    this.scope = keepingCollections(scopeOf(session, this.container));
    this.references = referencesOf(session, state);
    this.#start = `${this.container}:`;
    this.#text = state.attributes[session.definition.container];
    this.#private = state.private;
  }

  /** Returns whether another object has the same container. If so, the context is prepared for this object. */
  isContextOf(state: StoredState): boolean {
    const { attributes, private: remembered } = state;
    if (attributes[this.session.definition.container] !== this.#text) return false;
    if (!String(attributes["id"]).startsWith(this.#start)) return false;
    if (remembered === this.#private) this.references.startAgain();
    else this.references = referencesOf(this.session, state);
    this.#private = remembered;
    return true;
  }
}

/** The context of the last object of each session. */
const lastContexts = new WeakMap<ResourceSession, ContainerContext>();

function contextOf(session: ResourceSession, state: StoredState): ContainerContext {
  const last = lastContexts.get(session);
  if (last?.isContextOf(state)) return last;
  const context = new ContainerContext(session, state);
  lastContexts.set(session, context);
  return context;
}

/** Returns a scope that keeps the last collection, because a lifecycle mostly reads only one. */
function keepingCollections(scope: Scope): Scope {
  let last: { readonly of: unknown; readonly live: unknown } | undefined;
  const collection = (of: Collection<never, never>) => {
    if (last?.of !== of) last = { of, live: scope.collection(of) };
    return last?.live;
  };
  return { ...scope, name: scope.name, collection: collection as Scope["collection"] };
}

/**
 * Registers the ownership of an object that does not change, so that its plan is the prior state itself. If
 * that is not certain, it registers nothing and returns undefined. It sends no request. Most objects of a
 * large plan do not change. For them, `readResource` and `planInFull` would return the same state, except for
 * remembered references.
 *
 * @returns errors about parts that another declaration also owns
 */
export function claimIfUnchanged(
  session: ResourceSession,
  { address, state, config, isRead }: Omit<StaysRequest, "type">,
): readonly Diagnostic[] | undefined {
  const { definition } = session;
  if (!isPlannedAsBefore(definition.attributes, state.attributes, config)) return undefined;
  const context = contextOf(session, state);
  const { container, references } = context;
  // The container in the id of an object that was moved from another provider may be a path.
  if (!Number.isSafeInteger(container) || references.notRemoved.length > 0) return undefined;
  // A path may now belong to another object.
  if (session.lookups.isComparing && !session.lookups.isQuiet(state.private)) return undefined;
  if (!isRead) {
    if (!isLive(definition, state, context)) return undefined;
    references.startAgain();
  }
  const declared = references.ifKnown(() =>
    declaredAsBefore(definition, config, state.attributes, references),
  );
  if (declared === undefined) return undefined;
  // An import records no declared attributes, and for an unchanged object no apply would save them.
  if (!session.isPlanKept || references.hasDeclared) noteDeclared(definition, config, references);
  if (references.remember() !== state.private) return undefined;
  if ((definition.check?.(declared, container) ?? []).length > 0) return undefined;
  // `claim` comes last, because it registers the ownership.
  return claim(session, { prior: state, address, plannedObject: undefined }, declared, container);
}

/** Returns whether the cached records equal an object of the state. */
function isLive(
  definition: ResourceDefinition,
  state: StoredState,
  { container, references, scope }: ContainerContext,
) {
  if (state.identity === undefined || canHideEntries(definition)) return false;
  const identity = { container, key: parseId(String(state.attributes["id"])).key };
  const found = read(definition, scope, identity.key, state);
  return (
    found !== undefined &&
    isAsRead({ definition, identity, found, references }, state) &&
    isIdentityOf(definition, state.identity, identity)
  );
}

function read(definition: ResourceDefinition, scope: Scope, key: string, { attributes }: StoredState) {
  try {
    const found = definition.read(scope, key, attributes);
    if (!(found instanceof Promise)) return found;
    found.catch(() => undefined);
  } catch {
    // The full read of the object reports the error.
  }
  return undefined;
}
