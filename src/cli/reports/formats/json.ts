import { diffOf } from "../../document/differences";
import type { Report } from "../../document/model";
import { actionCounts, allObjects } from "../counts";

/** The report itself, as `docs/report.schema.json` describes it. */
export function jsonReport(report: Report): string {
  const stacks = report.stacks.map((stack) => ({
    ...stack,
    objects: stack.objects.map((object) => ({ ...object, diff: diffOf(object) })),
  }));
  return `${JSON.stringify({ ...report, stacks }, null, 2)}\n`;
}

/** The counts that the platform's plan widget reads. */
export const widgetReport = (report: Report): string =>
  `${JSON.stringify(actionCounts(allObjects(report)))}\n`;
