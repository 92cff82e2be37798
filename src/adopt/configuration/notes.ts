import type { Emails } from "../model/emails";
import { withoutAddresses } from "../model/emails";
import { type FoldedNote, nameContainers, skippedNotes } from "../model/fold-notes";
import type { LiveSettings } from "../model/live-settings";
import { commentText } from "../model/source-text";

/** What is skipped, a line for each reason. */
export const skippedLines = (settings: LiveSettings): string[] =>
  skippedNotes(settings).map(({ containers, why }) =>
    commentText(
      `The ${nameContainers(containers)} ${containers.length === 1 ? "is" : "are"} not declared: ${why}.`,
    ),
  );

/** What is live and not declared, without its container. */
export function undeclarableLine({ what, why }: FoldedNote, { isIncluded }: Emails): string {
  const note = `Not declared: ${what}: ${why}.`;
  return commentText(isIncluded ? note : withoutAddresses(note));
}

/** The same after the names of its containers. */
export const namedLine = (note: FoldedNote, emails: Emails): string =>
  `${commentText(nameContainers(note.containers))}: ${undeclarableLine(note, emails)}`;
