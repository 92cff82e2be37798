import { ApiError, type ApiErrorCode } from "../api";
import { type Failure, type FailureKind, Failures } from "../framework";

const KINDS: Partial<Record<ApiErrorCode, FailureKind>> = {
  not_found: "gone",
  already_there: "alreadyThere",
  forbidden: "refused",
};

/** The codes of errors for responses that show neither a success nor a refusal. */
const UNPROVEN: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>(["unexpected_answer", "redirect_refused"]);
/** The status of a response that only says that the service will execute the request later. */
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
    // One missing role, or one list that is refused, makes many objects fail. All these failures have the same cause,
    // so that Steward reports the cause once.
    ...((code === "forbidden" || code === "feature_off") && { cause: serviceMessage }),
    ...(code === "list_changing" && { cause: detail }),
    // All HTML pages, such as sign-in pages, have the same cause. Reads and changes have different causes, because the
    // texts of their errors differ.
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

/** Functions with which a lifecycle function recognizes the refusals that it handles. */
export const { isGone, isAlreadyThere, orNothing } = new Failures(failureOf);
