import { fail } from "../../diagnostics";
import type { Move } from "../../framework";
import type { ValueObject } from "../../schema";
import { numberOf, textOf } from "./source-state";

/** One project or group on the allowlist of a project. */
export const projectJobTokenScope: Move = {
  from: "gitlab_project_job_token_scope",
  version: 1,
  to: {
    job_token_allowlist_project: entryOf("project", "group"),
    job_token_allowlist_group: entryOf("group", "project"),
  },
};

/** Version 0 supported only projects. The id is built from the attributes because its format differs between versions. */
function entryOf(kind: "project" | "group", other: "project" | "group") {
  return (source: ValueObject) => {
    const project = textOf(source, "project");
    const target = numberOf(source, `target_${kind}_id`);
    if (target === undefined) return otherKind(kind, other);
    return {
      attributes: {
        id: `${project}:${target}`,
        project,
        [`target_${kind}`]: String(target),
        [`target_${kind}_id`]: target,
      },
    };
  };
}

const otherKind = (kind: string, other: string): never =>
  fail({
    code: "move_source_unreadable",
    summary: "Wrong target type of a move",
    detail:
      `The gitlab_project_job_token_scope in a moved block allows a ${other}, not a ${kind}. ` +
      `Move it to a steward_job_token_allowlist_${other} instead.`,
  });
