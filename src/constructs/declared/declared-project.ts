import { TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { type DeclaredResource, type DeclaredStack, declaredStack } from "./declared-resource";
import { projectOf } from "./project-identity";

/** A project, and everything that the app declares of it, in whichever stack. */
export class DeclaredProject {
  constructor(
    /** As the declarations name it: a numeric id, a full path, or an expression. */
    readonly project: string,
    /** In the order of the construct tree. */
    readonly resources: readonly DeclaredResource[],
  ) {}

  /** Its resources of one type, such as `steward_protected_environment`. */
  ofType(type: string): readonly DeclaredResource[] {
    return this.resources.filter((resource) => resource.type === type);
  }
}

/** What was read of each stack, for as long as its app is there. */
const read = new WeakMap<TerraformStack, DeclaredStack>();

/**
 * The projects that an app declares something of. The stack is read anew, because aspects may have changed it since;
 * of the other stacks what was read before is good enough.
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
