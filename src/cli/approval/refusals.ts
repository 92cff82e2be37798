import { type Diagnostic, error } from "../../diagnostics";
import { canonicalJson, type ValueObject } from "../../engine";
import { defined } from "../../json";
import { atMost } from "../../text";
import type { Approvers } from "../policy/approvers";
import type { Approval } from "./file";

/** Returns true if the approval file shows at least the required number of approvals and all required rules about approvers. */
export function areShown(
  { approvals, approvers: shown }: Approval,
  needed: number,
  now: Approvers | undefined,
) {
  if (needed > approvals) return false;
  const optionsOf = ({ rules: _, people: __, ...options }: Partial<Approvers> = {}) =>
    canonicalJson(defined(options) as ValueObject);
  const rulesOf = ({ rules = [] }: Partial<Approvers> = {}) =>
    rules.map((rule) => canonicalJson({ ...rule }));
  return optionsOf(shown) === optionsOf(now) && rulesOf(now).every((rule) => rulesOf(shown).includes(rule));
}

export const othersGain = (found: readonly string[]): Diagnostic =>
  error({
    code: "approval_differs",
    summary: "Access that no approved comment shows",
    detail: [
      "People or projects would gain access that the approved comments do not show, because memberships or settings changed after the approval. Nothing was sent. Ask for approval again, in a new merge request.",
      ...atMost(found, MAX_NAMED),
    ],
  });

export const othersNeeded = (request: string): Diagnostic =>
  error({
    code: "approvals_missing",
    summary: "Policies require other approvals",
    detail: `The policies now require approvals that the comment of ${request} does not show. Nothing was sent. Another merge request changed the policies, or the changes of both requests together violate a policy. Revert one of the requests, or open a new request with both changes.`,
  });

/** The maximum number of differences that the message of a refusal names. */
export const MAX_NAMED = 20;

/** The advice after a refusal of changes that people approved in a file. */
export const PLAN_AGAIN = "Plan again with --out-approval, and approve the new digest.";

/** The advice after `ci apply` refused changes, which people approve in merge requests. */
export const APPROVE_REQUESTS =
  "Approve the merge requests that contain the other changes, or revert these requests. If values changed after the approval, ask for approval in a new merge request.";

export const differs = (problems: readonly string[], advice = PLAN_AGAIN): Diagnostic =>
  error({
    code: "approval_differs",
    summary: "Plan differs from the approved changes",
    detail: [
      `The new plan does not contain exactly the approved changes. Nothing was sent. ${advice}`,
      ...atMost(problems, MAX_NAMED),
    ],
  });

export const incomplete = (): Diagnostic =>
  error({
    code: "approval_differs",
    summary: "Plan has errors",
    detail:
      "Steward can't compare a plan with errors to the approved changes. Nothing was sent. Fix the errors, then run the command again.",
  });
