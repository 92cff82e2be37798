import type { Move } from "../../framework";
import type { ValueObject } from "../../schema";
import { numberOf, objectsOf, textOf, unreadable } from "./source-state";

/** Who may deploy to an environment, and who approves. */
export const projectProtectedEnvironment: Move = {
  from: "gitlab_project_protected_environment",
  version: 0,
  to: {
    protected_environment(source) {
      const [project, name] = [textOf(source, "project"), textOf(source, "environment")];
      // Declared either as blocks or as an attribute; the other one is empty or null.
      const levels = [
        ...objectsOf(source, "deploy_access_levels"),
        ...objectsOf(source, "deploy_access_levels_attribute"),
      ];
      return {
        attributes: {
          id: `${project}:${name}`,
          project,
          name,
          deploy_access_levels: levels.map(entryOf),
          approval_rules: objectsOf(source, "approval_rules").map((rule) => ({
            ...entryOf(rule),
            required_approvals: numberOf(rule, "required_approvals") ?? 1,
          })),
        },
      };
    },
  },
};

function entryOf(element: ValueObject): ValueObject {
  const user = numberOf(element, "user_id");
  const group = numberOf(element, "group_id");
  return {
    user: user === undefined ? null : String(user),
    group: group === undefined ? null : String(group),
    // For users and groups, the level only repeats their role.
    access_level: user === undefined && group === undefined ? levelOf(element) : null,
    group_inheritance_type: numberOf(element, "group_inheritance_type") ?? 0,
  };
}

const LEVELS: Readonly<Record<string, number>> = { developer: 30, maintainer: 40, admin: 60 };

const levelOf = (element: ValueObject): number =>
  LEVELS[textOf(element, "access_level").toLowerCase()] ??
  unreadable("access_level", Object.keys(LEVELS).join(", "));
