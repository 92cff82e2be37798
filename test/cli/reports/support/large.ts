import type { Difference } from "../../../../src/cli/difference";
import type { Report, ReportAttribute, ReportObject } from "../../../../src/cli/document/model";

const ACTIONS = ["create", "update", "delete"] as const;
const MARKS = { create: "+", update: "~", delete: "-" } as const;

type Mark = (typeof MARKS)[keyof typeof MARKS];

/** Returns an attribute of a report. The attribute is added, is removed, or changes from 30 to `value`. */
export const leaf = (name: string, mark: Mark, value: string): ReportAttribute => ({
  name,
  sensitive: false,
  difference: {
    mark,
    kind: "leaf",
    ...(mark !== "+" && { before: mark === "-" ? value : "30" }),
    ...(mark !== "-" && { after: value }),
  },
});

const levels = (mark: Mark): Difference => ({
  mark,
  kind: "fields",
  fields: [
    leaf("access_level", mark, "40 (Maintainer)"),
    leaf("group_inheritance_type", mark, "0 (direct members)"),
  ],
  unchanged: 0,
});

/**
 * Returns a report of a plan with `count` different changes. Ten changes belong to each project, and each change depends on
 * another change.
 */
export function largeReport(count: number): Report {
  const objects = Array.from({ length: count }, (_, at): ReportObject => {
    const action = ACTIONS[at % ACTIONS.length]!;
    const mark = MARKS[action];
    const project = `acme/team-${at % 7}/service-${Math.floor(at / 10)}`;
    return {
      address: `steward_protected_environment.service-${at}_environment-production`,
      type: at % 2 === 0 ? "steward_protected_environment" : "steward_job_token_allowlist",
      project,
      url: `https://git.acme.example/${project}`,
      id: `${at}:production`,
      construct: `services/service-${at}/environment-production`,
      file: "services.ts",
      line: at + 1,
      action,
      status: "planned",
      attributes: [
        {
          name: "deploy_access_levels",
          sensitive: false,
          difference: { mark, kind: "elements", elements: [levels(mark)], unchanged: 0 },
        },
        // The value of this attribute differs in each change. Without a difference, the report would fold the changes into
        // one entry.
        leaf("title", mark, `"production-${at}"`),
        leaf("project", mark, JSON.stringify(project)),
      ],
      ...(at % 3 > 0 && {
        depends_on: [`steward_protected_environment.service-${at - 1}_environment-production`],
      }),
      diagnostics: [],
    };
  });
  return {
    format_version: "1.4",
    steward_version: "1.0.0",
    command: "plan",
    started_at: "2026-11-23T08:00:00.000Z",
    finished_at: "2026-11-23T08:00:42.000Z",
    result: "found",
    stacks: [
      {
        name: "services",
        objects,
        outputs: [],
        unchecked: 0,
        ignored: [],
        known: 0,
        known_fingerprints: [],
        diagnostics: [],
      },
    ],
  };
}
