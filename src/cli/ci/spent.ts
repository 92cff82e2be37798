import type { Note } from "../../api";
import { anchorOf } from "./comment";
import type { Platform } from "./platform";

/**
 * The reaction of the token's user that spends the approval of a comment. Only administrators and the user who added a reaction
 * can remove this reaction (https://docs.gitlab.com/api/emoji_reactions/). In contrast, any Maintainer can edit and delete
 * notes. A deleted comment does no harm: without the comment, no approval counts.
 */
const SPENT = "white_check_mark";

/** A note that Steward writes on a merge request when an apply of its changes begins, and again when the apply ends. */
export interface Mark {
  readonly note: number;
  readonly isSpent: boolean;
  /** Whether the apply included all merge requests of the branch, so that no earlier request waits. */
  readonly isWhole: boolean;
}

const MARK = /^<!-- steward apply (\S+) (started|spent)( whole)? [0-9a-f]+ -->\n/;

/** Reads a note. Returns undefined if the note is not a mark of this app. */
export function markIn({ id, body }: Note, name: string): Mark | undefined {
  const [marker, app, state, whole] = MARK.exec(body.replaceAll("\r\n", "\n")) ?? [];
  if (marker === undefined || app !== anchorOf(name)) return undefined;
  return { note: id, isSpent: state === "spent", isWhole: whole !== undefined };
}

/** Returns true if the token's user spent the approval of this comment. @throws ApiError */
export async function isSpentBy(
  { client, project, user }: Platform,
  iid: number,
  comment: Pick<Note, "id">,
): Promise<boolean> {
  for await (const { name, user: by } of client.mergeRequests.reactions(project, iid, comment.id))
    if (name === SPENT && by.id === user) return true;
  return false;
}

/** The reason why an approval is spent: Steward applied its changes, or later requests changed the same objects again. */
export type SpentBy = "applied" | "overtaken";

const TEXTS = {
  started:
    "Steward applies the approved changes of this request. An interrupted apply goes on under this approval.",
  applied: "Steward applied the approved changes of this request. The approval is spent.",
  overtaken:
    "Later requests changed the approved objects again, so Steward had nothing left to apply. The approval is spent.",
};

interface Spending {
  readonly iid: number;
  /** The comment that asked for the approval. */
  readonly comment: Pick<Note, "id"> | undefined;
  readonly mark: Mark | undefined;
  readonly by: SpentBy;
  readonly isWhole: boolean;
}

/** Writes marks on merge requests: an apply began, or an approval is spent. */
export class Marks {
  constructor(
    private readonly platform: Platform,
    private readonly name: string,
    private readonly commit: string,
    private readonly job: string | undefined,
  ) {}

  /** Writes the mark about the start of an apply. Called before the first write to the service. @throws ApiError */
  async start(iid: number, mark: Mark | undefined): Promise<Mark> {
    if (mark !== undefined) return mark;
    const { client, project } = this.platform;
    const { id } = await client.mergeRequests.comment(project, iid, { body: this.#text("started", false) });
    return { note: id, isSpent: false, isWhole: false };
  }

  /** Marks the approval of a comment as spent: first by a reaction, then by a note for people. @throws ApiError */
  async spend({ iid, comment, mark, by, isWhole }: Spending): Promise<void> {
    const { client, project } = this.platform;
    if (comment !== undefined && !(await isSpentBy(this.platform, iid, comment)))
      await client.mergeRequests.react(project, iid, comment.id, { name: SPENT });
    const body = this.#text(by, isWhole);
    if (mark === undefined) await client.mergeRequests.comment(project, iid, { body });
    else await client.mergeRequests.editComment(project, iid, mark.note, { body });
  }

  #text(state: keyof typeof TEXTS, isWhole: boolean): string {
    const word = state === "started" ? "started" : "spent";
    return [
      `<!-- steward apply ${anchorOf(this.name)} ${word}${isWhole ? " whole" : ""} ${this.commit} -->`,
      TEXTS[state],
      "",
      `Commit ${this.commit}${this.job === undefined ? "" : `, ${this.job}`}`,
    ].join("\n");
  }
}
