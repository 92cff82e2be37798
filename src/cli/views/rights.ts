import type { NeededRight, RightsReport } from "../../engine";
import type { Style } from "../printing/style";
import { quoted } from "./access-lines";

/** The places of missing rights are named up to this number, other places up to `FOLDED`. */
const NAMED = 20;
const FOLDED = 3;

/**
 * What a token needs to apply a plan, what is missing, and what could not be determined:
 * `Rights: api; Maintainer in 12 projects; Owner in acme: missing`.
 */
export function renderRights({ rights, notKnown }: RightsReport, style: Style): string[] {
  const needed = foldRights(rights, quoted);
  const head = style.bold("Rights:");
  return [
    needed.length === 0 && notKnown.length === 0
      ? `${head} none; the plan sends nothing.`
      : `${head} ${needed.join("; ")}`.trimEnd(),
    ...notKnown.map(({ what, why }) => `  not known: ${quoted(what)} (${why})`),
  ];
}

/**
 * Equal rights in one entry, with their places.
 *
 * @param quote writes a name
 */
export function foldRights(rights: readonly NeededRight[], quote: (name: string) => string): string[] {
  const groups = new Map<string, NeededRight[]>();
  for (const right of rights) {
    const key = [right.kind, right.name, right.at?.kind ?? "", String(right.has)].join(" ");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [right]);
    else group.push(right);
  }
  return [...groups.values()].map((group) => {
    const [{ name, has }] = group as [NeededRight];
    return `${quote(name)}${placesOf(group, quote)}${statusOf(has)}`;
  });
}

function placesOf(group: readonly NeededRight[], quote: (name: string) => string): string {
  const [{ at, has }] = group as [NeededRight];
  if (at === undefined) return "";
  const shown = has === false ? NAMED : FOLDED;
  if (group.length > shown && has !== false) return ` in ${group.length} ${at.kind}s`;
  const names = group.slice(0, shown).map((right) => quote(right.at!.name));
  const more = group.length > shown ? [`and ${group.length - shown} more ${at.kind}s`] : [];
  return ` in ${[...names, ...more].join(", ")}`;
}

const statusOf = (has: boolean | undefined): string =>
  has === undefined ? ": not known whether the token has it" : has ? "" : ": missing";
