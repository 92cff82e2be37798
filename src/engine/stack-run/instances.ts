import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import {
  type Configuration,
  ConversionError,
  constantValues,
  type EvaluatedBody,
  type Evaluation,
  evaluateBody,
  instanceAddress,
  isConstant,
  isPlainBlock,
  locate,
  NUMBER,
  number,
  object,
  plainValues,
  type Repetition,
  type ResourceDeclaration,
  sensitiveAttributes,
  string,
  type Type,
  toInteger,
  tryConvert,
  tuple,
  type Value,
} from "../../language";
import { type Attributes, memoize, type ValueObject } from "../../schema";
import { collectSensitive } from "../results/redaction";
import type { StackRun } from "./stack-run";

export type InstanceKey = string | number | undefined;

/** One instance of a declaration: the only instance, or one of the instances of `count` or `for_each`. */
export interface Instance {
  readonly key: InstanceKey;
  readonly address: string;
  readonly repetition: Repetition;
}

const NOT_REPEATED: Repetition = {};
const NONE: readonly Diagnostic[] = [];

/** Returns the instance of a declaration without `count` and `for_each`. */
export const onlyInstance = ({ address }: ResourceDeclaration): Instance => ({
  key: undefined,
  address,
  repetition: NOT_REPEATED,
});

/** Expands a declaration into its instances. The result is empty, with diagnostics, if the instances are unknown or invalid. */
export function expand(declaration: ResourceDeclaration, evaluation: Evaluation) {
  const argument = argumentOf(declaration);
  if (argument === undefined) return { instances: [onlyInstance(declaration)], diagnostics: NONE };
  const { found, diagnostics } = repetitions(declaration, evaluation);
  if (found === undefined) return { instances: [], diagnostics };
  if (typeof found === "string")
    return { instances: [], diagnostics: [invalid(declaration, argument, found)] };
  const instances = found.map(([key, repetition]) => ({
    key,
    address: instanceAddress(declaration, { indexKey: key }),
    repetition,
  }));
  return { instances, diagnostics };
}

/** Validates `count` or `for_each` of a declaration. An unknown value is not an error. */
export function checkRepetition(
  declaration: ResourceDeclaration,
  evaluation: Evaluation,
): readonly Diagnostic[] {
  const argument = argumentOf(declaration);
  if (argument === undefined) return NONE;
  const { found, diagnostics } = repetitions(declaration, evaluation);
  const isInvalid = typeof found === "string" && found !== UNKNOWN_REASON;
  return isInvalid ? [invalid(declaration, argument, found)] : diagnostics;
}

function argumentOf({ count, forEach }: ResourceDeclaration): "count" | "for_each" | undefined {
  if (count !== undefined) return "count";
  return forEach === undefined ? undefined : "for_each";
}

/** Returns the keys of the instances, or the reason why there are none; undefined if diagnostics already explain the reason. */
function repetitions(declaration: ResourceDeclaration, evaluation: Evaluation) {
  const { count, forEach } = declaration;
  const argument = argumentOf(declaration)!;
  const { value, diagnostics } = evaluation.evaluate((count ?? forEach)!, declaration, [argument]);
  if (value === undefined) return { found: undefined, diagnostics };
  if (value.hasEphemeral) return { found: EPHEMERAL_REASON, diagnostics };
  return { found: argument === "count" ? expandCount(value) : expandForEach(value), diagnostics };
}

type Expansion = [string | number, Repetition][];

function expandCount(value: Value): Expansion | string {
  const converted = tryConvert(value, NUMBER);
  if (converted instanceof ConversionError) return "it is not a number";
  if (!converted.isKnown) return UNKNOWN_REASON;
  const times = converted.isNull ? undefined : toInteger(converted.num);
  if (times === undefined || times < 0) return "it is not a whole number of at least 0";
  return Array.from({ length: times }, (_, index) => [index, { count: number(index) }]);
}

function expandForEach(value: Value): Expansion | string {
  if (value.isNull) return "it is null";
  const { type } = value;
  if (type.kind === "dynamic") return UNKNOWN_REASON;
  if (value.isSensitive) return "it is sensitive, but its keys would appear in addresses";
  const isMap = type.kind === "map" || type.kind === "object";
  if (!isMap && !isSetOfKeys(type)) return reasonAgainst(type);
  if (!value.isKnown) return UNKNOWN_REASON;
  if (isMap) return [...value.entries].map(([key, one]) => [key, { each: { key: string(key), value: one } }]);
  const elements = value.elements;
  if (elements.some((one) => one.isNull)) return "it contains null";
  if (elements.some((element) => !element.isKnown)) return UNKNOWN_REASON;
  return elements.map((element) => [element.content as string, { each: { key: element, value: element } }]);
}

const isSetOfKeys = (type: Type): boolean =>
  type.kind === "set" && ["string", "dynamic"].includes(type.element.kind);

/** Returns a text for messages: why a value of this type gives no keys for instances, and how to get keys. */
function reasonAgainst(type: Type): string {
  const elements = elementTypes(type);
  if (elements === undefined) return "it is neither a map nor a set of strings";
  const plain = elements.every(({ kind }) => ["string", "number", "bool", "dynamic"].includes(kind));
  if (!plain)
    return "its elements are not strings, so they give no keys. Make a map, such as { for each in LIST : each.name => each }";
  const isText = elements.every(({ kind }) => kind === "string" || kind === "dynamic");
  return isText
    ? "it is a list. Convert it with toset(LIST)"
    : "its elements are not strings. Convert them with toset([for each in LIST : tostring(each)])";
}

function elementTypes(type: Type): readonly Type[] | undefined {
  if (type.kind === "tuple") return type.elements;
  return type.kind === "list" || type.kind === "set" ? [type.element] : undefined;
}

const EPHEMERAL_REASON = "it is ephemeral, but the state stores the instances";

const UNKNOWN_REASON =
  "its value is known only after apply, but the plan needs the value. First apply the dependencies with --target";

const invalid = (declaration: ResourceDeclaration, argument: string, why: string): Diagnostic =>
  error({
    code: "invalid_repetition",
    summary: `Invalid ${argument}`,
    detail: `${argument} can't be used: ${why}.`,
    ...locate(declaration, [argument]),
  });

/**
 * Returns the value of a declaration in expressions. The value is an object by default, a tuple under `count`, and an
 * object by key under `for_each`.
 */
export function aggregate(
  declaration: ResourceDeclaration,
  values: ReadonlyMap<InstanceKey, Value>,
): Value | undefined {
  if (declaration.count === undefined && declaration.forEach === undefined) return values.get(undefined);
  if (declaration.count !== undefined) return tuple([...values.values()]);
  return object(Object.fromEntries([...values].map(([key, value]) => [String(key), value])));
}

/** The evaluated configuration of an instance, with the result of the provider's validation. */
export interface InstanceConfig extends EvaluatedBody {
  /** The diagnostics of the provider's validation, without an address. Empty if the body could not be evaluated. */
  readonly invalid: readonly Diagnostic[];
}

/**
 * The cached configuration of a declaration. `found` is undefined for a valid declaration without expressions, because its block
 * needs no evaluation.
 */
interface Known {
  readonly attributes: Attributes;
  readonly found: InstanceConfig | undefined;
}

/**
 * Returns the cache for declarations without references. These declarations have the same values in every run. A plan
 * reuses the values from the validation that ran before the plan. Most declarations of a large configuration have no
 * references.
 */
const constantsOf = memoize((_: Configuration) => new Map<ResourceDeclaration, Known>());

const asWritten = memoize((attributes: Attributes): Known => ({ attributes, found: undefined }));

/**
 * Returns the configuration of a valid declaration without references and repetition; undefined for any other declaration.
 * Omitted attributes can be missing or null. The configuration can contain meta-arguments.
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

/** Returns whether the block of a declaration is valid and needs no evaluation. */
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

/**
 * The configuration of a declaration whose block needs no evaluation. The values of the configuration are created on
 * first use.
 */
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
  const { constants, construct } = declaration;
  const written = constants && constantValues(constants, attributes);
  if (written !== undefined)
    return {
      config: written,
      sensitive: sensitiveAttributes(attributes),
      diagnostics: NONE,
      invalid: validate(run, declaration, written),
    };
  const { body } = declaration;
  const evaluated = evaluateBody(body, attributes, run.evaluation, { address, construct }, repetition);
  const { config, diagnostics } = evaluated;
  return { ...evaluated, invalid: hasErrors(diagnostics) ? [] : validate(run, declaration, config) };
}

function validate(run: StackRun, { mode, type, provider }: ResourceDeclaration, config: ValueObject) {
  const plugin = run.providerFor(provider)!;
  return mode === "managed" ? plugin.validateResource(type, config) : plugin.validateDataSource(type, config);
}

function isConstantDeclaration(declaration: ResourceDeclaration): boolean {
  const { count, forEach, constants } = declaration;
  if (count !== undefined || forEach !== undefined) return false;
  if (constants !== undefined) return true;
  for (const expression of declaration.body.values()) if (!isConstant(expression)) return false;
  return true;
}
