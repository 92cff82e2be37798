import { type AttributePath, type Diagnostic, formatPath, warning } from "../../diagnostics";
import { type Attributes, type Declared, isUnknown, isWhollyKnown, type ValueObject } from "../../schema";
import { namesUpTo } from "../../text";
import type { ResourceDefinition } from "../definition/definition";
import type { ReplacedRequest, ReplacedValues } from "../protocol/protocol";
import type { Resolved } from "../references/normalize";
import { References } from "../references/references";
import { withRemembered } from "../references/remembered";
import { show } from "./contradictions";
import { formatId } from "./identity";
import { failureReason } from "./object-problems";
import { type ResourceSession, scopeOf } from "./session";
import { resolveDeclared, settingsOf, toState } from "./state";
import { isWholeList, keysIn, undeclaredIn } from "./unplanned-elements";

/**
 * Returns the live values that the create of a setting replaces. Only settings of a container exist before their create. Returns
 * undefined for objects that are not such settings, and also if the container is unknown.
 */
export async function replacedValues(
  session: ResourceSession,
  { config, private: remembered }: ReplacedRequest,
): Promise<ReplacedValues | undefined> {
  const { definition } = session;
  const { container: kind, key } = definition;
  const name = config[kind];
  if (key !== undefined || !session.isConnected || typeof name !== "string") return undefined;
  const declared = settingsOf(definition)
    .map(([one]) => one)
    .filter((one) => (config[one] ?? null) !== null);
  if (declared.length === 0) return undefined;
  const references = new References(session.lookups, remembered);
  try {
    const { id: container } = await references.resolve(kind, name, [kind]);
    const found = await definition.read(scopeOf(session, container), "");
    if (found === undefined) return undefined;
    const like = Object.fromEntries(Object.entries(config).filter(([, value]) => !isUnknown(value)));
    const identity = { container, key: "" };
    const { attributes } = await toState({ definition, identity, found, references }, like);
    const live = Object.fromEntries(declared.map((one) => [one, attributes[one] ?? null]));
    if (!isWholeList(definition)) return { live };
    const shown = withRemembered(remembered, { shown: keysIn(definition, found) });
    const wanted = isWhollyKnown(config) ? await resolveDeclared(definition, config, references) : undefined;
    const removed = wanted === undefined ? [] : undeclaredIn(definition, wanted, found);
    return {
      live,
      ...(shown !== undefined && { private: shown }),
      ...(definition.isBegun && { observed: { ids: [formatId(identity)], found: found as ValueObject } }),
      diagnostics: removedByCreate(session, container, removed),
    };
  } catch (problem) {
    return { why: failureReason(session, problem) };
  }
}

/**
 * Returns a diagnostic for each reference that forces a replacement. The diagnostic contains the current and the previous object
 * of the reference.
 */
export async function reasonsToReplace(
  { attributes }: ResourceDefinition,
  prior: ValueObject,
  config: ValueObject,
  references: References,
  requiresReplace: readonly AttributePath[],
): Promise<Diagnostic[]> {
  const reasons: Diagnostic[] = [];
  for (const path of requiresReplace) {
    const name = String(path[0]);
    const { type } = attributes[name]!;
    const [before, now] = [prior[name] ?? null, config[name] ?? null];
    if (type.kind !== "reference" || before === null || now === null || !isWhollyKnown(now)) continue;
    const { id } = await references.resolve(type.to, String(now), path);
    const named = String(now) === String(id) ? id : `"${now}" (${id})`;
    reasons.push(
      warning({
        code: "reference_changed",
        summary: `Reference to another ${type.to}`,
        detail: `\`${formatPath(path)}\` now refers to the ${type.to} ${named}, but this object belongs to "${before}". Steward will replace the object. To keep the object, declare "${before}".`,
        attribute: path,
      }),
    );
  }
  return reasons;
}

/**
 * Returns warnings about live elements of a list that every container has, if the create keeps these elements. Terraform's plan
 * of a new object can't show these elements. The next plan shows their removal.
 */
export async function keptByCreate(
  session: ResourceSession,
  declared: Declared<Attributes>,
  container: number,
): Promise<Diagnostic[]> {
  const { definition, isPlanKept } = session;
  if (isPlanKept || !isWholeList(definition)) return [];
  const found = await definition.read(scopeOf(session, container), "");
  const kept = found === undefined ? [] : undeclaredIn(definition, declared, found);
  return warnOf(session, container, kept, {
    summary: "Undeclared entries are kept",
    detail: `Terraform's plan does not show the live entries of a new ${nameOf(definition)}. This apply therefore keeps the entries below, and the next plan shows their removal. To keep an entry, declare it.`,
  });
}

/** Returns warnings about live elements that a create removes, because users do not expect removals from a create. */
const removedByCreate = (
  session: ResourceSession,
  container: number,
  removed: readonly Resolved[],
): Diagnostic[] =>
  warnOf(session, container, removed, {
    summary: "Undeclared entries will be removed",
    detail: `Creating a ${nameOf(session.definition)} removes the live entries that the configuration does not declare. This plan removes the entries below. To keep an entry, declare it.`,
  });

function warnOf(
  { definition, lookups }: ResourceSession,
  container: number,
  elements: readonly Resolved[],
  text: Pick<Diagnostic, "summary" | "detail">,
): Diagnostic[] {
  if (elements.length === 0) return [];
  const names = elements.map((one) => (isNamed(one) ? one.path : show(one)));
  const list = `${nameOf(definition)} of ${lookups.nameOf(definition.container, container)}`;
  return [
    warning({ code: "replaced_entries", ...text, item: `from the ${list}: ${namesUpTo(MAX_NAMED, names)}` }),
  ];
}

const MAX_NAMED = 10;

const nameOf = ({ type }: ResourceDefinition): string => type.replaceAll("_", " ");

const isNamed = (one: Resolved): one is Resolved & { readonly path: string } =>
  typeof Object(one).path === "string";
