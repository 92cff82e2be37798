import { counted } from "../../../text";
import { accessHeadline } from "../../document/access-entry";
import type { ReportAccess } from "../../document/model";
import { type AccessCard, type AccessRow, accessCards } from "../../views/access";
import type { Anchors, Context } from "./markdown-parts";
import { code, details, MAX_EXPANDED_NAMES, placeNames, prose, STRICTNESS_LABELS } from "./markdown-text";
import { isWhole } from "./summary";

/** Writes the access changes before all other changes, because reviewers approve access first. */
export function writeAccess(access: readonly ReportAccess[], { report, anchors, budget }: Context): void {
  const total = accessHeadline(access, isWhole(report));
  budget.must(`\n### Access\n\n${total}\n`);
  budget.each(accessCards(access), "place", (card) =>
    budget.try(renderCard(card, anchors)) ? 0 : card.entries.length,
  );
}

const KINDS: Readonly<Record<AccessRow["kind"], string>> = {
  loosens: "🔓 loosens",
  gains: "➕ gains",
  changes: "✏️ changes",
  loses: "➖ loses",
  tightens: "🔒 tightens",
};

/**
 * Renders a table with the access changes of one project or group, or with equal changes of many projects or groups. Begins
 * with an empty line.
 */
export function renderCard(card: AccessCard, anchors: Anchors): string {
  const { rows, entries, notCounted } = card;
  const title = titleOf(card);
  const uncounted = notCounted.map((one) => `not counted: ${code(one.what)} (${prose(one.why)})`);
  return [
    "",
    ...(title === "" ? [] : [`${title}${anchors.to(entries)}`, ""]),
    ...(rows.length === 0 ? [] : ["| | what | who |", "|---|---|---|", ...rows.map(renderRow), ""]),
    ...uncounted.map((line) => `- ${line}`),
    ...(uncounted.length === 0 ? [] : [""]),
    ...renderPlaces(card),
  ].join("\n");
}

/** Returns the title of a table: the stacks, the project or group, and the effect of the changes on access. */
function titleOf({ place, heading, names, direction, entries }: AccessCard): string {
  const [stack, ...otherStacks] = new Set(entries.flatMap((one) => one.stack ?? one.stacks ?? []));
  const inStack = stack === undefined ? [] : [`stack ${code(stack)}`];
  const stacks = otherStacks.length === 0 ? inStack : [counted(otherStacks.length + 1, "stack")];
  const where =
    names.length > 0 ? [prose(heading)] : place.map(([kind, name]) => `${kind} **${code(name)}**`);
  const means = direction === undefined ? [] : [STRICTNESS_LABELS[direction]];
  return [...stacks, ...where, ...means].join(", ");
}

const renderRow = ({ kind, what, values }: AccessRow): string =>
  `| ${KINDS[kind]} | ${cell(what)} | ${values.map(cell).join(", ")} |`;

/** Returns a text for a cell of a table. Escapes bars, because a bar would end the cell. */
const cell = (text: string): string => code(text).replaceAll("|", "\\|");

const renderPlaces = ({ names, places }: AccessCard): string[] => {
  if (names.length === 0) return [];
  const list =
    names.length <= MAX_EXPANDED_NAMES
      ? names.map((name) => code(name)).join(", ")
      : details(counted(names.length, "place"), placeNames(places)).replace(/^ {2}/gm, "").trim();
  return [list, ""];
};
