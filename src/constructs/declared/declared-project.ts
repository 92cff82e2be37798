import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { FleetResource } from "../fleet/table";
import { type DeclaredResource, type DeclaredStack, declaredStack } from "./declared-resource";

/** Matches a text that only refers to an attribute of a declaration, such as `${data.steward_project.shop.id}`. */
const REFERENCE = /^\$\{((?:data\.)?steward_\w+\.[\w-]+)\.(\w+)\}$/;

/** The types of resources whose id is also the id of their project. */
const IDS_OF_PROJECTS = ["steward_job_token_scope", "steward_job_token_allowlist", "steward_pages_settings"];

/** The maximum number of references that are followed from one resource. A longer chain is treated as a cycle. */
const MAX_CHAIN = 20;

/**
 * Returns the project of a resource, and a key that is equal for all resources of this project. The function follows references
 * inside the stack. A numeric id and a path of one project have different keys; the plan compares the id and the path with a
 * request.
 *
 * @returns undefined for a resource without a project
 */
function projectOf(resource: DeclaredResource, declared: DeclaredStack) {
  const { attributes } = resource;
  if (attributes["project"] === undefined) return undefined;
  const project = followed(String(attributes["project"]), declared);
  const service = declared.services.get(String(attributes["provider"] ?? "steward")) ?? "";
  // In another stack, an equal expression can have another value. In another loop, an expression with `each` can also have
  // another value.
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

/** A project with all resources that an app declares for it, in all stacks of the app. */
export class DeclaredProject {
  constructor(
    /** The project as the declarations write it: a numeric id, a full path or an expression. */
    readonly project: string,
    /** The resources, in the order in which the app creates them. */
    readonly resources: readonly DeclaredResource[],
  ) {}

  /** Returns the resources of one type, such as `steward_protected_environment`. */
  ofType(type: string): readonly DeclaredResource[] {
    return this.resources.filter((resource) => resource.type === type);
  }
}

/**
 * Returns the projects for which a stack declares resources. Each project has its resources from all stacks of the app. Each call
 * reads the given stack again, because aspects can change it. Every other stack is read only once.
 *
 * @param types the types of resources; all by default. Results are cached by the set object, so pass the same object in each
 * call.
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

/** The indexes of projects. The outer key is the root of an app, the inner key the set of resource types. */
const indexes = new WeakMap<IConstruct, Map<unknown, ProjectIndex>>();

/** The declarations of each stack that was read. A stack that no longer exists loses its entry. */
const read = new WeakMap<TerraformStack, DeclaredStack>();

/**
 * Returns the declarations of all stacks below a construct, in the order of the construct tree. Only stacks that are not in
 * `read` are read.
 */
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

/** The projects of an app, divided into one part for each stack. A stack that is read again gets a new part. */
class ProjectIndex {
  /** The declarations of each stack, in the order in which the app creates the stacks. */
  #parts: ReadonlyMap<TerraformStack, StackPart> = new Map();
  /** The stacks that declare resources for a project, by the key of the project. */
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

/** Returns the projects for which a stack declares resources. The key of a project is equal in all stacks. */
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
