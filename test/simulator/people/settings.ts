import type { Database } from "../../../src/service/store/database";
import type { Disk } from "../disk/disk";
import { SETTINGS, SHOP, TOOLS } from "./company";

/**
 * The settings that the apps declare. Each setting has a few possible values, and "" means that the setting is not
 * declared.
 */
export const SLOTS = ["limit", "guest", "tools", "own", "other"] as const;
export type Slot = (typeof SLOTS)[number];
/** The other facts of a commit: a different address of the service, a policy, and the owners of files. */
export const FACTS = ["service", "policy", "owners"] as const;
/** The content of a commit: values of settings, and other facts. */
export type Values = Readonly<Partial<Record<Slot | (typeof FACTS)[number], string>>>;

/**
 * A second address of the service. In the stories, this address belongs to a foreign service: a token that is sent
 * there is lost.
 */
export const ELSEWHERE = "http://127.0.0.1:4001";

/** The values that each setting can have. A value that is listed twice is chosen more often. */
export const VALUES: Readonly<Record<Slot, readonly string[]>> = {
  limit: ["true", "true", "false"],
  guest: ["10", "30", "50", ""],
  tools: ["in", "in", "out"],
  own: ["in", "in", "out"],
  other: ["true", "true", "false"],
};

/** The apps of the repository. Each app has its own state, comment and apply job. */
export const APPS = ["shop", "edge"] as const;
export type App = (typeof APPS)[number];
export const appOf = (slot: Slot): App => (slot === "other" ? "edge" : "shop");

const ADDRESS: Readonly<Record<Slot, string>> = {
  limit: "steward_job_token_scope.limit",
  guest: "steward_project_invitation.guest",
  tools: "steward_job_token_allowlist.callers",
  own: "steward_job_token_allowlist.callers",
  other: "steward_job_token_scope.other",
};
const TARGETS = { tools: "acme/tools", own: "ops/settings" } as const;

const callers = (targets: readonly (keyof typeof TARGETS)[]) => ({
  steward_job_token_allowlist: {
    callers: { project: "acme/shop", target_projects: targets.map((slot) => TARGETS[slot]) },
  },
});

/** Returns the configuration of an app at a commit. */
export function configurationOf(app: App, values: Values): string {
  const scope = (name: string, project: string, value: string | undefined) =>
    value ? { steward_job_token_scope: { [name]: { project, inbound_enabled: value === "true" } } } : {};
  const targets = (["tools", "own"] as const).filter((slot) => values[slot] === "in");
  const ofShop = {
    ...scope("limit", "acme/shop", values.limit),
    ...(values.guest && {
      steward_project_invitation: {
        guest: { project: "acme/shop", email: "guest@example.com", access_level: Number(values.guest) },
      },
    }),
    ...(values.tools !== undefined || values.own !== undefined ? callers(targets) : {}),
  };
  return JSON.stringify({
    ...(values.service && { provider: { steward: [{ base_url: values.service }] } }),
    terraform: {
      required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
      backend: { local: { path: `/state/${app}.tfstate` } },
    },
    resource: app === "shop" ? ofShop : scope("other", "acme/tools", values.other),
  });
}

/** Returns the values in the state of an app. All apply jobs use this state file. */
export function heldValues(disk: Disk, app: App): ReadonlyMap<Slot, string> {
  const text = disk.volume.find(`/state/${app}.tfstate`)?.content.toString();
  if (text === undefined || text === "") return new Map();
  const { resources } = JSON.parse(text) as State;
  return new Map(
    SLOTS.flatMap((slot) => {
      const found = resources.find(({ type, name }) => `${type}.${name}` === ADDRESS[slot]);
      const values = found?.instances[0]?.attributes;
      return values === undefined ? [] : [[slot, valueIn(values, slot)] as const];
    }),
  );
}

interface State {
  readonly resources: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly attributes: Attributes }[];
  }[];
}

type Attributes = Readonly<Record<string, unknown>>;

function valueIn(values: Attributes, slot: Slot): string {
  if (slot === "guest") return String(values["access_level"]);
  if (slot === "limit" || slot === "other") return String(values["inbound_enabled"]);
  return (values["target_projects"] as readonly string[]).includes(TARGETS[slot]) ? "in" : "out";
}

/** Returns true if the state has the declared value of a setting. */
export const isHeld = (held: ReadonlyMap<Slot, string>, slot: Slot, value: string): boolean =>
  (held.get(slot) ?? "") === value;

/**
 * Returns the value that a commit declares; "" if it declares none. If a commit declares one entry of the list, the
 * other entry is "out", because the list contains only declared entries.
 */
export function declaredValue(values: Values, slot: Slot): string {
  const isInList = SLOTS.some((other) => isSameObject(slot, other) && values[other] !== undefined);
  return values[slot] ?? (isInList ? "out" : "");
}

/** Returns true if two settings are attributes of one object. */
export const isSameObject = (one: Slot, other: Slot): boolean => ADDRESS[one] === ADDRESS[other];

/** Reads the live values from the tables of the service. */
export function readLive(database: Database): Record<Slot, string> {
  const inbound = (id: number): string =>
    String(
      database.one<{ on: number }>(`SELECT inbound_enabled AS "on" FROM projects WHERE id = ?`, id)!.on === 1,
    );
  const guest = database.one<{ level: number }>(
    "SELECT access_level AS level FROM invitations WHERE project_id = ?",
    SHOP,
  );
  const entries = database
    .all<{ target: number }>(
      "SELECT target_project_id AS target FROM allowlist_projects WHERE project_id = ?",
      SHOP,
    )
    .map(({ target }) => target);
  return {
    limit: inbound(SHOP),
    guest: guest === undefined ? "" : String(guest.level),
    tools: entries.includes(TOOLS) ? "in" : "out",
    own: entries.includes(SETTINGS) ? "in" : "out",
    other: inbound(TOOLS),
  };
}

/** Returns the lines about an object in the part of a comment that people approve. */
function sectionOf(body: string, address: string): string | undefined {
  const lines = body.split("\n<details>", 1)[0]!.split("\n");
  const at = lines.findIndex((line) => /^- /.test(line) && line.includes(`\`${address}\``));
  if (at < 0) return undefined;
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("  "));
  return lines.slice(at, end < 0 ? lines.length : end).join("\n");
}

/** Returns true if a comment shows that a setting will have this value. */
export function shows(body: string, slot: Slot, after: string): boolean {
  const section = sectionOf(body, ADDRESS[slot]);
  if (section === undefined) return false;
  const isDestroyed = /: destroy,/.test(section);
  if (slot === "guest") return after === "" ? isDestroyed : section.includes(`→ ${after}\``);
  if (slot === "limit" || slot === "other")
    return section.includes("inbound_enabled: ") && section.includes(`→ ${after}\``);
  const target = TARGETS[slot];
  if (after === "out") return section.includes(`− "${target}"`) || isDestroyed;
  return section.includes(`+ "${target}"`) || new RegExp(`→ \\[[^\\]]*"${target}"`).test(section);
}

/** Returns true if a comment shows that a merge request changes these rules. */
export function showsRules(
  body: string,
  { isPolicy, isOwners }: { readonly isPolicy: boolean; readonly isOwners: boolean },
): boolean {
  const head = body.split("\nTo approve: ", 1)[0]!;
  return (!isPolicy || head.includes("policy.js")) && (!isOwners || head.includes("OWNERS"));
}

/**
 * Returns true if a comment shows a change of a job token scope. The rule of the policy `ruled` is about these changes.
 */
export const showsLimit = (body: string): boolean =>
  (["limit", "other"] as const).some((slot) => sectionOf(body, ADDRESS[slot]) !== undefined);

/**
 * Returns true for settings that are entries of the list. A change of one entry does not depend on the live value of
 * the other entry.
 */
export const isElement = (slot: Slot): slot is keyof typeof TARGETS => slot in TARGETS;

/**
 * Returns the access level that a person needs to approve a change. To raise the level of an invitation, a person needs
 * at least the new level.
 */
export const levelFor = (slot: Slot, before: string, after: string): number =>
  slot === "guest" && Number(after) > Number(before || 0) ? Number(after) : 40;
