import { Aspects, type IAspect, TerraformStack } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { checkAllowlists } from "./allowlist-ownership";
import { StewardProvider as GeneratedProvider, type StewardProviderConfig } from "./generated";
import { ProjectPolicy } from "./policy/project-policy";
import { ownScope } from "./position";

/** The provider configuration. It also adds the checks of all declarations in its stack at synthesis. */
export class StewardProvider extends GeneratedProvider {
  constructor(scope: Construct, id: string, config: StewardProviderConfig = {}) {
    super(ownScope(scope, id), id, config);
    const stack = TerraformStack.of(this);
    if (checked.has(stack)) return;
    checked.add(stack);
    stack.node.addValidation({
      // Errors are annotations, which every command shows with their construct.
      validate() {
        checkAllowlists(stack);
        return [];
      },
    });
    Aspects.of(stack).add(new PoliciesAbove(stack));
  }
}

/** Stacks with checks: a stack may have several providers. */
const checked = new WeakSet<TerraformStack>();

/** cdktf ignores aspects of scopes above a stack when it synthesizes a single stack: this applies them. */
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
