import { type Diagnostic, error, formatPath } from "../../diagnostics";
import type { Found, ResourceDefinition, Scope } from "../definition";
import { isAlreadyThere, isLostAnswer, isNotFound, toDiagnostics } from "../problems";
import type { ApplyRequest, ApplyResponse, StoredState } from "../protocol";
import { References } from "../references";
import type { Attributes, Declared, Reference, ValueObject } from "../schema";
import { find, formatId, type Identity, parseId, type Session, scopeOf } from "./session";
import { differences, resolveDeclared, toState } from "./state";

/** How often a write is sent whose answer is lost each time, and that turns out not to have been done. */
const SENDS = 3;

/** Creates, updates or deletes one object. */
export async function applyResource(
  definition: ResourceDefinition,
  session: Session,
  { prior, planned, config }: ApplyRequest,
): Promise<ApplyResponse> {
  if (planned === undefined || config === undefined) return deleteObject(definition, session, prior!);
  const references = new References(session.lookups, planned.private ?? prior?.private);
  let declared: Declared<Attributes>;
  try {
    declared = await resolveDeclared(definition, config, references);
  } catch (problem) {
    return { ...(prior && { state: prior }), diagnostics: toDiagnostics(problem) };
  }
  const finish = async (container: number, found: Found<Attributes>): Promise<ApplyResponse> => {
    const identity = { container, key: definition.key?.of(found) ?? "" };
    const state = await toState(definition, identity, found, planned.attributes, references);
    return { state, diagnostics: inconsistencies(definition, declared, found) };
  };
  return prior === undefined
    ? createObject(definition, session, declared, finish)
    : updateObject(definition, session, prior, declared, finish);
}

type Finish = (container: number, found: Found<Attributes>) => Promise<ApplyResponse>;

async function createObject(
  definition: ResourceDefinition,
  session: Session,
  declared: Declared<Attributes>,
  finish: Finish,
): Promise<ApplyResponse> {
  const { id: container } = (declared as Record<string, Reference>)[definition.container]!;
  const scope = scopeOf(session, container);
  try {
    return await finish(container, await createOrTake(definition, session, scope, declared));
  } catch (problem) {
    session.collections.drop(container);
    if (!isAlreadyThere(problem)) return { diagnostics: toDiagnostics(problem) };
    const id = formatId({ container, key: definition.key?.of(declared) ?? "" });
    return { diagnostics: [alreadyExists(definition, id)] };
  }
}

/**
 * Sends the create. After a lost answer it looks: what is there and matches was made by this very operation and is
 * taken; what is not there is sent again. Without a lost answer, "already there" belongs to somebody else.
 */
async function createOrTake(
  definition: ResourceDefinition,
  session: Session,
  scope: Scope,
  declared: Declared<Attributes>,
): Promise<Found<Attributes>> {
  for (let sent = 1; ; sent++) {
    try {
      return await definition.create(scope, declared);
    } catch (problem) {
      const mayBeOurs = isLostAnswer(problem) || (sent > 1 && isAlreadyThere(problem));
      if (!mayBeOurs) throw problem;
      session.collections.drop(scope.container);
      const found = await find(definition, scope, declared).catch((second: unknown) => {
        if (isNotFound(second)) return undefined;
        throw second;
      });
      if (found !== undefined && differences(definition, declared, found).length === 0) return found;
      if (sent === SENDS) throw problem;
    }
  }
}

async function updateObject(
  definition: ResourceDefinition,
  session: Session,
  prior: StoredState,
  declared: Declared<Attributes>,
  finish: Finish,
): Promise<ApplyResponse> {
  const { container, key } = parseId(String(prior.attributes["id"]));
  const scope = scopeOf(session, container);
  try {
    return await finish(container, await observeAndUpdate(definition, session, scope, key, declared));
  } catch (problem) {
    session.collections.drop(container);
    return {
      state: await stateNow(definition, session, { container, key }, prior),
      diagnostics: toDiagnostics(problem),
    };
  }
}

/** Observes before each attempt, so that after a lost answer only what is still missing is sent. */
async function observeAndUpdate(
  definition: ResourceDefinition,
  session: Session,
  scope: Scope,
  key: string,
  declared: Declared<Attributes>,
): Promise<Found<Attributes>> {
  for (let sent = 1; ; sent++) {
    const observed = await definition.read(scope, key);
    if (observed === undefined) return definition.create(scope, declared);
    if (definition.update === undefined) return observed;
    try {
      return await definition.update(scope, declared, observed);
    } catch (problem) {
      if (!isLostAnswer(problem) || sent === SENDS) throw problem;
      session.collections.drop(scope.container);
    }
  }
}

/** After a failed update: what exists now; the prior state where even that can't be told. */
async function stateNow(
  definition: ResourceDefinition,
  session: Session,
  { container, key }: Identity,
  prior: StoredState,
): Promise<StoredState> {
  try {
    const found = await definition.read(scopeOf(session, container), key);
    if (found === undefined) return prior;
    const references = new References(session.lookups, prior.private);
    return await toState(definition, { container, key }, found, prior.attributes, references);
  } catch {
    // The failed update is what the user is told of; the next refresh looks again.
    return prior;
  }
}

async function deleteObject(
  definition: ResourceDefinition,
  session: Session,
  prior: StoredState,
): Promise<ApplyResponse> {
  const { container, key } = parseId(String(prior.attributes["id"]));
  const scope = scopeOf(session, container);
  for (let sent = 1; ; sent++) {
    try {
      await definition.delete?.(scope, key, prior.attributes);
      return { diagnostics: [] };
    } catch (problem) {
      if (isNotFound(problem)) return { diagnostics: [] };
      session.collections.drop(container);
      if (isLostAnswer(problem) && sent < SENDS) continue;
      return { state: prior, diagnostics: toDiagnostics(problem) };
    }
  }
}

function inconsistencies(
  definition: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
): Diagnostic[] {
  return differences(definition, declared, found).map((attribute) =>
    error({
      code: "inconsistent_result",
      summary: "The service shows something else than what was sent",
      detail:
        `${formatPath(attribute)} was sent and accepted, and now reads ${shown(found, attribute[0] as string)} ` +
        `where ${shown(declared, attribute[0] as string)} was declared. ` +
        "The service drops entries of users and groups that have no access to the project.",
      attribute,
    }),
  );
}

const shown = (object: unknown, name: string): string =>
  JSON.stringify((object as ValueObject)[name] ?? null);

const alreadyExists = (definition: ResourceDefinition, id: string): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `The ${definition.type.replaceAll("_", " ")} "${id}" is on the service already, and not in this state. ` +
      `Take it over with \`steward import ADDRESS ${id}\`, or delete it on the service.`,
  });
