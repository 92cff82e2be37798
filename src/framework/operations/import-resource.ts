import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import type { ReferenceKind, ValueObject } from "../../schema";
import type { ResourceDefinition, Scope } from "../definition/definition";
import type { ImportRequest, StateResponse } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import { formatId, placeOf } from "./identity";
import { confirmingScope, type ResourceSession, scopeOf } from "./session";
import { toState } from "./state";
import {
  hasOtherForms,
  isNormalized,
  liveNameNotNormalized,
  nameOf,
  unnormalizedOf,
} from "./unnormalized-names";

/**
 * Returns the state of a live object for an import. The request contains an import id, `<container id or full path>[:<key>]`, or
 * an identity.
 */
export async function importResource(
  session: ResourceSession,
  request: ImportRequest,
): Promise<StateResponse> {
  const { definition, failures, lookups } = session;
  const references = new References(lookups, undefined);
  const text = request.identity === undefined ? `"${request.id}"` : textOf(request.identity);
  try {
    const {
      within,
      key: named,
      keyKind,
    } = request.identity === undefined
      ? targetOfId(definition, request.id)
      : targetOfIdentity(definition, request.identity);
    // Hosts often send many imports at once and do not announce their number. Each import is therefore counted before its
    // container is looked up, so that the first read knows the number of imports.
    session.expected.add(within);
    const { id: container } = await references.resolve(definition.container, within, [definition.container]);
    const key =
      keyKind === undefined
        ? named
        : String((await references.resolve(keyKind, named, [definition.container])).id);
    const scope = scopeOf(session, container);
    const expected = Math.max(scope.expected ?? 1, session.expected.of(within) ?? 1);
    const found =
      (await definition.read({ ...scope, name: scope.name, expected }, key)) ??
      (await definition.read(confirmingScope(session, container), key));
    const otherName =
      found === undefined ? await otherNameOf(definition, scope, key) : nameOf(definition, found);
    if (otherName !== undefined && !isNormalized(otherName))
      return { diagnostics: [liveNameNotNormalized(definition, otherName)] };
    if (found === undefined) return { diagnostics: [notThere(definition, text)] };
    const identity = placeOf(definition, container, found);
    session.imported.add(`${definition.type} ${formatId(identity)}`);
    const state = await toState({ definition, identity, found, references }, undefined);
    return { state, diagnostics: [] };
  } catch (problem) {
    const isMissing = failures.isGone(problem) || problem instanceof ReferenceNotFound;
    return { diagnostics: isMissing ? [notThere(definition, text)] : failures.toDiagnostics(problem) };
  }
}

/**
 * Returns the live name that differs from a key only by its Unicode normalization; undefined if there is none. @throws the
 * client's errors
 */
const otherNameOf = async (definition: ResourceDefinition, scope: Scope, key: string) =>
  hasOtherForms(key) ? unnormalizedOf(definition, await definition.list(scope)).get(key) : undefined;

/** The object that an import request names. */
interface ImportTarget {
  /** The id or path of the container. */
  readonly within: string;
  readonly key: string;
  /**
   * The kind of the object whose id is the key; undefined if the key is not an object's id. An import can contain the path of
   * this object instead of its id.
   */
  readonly keyKind?: ReferenceKind | undefined;
}

/** @throws DiagnosticError */
function targetOfId(definition: ResourceDefinition, id: string): ImportTarget {
  const [within = "", ...rest] = id.split(":");
  const key = rest.join(":");
  if (within === "" || !isKey(definition, key)) throw new DiagnosticError(invalidId(definition, id));
  return { within, key };
}

/** Returns the attributes of an identity that have a value. */
const givenIn = (identity: ValueObject) =>
  Object.entries(identity).filter(([, value]) => value !== null && value !== "");

/** Returns an identity as text for messages. */
const textOf = (identity: ValueObject): string =>
  `{ ${givenIn(identity)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join(", ")} }`;

/** @throws DiagnosticError */
function targetOfIdentity(definition: ResourceDefinition, identity: ValueObject): ImportTarget {
  const { attributes, container, key } = definition;
  const keys = key?.attributes ?? [];
  const invalid = () => new DiagnosticError(invalidIdentity(definition, textOf(identity)));
  const named = new Map(givenIn(identity).map(([name, value]) => [name, String(value)]));
  const [holder, ...others] = [...named.keys()].filter((name) => name !== container);
  const within = named.get(container);
  const isWhole = holder === undefined ? keys.length === 0 : keys.includes(holder) && others.length === 0;
  if (within === undefined || !isWhole) throw invalid();
  if (holder === undefined) return { within, key: "" };
  const { type } = attributes[holder]!;
  const target = { within, key: named.get(holder)! };
  if (type.kind === "reference") return { ...target, keyKind: type.to };
  if (!isKey(definition, target.key)) throw invalid();
  return target;
}

/**
 * Returns whether a text can be a key of the resource. The text must be empty if objects have no key, and a number if the service
 * assigns numbers.
 */
function isKey({ key: expected }: ResourceDefinition, key: string): boolean {
  if (expected === undefined) return key === "";
  return /^\d+$/.test(expected.example) ? /^\d+$/.test(key) : key !== "";
}

/** Returns the format of import ids, for messages and documentation. */
export function importIdFormat({ container, key }: ResourceDefinition): string {
  const holder = `<${container} id or full path>`;
  return key === undefined ? holder : `${holder}:<${key.name}>`;
}

const invalidId = (definition: ResourceDefinition, id: string): Diagnostic =>
  error({
    code: "invalid_import_id",
    summary: "Invalid import ID",
    detail: `"${id}" does not have the format ${importIdFormat(definition)}, such as "42${definition.key ? `:${definition.key.example}` : ""}". Correct the ID.`,
  });

function invalidIdentity({ container, key, type }: ResourceDefinition, given: string): Diagnostic {
  const keys = (key?.attributes ?? []).map((name) => `\`${name}\``);
  const needed =
    keys.length < 2 ? [`\`${container}\``, ...keys] : [`\`${container}\``, `one of ${keys.join(" and ")}`];
  return error({
    code: "invalid_import_id",
    summary: "Invalid import identity",
    detail: `The identity ${given} does not fit the type ${type}. It must have exactly ${needed.join(", and ")}.`,
  });
}

const notThere = (definition: ResourceDefinition, target: string): Diagnostic =>
  error({
    code: "import_not_found",
    summary: "Object to import not found",
    detail: `The ${definition.type.replaceAll("_", " ")} ${target} does not exist, or this token can't see it. Check the ID and the token.`,
  });
