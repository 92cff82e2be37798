import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { ClaimRequest } from "../protocol/protocol";
import { containerInPart, declaredInPart } from "./declared-in-part";
import { ownershipsOf } from "./ownerships-of";
import type { Session } from "./session";

/** A declaration, with its address if the host knows it. */
type ClaimInPart = Omit<ClaimRequest, "type" | "address"> & { readonly address: string | undefined };

/**
 * Registers what a declaration owns of which this run does not know everything, and reports what another declaration
 * owns too. Sends no request; undefined if its container is not known.
 */
export function claimOwnership(
  definition: ResourceDefinition,
  session: Session,
  { address, object, ...declaration }: ClaimInPart,
): readonly Diagnostic[] | undefined {
  const declared = declaredInPart(definition, session, declaration);
  const container = containerInPart(definition, declaration, declared);
  if (container === undefined) return undefined;
  return session.claims.register(
    { resource: session.typeOf(definition), address, object, isPlannedAgain: object !== undefined },
    `${definition.container} ${container}`,
    ownershipsOf(definition, declared as Declared<Attributes>),
  );
}
