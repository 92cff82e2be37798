import { type Diagnostic, error, formatPath, hasErrors } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { toDiagnostics } from "../problems";
import type { PlanRequest, PlanResponse } from "../protocol";
import { References } from "../references";
import {
  type Attribute,
  type Attributes,
  canonicalJson,
  type Declared,
  isWhollyKnown,
  planAttributes,
  type SameMeaning,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../schema";
import { holdsReferences, meaning, resolveValue } from "../spelling";
import { parseId, type Session } from "./session";
import { resolveDeclared } from "./state";

/** Plans one object. Without a session (the provider's configuration isn't known yet) references compare by their text. */
export async function planResource(
  definition: ResourceDefinition,
  session: Session,
  { prior, config }: PlanRequest,
): Promise<PlanResponse> {
  const references = new References(session.lookups, prior?.private);
  try {
    const { planned, requiresReplace } = await planAttributes(
      definition.attributes,
      prior?.attributes,
      config,
      sameMeaningBy(references),
    );
    // A replacement is planned a second time, without a prior state: it is checked, and claims, then.
    const replaces = requiresReplace.length > 0;
    const diagnostics = replaces
      ? []
      : await checkMeaning(definition, session, prior?.attributes, planned, config, references);
    if (hasErrors(diagnostics)) return { requiresReplace: [], diagnostics };
    const attributes = { ...planned, id: prior?.attributes["id"] ?? UNKNOWN };
    return {
      planned: { attributes, private: references.remember() ?? prior?.private },
      requiresReplace,
      diagnostics,
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
    } catch {
      // What the state names can't be found any more, so the configuration can't mean the same.
      return false;
    }
  };

const inOneOrder = (kind: string, value: Value): Value =>
  kind === "set" && Array.isArray(value)
    ? value.map((element: Value) => canonicalJson(element)).sort()
    : value;

/** What can be told only when it is known what references name: that they exist, differ, and are claimed once. */
async function checkMeaning(
  definition: ResourceDefinition,
  session: Session,
  prior: ValueObject | undefined,
  planned: ValueObject,
  config: ValueObject,
  references: References,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  let known = true;
  for (const [name, attribute] of Object.entries(definition.attributes)) {
    const value = config[name] ?? null;
    known &&= isWhollyKnown(value);
    if (!isWhollyKnown(value) || planned[name] === prior?.[name]) continue;
    diagnostics.push(...(await checkReferences(attribute, name, value, references)));
  }
  if (!known || hasErrors(diagnostics)) return diagnostics;
  const declared = await resolveDeclared(definition, config, references);
  const container = prior === undefined ? undefined : parseId(String(prior["id"])).container;
  return [...diagnostics, ...checkOwnership(definition, session, declared, container)];
}

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
    const means = meaning({ ...type, kind: "list" } as Attribute["type"], [element]);
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

function checkOwnership(
  definition: ResourceDefinition,
  { claims }: Session,
  declared: Declared<Attributes>,
  priorContainer: number | undefined,
): Diagnostic[] {
  const named = (declared as Record<string, { id: number } | null>)[definition.container];
  const container = priorContainer ?? named?.id;
  if (container === undefined) return [];
  const own = definition.check?.(declared, container) ?? [];
  const wanted = definition.claims?.(declared) ?? [ownObject(definition, declared)];
  return [
    ...own,
    ...claims.take(`steward_${definition.type}`, `${definition.container} ${container}`, wanted),
  ];
}

/** Without claims of its own, a declaration owns the one object that it declares. */
const ownObject = (definition: ResourceDefinition, declared: Declared<Attributes>) => ({
  set: definition.type.replaceAll("_", " "),
  ...(definition.key && { entry: definition.key.of(declared) }),
});
