import {
  add,
  BOOL,
  bool,
  compareNum,
  DYNAMIC,
  divide,
  equalValues,
  FALSE,
  modulo,
  multiply,
  NUMBER,
  type Num,
  negate,
  number,
  rangeOf,
  TRUE,
  type Type,
  UNKNOWN_BOOL,
  unknown,
  unknownNotNull,
  type Value,
} from "../values";
import type { Evaluation } from "./evaluation";
import type { BinaryOperator, Node, NodeOf } from "./syntax";

interface Operator {
  readonly operands: Type;
  readonly result: Type;
  readonly apply: (left: Value, right: Value) => Value | undefined;
  /** The meaning of an undefined result. */
  readonly failure?: string;
}

/** Arithmetic on known numbers; the result of unknown ones is unknown. */
const arithmetic = (compute: (left: Num, right: Num) => Num | undefined, failure: string): Operator => ({
  operands: NUMBER,
  result: NUMBER,
  failure,
  apply: (left, right) => {
    if (!left.isKnown || !right.isKnown) return unknownNotNull(NUMBER);
    const result = compute(left.num, right.num);
    return result === undefined ? undefined : number(result);
  },
});

const comparison = (compare: (left: Value, right: Value) => Value): Operator => ({
  operands: NUMBER,
  result: BOOL,
  apply: compare,
});

/** Refinements of unknown numbers may decide the comparison. */
function lessThan(left: Value, right: Value): Value {
  const [a, b] = [rangeOf(left), rangeOf(right)];
  if (left.isKnown && right.isKnown) return bool(compareNum(a.min, b.min) < 0);
  if (compareNum(a.max, b.min) < 0) return TRUE;
  return compareNum(a.min, b.max) > 0 ? FALSE : UNKNOWN_BOOL;
}

/** Terraform checks one bound and not both at once, so that less is decided. */
const orEqual = (strict: Value, left: Value, right: Value): Value =>
  either(strict, equalValues(left, right), TRUE);

function either(left: Value, right: Value, decisive: Value): Value {
  if (left.content === decisive.content || right.content === decisive.content) return decisive;
  return left.isKnown && right.isKnown ? negated(decisive) : UNKNOWN_BOOL;
}

/** `&&` and `||`. Terraform 1.11 evaluates both operands, even if one decides. */
const logical = (decisive: Value): Operator => ({
  operands: BOOL,
  result: BOOL,
  apply: (left, right) => (left.isKnown && right.isKnown ? either(left, right, decisive) : UNKNOWN_BOOL),
});

const negated = (value: Value): Value => (value.isKnown ? bool(!value.isTrue) : UNKNOWN_BOOL);

const equality = (isNegated: boolean): Operator => ({
  operands: DYNAMIC,
  result: BOOL,
  apply: (left, right) => {
    const equal = equalValues(left, right);
    return isNegated ? negated(equal.unmark()).withMarks(equal.marks) : equal;
  },
});

const OPERATORS: Readonly<Record<BinaryOperator, Operator>> = {
  "||": logical(TRUE),
  "&&": logical(FALSE),
  "==": equality(false),
  "!=": equality(true),
  ">": comparison((left, right) => lessThan(right, left)),
  ">=": comparison((left, right) => orEqual(lessThan(right, left), left, right)),
  "<": comparison(lessThan),
  "<=": comparison((left, right) => orEqual(lessThan(left, right), left, right)),
  "+": arithmetic(add, "opposing infinities have no sum"),
  "-": arithmetic((left, right) => add(left, negate(right)), "infinity cannot be subtracted from itself"),
  "*": arithmetic(multiply, "zero times infinity has no value"),
  "/": arithmetic(divide, "zero by zero, and infinity by infinity, have no value"),
  "%": arithmetic(modulo, "there is no remainder of zero and infinity"),
};

export function evaluateBinary(node: NodeOf<"binary">, evaluation: Evaluation): Value {
  const operator = OPERATORS[node.operator];
  const before = evaluation.problems.length;
  const left = operand(evaluation.value(node.left), node.left, operator.operands, "left operand", evaluation);
  const right = operand(
    evaluation.value(node.right),
    node.right,
    operator.operands,
    "right operand",
    evaluation,
  );
  if (evaluation.problems.length > before || left === undefined || right === undefined)
    return unknown(operator.result);
  const result = operator.apply(left.unmark(), right.unmark());
  if (result !== undefined) return result.withMarks(left.marks | right.marks);
  return evaluation.fail(
    "Operation failed",
    `The operation "${node.operator}" has no result: ${operator.failure}.`,
    node.range,
    unknown(operator.result),
  );
}

/** The value as an operand; undefined if it is invalid, which is reported. */
function operand(
  value: Value,
  node: Node,
  type: Type,
  what: string,
  evaluation: Evaluation,
): Value | undefined {
  if (type.kind === "dynamic") return value;
  const unsuitable = `Unsuitable value for the ${what}`;
  const converted = evaluation.convert(value, type, node.range, "Invalid operand", unsuitable);
  if (converted === undefined || !converted.isNull) return converted;
  evaluation.fail("Operation failed", `The ${what} is null, and operators don't accept null.`, node.range);
  return undefined;
}

export function evaluateUnary(node: NodeOf<"unary">, evaluation: Evaluation): Value {
  const type = node.operator === "-" ? NUMBER : BOOL;
  const before = evaluation.problems.length;
  const value = operand(evaluation.value(node.operand), node.operand, type, "operand", evaluation);
  if (evaluation.problems.length > before || value === undefined) return unknown(type);
  if (!value.isKnown) return unknownNotNull(type).withMarks(value.marks);
  const result = node.operator === "-" ? number(negate(value.num)) : negated(value.unmark());
  return result.withMarks(value.marks);
}
