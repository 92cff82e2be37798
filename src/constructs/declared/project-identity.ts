import type { DeclaredResource, DeclaredStack } from "./declared-resource";

/** A reference as text: `${data.steward_project.shop.id}`, `${steward_job_token_scope.limit.project}`. */
const REFERENCE = /^\$\{((?:data\.)?steward_\w+\.[\w-]+)\.(\w+)\}$/;

/** Resources whose own id is that of the project. */
const IDS_OF_PROJECTS = ["steward_job_token_scope", "steward_job_token_allowlist", "steward_pages_settings"];

/** Longer chains of references are cycles. */
const MAX_CHAIN = 20;

/**
 * A key that is equal for two resources of one project. References to other resources and data sources of the
 * stack are followed. A numeric id and a path can't be matched here: the plan does that by asking the
 * service.
 *
 * @returns undefined for a resource without a project
 */
export function projectOf(
  resource: DeclaredResource,
  declared: DeclaredStack,
): { readonly key: string; readonly project: string } | undefined {
  const { attributes } = resource;
  if (attributes["project"] === undefined) return undefined;
  const project = followed(String(attributes["project"]), declared);
  const service = declared.services.get(String(attributes["provider"] ?? "steward")) ?? "";
  // Expressions are only comparable within their stack, and those with `each` within their loop.
  const place = project.includes("${") ? `${declared.stack.node.path}:${loopOf(project, resource)}` : "";
  return { key: JSON.stringify([service, place, project]), project };
}

function followed(text: string, { byAddress }: DeclaredStack): string {
  let project = text;
  for (let step = 0; step < MAX_CHAIN; step++) {
    const [, address = "", attribute = ""] = REFERENCE.exec(project) ?? [];
    const named = byAddress.get(address);
    const next = named?.attributes["project"];
    if (named === undefined || next === undefined || !namesProject(named, attribute)) return project;
    project = String(next);
  }
  return project;
}

const namesProject = ({ type }: DeclaredResource, attribute: string): boolean =>
  attribute === "project" ||
  (attribute === "id" && [...IDS_OF_PROJECTS, "steward_project"].includes(type)) ||
  (attribute === "full_path" && type === "steward_project");

function loopOf(project: string, { construct, attributes }: DeclaredResource): string {
  if (/\bcount\.index\b/.test(project)) return construct.node.path;
  return /\beach\./.test(project) ? JSON.stringify(attributes["for_each"]) : "";
}
