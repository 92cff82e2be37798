import type { UsedWaiver } from "../../provider";
import { atMost, counted, oneLine } from "../../text";
import type { ReportWaiver } from "../document/model";
import type { Style } from "../terminal/text";

/** The maximum number of waivers that a plan lists. Reports list all waivers. */
const MAX_LINES = 12;

/** Describes a waiver with its project and reason: `rule "approvals" in acme/web: migration (web-team, until 2027-01-31)`. */
function describeWaiver(waiver: ReportWaiver): string {
  const { rule, setting, attribute, kind, project } = waiver;
  const settings = [setting, attribute && `attribute ${attribute}`, kind].filter(Boolean).join(", ");
  const what = rule === undefined ? settings : `rule "${rule}"`;
  return `${what}${project === "*" ? "" : ` in ${project}`}: ${groundsOf(waiver)}`;
}

/** Returns the reason, the owner and the end of a waiver: `migration (web-team, until 2027-01-31)`. */
export function groundsOf({ reason, owner, until, for_this_run: isForThisRun }: ReportWaiver): string {
  const facts = isForThisRun ? ["this run"] : [owner, until && `until ${until}`].filter(Boolean);
  return `${reason}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
}

/** Returns a waiver as data, with the field names of reports. */
export const waiverJson = ({ forThisRun, ...waiver }: UsedWaiver) => ({
  ...waiver,
  ...(forThisRun && { for_this_run: true as const }),
});

/** The statuses of waivers, from the most urgent to the least urgent. */
const WAIVER_STATUSES = ["ended", "ending", "unused", "active"] as const;

/** Returns the number of waivers of each status. */
export const waiverCounts = (all: readonly ReportWaiver[]): Record<ReportWaiver["status"], number> => {
  const counts = { ended: 0, ending: 0, unused: 0, active: 0 };
  for (const { status } of all) counts[status]++;
  return counts;
};

/** Returns a line about a waiver, with its status and the number of findings that it accepts. */
export const waiverLine = (waiver: ReportWaiver): string =>
  `${LABELS[waiver.status]}${waiver.uses > 0 ? `, ${waiver.uses} accepted` : ""}: ${describeWaiver(waiver)}`;

const LABELS: Readonly<Record<ReportWaiver["status"], string>> = {
  ended: "ended",
  ending: "ends within 14 days",
  unused: "unused",
  active: "active",
};

/** Returns a line for each waiver, in the order of urgency. */
export const waiverLines = (all: readonly ReportWaiver[]): string[] =>
  WAIVER_STATUSES.flatMap((status) => all.filter((one) => one.status === status)).map(waiverLine);

/** Renders the waivers that need attention, and the number of the waivers that need no attention. */
export function renderWaivers(all: readonly ReportWaiver[], style: Style): string[] {
  if (all.length === 0) return [];
  const numbers = waiverCounts(all);
  const counts = WAIVER_STATUSES.flatMap((status) =>
    numbers[status] === 0 ? [] : [`${numbers[status]} ${LABELS[status]}`],
  );
  const told = all.filter(({ status, for_this_run: isForThisRun }) => status !== "active" || isForThisRun);
  const accepted = all.reduce((sum, { uses }) => sum + uses, 0);
  return [
    style.bold(`Waivers: ${counts.join(", ")}; ${counted(accepted, "finding")} accepted.`),
    ...atMost(waiverLines(told), MAX_LINES).map((line) => `  ${oneLine(line)}`),
  ];
}
