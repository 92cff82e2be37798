import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type DeclaredResource, type DeclaredStack, declaredStack } from "./declared-resource";
import { projectOf } from "./project-identity";

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

/** The stacks read so far, for the lifetime of their app. */
const read = new WeakMap<TerraformStack, DeclaredStack>();

/**
 * The projects that an app declares something for. The given stack is read again, because aspects may have
 * changed it; other stacks are cached.
 */
export function declaredProjects(stack: TerraformStack): readonly DeclaredProject[] {
  read.delete(stack);
  const grouped = new Map<string, { project: string; resources: DeclaredResource[] }>();
  for (const one of stacksBeside(stack)) {
    const declared = read.get(one) ?? declaredStack(one);
    read.set(one, declared);
    for (const resource of declared.resources) {
      const identity = projectOf(resource, declared);
      if (identity === undefined) continue;
      const group = grouped.get(identity.key) ?? { project: identity.project, resources: [] };
      grouped.set(identity.key, group);
      group.resources.push(resource);
    }
  }
  return [...grouped.values()].map(({ project, resources }) => new DeclaredProject(project, resources));
}

const stacksBeside = (stack: TerraformStack): readonly TerraformStack[] =>
  stack.node.root.node
    .findAll()
    .filter((node: IConstruct): node is TerraformStack => TerraformStack.isStack(node));
