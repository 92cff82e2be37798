import { foldByCause, nameContainers } from "../../adopt";
import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import type { ContainerSelection, LiveListing } from "../../engine";

interface Review {
  readonly problems: readonly Diagnostic[];
  /** Whether the listing is good enough to write files from it. */
  readonly isWritten: boolean;
}

/**
 * What the token may not read is a warning: it stays undeclared, with a comment. Other failures are errors; what could
 * be read is written, unless that would take declarations out of an earlier adoption.
 */
export function review(
  { containers, archived, failures, diagnostics }: LiveListing,
  { all }: ContainerSelection,
  isAdopted: boolean,
): Review {
  const refused = failures.filter(({ isRefused }) => isRefused);
  const failed = failures.filter(({ isRefused }) => !isRefused).flatMap((one) => one.diagnostics);
  const problems = [...diagnostics, ...failed, ...notReadable(refused)];
  if (hasErrors(diagnostics)) return { problems, isWritten: false };
  if (containers.length + archived.length === 0)
    return { problems: [...problems, nothingFound(all !== undefined)], isWritten: false };
  if (failed.length > 0 && isAdopted) return { problems: [...problems, INCOMPLETE], isWritten: false };
  return { problems, isWritten: true };
}

/** A warning for each type and cause, with all containers that met it. */
function notReadable(refused: LiveListing["failures"]): Diagnostic[] {
  const met = refused.flatMap(({ type, container, diagnostics }) =>
    // The detail names the request, and with it the container.
    diagnostics.map(({ detail, code, cause = detail }) => ({
      type,
      container,
      detail,
      cause: `${code} ${cause}`,
    })),
  );
  const folded = foldByCause(
    met,
    ({ container }) => container,
    ({ type, cause }) => `${type} ${cause}`,
  );
  return folded.map((same) => {
    const [{ type, detail, cause }] = same;
    const where = nameContainers(same.map(({ container }) => container));
    return warning({
      code: "settings_not_readable",
      summary: "Settings are not readable",
      detail: `Objects of type ${type} in the ${where} are not declared: ${detail}`,
      cause: `not readable ${type} ${cause}`,
    });
  });
}

const nothingFound = (isAll: boolean): Diagnostic =>
  error({
    code: "nothing_to_adopt",
    summary: "Nothing to adopt",
    detail: isAll
      ? "You are a member of no project or group that matches, so nothing was written. Check --topic and --search, and " +
        "whose token it is."
      : "No project or group was found, so nothing was written. Check the names.",
  });

const INCOMPLETE: Diagnostic = error({
  code: "adoption_incomplete",
  summary: "Earlier adoption left as it is",
  detail:
    "Not everything could be read, see the errors, so nothing was written: the code would lose what it declares of the " +
    "rest. Adopt again.",
});
