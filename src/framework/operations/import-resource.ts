import { type Diagnostic, error } from "../../diagnostics";
import type { ReferenceKind, ValueObject } from "../../schema";
import type { ResourceDefinition, Scope } from "../definition/definition";
import type { ImportRequest, StateResponse } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import { formatId, placeOf, type ResourceSession, scopeOf } from "./session";
import { toState } from "./state";
import {
  hasOtherForms,
  isNormalized,
  liveNameNotNormalized,
  nameOf,
  unnormalizedOf,
} from "./unnormalized-names";

/** Reads a live object by its import id, `<container id, or full path>[:<key>]`, or by its identity. */
export async function importResource(
  session: ResourceSession,
  request: ImportRequest,
): Promise<StateResponse> {
  const { definition } = session;
  const target =
    request.identity === undefined
      ? targetOfId(definition, request.id)
      : targetOfIdentity(definition, request.identity);
  if ("problem" in target) return { diagnostics: [target.problem] };
  const { text, within, keyKind } = target;
  const references = new References(session.lookups, undefined);
  // Hosts do not announce imports, but many arrive together: while the container is looked up, all of its imports are counted.
  session.expected.add(within);
  try {
    const { id: container } = await references.resolve(definition.container, within, [definition.container]);
    const key =
      keyKind === undefined
        ? target.key
        : String((await references.resolve(keyKind, target.key, [definition.container])).id);
    const scope = scopeOf(session, container);
    const expected = Math.max(scope.expected ?? 1, session.expected.of(within) ?? 1);
    const found = await definition.read({ ...scope, expected }, key);
    const otherName =
      found === undefined ? await otherNameOf(definition, scope, key) : nameOf(definition, found);
    if (otherName !== undefined && !isNormalized(otherName))
      return { diagnostics: [liveNameNotNormalized(definition, otherName)] };
    if (found === undefined) return { diagnostics: [notThere(definition, text)] };
    const identity = placeOf(definition, container, found);
    session.imported.add(`${definition.type} ${formatId(identity)}`);
    return { state: await toState(definition, identity, found, undefined, references), diagnostics: [] };
  } catch (problem) {
    const isMissing = session.failures.isGone(problem) || problem instanceof ReferenceNotFound;
    return {
      diagnostics: isMissing ? [notThere(definition, text)] : session.failures.toDiagnostics(problem),
    };
  }
}

/** The live name that differs from a key by normalization alone. @throws the client's errors */
const otherNameOf = async (definition: ResourceDefinition, scope: Scope, key: string) =>
  hasOtherForms(key) ? unnormalizedOf(definition, await definition.list(scope)).get(key) : undefined;

/** What an import names. */
interface ImportTarget {
  /** For messages. */
  readonly text: string;
  /** The container's id or path. */
  readonly within: string;
  readonly key: string;
  /** If the key is the id of another object: its kind. The key may be its path then. */
  readonly keyKind?: ReferenceKind | undefined;
}

function targetOfId(
  definition: ResourceDefinition,
  id: string,
): ImportTarget | { readonly problem: Diagnostic } {
  const [within = "", ...rest] = id.split(":");
  const key = rest.join(":");
  return within === "" || !isKey(definition, key)
    ? { problem: invalidId(definition, id) }
    : { text: `"${id}"`, within, key };
}

function targetOfIdentity(
  definition: ResourceDefinition,
  identity: ValueObject,
): ImportTarget | { readonly problem: Diagnostic } {
  const { attributes, container, key } = definition;
  const keys = key?.attributes ?? [];
  const given = Object.entries(identity).filter(([, value]) => value !== null && value !== "");
  const named = new Map(given.map(([name, value]) => [name, String(value)]));
  const text = `{ ${given.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(", ")} }`;
  const [holder, ...others] = [...named.keys()].filter((name) => name !== container);
  const within = named.get(container);
  const isWhole = holder === undefined ? keys.length === 0 : keys.includes(holder) && others.length === 0;
  if (within === undefined || !isWhole) return { problem: invalidIdentity(definition, text) };
  if (holder === undefined) return { text, within, key: "" };
  const { type } = attributes[holder]!;
  const target = { text, within, key: named.get(holder)! };
  if (type.kind === "reference") return { ...target, keyKind: type.to };
  return isKey(definition, target.key) ? target : { problem: invalidIdentity(definition, text) };
}

/** Whether a text is a valid key: none if the object has none, a number if the service assigns numbers. */
function isKey({ key: expected }: ResourceDefinition, key: string): boolean {
  if (expected === undefined) return key === "";
  return /^\d+$/.test(expected.example) ? /^\d+$/.test(key) : key !== "";
}

/** The format of import ids, for messages and pages. */
export function importIdFormat({ container, key }: ResourceDefinition): string {
  const holder = `<${container} id or full path>`;
  return key === undefined ? holder : `${holder}:<${key.name}>`;
}

const invalidId = (definition: ResourceDefinition, id: string): Diagnostic =>
  error({
    code: "invalid_import_id",
    summary: "Invalid import id",
    detail: `"${id}" is not of the form ${importIdFormat(definition)}, such as "42${definition.key ? `:${definition.key.example}` : ""}".`,
  });

function invalidIdentity({ container, key, type }: ResourceDefinition, given: string): Diagnostic {
  const keys = (key?.attributes ?? []).map((name) => `\`${name}\``);
  const needed =
    keys.length < 2 ? [`\`${container}\``, ...keys] : [`\`${container}\``, `one of ${keys.join(" and ")}`];
  return error({
    code: "invalid_import_id",
    summary: "Invalid import identity",
    detail: `The identity ${given} is not one of a ${type.replaceAll("_", " ")}, which has exactly ${needed.join(", and ")}.`,
  });
}

const notThere = (definition: ResourceDefinition, target: string): Diagnostic =>
  error({
    code: "import_not_found",
    summary: "Import target not found",
    detail:
      `The ${definition.type.replaceAll("_", " ")} ${target} is not visible to this token. Check ` +
      "the id, and that the token's user can see it.",
  });
