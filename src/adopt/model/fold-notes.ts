import { groupBy } from "../../schema";
import { withoutAddresses } from "./emails";
import type { AdoptedContainer, LiveSettings } from "./live-settings";
import { commentText } from "./source-text";

type Container = Pick<AdoptedContainer, "kind" | "path">;

/** A note for several projects, or several groups, that share one reason. */
export interface FoldedNote {
  readonly containers: readonly Container[];
  /** The settings that the code does not declare; undefined if the containers as a whole are skipped. */
  readonly what?: string;
  /** A clause. */
  readonly why: string;
}

/** The maximum number of containers that a note names. */
const SHOWN = 5;

/** Returns a phrase for containers of one kind: `group acme`, `groups acme and acme/web`, `groups a, b, c, d, e and 3 more`. */
export function nameContainers(containers: readonly Container[]): string {
  const kind = containers[0]?.kind ?? "";
  const paths = containers.map(({ path }) => path);
  if (paths.length === 1) return `${kind} ${paths[0]}`;
  const isShortened = paths.length > SHOWN;
  const named = isShortened ? paths.slice(0, SHOWN) : paths.slice(0, -1);
  return `${kind}s ${named.join(", ")} and ${isShortened ? `${paths.length - SHOWN} more` : paths.at(-1)}`;
}

/**
 * Returns a note on one line, such as `group acme: all objects of type steward_group_invitation: this token may not list
 * them`.
 */
export const noteText = ({ containers, what, why }: FoldedNote): string =>
  [nameContainers(containers), ...(what === undefined ? [] : [what]), why].join(": ");

/** Groups elements whose causes and container kinds are equal. The groups have the order of their first elements. */
export const foldByCause = <T>(
  all: readonly T[],
  containerOf: (one: T) => Container,
  causeOf: (one: T) => string,
): [first: T, ...others: T[]][] => [
  ...(groupBy(all, (one) => `${containerOf(one).kind} ${causeOf(one)}`) as Map<string, [T, ...T[]]>).values(),
];

/** Returns a note for each reason why an adoption skips containers. */
export const skippedNotes = ({ skipped }: Pick<LiveSettings, "skipped">): FoldedNote[] =>
  foldByCause(
    skipped,
    (one) => one,
    ({ why }) => why,
  ).map((same) => ({
    containers: same,
    why: same.length === 1 ? same[0].why : same[0].why.replace(/^it is /, "they are "),
  }));

/** Returns a note for each reason why code can't declare live settings. */
export const undeclarableNotes = (containers: readonly AdoptedContainer[]): FoldedNote[] =>
  foldByCause(
    containers.flatMap((container) => container.undeclarable.map((one) => ({ container, ...one }))),
    ({ container }) => container,
    ({ what, why }) => JSON.stringify([what, why]),
  ).map((same) => ({
    containers: same.map(({ container }) => container),
    what: same[0].what,
    why: same[0].why,
  }));

/**
 * Returns comment lines about omitted settings, in sections with headings. Without `includeEmails`, e-mail addresses are removed
 * from the lines.
 */
export function notesOf(
  { skipped, containers }: Pick<LiveSettings, "skipped" | "containers">,
  includeEmails: boolean,
): { readonly heading: string; readonly lines: readonly string[] }[] {
  const shown = (note: FoldedNote): string =>
    commentText(includeEmails ? noteText(note) : withoutAddresses(noteText(note)));
  return [
    { heading: "Skipped:", lines: skippedNotes({ skipped }).map(shown) },
    { heading: "Live, but not declared here:", lines: undeclarableNotes(containers).map(shown) },
  ].filter(({ lines }) => lines.length > 0);
}
