import {
  Annotations,
  Aspects,
  type IAspect,
  TerraformBackend,
  TerraformElement,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { declaredProjects } from "./declared/declared-project";
import type { DeclaredResource } from "./declared/declared-resource";
import { StewardProvider as GeneratedProvider, type StewardProviderConfig } from "./generated";
import { ProjectPolicy } from "./policy/project-policy";
import { ownScope } from "./position";

/**
 * Configures the service and the token for the resources of a stack. At synthesis, this construct also checks all declarations of
 * the stack and applies the policies of the app.
 *
 * @example
 * new StewardProvider(this, "steward"); // STEWARD_BASE_URL and STEWARD_TOKEN set the service and the token
 */
export class StewardProvider extends GeneratedProvider {
  constructor(scope: Construct, id: string, config: StewardProviderConfig = {}) {
    super(ownScope(scope, id), id, config);
    const stack = TerraformStack.of(this);
    if (checked.has(stack)) return;
    checked.add(stack);
    stack.node.addValidation({
      // Returns no errors, because the check adds its errors to the constructs. Every command prints these errors with their
      // construct.
      validate() {
        checkAllowlists(stack);
        return [];
      },
    });
    Aspects.of(stack).add(new PoliciesAbove(stack));
  }
}

/** The stacks that already have the checks. A second provider in one of these stacks does not add the checks again. */
const checked = new WeakSet<TerraformStack>();

/**
 * Applies to one stack the policies that the app added to scopes above the stack. When cdktf synthesizes a single stack, it
 * ignores policies of scopes above the stack.
 */
class PoliciesAbove implements IAspect {
  constructor(private readonly stack: TerraformStack) {}

  visit(node: IConstruct): void {
    for (const scope of this.stack.node.scopes) {
      if (scope === this.stack) return;
      for (const aspect of Aspects.of(scope).all) if (aspect instanceof ProjectPolicy) aspect.visit(node);
    }
  }
}

/**
 * The two kinds of allowlist entries. For each kind, `attribute` declares all entries of a list, and the resource type `entry`
 * declares one entry.
 */
const SETS = [
  { attribute: "target_projects", option: "targetProjects", entry: "steward_job_token_allowlist_project" },
  { attribute: "target_groups", option: "targetGroups", entry: "steward_job_token_allowlist_group" },
] as const;

const WHOLE = "steward_job_token_allowlist";
const TYPES = new Set<string>([WHOLE, ...SETS.map(({ entry }) => entry)]);

/**
 * Adds an error to two constructs if one owns the whole allowlist of a project and the other owns one entry of this allowlist.
 * Two such constructs would undo each other's changes. The plan repeats this check with the ids that the service returns.
 */
function checkAllowlists(stack: TerraformStack): void {
  if (!stack.node.findAll().some(hasEntries)) return;
  for (const project of declaredProjects(stack, TYPES)) {
    for (const { attribute, option, entry } of SETS) {
      const entries = project.ofType(entry);
      const wholes = project.ofType(WHOLE).filter(({ attributes }) => attributes[attribute] !== undefined);
      for (const whole of wholes) {
        for (const one of entries) {
          say(stack, whole, one, `${option} owns the whole allowlist of ${project.project}`);
          say(stack, one, whole, `This owns one entry of the allowlist of ${project.project}`);
        }
      }
    }
  }
}

/**
 * Returns whether the construct can declare entries of an allowlist. This test is quick: reading all declarations would take a
 * tenth of the time of a synthesis.
 */
const hasEntries = (construct: IConstruct): boolean =>
  TerraformResource.isTerraformResource(construct)
    ? TYPES.has(construct.terraformResourceType)
    : !isOfCdktf(construct) && TerraformElement.isTerraformElement(construct);

/** Returns whether cdktf treats a construct as a provider or a backend. A provider or a backend declares no resource. */
const isOfCdktf = (construct: IConstruct): boolean =>
  TerraformProvider.isTerraformProvider(construct) || TerraformBackend.isBackend(construct);

/**
 * Adds an error to the construct of `of`, if this construct is in `stack`. For a construct in another stack, the check of that
 * stack adds the error, so that each error appears once.
 */
function say(stack: TerraformStack, of: DeclaredResource, other: DeclaredResource, owns: string): void {
  if (TerraformStack.of(of.construct) !== stack) return;
  const isElsewhere = TerraformStack.of(other.construct) !== stack;
  Annotations.of(of.construct).addError(
    `${owns}, and ${other.construct.node.path} owns ${other.type === WHOLE ? "all of it" : "one entry of it"}. ` +
      "Each would undo the other's changes. Declare the whole allowlist with all its entries, " +
      "or only single entries." +
      (isElsewhere ? " If the two stacks use different services, set baseUrl of their providers." : ""),
  );
}
