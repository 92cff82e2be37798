import { diffOf } from "../../document/equal";
import type { Report } from "../../document/model";
import { headline, totalsOf } from "./summary";

/** Returns the report itself as JSON, in the format of `docs/report.schema.json`. */
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
