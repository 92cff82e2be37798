import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type Configuration,
  type EvaluatedBody,
  evaluateBody,
  isConstant,
  isPlainBlock,
  plainValues,
  type ResourceDeclaration,
  sensitiveAttributes,
} from "../../language";
import { type Attributes, memoize, type ValueObject } from "../../schema";
import type { Instance } from "./instances";
import { collectSensitive } from "./redaction";
import type { StackRun } from "./stack-run";

/** The evaluated configuration of an instance, with the provider's validation. */
export interface InstanceConfig extends EvaluatedBody {
  /** Without an address; empty if the body could not be evaluated. */
  readonly invalid: readonly Diagnostic[];
}

/** What is known of the configuration of a declaration: nothing is evaluated of a valid one that stands as it is written. */
interface Known {
  readonly attributes: Attributes;
  readonly found: InstanceConfig | undefined;
}

/**
 * Configurations without references are the same in every run: most of a large configuration, which is
 * validated and then planned.
 */
const constantsOf = memoize((_: Configuration) => new Map<ResourceDeclaration, Known>());

const asWritten = memoize((attributes: Attributes): Known => ({ attributes, found: undefined }));

/**
 * The configuration of a declaration without references and repetition, once it was found valid. What is left out of it may be
 * missing in place of null, and it may hold meta-arguments.
 */
export function constantConfig(
  { context }: StackRun,
  declaration: ResourceDeclaration,
): ValueObject | undefined {
  const known = constantsOf(context.configuration).get(declaration);
  if (known === undefined) return undefined;
  const { found } = known;
  if (found === undefined) return declaration.constants as ValueObject;
  return found.diagnostics.length + found.invalid.length === 0 ? found.config : undefined;
}

/** Evaluates the configuration of one instance and validates it with its provider. */
export function instanceConfig(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const { attributes } = run.schema(declaration);
  if (isValidAsWritten(run, declaration)) return new WrittenConfig(declaration.constants!, attributes);
  const constants = constantsOf(run.context.configuration);
  const known = constants.get(declaration);
  const found =
    known?.attributes === attributes && known.found !== undefined
      ? known.found
      : evaluate(run, declaration, attributes, instance);
  collectSensitive(run.context.sensitive, found.config, found.sensitive);
  if (found === known?.found) return found;
  if (isConstantDeclaration(declaration)) constants.set(declaration, { attributes, found });
  return found;
}

/** Whether the configuration of a declaration is valid, and what its block says as it is written. */
export function isValidAsWritten(run: StackRun, declaration: ResourceDeclaration): boolean {
  const { constants, count, forEach } = declaration;
  if (constants === undefined || count !== undefined || forEach !== undefined) return false;
  const { attributes } = run.schema(declaration);
  const all = constantsOf(run.context.configuration);
  const known = asWritten(attributes);
  if (all.get(declaration) !== known) {
    if (!isPlainBlock(constants, attributes)) return false;
    if (validate(run, declaration, constants as ValueObject).length > 0) return false;
    all.set(declaration, known);
  }
  collectSensitive(run.context.sensitive, constants, sensitiveAttributes(attributes));
  return true;
}

const NONE: readonly Diagnostic[] = [];

/** A valid configuration, whose values are put together when one asks for them. */
class WrittenConfig implements InstanceConfig {
  readonly diagnostics = NONE;
  readonly invalid = NONE;
  #config: ValueObject | undefined;

  constructor(
    private readonly block: NonNullable<ResourceDeclaration["constants"]>,
    private readonly attributes: Attributes,
  ) {}

  get config(): ValueObject {
    this.#config ??= plainValues(this.block, this.attributes);
    return this.#config;
  }

  get sensitive(): EvaluatedBody["sensitive"] {
    return sensitiveAttributes(this.attributes);
  }
}

function evaluate(
  run: StackRun,
  declaration: ResourceDeclaration,
  attributes: Attributes,
  { address, repetition }: Pick<Instance, "address" | "repetition">,
): InstanceConfig {
  const { body, construct } = declaration;
  const evaluated = evaluateBody(body, attributes, run.evaluation, { address, construct }, repetition);
  const { config, diagnostics } = evaluated;
  return { ...evaluated, invalid: hasErrors(diagnostics) ? [] : validate(run, declaration, config) };
}

function validate(
  run: StackRun,
  { mode, type, provider }: ResourceDeclaration,
  config: ValueObject,
): readonly Diagnostic[] {
  const plugin = run.providerFor(provider)!;
  return mode === "managed" ? plugin.validateResource(type, config) : plugin.validateDataSource(type, config);
}

function isConstantDeclaration({ count, forEach, body, constants }: ResourceDeclaration): boolean {
  if (count !== undefined || forEach !== undefined) return false;
  if (constants !== undefined) return true;
  for (const expression of body.values()) if (!isConstant(expression)) return false;
  return true;
}
