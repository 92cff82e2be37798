import type { Report } from "../../document/model";
import { waiverCounts } from "../../views/waivers";
import { actionCounts, allObjects } from "./summary";

/** Returns the counts that the platform's plan widget reads, and the counts of the waivers, if the run has any. */
export function widgetReport(report: Report): string {
  const waivers = report.waivers && waiverCounts(report.waivers);
  return `${JSON.stringify({ ...actionCounts(allObjects(report)), ...(waivers && { waivers }) })}\n`;
}
