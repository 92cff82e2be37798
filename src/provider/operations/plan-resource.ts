import { type Diagnostic, error, formatPath, hasErrors, warning } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { toDiagnostics } from "../problems";
import type { PlanRequest, PlanResponse, StoredState } from "../protocol";
import { ReferenceNotFound, type References } from "../references";
import {
  type Attribute,
  type Attributes,
  type AttributesPlan,
  canonicalJson,
  type Declared,
  isWhollyKnown,
  planAttributes,
  type Reference,
  type SameMeaning,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../schema";
import { elementMeaning, holdsReferences, meaning, resolveValue } from "../spelling";
import { archivedRefusal, isArchived } from "./container";
import { identityOf, referencesOf, type Session, scopeOf } from "./session";
import { containerOf, resolveDeclared } from "./state";

/** What one planning works with. */
interface Planning {
  readonly definition: ResourceDefinition;
  readonly session: Session;
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  readonly references: References;
}

/** Plans one object: what would become of its attributes, and whether that may be, as far as values are known. */
export async function planResource(
  definition: ResourceDefinition,
  session: Session,
  { prior, config }: PlanRequest,
): Promise<PlanResponse> {
  const references = referencesOf(definition, session, prior);
  const planning = { definition, session, prior, config, references };
  try {
    const plan = await planAttributes(
      definition.attributes,
      prior?.attributes,
      config,
      sameMeaningBy(references),
    );
    // A replacement is planned a second time, without a prior state: it is checked, and claims, then.
    const diagnostics =
      plan.requiresReplace.length > 0 ? await reasonsToReplace(planning, plan) : await check(planning, plan);
    if (hasErrors(diagnostics)) return { requiresReplace: [], diagnostics };
    const attributes = { ...plan.planned, id: prior?.attributes["id"] ?? UNKNOWN };
    return {
      planned: { attributes, private: references.remember() ?? prior?.private },
      requiresReplace: plan.requiresReplace,
      diagnostics: [...references.moved, ...diagnostics],
    };
  } catch (problem) {
    return { requiresReplace: [], diagnostics: toDiagnostics(problem) };
  }
}

const sameMeaningBy =
  (references: References): SameMeaning =>
  async ({ type }, one, other, path) => {
    const sameText =
      canonicalJson(inOneOrder(type.kind, one)) === canonicalJson(inOneOrder(type.kind, other));
    if (sameText || !isWhollyKnown(other) || !holdsReferences(type)) return sameText;
    const wanted = meaning(type, await resolveValue(type, other, references, path));
    try {
      return meaning(type, await resolveValue(type, one, references, path)) === wanted;
    } catch (problem) {
      // What the state names can't be found any more, so the configuration can't mean the same.
      if (problem instanceof ReferenceNotFound) return false;
      throw problem;
    }
  };

const inOneOrder = (kind: string, value: Value): Value =>
  kind === "set" && Array.isArray(value)
    ? value.map((element: Value) => canonicalJson(element)).sort()
    : value;

/** Says of each reference that forces a new object what it names now and what it named. */
async function reasonsToReplace(
  { definition, prior, config, references }: Planning,
  { requiresReplace }: AttributesPlan,
): Promise<Diagnostic[]> {
  const reasons: Diagnostic[] = [];
  for (const path of requiresReplace) {
    const name = String(path[0]);
    const { type } = definition.attributes[name]!;
    const [before, now] = [prior?.attributes[name] ?? null, config[name] ?? null];
    if (type.kind !== "reference" || before === null || !isWhollyKnown(now)) continue;
    const { id } = (await resolveValue(type, now, references, path)) as Reference;
    reasons.push(
      warning({
        code: "reference_changed",
        summary: `Another ${type.to} than before`,
        detail:
          `${formatPath(path)} names the ${type.to} ${id} ("${now}"), and this object belongs to "${before}". ` +
          "The object is replaced.",
        attribute: path,
      }),
    );
  }
  return reasons;
}

/** What can be told only when it is known what references name: that they exist, differ, are claimed once, and can be changed. */
async function check(planning: Planning, { planned }: AttributesPlan): Promise<Diagnostic[]> {
  const { definition, session, prior, config, references } = planning;
  const found: Diagnostic[] = [];
  let isKnown = true;
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    const value = config[name] ?? null;
    isKnown &&= isWhollyKnown(value);
    if (!isWhollyKnown(value) || planned[name] === prior?.attributes[name]) continue;
    found.push(...(await checkReferences(attribute, name, value, references)));
  }
  if (!isKnown || hasErrors(found)) return found;
  const declared = await resolveDeclared(definition, config, references);
  const container = prior === undefined ? containerOf(definition, declared) : identityOf(prior).container;
  found.push(
    ...(definition.check?.(declared, container) ?? []),
    ...claim(definition, session, declared, container),
  );
  if (hasErrors(found)) return found;
  if (changes(planned, prior) && (await isArchived(definition, session, container))) {
    return [...found, archivedRefusal(definition.container, container)];
  }
  if (prior !== undefined) return found;
  return [...found, ...((await definition.beforeCreate?.(scopeOf(session, container), declared)) ?? [])];
}

const changes = (planned: ValueObject, prior: StoredState | undefined): boolean =>
  prior === undefined ||
  Object.entries(planned).some(
    ([name, value]) => canonicalJson(value) !== canonicalJson(prior.attributes[name] ?? null),
  );

async function checkReferences(
  { type }: Attribute,
  name: string,
  value: Value,
  references: References,
): Promise<Diagnostic[]> {
  if (!holdsReferences(type) || value === null) return [];
  const resolved = await resolveValue(type, value, references, [name]);
  if (type.kind !== "set" || !Array.isArray(resolved)) return [];
  const seen = new Map<string, number>();
  return resolved.flatMap((element, index) => {
    const means = elementMeaning(type, element);
    const first = seen.get(means);
    seen.set(means, first ?? index);
    return first === undefined ? [] : [sameTwice(name, value as readonly Value[], first, index)];
  });
}

function sameTwice(name: string, value: readonly Value[], first: number, second: number): Diagnostic {
  const attribute = [name, second];
  return error({
    code: "duplicate_reference",
    summary: "The same thing named twice",
    detail:
      `${formatPath([name, first])} and ${formatPath(attribute)} (${canonicalJson(value[first]!)} and ` +
      `${canonicalJson(value[second]!)}) mean the same. Keep one of the two.`,
    attribute,
  });
}

/** Without claims of its own, a declaration owns the one object that it declares. */
function claim(
  definition: ResourceDefinition,
  { claims }: Session,
  declared: Declared<Attributes>,
  container: number,
): Diagnostic[] {
  const { type, key } = definition;
  const ownObject = { set: type.replaceAll("_", " "), ...(key && { entry: key.of(declared) }) };
  return claims.take(
    `steward_${type}`,
    `${definition.container} ${container}`,
    definition.claims?.(declared) ?? [ownObject],
  );
}
