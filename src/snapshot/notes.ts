import { ApiError } from "../api";

/** The parts of a project or group that need separate requests, as the comments in a snapshot name them. */
export type Part =
  | "settings"
  | "members"
  | "environments"
  | "job token scope"
  | "job token allowlist"
  | "protected environments"
  | "Pages"
  | "Pages domains"
  | "container protection rules"
  | "invitations";

/** The reason why a part of a container is missing in a snapshot. Only the text of `container` comes from the service. */
export interface Note {
  /** Full path, or the numeric id if the path is not known. */
  readonly container: string;
  readonly part: Part;
  readonly reason: string;
  /**
   * The kind of the reason. `unavailable`: the part is disabled, or even the token of a Maintainer can't read the
   * part. `refused`: the role of the token's user is too low. `failed`: the read failed, and a later read can
   * succeed.
   */
  readonly kind: "unavailable" | "refused" | "failed";
}

/** Collects notes while the snapshot reads parts of containers. */
export class Notes {
  readonly all: Note[] = [];

  add(container: string, part: Part, reason: string, kind: Note["kind"] = "unavailable"): void {
    this.all.push({ container, part, reason, kind });
  }

  /**
   * Reads a part of a project or group. If the service refuses the read, the function adds a note and returns
   * undefined.
   *
   * @param refused the reason to note if the service may refuse even the token of a Maintainer; the snapshot is
   * complete without this part
   * @throws ApiError if no other part can be read either, such as with an invalid token
   */
  async read<T>(
    container: string,
    part: Part,
    read: () => Promise<T>,
    refused?: string,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (problem) {
      if (!(problem instanceof ApiError) || ENDS_ALL.has(problem.code)) throw problem;
      const isRefused = problem.code === "forbidden" || problem.code === "not_found";
      if (isRefused && refused !== undefined) this.add(container, part, refused);
      else this.add(container, part, ...reasonFor(problem, part));
      return undefined;
    }
  }
}

const ENDS_ALL: ReadonlySet<string> = new Set([
  "cancelled",
  "unauthorized",
  "insufficient_scope",
  "unreachable",
  "no_api",
]);

/** The reason for a project or group that the token can't see. */
export const NOT_VISIBLE = "not visible with this token";

/** The reason for a feature that is disabled. */
export const UNAVAILABLE = "not available here";

function reasonFor(problem: ApiError, part: Part): [reason: string, kind: Note["kind"]] {
  switch (problem.code) {
    case "not_found":
      return part === "settings" ? [NOT_VISIBLE, "failed"] : [UNAVAILABLE, "unavailable"];
    case "feature_off":
      return [UNAVAILABLE, "unavailable"];
    case "forbidden":
      return ["the token's user needs the Maintainer role", "refused"];
    default:
      return [lowerFirst(problem.summary.replace(/\.$/, "")), "failed"];
  }
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

/** Returns each note once, sorted by part, reason and container. */
export function sortNotes(notes: readonly Note[]): readonly Note[] {
  const key = ({ container, part, reason }: Note) => JSON.stringify([part, reason, container]);
  const unique = new Map(notes.map((note) => [key(note), note]));
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, note]) => note);
}
