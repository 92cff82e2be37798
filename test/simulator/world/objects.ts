import { domainOf, GROUPS, type GroupName, PROJECTS, type ProjectName, pathOf } from "./company";

/**
 * The kinds of objects. `scope` and `pages` are settings, which always exist. `list` is a whole set, and `entry` and
 * `group_entry` are single entries of it. Objects of the other kinds are created and deleted.
 */
export type Kind =
  | "scope"
  | "pages"
  | "list"
  | "entry"
  | "group_entry"
  | "environment"
  | "rule"
  | "invitation"
  | "group_invitation";

/** An object that can be declared, with one of its possible contents. */
export interface Thing {
  readonly kind: Kind;
  /** The project or group that contains the object. */
  readonly at: ProjectName | GroupName;
  /** The key of the object within its project or group. Empty for settings and lists. */
  readonly key: string;
  /** Selects the content of the object. Each kind has a few possible contents. */
  readonly content: number;
}

/** Returns the identity of an object on the service. All declarations of the object have the same identity. */
export const identityOf = ({ kind, at, key }: Pick<Thing, "kind" | "at" | "key">): string =>
  `${kind} ${at} ${key}`;

export const TYPES: Readonly<Record<Kind, string>> = {
  scope: "steward_job_token_scope",
  pages: "steward_pages_settings",
  list: "steward_job_token_allowlist",
  entry: "steward_job_token_allowlist_project",
  group_entry: "steward_job_token_allowlist_group",
  environment: "steward_protected_environment",
  rule: "steward_container_protection_rule",
  invitation: "steward_project_invitation",
  group_invitation: "steward_group_invitation",
};

const kinds = new Map(Object.entries(TYPES).map(([kind, type]) => [type, kind as Kind]));

export const kindOf = (type: string): Kind | undefined => kinds.get(type);

/** The keys that objects of each kind can have. */
export const KEYS: Readonly<Record<Kind, readonly string[]>> = {
  scope: [""],
  pages: [""],
  list: [""],
  entry: ["tools", "runner"],
  group_entry: ["platform", "approvers"],
  environment: ["production", "staging"],
  rule: ["release*", "main"],
  invitation: ["ada@example.com", "bob@example.com"],
  group_invitation: ["ada@example.com", "eve@example.com"],
};

export const PLACES: Readonly<Record<Kind, readonly (ProjectName | GroupName)[]>> = {
  scope: ["web", "api"],
  pages: ["web", "api"],
  list: ["web", "api"],
  entry: ["web", "api"],
  group_entry: ["web", "api"],
  environment: ["web", "api"],
  rule: ["web", "api"],
  invitation: ["web", "api"],
  group_invitation: ["platform"],
};

/** The number of contents of a list. Other kinds have fewer contents: higher numbers begin again at the first. */
export const CONTENTS = 16;

const ENTRIES = ["tools", "runner"] as const;
const GROUP_ENTRIES = ["platform", "approvers"] as const;

/** Returns the entries of a whole list with this content. */
export const entriesOf = ({ content }: Pick<Thing, "content">) => ({
  projects: ENTRIES.filter((_, index) => (content >> index) % 2 === 1),
  groups: GROUP_ENTRIES.filter((_, index) => (content >> (index + 2)) % 2 === 1),
});

const pagesOf = ({ at, content }: Thing) => ({
  unique: content % 2 === 1,
  https: (content >> 1) % 2 === 1,
  domain: (content >> 2) % 2 === 1 ? domainOf(at) : "",
});

/** Returns Pages settings in the form of `live.ts`. */
export const pagesText = (given: { unique: boolean; https: boolean; domain: string }): string =>
  `unique ${given.unique ? "on" : "off"}; https ${given.https ? "on" : "off"}; domain ${given.domain || "-"}`;

const DEPLOYERS = [
  [{ access_level: 40 }],
  [{ access_level: 30 }],
  [{ access_level: 40 }, { user: "devon" }],
  [{ group: "acme/approvers" }],
] as const;
const APPROVERS = [
  [],
  [{ access_level: 40, required_approvals: 1 }],
  [{ group: "acme/approvers", required_approvals: 2 }],
  [],
] as const;
const LEVELS = ["maintainer", "owner", "admin", "owner"] as const;
const DELETE_LEVELS = [undefined, "owner", undefined, "admin"] as const;
const INVITED = [20, 30, 40, 30] as const;

/** The way in which a declaration names a project or group. */
export type Spelling = "path" | "id";

const spelled = (name: ProjectName | GroupName, spelling: Spelling): string =>
  spelling === "path" ? pathOf(name) : String({ ...PROJECTS, ...GROUPS }[name]);

/** Returns the attributes with which a configuration declares the object. */
export function attributesOf(thing: Thing, spelling: Spelling): Record<string, unknown> {
  const { kind, key, content } = thing;
  const place = spelled(thing.at, spelling);
  switch (kind) {
    case "scope":
      return { project: place, inbound_enabled: content % 2 === 1 };
    case "pages": {
      const { unique, https, domain } = pagesOf(thing);
      return {
        project: place,
        unique_domain_enabled: unique,
        force_https: https,
        primary_domain: domain,
        unpublish_on_destroy: false,
      };
    }
    case "list": {
      const { projects, groups } = entriesOf(thing);
      return {
        project: place,
        target_projects: projects.map((name) => spelled(name, spelling)),
        target_groups: groups.map((name) => spelled(name, spelling)),
      };
    }
    case "entry":
      return { project: place, target_project: spelled(key as ProjectName, spelling) };
    case "group_entry":
      return { project: place, target_group: spelled(key as GroupName, spelling) };
    case "environment":
      return {
        project: place,
        name: key,
        deploy_access_levels: DEPLOYERS[content % 4]!,
        approval_rules: APPROVERS[content % 4]!,
      };
    case "rule":
      return {
        project: place,
        repository_path_pattern: `${pathOf(thing.at)}/${key}`,
        minimum_access_level_for_push: LEVELS[content % 4]!,
        ...(DELETE_LEVELS[content % 4] !== undefined && {
          minimum_access_level_for_delete: DELETE_LEVELS[content % 4],
        }),
      };
    case "invitation":
      return { project: place, email: key, access_level: INVITED[content % 4]! };
    case "group_invitation":
      return { group: place, email: key, access_level: INVITED[content % 4]! };
  }
}

/** Returns the content of the live object after an apply of its declaration, in the form of `live.ts`. */
export function expectedOf(thing: Thing): string {
  const { kind, content } = thing;
  switch (kind) {
    case "scope":
      return content % 2 === 1 ? "on" : "off";
    case "pages":
      return pagesText(pagesOf(thing));
    case "list": {
      const { projects, groups } = entriesOf(thing);
      return [...projects, ...groups].sort().join(" ");
    }
    case "entry":
    case "group_entry":
      return "there";
    case "environment":
      return `deploy ${DEPLOYERS[content % 4]!.map(ruleText).sort().join(" ")}; approve ${APPROVERS[content % 4]!.map(approvalText).sort().join(" ")}`;
    case "rule":
      return `push ${LEVELS[content % 4]!}; delete ${DELETE_LEVELS[content % 4] ?? "-"}`;
    default:
      return `level ${INVITED[content % 4]!}`;
  }
}

type Rule = {
  readonly access_level?: number | undefined;
  readonly user?: string;
  readonly group?: string;
};

/** Returns the holder of the access in a rule of an environment, in the form of `live.ts`. */
export const ruleText = (rule: Rule): string => {
  if (rule.access_level !== undefined) return `level:${rule.access_level}`;
  return rule.user !== undefined ? `user:${rule.user}` : `group:${rule.group!.replace("acme/", "")}`;
};

export const approvalText = (rule: Rule & { readonly required_approvals: number }): string =>
  `${ruleText(rule)}x${rule.required_approvals}`;
