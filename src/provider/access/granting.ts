import type { AccessChange } from "../../framework";
import type { AccessDeclaration, Grant, GrantKind } from "../access-declaration";

/** A planned change, with the declaration of one kind of access in the file of its resource. */
export interface Granting<Kind extends GrantKind = GrantKind> {
  readonly change: AccessChange;
  readonly grant: Extract<Grant, { readonly grants: Kind }>;
}

/** The declaration of a change's resource; undefined for a resource without one, which is never counted. */
export const declarationOf = ({
  definition,
}: Pick<AccessChange, "definition">): AccessDeclaration | undefined =>
  definition.access as AccessDeclaration | undefined;

/** The changes of objects that grant one kind of access. */
export const granting = <Kind extends GrantKind>(
  changes: readonly AccessChange[],
  kind: Kind,
): Granting<Kind>[] =>
  changes.flatMap((change) => {
    const grant = declarationOf(change);
    return grant?.grants === kind ? [{ change, grant: grant as Granting<Kind>["grant"] }] : [];
  });
