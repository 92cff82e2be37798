import {
  add,
  BOOL,
  bool,
  compareNum,
  DYNAMIC,
  divide,
  equalValues,
  FALSE,
  isCollection,
  isSameType,
  modulo,
  multiply,
  NULL,
  NUMBER,
  type Num,
  negate,
  nullOf,
  number,
  rangeOf,
  refine,
  TRUE,
  type Type,
  typeName,
  UNKNOWN,
  UNKNOWN_BOOL,
  unify,
  unionOf,
  unknown,
  unknownNotNull,
  type Value,
} from "../values";
import type { Evaluation } from "./evaluation";
import { type BinaryOperator, between, type Node, type NodeOf } from "./syntax";

interface Operator {
  readonly operands: Type;
  readonly result: Type;
  readonly apply: (left: Value, right: Value) => Value | undefined;
  /** The reason in the error message if `apply` returns undefined. */
  readonly failure?: string;
}

/** Returns an operator on two numbers, whose result is unknown if one of the numbers is unknown. */
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

/** Returns whether the first number is lower. If a number is unknown, its known bounds can be enough for a known result. */
function lessThan(left: Value, right: Value): Value {
  const [a, b] = [rangeOf(left), rangeOf(right)];
  if (left.isKnown && right.isKnown) return bool(compareNum(a.min, b.min) < 0);
  if (compareNum(a.max, b.min) < 0) return TRUE;
  return compareNum(a.min, b.max) > 0 ? FALSE : UNKNOWN_BOOL;
}

/**
 * Combines the results of `<` and `==` for `<=`, as Terraform does. The result can therefore be unknown even if the bounds of the
 * numbers determine the result.
 */
const orEqual = (strict: Value, left: Value, right: Value): Value =>
  either(strict, equalValues(left, right), TRUE);

function either(left: Value, right: Value, decisive: Value): Value {
  if (left.content === decisive.content || right.content === decisive.content) return decisive;
  return left.isKnown && right.isKnown ? negated(decisive) : UNKNOWN_BOOL;
}

/**
 * Returns the operator `&&` or `||`. As in Terraform 1.11, the operator evaluates both operands, even if one operand determines
 * the result.
 */
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
  "%": arithmetic(modulo, "there is no remainder of infinity"),
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

/** Returns a value converted to the type of an operand. If this is impossible, reports the problem and returns undefined. */
function operand(value: Value, node: Node, type: Type, what: string, evaluation: Evaluation) {
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

const INCONSISTENT = "Inconsistent conditional result types";

/**
 * Returns the value of a conditional. The two possible results are evaluated, because the type depends on both. Only the problems
 * of the chosen result are reported.
 */
export function evaluateConditional(node: NodeOf<"conditional">, evaluation: Evaluation): Value {
  const then = evaluation.attempt(node.whenTrue);
  const otherwise = evaluation.attempt(node.whenFalse);
  const type = commonType(then.value, otherwise.value);
  if (type === undefined) {
    return evaluation.fail(
      INCONSISTENT,
      `The results for true and false must have a common type. ${describeMismatch(then.value.type, otherwise.value.type)}.`,
      between(node.whenTrue.range, node.whenFalse.range),
    );
  }
  const condition = evaluation.value(node.condition);
  if (condition.isNull) {
    return evaluation.fail(
      "Null condition",
      "The condition is null; it must be true or false.",
      node.condition.range,
      unknown(type),
    );
  }
  const marks = condition.marks | then.value.marks | otherwise.value.marks;
  if (!condition.isKnown) {
    return undecided(then.value.unmark(), otherwise.value.unmark(), type).withMarks(marks);
  }
  const what = "The condition must be true or false";
  const { range } = node.condition;
  const converted = evaluation.convert(condition.unmark(), BOOL, range, "Incorrect condition type", what);
  if (converted === undefined) return unknown(type);
  const [chosen, chosenNode] = converted.isTrue ? [then, node.whenTrue] : [otherwise, node.whenFalse];
  evaluation.problems.push(...chosen.problems);
  if (type.kind === "dynamic") return chosen.value.withMarks(marks);
  const result = evaluation.convert(
    chosen.value,
    type,
    chosenNode.range,
    INCONSISTENT,
    "This result has the wrong type",
  );
  return (result ?? unknown(type)).withMarks(marks);
}

/**
 * Returns the common type of both results; undefined if there is none. `null` takes the type of the other result. If one type is
 * unknown, the common type is unknown too.
 */
function commonType(then: Value, otherwise: Value): Type | undefined {
  if (isPlainNull(then)) return otherwise.type;
  if (isPlainNull(otherwise)) return then.type;
  if (then.type.kind === "dynamic" || otherwise.type.kind === "dynamic") return DYNAMIC;
  return isSameType(then.type, otherwise.type) ? then.type : unify([then.type, otherwise.type]);
}

const isPlainNull = (value: Value): boolean =>
  value.content === null && value.type === NULL.type && !value.marks;

/** Returns the result for an unknown condition: an unknown value with the refinements that are true for both results. */
function undecided(then: Value, otherwise: Value, type: Type): Value {
  if (then.isNull && otherwise.isNull) return nullOf(type);
  if (type.kind === "dynamic") return UNKNOWN;
  const { isNotNull, ...range } = unionOf(then, otherwise);
  const hasRange =
    (then.type.kind === "number" && otherwise.type.kind === "number") ||
    (isCollection(then.type) && isSameType(then.type, otherwise.type));
  return refine(
    unknown(type),
    hasRange ? { ...range, isNotNull: isNotNull === true } : { isNotNull: isNotNull === true },
  );
}

function describeMismatch(then: Type, otherwise: Type): string {
  if (then.kind === "object" && otherwise.kind === "object") {
    for (const [name, type] of then.attributes) {
      const other = otherwise.attributes.get(name);
      if (other === undefined) return `Only the result for true has the attribute "${name}"`;
      if (!isSameType(type, other)) return `In the attribute "${name}": ${describeMismatch(type, other)}`;
    }
    const extra = [...otherwise.attributes.keys()].find((name) => !then.attributes.has(name));
    if (extra !== undefined) return `Only the result for false has the attribute "${extra}"`;
  }
  if (then.kind === "tuple" && otherwise.kind === "tuple") {
    if (then.elements.length !== otherwise.elements.length) {
      return `The result for true has ${then.elements.length} elements, the one for false ${otherwise.elements.length}`;
    }
    const at = then.elements.findIndex((type, index) => !isSameType(type, otherwise.elements[index]!));
    if (at >= 0) return `In element ${at}: ${describeMismatch(then.elements[at]!, otherwise.elements[at]!)}`;
  }
  return `The result for true is ${typeName(then)}, the one for false ${typeName(otherwise)}`;
}
