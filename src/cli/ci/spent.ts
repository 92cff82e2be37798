import type { Note } from "../../api";
import { anchorOf } from "./comment";
import type { Platform } from "./platform";

/** A note of Steward on a merge request: an apply began under its approval, or completed it. */
export interface Mark {
  readonly note: number;
  readonly isSpent: boolean;
  /** Whether the apply covered the whole branch, so that no earlier request waits. */
  readonly isWhole: boolean;
}

const MARK = /^<!-- steward apply (\S+) (started|spent)( whole)? [0-9a-f]+ -->\n/;

/** Reads a mark of this app; undefined for any other note. */
export function markIn({ id, body }: Note, name: string): Mark | undefined {
  const [marker, app, state, whole] = MARK.exec(body.replaceAll("\r\n", "\n")) ?? [];
  if (marker === undefined || app !== anchorOf(name)) return undefined;
  return { note: id, isSpent: state === "spent", isWhole: whole !== undefined };
}

/** The way in which an approval ended. */
export type SpentBy = "applied" | "overtaken";

const TEXTS = {
  started:
    "Steward applies the approved changes of this request. An interrupted apply goes on under this approval.",
  applied: "Steward applied the approved changes of this request. The approval is spent.",
  overtaken:
    "Later requests changed the approved objects again, so Steward had nothing left to apply. The approval is spent.",
};

/** Marks merge requests on the platform. */
export class Marks {
  constructor(
    private readonly platform: Platform,
    private readonly name: string,
    private readonly commit: string,
    private readonly job: string | undefined,
  ) {}

  /** Marks the begin of an apply, before its first write. @throws ApiError */
  async start(iid: number, mark: Mark | undefined): Promise<Mark> {
    if (mark !== undefined) return mark;
    const { client, project } = this.platform;
    const { id } = await client.mergeRequests.comment(project, iid, { body: this.#text("started", false) });
    return { note: id, isSpent: false, isWhole: false };
  }

  /** Marks an approval as spent. @throws ApiError */
  async spend(iid: number, mark: Mark | undefined, by: SpentBy, isWhole: boolean): Promise<void> {
    const { client, project } = this.platform;
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
