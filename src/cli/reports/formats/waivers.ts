import type { Report, ReportWaiver } from "../../document/model";
import { type Content, html } from "../../html";
import { describeWaiver, WAIVER_STATUSES } from "../../views/waivers";
import { prose } from "./markdown-text";

const TITLES: Readonly<Record<ReportWaiver["status"], string>> = {
  ended: "Ended: what they accepted counts again",
  ending: "Ending within 14 days",
  unused: "Unused",
  active: "Active",
};

const groupsOf = ({ waivers = [] }: Report) =>
  WAIVER_STATUSES.flatMap((status) => {
    const of = waivers.filter((one) => one.status === status);
    return of.length === 0 ? [] : [{ title: TITLES[status], of }];
  });

const accepted = ({ uses }: ReportWaiver): string => (uses === 0 ? "" : `, ${uses} accepted`);

/** The waivers by what somebody has to do about them; nothing without waivers. */
export function waiversMarkdown(report: Report): string {
  const groups = groupsOf(report);
  if (groups.length === 0) return "";
  const lines = groups.flatMap(({ title, of }) => [
    `\n${title}:\n`,
    ...of.map((one) => `- ${prose(describeWaiver(one))}${accepted(one)}`),
  ]);
  return `\n### Waivers\n${lines.join("\n")}\n`;
}

export function waiversSection(report: Report): Content {
  const groups = groupsOf(report);
  if (groups.length === 0) return undefined;
  return html`${groups.map(
    ({ title, of }) => html`<h3>${title}</h3>
<ul>
${of.map((one) => html`<li>${describeWaiver(one)}${accepted(one)}</li>\n`)}</ul>
`,
  )}`;
}
