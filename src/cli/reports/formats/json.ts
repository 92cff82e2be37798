import { actionCounts, allObjects } from "../counts";
import type { Report } from "../model";

/** The report itself. Its JSON Schema is `docs/report.schema.json`. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`;

/** What the platform's plan widget counts. */
export const widgetReport = (report: Report): string =>
  `${JSON.stringify(actionCounts(allObjects(report)))}\n`;
