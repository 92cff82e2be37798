import { GROUPS, PROJECTS, USERS } from "./company";
import { approvalText, kindOf, ruleText } from "./objects";
import type { Held } from "./records";

interface StateFile {
  readonly resources?: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly {
      readonly deposed?: string;
      readonly status?: string;
      readonly attributes: Readonly<Record<string, unknown>> | null;
    }[];
  }[];
}

const names = new Map(
  [...Object.entries(PROJECTS), ...Object.entries(GROUPS), ...Object.entries(USERS)].map(([name, id]) => [
    String(id),
    name,
  ]),
);

/**
 * Reads the objects of a state file. The function does not use the code of Steward, which the simulator tests. Returns
 * undefined if the text is not valid JSON.
 */
export function readHeld(text: string | undefined): Held | undefined {
  const held = new Map<string, string>();
  if (text === undefined || text === "") return held;
  let state: StateFile;
  try {
    state = JSON.parse(text) as StateFile;
  } catch {
    return undefined;
  }
  for (const { mode, type, name, instances } of state.resources ?? []) {
    if (mode !== "managed") continue;
    for (const { deposed, attributes } of instances) {
      const address = `${type}.${name}${deposed === undefined ? "" : ` (deposed ${deposed})`}`;
      held.set(address, identityOfState(type, attributes ?? {}));
    }
  }
  return held;
}

/**
 * Returns the content of each object in a state, by its identity. Contents have the form of `live.ts`, so that they can
 * be compared with live objects.
 */
export function readContents(text: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { resources = [] }: StateFile = JSON.parse(text || "{}");
  for (const { mode, type, instances } of resources)
    for (const { attributes } of mode === "managed" ? instances : []) {
      const content = attributes === null ? undefined : contentOf(type, attributes);
      if (content !== undefined) found.set(identityOfState(type, attributes!), content);
    }
  return found;
}

type StoredRule = Readonly<Record<"access_level" | "user" | "group" | "required_approvals", unknown>>;

function contentOf(type: string, attributes: Readonly<Record<string, unknown>>): string | undefined {
  const listed = (name: string) => attributes[name] as readonly StoredRule[];
  const nameOf = (text: unknown) =>
    text === null ? undefined : (names.get(String(text)) ?? String(text).replace(/^acme\//, ""));
  const named = ({ access_level, user, group, required_approvals }: StoredRule) => ({
    access_level: access_level === null ? undefined : Number(access_level),
    user: nameOf(user)!,
    group: nameOf(group)!,
    required_approvals: Number(required_approvals),
  });
  switch (kindOf(type)) {
    case "scope":
      return attributes["inbound_enabled"] === true ? "on" : "off";
    case "list":
      return [...(listed("target_projects") as unknown[]), ...(listed("target_groups") as unknown[])]
        .map(nameOf)
        .sort()
        .join(" ");
    case "environment": {
      const deploy = listed("deploy_access_levels").map((rule) => ruleText(named(rule)));
      const approve = listed("approval_rules").map((rule) => approvalText(named(rule)));
      return `deploy ${deploy.sort().join(" ")}; approve ${approve.sort().join(" ")}`;
    }
    case "rule":
      return `push ${attributes["minimum_access_level_for_push"] ?? "-"}; delete ${attributes["minimum_access_level_for_delete"] ?? "-"}`;
    case "invitation":
    case "group_invitation":
      return `level ${attributes["access_level"]}`;
    default:
      return undefined;
  }
}

/** Returns the addresses of objects that Terraform will replace, because their create failed. */
export function taintedIn(text: string | undefined): ReadonlySet<string> {
  const { resources = [] }: StateFile = JSON.parse(text || "{}");
  const isTainted = ({ instances }: NonNullable<StateFile["resources"]>[number]) =>
    instances.some(({ status }) => status === "tainted");
  return new Set(resources.filter(isTainted).map(({ type, name }) => `${type}.${name}`));
}

/** Returns the identity of an object in a state. The identity follows from the stored id. */
export function identityOfState(type: string, attributes: Readonly<Record<string, unknown>>): string {
  const kind = kindOf(type);
  const [container, ...rest] = String(attributes["id"]).split(":");
  const place = names.get(container!) ?? container;
  const key = rest.join(":");
  if (kind === "entry" || kind === "group_entry") return `${kind} ${place} ${names.get(key) ?? key}`;
  if (kind === "rule")
    return `${kind} ${place} ${String(attributes["repository_path_pattern"]).replace(`acme/${place}/`, "")}`;
  return `${kind} ${place} ${key}`;
}
