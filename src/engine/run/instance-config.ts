import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type Configuration,
  type EvaluatedBody,
  evaluateBody,
  isConstant,
  type ResourceDeclaration,
} from "../../language";
import { type Attributes, memoize } from "../../schema";
import type { Instance } from "./instances";
import { collectSensitive } from "./redaction";
import type { StackRun } from "./stack-run";

/** The evaluated configuration of an instance, with the provider's validation. */
export interface InstanceConfig extends EvaluatedBody {
  /** Without an address; empty if the body could not be evaluated. */
  readonly invalid: readonly Diagnostic[];
}

/**
 * Configurations without references are the same in every run: most of a large configuration, which is
 * validated and then planned.
 */
const constantsOf = memoize(
  (_: Configuration) => new Map<ResourceDeclaration, { attributes: Attributes; found: InstanceConfig }>(),
);

/** The configuration of a declaration without references and repetition, once it was evaluated. */
export const constantConfig = (
  { context }: StackRun,
  declaration: ResourceDeclaration,
): InstanceConfig | undefined => constantsOf(context.configuration).get(declaration)?.found;

/** Evaluates the configuration of one instance and validates it with its provider. */
export function instanceConfig(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const { attributes } = run.schema(declaration);
  const constants = constantsOf(run.context.configuration);
  const known = constants.get(declaration);
  const found =
    known?.attributes === attributes ? known.found : evaluate(run, declaration, attributes, instance);
  collectSensitive(run.context.sensitive, found.config, found.sensitive);
  if (found === known?.found) return found;
  if (isConstantDeclaration(declaration)) constants.set(declaration, { attributes, found });
  return found;
}

function evaluate(
  run: StackRun,
  { mode, type, provider, construct, body }: ResourceDeclaration,
  attributes: Attributes,
  { address, repetition }: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const evaluated = evaluateBody(body, attributes, run.evaluation, { address, construct }, repetition);
  const { config, sensitive, diagnostics } = evaluated;
  if (hasErrors(diagnostics)) return { config, sensitive, diagnostics, invalid: [] };
  const plugin = run.providerFor(provider)!;
  const invalid =
    mode === "managed" ? plugin.validateResource(type, config) : plugin.validateDataSource(type, config);
  return { config, sensitive, diagnostics, invalid };
}

function isConstantDeclaration({ count, forEach, body }: ResourceDeclaration): boolean {
  if (count !== undefined || forEach !== undefined) return false;
  for (const expression of body.values()) if (!isConstant(expression)) return false;
  return true;
}
