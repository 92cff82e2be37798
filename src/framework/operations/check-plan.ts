import { type Diagnostic, type DiagnosticPath, error, formatPath, hasErrors } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  type AttributesPlan,
  attributeEntries,
  type Declared,
  elementStep,
  elementType,
  isWhollyKnown,
  type Value,
  type ValueObject,
} from "../../schema";
import { registerClaims } from "../ownership/owners";
import type { PlanRequest, StoredState } from "../protocol/protocol";
import { hasReferences, meaning, resolveValue } from "../references/normalize";
import { ReferenceNotFound, type References } from "../references/references";
import { readAccessAhead, readRightsAhead } from "./access";
import { claimOwnership, ownershipsOf } from "./declared-ownership";
import { type ExistingObjects, existingObjects, notHeld, nothingIn } from "./existing-object";
import { containerOf, formatId, identityOf, placeOf } from "./identity";
import { archivedRefusal } from "./object-problems";
import { keptByCreate } from "./replaced-values";
import { type ResourceSession, scopeOf } from "./session";
import { declaredBy } from "./state";

/** The inputs for planning one object. */
export interface Planning {
  readonly session: ResourceSession;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  readonly address: string | undefined;
  readonly references: References;
  /** The id of the object that an earlier plan of this run used for this declaration; undefined if there was no such plan. */
  readonly plannedObject: string | undefined;
  /**
   * How the plan treats a live object that blocks this create, as in the host's request. If undefined, the plan does not look for
   * such an object.
   */
  readonly wanted: PlanRequest["existing"];
}

/**
 * Checks what needs resolved references. The referenced objects must exist, the declaration must be valid, no other declaration
 * may own the same parts, and the container must accept changes.
 */
export async function checkPlan(
  planning: Planning,
  { planned, isChange }: AttributesPlan,
): Promise<ExistingObjects> {
  const { session, prior, references } = planning;
  const { definition } = session;
  const settled = references.settled(() => checkDeclared(planning, planned));
  const { found, declared } = settled instanceof Promise ? await settled : settled;
  if (declared === undefined)
    return nothingIn(hasErrors(found) ? found : [...found, ...claimInPart(planning)]);
  const container = prior === undefined ? containerOf(definition, declared) : identityOf(prior).container;
  found.push(
    ...(definition.check?.(declared, container) ?? []),
    ...claim(session, planning, declared, container),
  );
  if (hasErrors(found)) return nothingIn(found);
  if (isChange && (await session.lookups.isArchived(definition.container, container))) {
    return nothingIn([...found, archivedRefusal(session, container)]);
  }
  if (isChange)
    readRightsAhead(session, { type: session.type, prior, planned: { attributes: planned } }, container);
  if (prior !== undefined) {
    const refusals = isChange
      ? await definition.onPlan?.update?.(declared, prior.attributes, scopeOf(session, container))
      : undefined;
    return nothingIn([...found, ...(refusals ?? [])]);
  }
  readAccessAhead(session, { container, declared });
  await requireContainer(session, planning.config[definition.container], container);
  const before = await beforeCreate(planning, declared, container);
  const place = planning.wanted
    ? await existingObjects(session, declared, container, planning.plannedObject)
    : nothingIn([]);
  return {
    diagnostics: [...found, ...before.diagnostics, ...place.diagnostics],
    existing: [...before.existing, ...place.existing],
  };
}

/**
 * Calls `onPlan.create` of the definition for a new object. Returns the diagnostics of this call, and the live object that blocks
 * the create. An object in the state does not block.
 */
async function beforeCreate(planning: Planning, declared: Declared<Attributes>, container: number) {
  const { session, plannedObject } = planning;
  const { definition } = session;
  try {
    const found = await definition.onPlan?.create?.(scopeOf(session, container), declared);
    return nothingIn([...(found ?? []), ...(await keptByCreate(session, declared, container))]);
  } catch (problem) {
    if (!session.failures.isAlreadyThere(problem)) throw problem;
    const id = formatId(placeOf(definition, container, declared));
    return { diagnostics: [], existing: notHeld(session, [id], plannedObject) };
  }
}

/**
 * Checks the references of a declaration. Must be called within `References.settled`. Returns the problems, and the
 * declaration if all values are known and valid.
 */
function checkDeclared({ session, prior, config, references }: Planning, planned: ValueObject) {
  const { definition } = session;
  const found: Diagnostic[] = [];
  let isKnown = true;
  for (const [name, attribute] of attributeEntries(definition.attributes)) {
    const value = config[name] ?? null;
    const isValueKnown = isWhollyKnown(value);
    isKnown &&= isValueKnown;
    if (!isValueKnown || planned[name] === prior?.attributes[name]) continue;
    found.push(...checkReferences(attribute, name, value, references));
  }
  if (!isKnown || hasErrors(found)) return { found };
  return { found, declared: declaredBy(definition, config, references) };
}

/**
 * Checks that the token can read the container. A declared path was already looked up, but the id of a container was not. @throws
 * ReferenceNotFound
 */
async function requireContainer(
  { definition, lookups }: ResourceSession,
  name: Value | undefined,
  container: number,
): Promise<void> {
  const { container: kind } = definition;
  if (await lookups.isReadable(kind, container)) return;
  throw new ReferenceNotFound(kind, String(name), [kind]);
}

function checkReferences({ type }: Attribute, name: string, value: Value, references: References) {
  if (!hasReferences(type) || value === null) return [];
  const resolved = resolveValue(type, value, references, [name]);
  if (type.kind !== "set" || !Array.isArray(resolved)) return [];
  const seen = new Map<string, number>();
  const path = (index: number) => [name, elementStep(type, (value as readonly Value[])[index], index)];
  return resolved.flatMap((element, index) => {
    const means = meaning(elementType(type), element);
    const first = seen.get(means);
    seen.set(means, first ?? index);
    return first === undefined ? [] : [sameTwice(path(index), path(first))];
  });
}

function sameTwice(attribute: DiagnosticPath, first: DiagnosticPath): Diagnostic {
  return error({
    code: "duplicate_reference",
    summary: "Duplicate reference",
    detail: `\`${formatPath(first)}\` and \`${formatPath(attribute)}\` refer to the same object. Remove one of them.`,
    attribute,
  });
}

/** Registers the ownership of a declaration with unknown values. Returns conflicts with other declarations. */
const claimInPart = (planning: Planning) =>
  claimOwnership(planning.session, {
    address: planning.address,
    object: objectOf(planning),
    attributes: planning.config,
    private: planning.prior?.private,
  }) ?? [];

/** Returns the id of a declaration's object: the id in the state, or else the id that an earlier plan of this run used. */
const objectOf = ({ prior, plannedObject }: Pick<Planning, "prior" | "plannedObject">): string | undefined =>
  prior === undefined ? plannedObject : String(prior.attributes["id"]);

/**
 * Registers the ownership of a declaration with known references. Returns errors about parts that another declaration also owns.
 */
export function claim(
  session: ResourceSession,
  planning: Pick<Planning, "prior" | "address" | "plannedObject">,
  declared: Declared<Attributes>,
  container: number,
): Diagnostic[] {
  const { definition, lookups, type } = session;
  const object = objectOf(planning);
  const isPlannedAgain = planning.prior === undefined && object !== undefined;
  return registerClaims(
    session.owners,
    { type, address: planning.address, object, isPlannedAgain },
    { kind: definition.container, id: container, name: lookups.nameOf(definition.container, container) },
    ownershipsOf(definition, declared),
  );
}
