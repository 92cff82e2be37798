import { diffOf } from "../../document/describe";
import type { Report } from "../../document/model";
import { waiverCounts } from "../../views/waivers";
import { actionCounts, allObjects } from "../counts";
import { headline, totalsOf } from "./summary";

/** The report itself, as `docs/report.schema.json` describes it. */
export function jsonReport(report: Report): string {
  const stacks = report.stacks.map((stack) => ({
    ...stack,
    objects: stack.objects.map((object) => ({ ...object, diff: diffOf(object) })),
  }));
  const { format_version, steward_version, command, started_at, finished_at, run, result } = report;
  const head = { format_version, steward_version, command, started_at, finished_at, run, result };
  const counted = { summary: headline(report), totals: totalsOf(report) };
  const whole = { ...head, ...counted, ...report, ...counted, stacks };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** The counts that the platform's plan widget reads, and those of the waivers, if the run has any. */
export function widgetReport(report: Report): string {
  const waivers = report.waivers && waiverCounts(report.waivers);
  return `${JSON.stringify({ ...actionCounts(allObjects(report)), ...(waivers && { waivers }) })}\n`;
}
