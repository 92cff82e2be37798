import { ApiError, type ApiErrorCode } from "../api";
import { type Failure, type FailureKind, Failures } from "../framework";

const KINDS: Partial<Record<ApiErrorCode, FailureKind>> = {
  not_found: "gone",
  already_there: "alreadyThere",
  forbidden: "refused",
};

/** Codes of a response that is neither a success of the operation nor a refusal. */
const UNPROVEN: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>(["unexpected_answer", "redirect_refused"]);
/** The status of a service that has accepted a request for later. */
const ACCEPTED = 202;

/** Maps an error of the API's client to a failure of the framework; undefined for any other error. */
export function failureOf(problem: unknown): Failure | undefined {
  if (!(problem instanceof ApiError)) return undefined;
  const { code, summary, message: detail, serviceMessage = "", mayBeDoneLater, retryAfter } = problem;
  const isUnproven = problem.mayHaveBeenDone && UNPROVEN.has(code);
  return {
    kind: problem.mayHaveBeenDone ? "maybeDone" : (KINDS[code] ?? "failed"),
    code,
    summary,
    detail,
    // A missing role or one list makes many objects fail, so Steward reports equal causes once.
    ...((code === "forbidden" || code === "feature_off") && { cause: serviceMessage }),
    ...(code === "list_changing" && { cause: detail }),
    // All HTML pages from one server, such as sign-in pages, have one cause. Reads and changes have different
    // texts.
    ...(code === "unexpected_answer" &&
      problem.isPage && { cause: isUnproven ? "page after a change" : "page" }),
    serviceMessage,
    mayBeDoneLater,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(isUnproven && {
      answered: {
        operation: problem.operation ?? "",
        request: `${problem.method} ${problem.path}`,
        detail: problem.known,
        isPending: problem.status === ACCEPTED,
      },
    }),
  };
}

/** The checks for refusals that a lifecycle can handle itself. */
export const { isGone, isAlreadyThere, orNothing } = new Failures(failureOf);
