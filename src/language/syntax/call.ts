import {
  isSequence,
  NO_MARKS,
  ownMarks,
  refine,
  type Type,
  UNKNOWN,
  unknown,
  unmarkDeep,
  type Value,
} from "../values";
import { notSupported, suggest } from "./errors";
import type { Evaluation } from "./evaluation";
import { findFunction, functionNames, UNSUPPORTED_FUNCTIONS } from "./function-registry";
import type { Args, Definition, Parameter } from "./functions/definition";
import { FunctionError } from "./functions/function";
import type { Node, NodeOf } from "./syntax";

const INVALID_ARGUMENT = "Invalid function argument";

interface Argument {
  readonly value: Value;
  readonly node: Node;
}

export function evaluateCall(node: NodeOf<"call">, evaluation: Evaluation): Value {
  const name = node.name.startsWith("core::") ? node.name.slice("core::".length) : node.name;
  const definition = findFunction(name) ?? evaluation.scope.functions?.find(name);
  if (definition === undefined) return unknownFunction(node, name, evaluation);
  if ("special" in definition) return definition.special(node, evaluation);
  const before = evaluation.problems.length;
  const args = argumentsOf(node, evaluation);
  if (args === undefined) return UNKNOWN;
  if (!checkCount(node, definition, args, evaluation)) return UNKNOWN;
  const converted = args.map((arg, index) => {
    const [parameter, { type }] = parameterAt(definition, index)!;
    const what = `Invalid value for "${parameter}"`;
    return evaluation.convert(arg.value, type, arg.node.range, INVALID_ARGUMENT, what) ?? UNKNOWN;
  });
  if (evaluation.problems.length > before) return UNKNOWN;
  try {
    return callFunction(definition, converted);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return addProblem(error, node, definition, args, evaluation);
  }
}

function unknownFunction(node: NodeOf<"call">, name: string, evaluation: Evaluation): Value {
  const { functions } = evaluation.scope;
  const ofHost = [...(functions?.names() ?? [])];
  const near = suggest(name, [...functionNames(), ...ofHost]);
  const [, provider] = /^provider::(.*)::/.exec(name) ?? [];
  const { reason, program } =
    provider !== undefined && near === "" && functions?.isOtherProvider(provider) !== false
      ? { reason: "belongs to another provider", program: undefined }
      : (UNSUPPORTED_FUNCTIONS.get(name) ?? {});
  if (reason === undefined) {
    return evaluation.fail(
      "Call to unknown function",
      `There is no function named "${name}".${near === "" ? providerHint(provider, ofHost) : near}`,
      node.nameRange,
    );
  }
  const { detail, action } = notSupported(`The function "${name}", which ${reason},`, program);
  throw evaluation.staticError("Function not supported", detail, node.nameRange, action);
}

/**
 * Returns a hint about an unknown function of a provider. The hint lists the provider's functions. If none is known, the hint is
 * to declare the provider.
 */
function providerHint(provider: string | undefined, ofHost: readonly string[]): string {
  if (provider === undefined) return "";
  const known = ofHost.filter((one) => one.startsWith(`provider::${provider}::`));
  if (known.length > 0) return ` This provider has ${known.join(", ")}.`;
  return ` Declare the provider "${provider}" in required_providers, if it has this function.`;
}

/** Returns the evaluated arguments of a call; undefined if the list before `...` is unknown or invalid. */
function argumentsOf(node: NodeOf<"call">, evaluation: Evaluation): Argument[] | undefined {
  if (!node.isExpanded) return node.args.map((arg) => ({ value: evaluation.value(arg), node: arg }));
  const last = node.args.at(-1)!;
  const before = evaluation.problems.length;
  const list = evaluation.value(last);
  if (evaluation.problems.length > before) return undefined;
  if (list.isNull || (!isSequence(list.type) && list.type.kind !== "dynamic")) {
    evaluation.fail(
      "Invalid expanding argument value",
      `The argument before "..." must be a list, set or tuple, and not null.`,
      last.range,
    );
    return undefined;
  }
  if (!list.isKnown) return undefined;
  const first = node.args.slice(0, -1).map((arg) => ({ value: evaluation.value(arg), node: arg }));
  return [...first, ...list.elements.map((value) => ({ value: value.withMarks(list.marks), node: last }))];
}

/** Returns whether the number of arguments is correct for the function. Reports a problem if the number is wrong. */
function checkCount(
  { name, range }: NodeOf<"call">,
  { params, rest }: Definition,
  args: readonly Argument[],
  evaluation: Evaluation,
): boolean {
  const missing = params[args.length]?.[0];
  if (missing !== undefined) {
    const least = rest === undefined ? "" : "at least ";
    const detail = `The function "${name}" takes ${least}${params.length} argument(s); "${missing}" is missing.`;
    evaluation.fail("Not enough function arguments", detail, range);
    return false;
  }
  if (rest !== undefined || args.length === params.length) return true;
  const detail = `The function "${name}" takes ${params.length} argument(s), not ${args.length}.`;
  evaluation.fail("Too many function arguments", detail, args[params.length]!.node.range);
  return false;
}

const parameterAt = (definition: Definition, index: number): readonly [string, Parameter] | undefined =>
  definition.params[index] ?? definition.rest;

function addProblem(
  error: FunctionError,
  node: NodeOf<"call">,
  definition: Definition,
  args: readonly Argument[],
  evaluation: Evaluation,
): Value {
  // The function receives arguments without marks, so its error can contain a sensitive value.
  const isSecret = args.some(({ value }) => value.containedMarks);
  const reason = isSecret ? "the reason contains a sensitive value" : error.message;
  const at = error.argument;
  const name = at === undefined ? undefined : parameterAt(definition, at)?.[0];
  if (at === undefined || name === undefined) {
    const detail = `The call of "${node.name}" failed: ${reason}.`;
    return evaluation.fail("Error in function call", detail, node.range);
  }
  const range = args[at]?.node.range ?? node.range;
  return evaluation.fail(INVALID_ARGUMENT, `Invalid value for "${name}": ${reason}.`, range);
}

/**
 * Calls a function with converted arguments, and returns its result. Unknown, null and sensitive arguments are handled here if
 * the function itself can't handle such arguments.
 */
function callFunction(definition: Definition, given: readonly Value[]): Value {
  let marks = NO_MARKS;
  let isOpen = false;
  let hasDynamic = false;
  const args = given.map((value, index) => {
    const parameter = parameterAt(definition, index)![1];
    if (value.isNull && parameter.canBeNull !== true && !hasDynamic)
      throw new FunctionError("it must not be null", index);
    if (value.type.kind === "dynamic" && parameter.canBeDynamic !== true) hasDynamic = true;
    if (!value.isKnown && parameter.canBeUnknown !== true) isOpen = true;
    if (parameter.canBeMarked === true || value.containedMarks === NO_MARKS) return value;
    marks |= value.containedMarks;
    return unmarkDeep(value).value;
  }) as readonly Value[] as Args;
  if (hasDynamic) return UNKNOWN.withMarks(marks);
  const type: Type = typeof definition.returns === "function" ? definition.returns(args) : definition.returns;
  const marked = isOpen ? ownMarks(args) : NO_MARKS;
  const result = isOpen ? unknown(type) : definition.call(args, type);
  return refine(result, definition.refine).withMarks(marks | marked);
}
