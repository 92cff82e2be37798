import type { Emails } from "../model/emails";
import { withoutAddresses } from "../model/emails";
import type { AdoptedContainer, LiveSettings } from "../model/live-settings";
import { commentText } from "../model/source-text";

/** What is skipped, a line each. */
export const skippedNotes = ({ skipped }: LiveSettings): string[] =>
  skipped.map(({ kind, path, why }) => commentText(`The ${kind} ${path} is not declared: ${why}.`));

/** What is live in a container and not declared, a line each. */
export const undeclarableNotes = ({ undeclarable }: AdoptedContainer, { isIncluded }: Emails): string[] =>
  undeclarable.map(({ what, why }) => {
    const note = `Not declared: ${what}: ${why}.`;
    return commentText(isIncluded ? note : withoutAddresses(note));
  });
