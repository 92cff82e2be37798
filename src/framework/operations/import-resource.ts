import { type Diagnostic, error } from "../../diagnostics";
import type { ResourceDefinition } from "../definition/definition";
import type { ImportResponse } from "../protocol/protocol";
import { ReferenceNotFound, References } from "../references/references";
import { formatId, type Session, scopeOf } from "./session";
import { toState } from "./state";

/** Reads a live object by its import id: `<container id, or full path>[:<key>]`. */
export async function importResource(
  definition: ResourceDefinition,
  session: Session,
  id: string,
): Promise<ImportResponse> {
  const [within = "", ...rest] = id.split(":");
  const key = rest.join(":");
  if (within === "" || !isKey(definition, key)) {
    return { diagnostics: [invalidId(definition, id)] };
  }
  const references = new References(session.lookups, undefined);
  try {
    const { id: container } = await references.resolve(definition.container, within, [definition.container]);
    const found = await definition.read(scopeOf(definition, session, container), key);
    if (found === undefined) return { diagnostics: [notThere(definition, id)] };
    const identity = { container, key: definition.key?.of(found) ?? "" };
    session.imported.add(`${definition.type} ${formatId(identity)}`);
    return { state: await toState(definition, identity, found, undefined, references), diagnostics: [] };
  } catch (problem) {
    const isMissing = session.failures.isGone(problem) || problem instanceof ReferenceNotFound;
    return { diagnostics: isMissing ? [notThere(definition, id)] : session.failures.toDiagnostics(problem) };
  }
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

const notThere = (definition: ResourceDefinition, id: string): Diagnostic =>
  error({
    code: "import_not_found",
    summary: "Import target not found",
    detail:
      `The ${definition.type.replaceAll("_", " ")} "${id}" is not visible to this token. Check ` +
      "the id, and that the token's user can see it.",
  });
