import type { DeclaredResource, DeclaredStack } from "./declared-resource";

/** Where a reference ends: `${data.steward_project.shop.id}`, `${steward_job_token_scope.limit.project}`. */
const REFERENCE = /^\$\{((?:data\.)?steward_\w+\.[\w-]+)\.(\w+)\}$/;

/** Resources whose own id is that of the project. */
const IDS_OF_PROJECTS = ["steward_job_token_scope", "steward_job_token_allowlist", "steward_pages_settings"];

/** Longer chains of references are circles. */
const LONGEST_CHAIN = 20;

/**
 * A text that is the same for two resources of one project. References to other resources and to data sources of the
 * same stack are followed to the text that they end at. A numeric id and a path can't be told to be one: that is left
 * to the plan, which asks the service.
 *
 * @returns nothing for a resource that belongs to no project.
 */
export function projectOf(
  resource: DeclaredResource,
  declared: DeclaredStack,
): { readonly key: string; readonly project: string } | undefined {
  const { attributes } = resource;
  if (attributes["project"] === undefined) return undefined;
  const project = followed(String(attributes["project"]), declared);
  const service = declared.services.get(String(attributes["provider"] ?? "steward")) ?? "";
  // Expressions mean something within their stack alone, and those of a loop within the loop.
  const place = project.includes("${") ? `${declared.stack.node.path}:${loopOf(project, resource)}` : "";
  return { key: JSON.stringify([service, place, project]), project };
}

function followed(text: string, { byAddress }: DeclaredStack): string {
  let project = text;
  for (let step = 0; step < LONGEST_CHAIN; step++) {
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
