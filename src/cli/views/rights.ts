import { groupBy } from "../../engine";
import { atMost } from "../../text";
import { quoted } from "../document/access-entry";
import type { ReportRight } from "../document/model";
import type { Style } from "../terminal/text";

/**
 * The maximum number of projects that a line about missing rights names. For rights that are not missing, the maximum is
 * `FOLDED`.
 */
const NAMED = 20;
const FOLDED = 3;

/**
 * Renders the rights that a token needs to apply a plan, such as `Rights: api; Maintainer in 12 projects; Owner in acme:
 * missing`. Also says which rights are missing, and which rights could not be determined.
 */
export function renderRights(rights: readonly ReportRight[], style: Style): string[] {
  const { needed, notKnown } = foldRights(rights, { name: quoted, sentence: unchanged });
  const head = style.bold("Rights:");
  return [
    needed.length + notKnown.length === 0
      ? `${head} none; the plan sends nothing.`
      : `${head} ${needed.join("; ")}`.trimEnd(),
    ...notKnown.map((line) => `  ${line}`),
  ];
}

/** The functions with which an output writes names and sentences, so that no part of them becomes markup. */
interface Writing {
  readonly name: (name: string) => string;
  readonly sentence: (sentence: string) => string;
}

/**
 * Groups equal rights, each with the projects and groups that require the right. Also returns the rights that could not be
 * determined.
 */
function foldRights(rights: readonly ReportRight[], { name: quote, sentence }: Writing) {
  const groups = groupBy(
    rights.filter((right) => right.not_known === undefined),
    (right) => [right.scope, right.role, placeOf(right)?.kind, right.has].join("\n"),
  );
  return {
    needed: [...groups.values()].map((group) => {
      const [{ scope, role = "", has }] = group;
      return `${quote(scope ?? role)}${placesOf(group, quote)}${statusOf(has)}`;
    }),
    notKnown: rights.flatMap(({ not_known: what, why }) =>
      what === undefined ? [] : [`not known: ${quote(what)} (${sentence(why ?? "")})`],
    ),
  };
}

/** Returns the text itself, for output without markup. */
export const unchanged = (text: string): string => text;

/** Returns the rights as lines, for reports. */
export function rightsLines(rights: readonly ReportRight[], writing: Writing): string[] {
  const { needed, notKnown } = foldRights(rights, writing);
  const lines = [...needed, ...notKnown];
  return lines.length === 0 ? ["none; the plan sends nothing"] : lines;
}

function placeOf({ project, group }: ReportRight) {
  if (project !== undefined) return { kind: "project", name: project };
  return group === undefined ? undefined : { kind: "group", name: group };
}

function placesOf(group: readonly [ReportRight, ...ReportRight[]], quote: (name: string) => string): string {
  const [first, ...rest] = group.flatMap((right) => placeOf(right) ?? []);
  if (first === undefined) return "";
  const isMissing = group[0].has === false;
  const shown = isMissing ? NAMED : FOLDED;
  const places = [first, ...rest];
  if (places.length > shown && !isMissing) return ` in ${places.length} ${first.kind}s`;
  const names = places.map(({ name }) => quote(name));
  return ` in ${atMost(names, shown, `more ${first.kind}s`).join(", ")}`;
}

function statusOf(has: boolean | null | undefined): string {
  if (typeof has !== "boolean") return ": not known whether the token has it";
  return has ? "" : ": missing";
}
