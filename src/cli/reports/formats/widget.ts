import type { Report } from "../../document/model";
import { waiverCounts } from "../../views/waivers";
import { actionCounts, allObjects } from "./summary";

/** Returns the counts that the plan widget of a merge request reads. Adds the counts of the waivers, if the run has waivers. */
export function widgetReport(report: Report): string {
  const waivers = report.waivers && waiverCounts(report.waivers);
  return `${JSON.stringify({ ...actionCounts(allObjects(report)), ...(waivers && { waivers }) })}\n`;
}
