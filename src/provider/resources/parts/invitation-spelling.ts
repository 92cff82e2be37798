import { ApiError, type Invitation } from "../../../api";
import { DiagnosticError, error } from "../../../diagnostics";
import { isAlreadyThere } from "../../failure-of";
import type { Person } from "./invitation-check";
import { type InvitationContainer, isAlike } from "./invitation-status";

// Newer releases store a new address in lower case. Older ones keep the exact text, and two spellings are two invitations.
// The invitations before and after a create show which of the two the service did.

/** The error if one of several new invitations could be the created invitation. */
export class SimilarInvitations extends DiagnosticError {}

/** Returns whether a service may store an address with another spelling than the sent one. */
const mayBeRespelled = (email: string | null): email is string =>
  email !== null && email !== email.toLowerCase();

/**
 * Returns the pending invitations whose addresses differ from this address only in case. It reads no list for
 * an address in lower case, because every service keeps such an address. @throws ApiError
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
 * Returns the invitation that the service stored with another spelling than the sent one; undefined if there
 * is none. An invitation that existed before the create does not count.
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
 * Adds a pending invitation with another spelling to the error of a refused create. For a service that stores
 * addresses in lower case, both are the same address. @throws the problem
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
