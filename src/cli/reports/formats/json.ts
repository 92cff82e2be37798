import { actionCounts, allObjects } from "../counts";
import type { Report } from "../model";

/** The report itself, as `docs/report.schema.json` describes it. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

/** The counts that the platform's plan widget reads. */
export const widgetReport = (report: Report): string =>
  `${JSON.stringify(actionCounts(allObjects(report)))}\n`;
