import type { ServiceResponse } from "../network/response";
import type { SimulatedService } from "../network/service";
import type { Hand } from "../story/story";
import { GROUPS, PROJECTS, TOKEN } from "../world/company";
import { attributesOf, type Thing } from "../world/objects";

type Send = (method: string, path: string, body?: object) => ServiceResponse;

/**
 * Changes an object on the service by hand, with a request to the API. A request that the service refuses changes
 * nothing.
 */
export function changeByHand(service: SimulatedService, { hand, thing }: Hand): void {
  const send: Send = (method, path, body) =>
    service.answer({
      method,
      target: `/api/v4${path}`,
      headers: { "private-token": TOKEN, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const at = placeOf(thing);
  if (hand === "delete") remove(send, at, thing);
  else if (hand === "add") add(send, at, thing);
  else change(send, at, thing);
}

const placeOf = ({ kind, at }: Thing): string =>
  kind === "group_invitation"
    ? `/groups/${GROUPS[at as keyof typeof GROUPS]}`
    : `/projects/${PROJECTS[at as keyof typeof PROJECTS]}`;

const segment = encodeURIComponent;

/**
 * Returns the path of the rule with this pattern. The service assigned the id in the path, so the function reads the
 * list of rules.
 */
function ruleAt(send: Send, at: string, pattern: unknown): string | undefined {
  const { text } = send("GET", `${at}/registry/protection/repository/rules`);
  const rules = JSON.parse(text) as readonly { id: number; repository_path_pattern: string }[];
  const found = rules.find((rule) => rule.repository_path_pattern === pattern);
  return found && `${at}/registry/protection/repository/rules/${found.id}`;
}

function remove(send: Send, at: string, thing: Thing): void {
  const { kind, key } = thing;
  const attributes = attributesOf(thing, "id");
  if (kind === "entry") send("DELETE", `${at}/job_token_scope/allowlist/${attributes["target_project"]}`);
  if (kind === "group_entry")
    send("DELETE", `${at}/job_token_scope/groups_allowlist/${attributes["target_group"]}`);
  if (kind === "environment") send("DELETE", `${at}/protected_environments/${segment(key)}`);
  if (kind === "rule") {
    const rule = ruleAt(send, at, attributes["repository_path_pattern"]);
    if (rule !== undefined) send("DELETE", rule);
  }
  if (kind === "invitation" || kind === "group_invitation")
    send("DELETE", `${at}/invitations/${segment(key)}`);
}

function add(send: Send, at: string, thing: Thing): void {
  const { kind, key } = thing;
  const attributes = attributesOf(thing, "id");
  if (kind === "entry")
    send("POST", `${at}/job_token_scope/allowlist`, {
      target_project_id: Number(attributes["target_project"]),
    });
  if (kind === "group_entry")
    send("POST", `${at}/job_token_scope/groups_allowlist`, {
      target_group_id: Number(attributes["target_group"]),
    });
  if (kind === "environment")
    send("POST", `${at}/protected_environments`, { name: key, deploy_access_levels: [{ access_level: 60 }] });
  if (kind === "rule") send("POST", `${at}/registry/protection/repository/rules`, attributes);
  if (kind === "invitation" || kind === "group_invitation")
    send("POST", `${at}/invitations`, { email: key, access_level: attributes["access_level"] });
}

function change(send: Send, at: string, thing: Thing): void {
  const { kind, key } = thing;
  const attributes = attributesOf(thing, "id");
  if (kind === "scope") send("PATCH", `${at}/job_token_scope`, { enabled: attributes["inbound_enabled"] });
  if (kind === "pages")
    send("PATCH", `${at}/pages`, {
      pages_unique_domain_enabled: attributes["unique_domain_enabled"],
      pages_https_only: attributes["force_https"],
    });
  if (kind === "environment")
    send("PUT", `${at}/protected_environments/${segment(key)}`, {
      deploy_access_levels: [{ access_level: 60 }],
    });
  if (kind === "rule") {
    const rule = ruleAt(send, at, attributes["repository_path_pattern"]);
    if (rule !== undefined) send("PATCH", rule, { minimum_access_level_for_push: "admin" });
  }
  if (kind === "invitation" || kind === "group_invitation")
    send("PUT", `${at}/invitations/${segment(key)}`, { access_level: 10 });
}
