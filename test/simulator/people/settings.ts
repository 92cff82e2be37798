import type { Database } from "../../../src/service/store/database";
import type { Disk } from "../disk/disk";
import { SETTINGS, SHOP, TOOLS } from "./company";

/** The settings that the apps of the repository declare. Each has a few values; "" declares nothing. */
export const SLOTS = ["limit", "guest", "tools", "own", "other"] as const;
export type Slot = (typeof SLOTS)[number];
/** Facts of a commit besides its settings: the address of another service than the environment's, a policy, and owners. */
export const FACTS = ["service", "policy", "owners"] as const;
/** Values by slot, and the other facts of a commit. */
export type Values = Readonly<Partial<Record<Slot | (typeof FACTS)[number], string>>>;

/** Another address of the service: a token that it gets is lost. */
export const ELSEWHERE = "http://127.0.0.1:4001";

/** The values that a slot can have. */
export const VALUES: Readonly<Record<Slot, readonly string[]>> = {
  limit: ["true", "true", "false"],
  guest: ["10", "30", "50", ""],
  tools: ["in", "in", "out"],
  own: ["in", "in", "out"],
  other: ["true", "true", "false"],
};

/** The apps of the repository, each with its state, its comment and its apply job. */
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

/** The configuration of an app, at a commit. */
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

/** The values in the state of an app, by address and slot. The state is the file that the apply jobs share. */
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

/** Whether the state holds a declared value. */
export const isHeld = (held: ReadonlyMap<Slot, string>, slot: Slot, value: string): boolean =>
  (held.get(slot) ?? "") === value;

/** The value that a commit declares: the list of callers has only the projects that it names. "" declares nothing. */
export function declaredValue(values: Values, slot: Slot): string {
  const isInList = SLOTS.some((other) => isSameObject(slot, other) && values[other] !== undefined);
  return values[slot] ?? (isInList ? "out" : "");
}

/** Whether two slots are attributes of one object. */
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

/** The lines about an object in the part of a comment that people approve. */
function sectionOf(body: string, address: string): string | undefined {
  const lines = body.split("\n<details>", 1)[0]!.split("\n");
  const at = lines.findIndex((line) => /^- /.test(line) && line.includes(`\`${address}\``));
  if (at < 0) return undefined;
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("  "));
  return lines.slice(at, end < 0 ? lines.length : end).join("\n");
}

/** Whether a person who reads a comment learns that a value will be live. */
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

/** Whether people who read a comment learn that a request changes these rules. */
export function showsRules(
  body: string,
  { isPolicy, isOwners }: { readonly isPolicy: boolean; readonly isOwners: boolean },
): boolean {
  const head = body.split("\nTo approve: ", 1)[0]!;
  return (!isPolicy || head.includes("policy.js")) && (!isOwners || head.includes("OWNERS"));
}

/** Whether the comment of a plan has a change of a limit: the rule of a policy is about these. */
export const showsLimit = (body: string): boolean =>
  (["limit", "other"] as const).some((slot) => sectionOf(body, ADDRESS[slot]) !== undefined);

/** The slots that are elements of one list: a change of one does not depend on the live value of another. */
export const isElement = (slot: Slot): slot is keyof typeof TARGETS => slot in TARGETS;

/** The access level that a person needs to approve a value. */
export const levelFor = (slot: Slot, before: string, after: string): number =>
  slot === "guest" && Number(after) > Number(before || 0) ? Number(after) : 40;
