import type { Person } from "./company";
import type { App, Slot, Values } from "./settings";

/** The policies that a repository can have. */
export const POLICIES = [
  "none",
  "two",
  "committers",
  "author",
  "robot",
  "security",
  // `ruled` has a rule that asks for two approvals of changes of one type. `waived` also has a waiver, which accepts
  // these changes in the projects of `acme`.
  "ruled",
  "waived",
] as const;
export type Policy = (typeof POLICIES)[number];

/** The edit of an approval file between the plan and the comment. */
export type Tampering = "fewer approvals" | "no changes" | "plan of another request";

/** The kind of merge. A merge into the release branch reaches the default branch later. */
export type MergeKind = "merge" | "squash" | "fast-forward" | "into release";

/** The edit of the bot's comment. */
export type CommentEdit = "harmless text" | "a change left out" | "text below" | "comment of another request";

export type Step =
  | {
      readonly do: "open";
      readonly by: Person;
      readonly changes: Values;
      readonly sameHeadAs?: number;
      readonly isDraft?: boolean;
    }
  | {
      readonly do: "push";
      readonly request: number;
      readonly by: Person;
      readonly changes: Values;
      /** True if the push replaces all commits of the branch. */
      readonly isForced?: boolean;
    }
  | { readonly do: "pipeline"; readonly request: number; readonly tampering?: Tampering }
  | { readonly do: "approve" | "unapprove"; readonly request: number; readonly by: Person }
  | { readonly do: "edit comment"; readonly request: number; readonly app: App; readonly how: CommentEdit }
  /** A Maintainer deletes or edits the note which says that the approval is spent. */
  | {
      readonly do: "remove mark";
      readonly request: number;
      readonly app: App;
      readonly how: "delete" | "edit";
    }
  | { readonly do: "merge"; readonly request: number; readonly how: MergeKind }
  | { readonly do: "close" | "reopen" | "ready"; readonly request: number }
  /** An apply job runs for the commit `back` commits before the head of the default branch. */
  | { readonly do: "job"; readonly app: App; readonly back: number; readonly killedAt?: number }
  | {
      readonly do: "member";
      readonly who: Person;
      readonly becomes: "gone" | "guest" | "developer" | "maintainer" | "blocked" | "active";
    }
  | { readonly do: "hand"; readonly slot: Slot; readonly value: string };

export interface Story {
  readonly seed: number;
  readonly policy: Policy;
  /** The value of `--approvals` for the apply jobs. */
  readonly atLeast: number;
  /** The apps in the repository. */
  readonly apps: readonly App[];
  readonly steps: readonly Step[];
}

/**
 * Returns true if merge requests of a story change rules. The story's pipelines then judge plans by the rules in a
 * checkout of the target branch.
 */
export const changesRules = ({ steps }: Story): boolean =>
  steps.some((step) => "changes" in step && ("policy" in step.changes || "owners" in step.changes));

/** Writes a story as lines of JSON, for people and for `--stories`. */
export const tell = ({ steps, ...head }: Story): string =>
  [JSON.stringify(head), ...steps.map((step) => JSON.stringify(step))].join("\n");

export function readStory(text: string): Story {
  const [head, ...steps] = text.split("\n").map((line) => JSON.parse(line) as object);
  return { ...(head as Omit<Story, "steps">), steps: steps as Step[] };
}

/** Returns the smallest story that still fails. Removes steps as long as the story fails without them. */
export async function shrink(story: Story, fails: (story: Story) => Promise<boolean>): Promise<Story> {
  let best = story;
  for (let size = Math.ceil(story.steps.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let at = 0; at < best.steps.length; ) {
      const steps = [...best.steps.slice(0, at), ...best.steps.slice(at + size)];
      const candidate = { ...best, steps };
      if (await fails(candidate)) {
        best = candidate;
        isSmaller = true;
      } else at += size;
    }
    if (!isSmaller || size > 1) size = size === 1 ? 0 : Math.floor(size / 2);
  }
  return best;
}
