import type { Client } from "../api";
import { type Diagnostic, error, warning } from "../diagnostics";
import { identityOf, type PlannedChange, type ResourceDefinition } from "../framework";
import type { ContainerKind } from "./define";
import { neededLevel, neededRole } from "./roles";
import { allowNoChange, TokenPermissions } from "./token-permissions";

/**
 * For each planned change, what the token lacks for it: an error if all scopes of the token are read-only; a warning if
 * its user's role seems too low, because custom roles may allow more than their base role and releases differ. If the
 * service does not tell, there is no diagnostic and the write itself may be refused. Nothing is changed.
 *
 * Requests the token once and each project or group once; the user only if the role there is not enough.
 */
export async function checkRights(
  api: Client,
  changes: readonly DefinedChange[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const token = new TokenPermissions(api);
  return Promise.all(changes.map((change) => missing(token, change)));
}

type DefinedChange = PlannedChange & { readonly definition: ResourceDefinition };

async function missing(
  token: TokenPermissions,
  { definition, prior, planned }: DefinedChange,
): Promise<readonly Diagnostic[]> {
  const kind = definition.container as ContainerKind;
  const isLeft =
    definition.delete === undefined || (prior && definition.leftOnDestroy?.(prior.attributes)) === true;
  if (planned === undefined && isLeft) return [];
  const scopes = await token.scopes();
  if (scopes !== undefined && allowNoChange(scopes)) {
    return [scopeMissing(scopes)];
  }
  const name = prior === undefined ? planned?.attributes[kind] : identityOf(prior).container;
  if (typeof name !== "string" && typeof name !== "number") return [];
  const needed = neededLevel(definition);
  const level = await token.level(kind, name, needed);
  return level === undefined || level >= needed ? [] : [roleDoubted(definition, name)];
}

const scopeMissing = (scopes: readonly string[]): Diagnostic =>
  error({
    code: "insufficient_scope",
    summary: "The token's scopes don't allow this change",
    detail:
      `The token has the scopes ${scopes.join(", ")}, but a change needs the scope api: the service would refuse it (403). ` +
      "Nothing was sent for this object. Apply with a token that has the scope api.",
  });

const roleDoubted = (definition: ResourceDefinition, name: string | number): Diagnostic =>
  warning({
    code: "insufficient_role",
    summary: "The token's role may not allow this change",
    detail:
      `By the specification, this change in the ${definition.container} ${name} needs the role ${neededRole(definition)}, and the token's user ` +
      "seems to have a lower one. The request is sent anyway, because a custom role may allow more. If the service " +
      "refuses it (403), give the user that role, or apply with another user's token.",
    cause: String(neededLevel(definition)),
  });
