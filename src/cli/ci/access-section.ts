import { loosens } from "../document/access-entry";
import type { ReportAccess } from "../document/model";
import { renderCard } from "../reports/formats/markdown-access";
import type { Anchors } from "../reports/formats/markdown-parts";
import { type AccessCard, accessCards } from "../views/access";

/**
 * The maximum number of tables in a comment. Tables with looser access are always shown. For tables beyond the maximum, the
 * comment gives only their number.
 */
const SHOWN = 20;

/** The maximum number of bytes of all tables together. The platform limits the length of a comment. */
const MOST = 400_000;

/**
 * Returns the access section of a comment. It has a table for each project or group; equal changes in several projects or
 * groups share one table. Changes that loosen access come first and are never folded. A project without counted changes has no
 * table: its changes are only in the folded details.
 */
export function accessSection(places: readonly ReportAccess[], anchors: Anchors): string[] {
  const cards = accessCards(places).filter(isShown);
  if (cards.length === 0) return [];
  const looser = cards.filter(({ direction }) => loosens(direction));
  const others = cards.filter(({ direction }) => !loosens(direction));
  const shown = upTo(MOST, looser, anchors);
  const rest = upTo(MOST - lengthOf(shown), others.slice(0, Math.max(0, SHOWN - shown.length)), anchors);
  const missing = looser.length - shown.length;
  const left = others.length - rest.length;
  return [
    "",
    "**Access**",
    ...shown,
    ...(missing > 0 ? ["", `- 🔓 and ${missing} more with more access, in the artifacts of the job`] : []),
    ...rest,
    ...(left > 0 ? ["", `- and ${left} more, below`] : []),
  ];
}

/**
 * Returns true if a card has counted changes. Also returns true for a card without a project or group, because such a card says
 * why changes could not be counted.
 */
const isShown = ({ rows, place, names }: AccessCard): boolean =>
  rows.length > 0 || place.length + names.length === 0;

/** Returns the tables, in their order, that fit into `most` bytes. */
function upTo(most: number, cards: readonly AccessCard[], anchors: Anchors): string[] {
  const shown: string[] = [];
  let left = most;
  for (const card of cards) {
    const text = renderCard(card, anchors).trimEnd();
    left -= Buffer.byteLength(text);
    if (left < 0) break;
    shown.push(text);
  }
  return shown;
}

const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
