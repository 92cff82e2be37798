import { type Diagnostic, hasErrors } from "../../diagnostics";
import { type EvaluatedBody, evaluateBody, isConstant, type ResourceDeclaration } from "../../language";
import type { Attributes } from "../../schema";
import type { Instance } from "./instances";
import { keepAt } from "./sensitive";
import type { StackRun } from "./stack-run";

/** What the configuration says of one instance, and what its provider finds wrong with that. */
export interface InstanceConfig extends EvaluatedBody {
  /** Without the place; none where the body could not be evaluated. */
  readonly invalid: readonly Diagnostic[];
}

/** Of declarations that say the same in every run: most of a large configuration, which is validated and then planned. */
const constants = new WeakMap<ResourceDeclaration, { attributes: Attributes; found: InstanceConfig }>();

/** What the configuration says of one instance of a declaration, evaluated and checked against its schema. */
export function instanceConfig(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const { attributes } = run.schema(declaration);
  const known = constants.get(declaration);
  const found =
    known?.attributes === attributes ? known.found : evaluate(run, declaration, attributes, instance);
  keepAt(run.context.sensitive, found.config, found.sensitive);
  if (found === known?.found) return found;
  if (saysTheSame(declaration)) constants.set(declaration, { attributes, found });
  return found;
}

function evaluate(
  run: StackRun,
  { mode, type, provider, construct, body }: ResourceDeclaration,
  attributes: Attributes,
  { address, repetition }: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const evaluated = evaluateBody(body, attributes, run.evaluation, { address, construct }, repetition);
  if (hasErrors(evaluated.diagnostics)) return { ...evaluated, invalid: [] };
  const plugin = run.providerFor(provider)!;
  const invalid =
    mode === "managed"
      ? plugin.validateResource(type, evaluated.config)
      : plugin.validateDataSource(type, evaluated.config);
  return { ...evaluated, invalid };
}

const saysTheSame = ({ count, forEach, body }: ResourceDeclaration): boolean =>
  count === undefined && forEach === undefined && [...body.values()].every(isConstant);
