import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { FleetResource } from "../fleet/table";
import { type DeclaredResource, type DeclaredStack, declaredStack } from "./declared-resource";

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
function projectOf(resource: DeclaredResource, declared: DeclaredStack) {
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
    if (named === undefined || next === undefined || !isProjectName(named, attribute)) return project;
    project = String(next);
  }
  return project;
}

const isProjectName = ({ type }: DeclaredResource, attribute: string): boolean =>
  attribute === "project" ||
  (attribute === "id" && [...IDS_OF_PROJECTS, "steward_project"].includes(type)) ||
  (attribute === "full_path" && type === "steward_project");

function loopOf(project: string, { construct, attributes }: DeclaredResource): string {
  if (/\bcount\.index\b/.test(project)) return construct.node.path;
  return /\beach\./.test(project) ? JSON.stringify(attributes["for_each"]) : "";
}

/** A project with everything that the app declares for it, in any stack. */
export class DeclaredProject {
  constructor(
    /** As in the declarations: a numeric id, a full path, or an expression. */
    readonly project: string,
    /** In construct tree order. */
    readonly resources: readonly DeclaredResource[],
  ) {}

  /** Its resources of one type, such as `steward_protected_environment`. */
  ofType(type: string): readonly DeclaredResource[] {
    return this.resources.filter((resource) => resource.type === type);
  }
}

/**
 * The projects that a stack declares something for, each with everything that the app declares for it. The
 * given stack is read again, because aspects may have changed it; other stacks are cached.
 *
 * @param types of resources; all by default. Pass the same set again: an app keeps what it found for each.
 */
export function declaredProjects(
  stack: TerraformStack,
  types?: ReadonlySet<string>,
): readonly DeclaredProject[] {
  const { root } = stack.node;
  const ofApp = indexes.get(root) ?? new Map<unknown, ProjectIndex>();
  indexes.set(root, ofApp);
  const index = ofApp.get(types) ?? new ProjectIndex(types);
  ofApp.set(types, index);
  read.delete(stack);
  index.update(stacksBelow(root));
  return index.projectsOf(stack);
}

/** By the root of an app and the types of resources. */
const indexes = new WeakMap<IConstruct, Map<unknown, ProjectIndex>>();

/** The stacks read so far, for the lifetime of their app. */
const read = new WeakMap<TerraformStack, DeclaredStack>();

/** In construct tree order, without a look into the stacks that were read: each of many stacks asks. */
function stacksBelow(node: IConstruct): readonly DeclaredStack[] {
  if (!TerraformStack.isStack(node)) return node.node.children.flatMap(stacksBelow);
  const declared = read.get(node) ?? declaredStack(node);
  read.set(node, declared);
  return [declared, ...declared.nested.flatMap(stacksBelow)];
}

interface StackPart {
  readonly declared: DeclaredStack;
  readonly projects: ReadonlyMap<string, DeclaredProject>;
}

/** The projects of an app, in which a stack that was read again replaces what it had. */
class ProjectIndex {
  /** In construct tree order. */
  #parts: ReadonlyMap<TerraformStack, StackPart> = new Map();
  /** The stacks that declare something for a project, by its key. */
  readonly #stacks = new Map<string, Set<TerraformStack>>();

  constructor(private readonly types: ReadonlySet<string> | undefined) {}
  update(stacks: readonly DeclaredStack[]): void {
    this.#parts = new Map(stacks.map((declared) => [declared.stack, this.#part(declared)]));
  }

  projectsOf(stack: TerraformStack): readonly DeclaredProject[] {
    return [...this.#parts.get(stack)!.projects].map(([key, own]) => {
      const holders = this.#stacks.get(key)!;
      if (holders.size === 1) return own;
      const parts = [...this.#parts.values()].filter(({ declared }) => holders.has(declared.stack));
      return new DeclaredProject(
        own.project,
        parts.flatMap(({ projects }) => projects.get(key)?.resources ?? []),
      );
    });
  }

  #part(declared: DeclaredStack): StackPart {
    const known = this.#parts.get(declared.stack);
    if (known?.declared === declared) return known;
    for (const key of known?.projects.keys() ?? []) this.#stacks.get(key)!.delete(declared.stack);
    const projects = projectsIn(declared, this.types);
    for (const key of projects.keys()) {
      const holders = this.#stacks.get(key) ?? new Set();
      this.#stacks.set(key, holders.add(declared.stack));
    }
    return { declared, projects };
  }
}

/** The projects that one stack declares something for, by a key that is equal in all stacks. */
function projectsIn(declared: DeclaredStack, types: ReadonlySet<string> | undefined) {
  const grouped = new Map<string, { project: string; resources: DeclaredResource[] }>();
  const group = (key: string, project: string): DeclaredResource[] => {
    const found = grouped.get(key) ?? { project, resources: [] };
    grouped.set(key, found);
    return found.resources;
  };
  for (const resource of declared.resources) {
    if (types?.has(resource.type) === false) continue;
    if (resource.construct instanceof FleetResource) {
      for (const { where, attributes } of resource.construct.declared) {
        const { path } = resource.construct.node.scope!.node;
        const project = where === "" ? `every project of ${path}` : where;
        group(`fleet ${path} ${where}`, project).push({
          construct: resource.construct,
          type: resource.type,
          attributes: { ...attributes, project },
        });
      }
      continue;
    }
    const identity = projectOf(resource, declared);
    if (identity === undefined) continue;
    group(identity.key, identity.project).push(resource);
  }
  return new Map(
    [...grouped].map(([key, { project, resources }]) => [key, new DeclaredProject(project, resources)]),
  );
}
