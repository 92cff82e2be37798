import {
  add,
  compareNum,
  countNum,
  DYNAMIC,
  doubleNum,
  isSequence,
  list,
  listOf,
  makeNum,
  NUMBER,
  type Num,
  negate,
  number,
  sign,
  toDouble,
  truncate,
  unknown,
  type Value,
} from "../../values";
import type { Args } from "./definition";
import { convertFor, FunctionError, type FunctionTable, fn, integerOf, wrongType } from "./function";

/**
 * Returns `base ** exponent` in doubles. The code squares repeatedly, as Go does, because the result of JavaScript's operator can
 * differ in the last digit.
 */
function power(base: number, exponent: number): number {
  const size = Math.abs(exponent);
  const isSpecial = base === 0 || !Number.isFinite(base) || size >= 2 ** 63;
  if (isSpecial) return base === -1 && size === Infinity ? 1 : base ** exponent;
  if (size === 0.5) return exponent < 0 ? 1 / Math.sqrt(base) : Math.sqrt(base);
  // The exponent is the sum of this integer and a fraction from -0.5 to 0.5.
  const whole = Math.ceil(size - 0.5);
  let result = size === whole ? 1 : Math.exp((size - whole) * Math.log(base));
  let factor = base;
  for (let rest = BigInt(whole); rest !== 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result *= factor;
    factor *= factor;
  }
  const isNormal = Math.abs(result) >= 2 ** -1022 && Number.isFinite(result);
  if (!isNormal) return base ** exponent;
  return exponent < 0 ? 1 / result : result;
}

const LONGEST_RANGE = 1024;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

const absolute = (value: Num): Num => {
  if (typeof value === "number") return Math.abs(value);
  return sign(value) < 0 ? negate(value) : value;
};

/** Returns a number rounded down (-1) or up (1) to an integer, with the precision of the number. */
function roundTowards(value: Num, direction: -1 | 1): Num {
  // The addition of zero converts negative zero to zero.
  if (typeof value === "number") return value + 0;
  if (value.exponent >= 0) return value;
  const whole = truncate(value);
  return makeNum(sign(value) === direction ? whole + BigInt(direction) : whole, 0, value.precision);
}

function most(args: readonly Value[], order: number): Value {
  if (args.length === 0) throw new FunctionError("at least one number is needed");
  return number(
    args.map((one) => one.num).reduce((best, one) => (compareNum(one, best) * order > 0 ? one : best)),
  );
}

/**
 * Returns the integer that a text contains in a base up to 62; undefined if the text is invalid. In a base up to 36, upper and
 * lower case are equal.
 */
function parseInteger(text: string, base: number): bigint | undefined {
  const [, signText, digits] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  if (digits === undefined) return undefined;
  let value = 0n;
  for (const digit of base <= 36 ? digits.toLowerCase() : digits) {
    const index = DIGITS.indexOf(digit);
    if (index < 0 || index >= base) return undefined;
    value = value * BigInt(base) + BigInt(index);
  }
  return signText === "-" ? -value : value;
}

function double(compute: (a: number, b: number) => number, a: Value, b: Value): Value {
  const result = compute(toDouble(a.num), toDouble(b.num));
  if (Number.isNaN(result)) throw new FunctionError("the result is not a number");
  return number(doubleNum(result));
}

function sum([collection]: Args): Value {
  if (!isSequence(collection.type)) {
    throw wrongType("a list, set or tuple of numbers", collection.type);
  }
  const elements = collection.elements;
  if (elements.length === 0) throw new FunctionError("an empty list has no sum", 0);
  if (collection.hasUnknown) return unknown(NUMBER);
  const numbers = elements.map((one) => {
    if (one.isNull) throw new FunctionError("null is not a number", 0);
    return convertFor(one, NUMBER, 0).num;
  });
  return number(
    numbers.reduce((total, one) => {
      const next = add(total, one);
      if (next === undefined) throw new FunctionError("opposing infinities have no sum");
      return next;
    }),
  );
}

function range(args: readonly Value[]): Value {
  const [first, second, third] = args.map((one) => one.num);
  if (first === undefined || args.length > 3)
    throw new FunctionError("one, two or three arguments are needed");
  const [start, end] = second === undefined ? [0, first] : [first, second];
  const step = third ?? countNum(compareNum(end, start) < 0 ? -1 : 1);
  const direction = sign(step);
  if (direction === 0) throw new FunctionError("the step is zero", 2);
  if (compareNum(end, start) * direction < 0) throw new FunctionError("the step does not lead to the end", 1);
  const numbers: Value[] = [];
  for (let at: Num = start; compareNum(at, end) * direction < 0; at = add(at, step)!) {
    if (numbers.length >= LONGEST_RANGE)
      throw new FunctionError(`there would be more than ${LONGEST_RANGE} numbers`);
    numbers.push(number(at));
  }
  return list(numbers, NUMBER);
}

const anyNumber = { type: NUMBER, canBeDynamic: true };

const NUMERIC_FUNCTIONS: FunctionTable = {
  abs: fn({ num: anyNumber }, NUMBER, ([num]) => number(absolute(num.num)), {
    refine: { isNotNull: true, min: 0 },
  }),
  ceil: fn({ num: NUMBER }, NUMBER, ([num]) => number(roundTowards(num.num, 1))),
  floor: fn({ num: NUMBER }, NUMBER, ([num]) => number(roundTowards(num.num, -1))),
  log: fn({ num: NUMBER, base: NUMBER }, NUMBER, ([num, base]) =>
    double((a, b) => Math.log(a) / Math.log(b), num, base),
  ),
  max: fn({}, NUMBER, (args) => most(args, 1), { rest: { numbers: anyNumber } }),
  min: fn({}, NUMBER, (args) => most(args, -1), { rest: { numbers: anyNumber } }),
  parseint: fn(
    { number: DYNAMIC, base: NUMBER },
    ([text]) => {
      if (text.type.kind === "string") return NUMBER;
      throw wrongType("a string", text.type);
    },
    ([text, base]) => {
      const radix = integerOf(base, 1);
      if (radix < 2 || radix > 62) throw new FunctionError("the base must be a whole number from 2 to 62", 1);
      const parsed = parseInteger(text.text, radix);
      if (parsed === undefined)
        throw new FunctionError(`it cannot be read as a whole number of base ${radix}`, 0);
      return number(countNum(parsed));
    },
  ),
  pow: fn({ num: NUMBER, power: NUMBER }, NUMBER, ([num, exponent]) => double(power, num, exponent)),
  range: fn({}, listOf(NUMBER), range, { rest: { params: NUMBER } }),
  signum: fn({ num: NUMBER }, NUMBER, ([num]) => {
    integerOf(num, 0);
    return number(countNum(sign(num.num)));
  }),
  sum: fn({ list: DYNAMIC }, NUMBER, sum),
};

export = NUMERIC_FUNCTIONS;
