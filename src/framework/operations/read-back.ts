import { type Diagnostic, warning } from "../../diagnostics";
import type { Attributes } from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import { NotReadBack } from "../protocol/not-read-back";
import type { Session } from "./session";

/** What a write made, and what could not be read of it. */
interface Written {
  readonly found: Found<Attributes>;
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a write. One that can't be read is in the state as it was sent, with a warning. */
export async function readBack(
  definition: ResourceDefinition,
  session: Session,
  write: Promise<Found<Attributes>>,
): Promise<Written> {
  try {
    return { found: await write, diagnostics: [] };
  } catch (problem) {
    if (!(problem instanceof NotReadBack)) throw problem;
    const diagnostics = session.failures
      .toDiagnostics(problem.problem)
      .map(({ summary, detail }) => notReadBack(definition, `${summary}: ${detail}`));
    return { found: problem.made as Found<Attributes>, diagnostics };
  }
}

const notReadBack = ({ type }: ResourceDefinition, reason: string): Diagnostic =>
  warning({
    code: "not_read_back",
    summary: "Written, but not read back",
    detail:
      `The service accepted the ${type.replaceAll("_", " ")}, and then its values could not be read. The state has the ` +
      `declared ones; the next plan reads it again. ${reason}`,
  });
