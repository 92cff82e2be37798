import { Aspects, type IAspect, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { checkAllowlists } from "./allowlist-ownership";
import { StewardProvider as GeneratedProvider, type StewardProviderConfig } from "./generated";
import { ProjectPolicy } from "./policy/project-policy";

/** The configuration of the provider. What it declares in a stack is also checked as a whole when that is synthesized. */
export class StewardProvider extends GeneratedProvider {
  constructor(scope: Construct, id: string, config: StewardProviderConfig = {}) {
    super(scope, id, config);
    const stack = TerraformStack.of(this);
    if (checked.has(stack)) return;
    checked.add(stack);
    stack.node.addValidation({
      // What is found is said by annotations, which reach every command with their construct.
      validate() {
        checkAllowlists(stack);
        return [];
      },
    });
    Aspects.of(stack).add(new PoliciesAbove(stack));
  }
}

/** Stacks that have their checks: one may hold several providers. */
const checked = new WeakSet<TerraformStack>();

/** cdktf passes over the aspects of scopes above a stack, as if `Aspects.of(app)` had never been called. */
class PoliciesAbove implements IAspect {
  readonly #stack: TerraformStack;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  visit(node: IConstruct): void {
    for (const scope of this.#stack.node.scopes) {
      if (scope === this.#stack) return;
      for (const aspect of Aspects.of(scope).all) if (aspect instanceof ProjectPolicy) aspect.visit(node);
    }
  }
}
