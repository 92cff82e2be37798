import { ApiError, type Invitation } from "../../../api";
import { DiagnosticError, error } from "../../../diagnostics";
import { isAlreadyThere } from "../../failure-of";
import type { Person } from "./invitation-check";
import { type InvitationContainer, isAlike } from "./invitation-status";

// Newer releases of the platform store the address of a new invitation in lower case. Older releases keep the exact
// text, so two spellings are two invitations. The lists of invitations before and after a create show whether the
// service changes the spelling.

/** The error if several new invitations exist, and each of them could be the created invitation. */
export class SimilarInvitations extends DiagnosticError {}

/** Returns whether a service may store this e-mail address in a different spelling than the sent one. */
const mayBeRespelled = (email: string | null): email is string =>
  email !== null && email !== email.toLowerCase();

/**
 * Returns the pending invitations whose e-mail addresses differ from this address only in upper and lower case. For an
 * address in lower case, the function reads no list, because every service stores such an address unchanged. @throws
 * ApiError
 */
export async function spellingsOf(
  place: InvitationContainer,
  email: string | null,
): Promise<readonly Invitation[]> {
  if (!mayBeRespelled(email)) return [];
  const all = [...(await place.pending.all()).values()];
  return all.filter(({ invite_email }) => invite_email !== email && isAlike(invite_email, email));
}

/**
 * Returns the new invitation if the service changed the spelling of its address; undefined if there is none. The
 * function ignores invitations that existed before the create.
 *
 * @param before the result of `spellingsOf` before the create
 * @throws SimilarInvitations if there are several, and ApiError
 */
export async function createdSpelling(
  place: InvitationContainer,
  email: string,
  before: readonly Invitation[],
): Promise<Invitation | undefined> {
  if (!mayBeRespelled(email)) return undefined;
  place.pending.drop();
  const created = (await spellingsOf(place, email)).filter(
    (one) => !before.some(({ id, created_at }) => id === one.id && created_at === one.created_at),
  );
  if (created.length < 2) return created[0];
  throw new SimilarInvitations(
    error({
      code: "ambiguous_address",
      summary: "Several invitations with similar addresses",
      detail: `The service accepted the invitation of ${email} to the ${place.name}, and does not return this spelling. It has new invitations of ${created.map(({ invite_email }) => invite_email).join(" and ")}, and Steward does not know which one it created. Withdraw the others on the service, and import the right invitation by its exact address.`,
      attribute: ["email"],
      action: {
        kind: "import",
        id: `${place.name.slice(place.kind.length + 1)}:${created[0]!.invite_email}`,
      },
    }),
  );
}

/**
 * Throws the error of a create that the service refused because the invitation exists. If the address in lower case
 * has a pending invitation, the error names this invitation. A service that stores addresses in lower case does not
 * distinguish the two spellings.
 *
 * @throws the problem, or the error that names the other spelling
 */
export async function withOtherSpelling(
  place: InvitationContainer,
  { email }: Person,
  problem: unknown,
): Promise<never> {
  if (!isAlreadyThere(problem) || !(problem instanceof ApiError) || problem.serviceMessage === undefined)
    throw problem;
  const { serviceMessage } = problem;
  const others = await spellingsOf(place, email).catch(() => []);
  const other = others.find(({ invite_email }) => invite_email === email?.toLowerCase());
  if (other === undefined) throw problem;
  throw new ApiError({
    code: "already_there",
    what: `the service reported for ${email}: "${serviceMessage}". An invitation of ${other.invite_email} is pending, and newer services store an address in lower case. Import the invitation by this address`,
    serviceMessage,
  });
}
