import type { TerraformStack } from "cdktf";
import type { UsedWaiver } from "../generated/waivers";

/** The names of the rules for changes by stack, which several policies may declare. */
const declared = new WeakMap<TerraformStack, Set<string>>();

/**
 * Writes the names of an app's rules for changes into the synthesized stack. They can't be checked before there
 * is a plan, and whoever makes the plan refuses it if no policy module exports them.
 */
export function declareChangeRules(stack: TerraformStack, rules: readonly { readonly name: string }[]): void {
  if (rules.length === 0) return;
  const names = declared.get(stack) ?? new Set();
  declared.set(stack, names);
  for (const { name } of rules) names.add(name);
  stack.addOverride("//.change_rules", [...names]);
}

const waived = new WeakMap<TerraformStack, UsedWaiver[]>();

/** Writes what policies waived into the synthesized stack, for the reports of the plan. */
export function declareWaivers(stack: TerraformStack, waivers: readonly UsedWaiver[]): void {
  if (waivers.length === 0) return;
  const all = waived.get(stack) ?? [];
  waived.set(stack, all);
  all.push(...waivers);
  stack.addOverride("//.waivers", all);
}
