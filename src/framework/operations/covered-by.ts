import { error } from "../../diagnostics";
import { isUnknown, isWhollyKnown } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import { shareOf } from "../ownership/ownership";
import type { CoverResponse, DeclaredObject } from "../protocol/protocol";
import { ReferenceNotFound } from "../references/references";
import { ownershipsOf, ownOwnership } from "./ownerships-of";
import { identityOf, referencesOf, type Session, scopeOf } from "./session";
import { containerOf, resolveDeclared } from "./state";

/**
 * The container of a declaration, and what of the live objects it owns. The plan reports references that can't be
 * resolved.
 */
export async function coveredBy(
  definition: ResourceDefinition,
  session: Session,
  { type, config, state }: DeclaredObject,
): Promise<CoverResponse> {
  const { container: kind } = definition;
  const values = state?.attributes ?? config;
  if (state === undefined && (isUnknown(values[kind]) || !isWhollyKnown(values)))
    return { shares: [], diagnostics: [] };
  try {
    const references = referencesOf(definition, session, state);
    const object = await resolveDeclared(definition, values, references);
    const id = state === undefined ? containerOf(definition, object) : identityOf(state).container;
    const key = state === undefined ? definition.key?.of(object) : identityOf(state).key;
    const listedKey = await definition.listedKey?.(scopeOf(definition, session, id), object);
    const own = [key, listedKey]
      .filter((one) => one !== undefined)
      .map((one) => ownOwnership(definition, one));
    const place = `${kind} ${id}`;
    const shares = [...own, ...ownershipsOf(definition, object)].map((one) => shareOf(one, place));
    return { container: { kind, id }, shares, diagnostics: [] };
  } catch (problem) {
    if (problem instanceof ReferenceNotFound) return { shares: [], diagnostics: [] };
    const diagnostics = session.failures
      .toDiagnostics(problem)
      .map((one) =>
        error({ ...one, detail: `Coverage of ${type} ${String(values["id"] ?? "")}: ${one.detail}` }),
      );
    return { shares: [], diagnostics };
  }
}
