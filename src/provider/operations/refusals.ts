import { ApiError } from "../../api";
import { type Diagnostic, error } from "../../diagnostics";
import type { ResourceDefinition } from "../definition";
import { toDiagnostics } from "../problems";
import { formatId, type Identity } from "./session";

/** What a refused or failed write comes to: the attribute that the service's words are about, where they name one. */
export function writeProblems({ attributes }: ResourceDefinition, problem: unknown): Diagnostic[] {
  const attribute =
    problem instanceof ApiError ? namedAttribute(Object.keys(attributes), problem) : undefined;
  return toDiagnostics(problem).map((one) =>
    attribute === undefined ? one : { ...one, attribute: [attribute] },
  );
}

/** The first attribute that the service's words name: `deploy_access_levels[0] …`, `404 Target Project Not Found`. */
function namedAttribute(names: readonly string[], { serviceMessage = "" }: ApiError): string | undefined {
  const words = serviceMessage.toLowerCase().replaceAll(" ", "_");
  return names
    .map((name) => ({ name, at: words.indexOf(name) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.name.length - one.name.length)[0]?.name;
}

/** The command that takes a live object over, and the id that it takes. */
export const importCommand = (identity: Identity): string =>
  `steward import ADDRESS ${quoted(formatId(identity))}`;

const quoted = (id: string): string => (/^[\w:./@-]+$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`);

export const alreadyExists = ({ type }: ResourceDefinition, identity: Identity): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `The ${type.replaceAll("_", " ")} "${formatId(identity)}" is on the service already, and not in this state. ` +
      `Take it over with \`${importCommand(identity)}\`, or delete it on the service.`,
  });
