import { type Diagnostic, error, type RefusedContainer } from "../../diagnostics";
import { compareNatural, namesUpTo } from "../../text";
import type { ConfiguredProvider } from "./protocol";

/** The maximum number of containers that the error message names. */
const MAX_NAMES = 5;

/** Returns the error for a token that can access none of several containers; undefined if the cause may be something else. */
export async function tokenError(
  refused: readonly RefusedContainer[],
  provider: Pick<ConfiguredProvider, "currentUser">,
  which = "of this run",
): Promise<Diagnostic | undefined> {
  const names = [...new Set(refused.map(({ name }) => name))].sort(compareNatural);
  // A single refused container is not enough for this error, because someone may have deleted the container.
  if (names.length < 2) return undefined;
  const user = await provider.currentUser?.();
  if (user === undefined) return undefined;
  const distinct = (texts: readonly string[]) => [...new Set(texts)].sort();
  const kinds = distinct(refused.flatMap(({ kind }) => kind.split(" or ")));
  const plurals = kinds.map((kind) => `${kind}s`);
  const statuses = distinct(refused.map(({ status }) => String(status))).join(" and ");
  const roles = distinct(refused.flatMap(({ role }) => role ?? []));
  const all = `${names.length === 2 ? "both" : `all ${names.length}`} ${plurals.join(" or ")} ${which}`;
  const list = `${namesUpTo(MAX_NAMES, names)}. Nothing could be checked, and nothing was changed.`;
  const role = roles.join(" or ") || "that their settings need";
  const cause = `token of ${user}`;
  // A 404 means a wrong path or a missing role, so this error names both causes.
  if (refused.every(({ status }) => status === 404))
    return error({
      code: "containers_not_visible",
      summary: `No ${kinds.join(" or ")} found`,
      detail:
        `The service responds with 404 for ${all}: ${list} These ${plurals.join(" or ")} don't exist, or the token's user "${user}" can't see them. ` +
        `Check the paths. If they exist, give the user the role ${role} there, or use the token of another user.`,
      cause,
    });
  return error({
    code: "token_without_role",
    summary: `The token's role is too low in all ${plurals.join(" and ")}`,
    detail:
      `The service refuses access to ${all} (${statuses}): ${list} The token's user is "${user}". Give the user the role ${role} ` +
      "there, or use the token of a user who has it.",
    cause,
  });
}
