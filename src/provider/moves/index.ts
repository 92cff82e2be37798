// This file converts states of resources of the Go provider (`gitlabhq/gitlab`) for `moved` blocks. The conversion
// sends no requests.

import { fail, warning } from "../../diagnostics";
import type { Move } from "../../framework";
import type { Value, ValueObject } from "../../schema";

// The next functions read values from states of the Go provider. Older releases of this provider store 0 and "" for
// omitted attributes.

/** @throws DiagnosticError if the attribute is not a non-empty string */
function textOf(source: ValueObject, name: string): string {
  const value = source[name];
  return typeof value === "string" && value !== "" ? value : unreadable(name, "a string");
}

/**
 * Returns a numeric id or a count; undefined if the state contains no value. @throws DiagnosticError if the value is
 * not a whole number
 */
function numberOf(source: ValueObject, name: string): number | undefined {
  const value = source[name] ?? 0;
  if (!Number.isSafeInteger(value) || (value as number) < 0) return unreadable(name, "a whole number");
  return value === 0 ? undefined : (value as number);
}

/** Returns numeric ids as strings, as references store them. @throws DiagnosticError */
function idsOf(source: ValueObject, name: string): readonly string[] {
  return listOf(source, name).map((each) =>
    Number.isSafeInteger(each) ? String(each) : unreadable(name, "a set of ids"),
  );
}

/** @throws DiagnosticError */
function objectsOf(source: ValueObject, name: string): readonly ValueObject[] {
  return listOf(source, name).map((each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? (each as ValueObject)
      : unreadable(name, "a list of objects"),
  );
}

function listOf(source: ValueObject, name: string): readonly Value[] {
  const value = source[name] ?? [];
  return Array.isArray(value) ? value : unreadable(name, "a list");
}

const unreadable = (name: string, wanted: string): never =>
  fail({
    code: "move_source_unreadable",
    summary: "Unreadable state of another provider",
    detail: `A moved block moves a resource whose ${name} is not ${wanted}. Remove the old resource from the state with a removed block, and import the object.`,
  });

const attributesNotMoved = (detail: string) =>
  warning({ code: "move_leaves_behind", summary: "Setting not moved", detail });

/**
 * Returns the function that converts a state to one allowlist entry. The function builds the id from the attributes,
 * because the format of the old id differs between schema versions. Version 0 of the old resource supported only
 * projects as targets.
 */
function entryOf(kind: "project" | "group", other: "project" | "group") {
  return (source: ValueObject) => {
    const project = textOf(source, "project");
    const target = numberOf(source, `target_${kind}_id`);
    if (target === undefined)
      return fail({
        code: "move_source_unreadable",
        summary: "Wrong target type of a move",
        detail: `The gitlab_project_job_token_scope in a moved block allows a ${other}, not a ${kind}. Move it to a steward_job_token_allowlist_${other}.`,
      });
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

function accessEntryOf(element: ValueObject): ValueObject {
  const user = numberOf(element, "user_id");
  const group = numberOf(element, "group_id");
  return {
    user: user === undefined ? null : String(user),
    group: group === undefined ? null : String(group),
    // For an entry with a user or a group, the old state also contains a level. The level of such an entry only repeats
    // the role of the user or group.
    access_level: user === undefined && group === undefined ? levelOf(element) : null,
    group_inheritance_type: numberOf(element, "group_inheritance_type") ?? 0,
  };
}

const LEVELS: Readonly<Record<string, number>> = { developer: 30, maintainer: 40, admin: 60 };

const levelOf = (element: ValueObject): number =>
  LEVELS[textOf(element, "access_level").toLowerCase()] ??
  unreadable("access_level", Object.keys(LEVELS).join(", "));

/** The namespace and name of the provider whose resources can be moved. The registry or mirror does not matter. */
export const MOVED_FROM = "gitlabhq/gitlab";

/** The resources of the provider `MOVED_FROM` that have an equivalent in this provider. */
export const MOVES: readonly Move[] = [
  // A container protection rule: the people who can push and delete images.
  {
    from: "gitlab_project_container_repository_protection",
    version: 0,
    to: {
      container_protection_rule(source) {
        const project = textOf(source, "project");
        const rule = numberOf(source, "protection_rule_id") ?? unreadable("protection_rule_id", "an id");
        return {
          attributes: {
            id: `${project}:${rule}`,
            project,
            rule_id: rule,
            repository_path_pattern: textOf(source, "repository_path_pattern"),
            minimum_access_level_for_push: source["minimum_access_level_for_push"] ?? null,
            minimum_access_level_for_delete: source["minimum_access_level_for_delete"] ?? null,
          },
        };
      },
    },
  },
  // One project or group on the allowlist of a project.
  {
    from: "gitlab_project_job_token_scope",
    version: 1,
    to: {
      job_token_allowlist_project: entryOf("project", "group"),
      job_token_allowlist_group: entryOf("group", "project"),
    },
  },
  // The whole allowlist of a project, and whether the allowlist is enabled.
  {
    from: "gitlab_project_job_token_scopes",
    version: 0,
    to: {
      job_token_allowlist(source) {
        // Older releases had the numeric attribute `project_id` instead of `project`.
        const project = source["project"]
          ? textOf(source, "project")
          : String(numberOf(source, "project_id") ?? textOf(source, "id"));
        return {
          attributes: {
            id: project,
            project,
            target_projects: idsOf(source, "target_project_ids"),
            target_groups: idsOf(source, "target_group_ids"),
          },
          // States of releases without this attribute, and imported states, do not contain the value.
          ...(typeof source["enabled"] === "boolean" && {
            warnings: [
              attributesNotMoved(
                `gitlab_project_job_token_scopes also declared whether the allowlist of the project ${project} is enabled ` +
                  `(enabled = ${source["enabled"]}). The move does not change that setting on the service. To manage it, ` +
                  "add a steward_job_token_scope with inbound_enabled.",
              ),
            ],
          }),
        };
      },
    },
  },
  // The Pages settings of a project.
  {
    from: "gitlab_project_pages_settings",
    version: 0,
    to: {
      pages_settings(source) {
        const project = textOf(source, "project");
        return {
          attributes: {
            id: project,
            project,
            unique_domain_enabled: source["is_unique_domain_enabled"] ?? null,
            force_https: source["force_https"] ?? null,
            unpublish_on_destroy: false,
            url: source["url"] ?? null,
          },
          ...(source["keep_settings_on_destroy"] === false && {
            warnings: [
              attributesNotMoved(
                `The gitlab_project_pages_settings of the project ${project} had keep_settings_on_destroy = false: destroying ` +
                  "it would have restored the settings from before its creation. Destroying a steward_pages_settings does not " +
                  "change them.",
              ),
            ],
          }),
        };
      },
    },
  },
  // A protected environment: the people who can deploy, and the people who approve.
  {
    from: "gitlab_project_protected_environment",
    version: 0,
    to: {
      protected_environment(source) {
        const [project, name] = [textOf(source, "project"), textOf(source, "environment")];
        // Users of the Go provider declare the entries as blocks or as an attribute. The form that is not used is
        // empty or null.
        const levels = [
          ...objectsOf(source, "deploy_access_levels"),
          ...objectsOf(source, "deploy_access_levels_attribute"),
        ];
        return {
          attributes: {
            id: `${project}:${name}`,
            project,
            name,
            deploy_access_levels: levels.map(accessEntryOf),
            approval_rules: objectsOf(source, "approval_rules").map((rule) => ({
              ...accessEntryOf(rule),
              required_approvals: numberOf(rule, "required_approvals") ?? 1,
            })),
          },
        };
      },
    },
  },
];
