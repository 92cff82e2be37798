import { TerraformStack, Testing } from "cdktf";
import type { Construct } from "constructs";

/** The configuration of a synthesized stack, as an engine reads it. */
export interface Synthesized {
  readonly provider?: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  readonly resource?: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly data?: Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  readonly output?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly terraform?: { readonly required_providers?: unknown };
}

/** Synthesizes one stack with these declarations. */
export function synthesized(declare: (stack: Construct) => void): Synthesized {
  const stack = new TerraformStack(Testing.app(), "test");
  declare(stack);
  return JSON.parse(Testing.synth(stack)) as Synthesized;
}
