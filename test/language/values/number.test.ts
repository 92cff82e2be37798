import fc from "fast-check";
import {
  add,
  BigFloat,
  compareNum,
  divide,
  formatNum,
  formatNumAs,
  multiply,
  negate,
  parseNum,
  toBigInt,
  toDouble,
  truncate,
} from "../../../src/language/values";
import { runs, seed } from "../../support/capabilities";

const options = { seed, numRuns: runs(200, 20_000) };
const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: 0, max: 30 }))
  .map(([digits, places]) => `${digits}e-${places}`);

describe("Numbers", () => {
  test("for a text that a JavaScript number can't represent exactly, parseNum returns a BigFloat", () => {
    expect(parseNum("5")).toBe(5);
    expect(parseNum("9007199254740991")).toBe(9007199254740991);
    expect(parseNum("9007199254740993")).toBeInstanceOf(BigFloat);
    expect(parseNum("0.1")).toBeInstanceOf(BigFloat);
    expect(add(parseNum("0.5")!, parseNum("0.5")!)).toBe(1);
  });

  test("formatNum writes a parsed number with the same digits", () => {
    for (const text of [
      "0",
      "-1",
      "0.1",
      "123456789012345678901234567890",
      "1.000000000000000000000000000001",
      "-0.5",
    ]) {
      expect(formatNum(parseNum(text)!)).toBe(text);
    }
    expect(formatNum(parseNum("1e21")!)).toBe("1000000000000000000000");
  });

  test.each(["", ".", "-", "1e", "0x1", "1_000", " 1", "1,5", "NaN", "infinity"])(
    "parseNum returns undefined for the text %j",
    (text) => {
      expect(parseNum(text)).toBeUndefined();
    },
  );

  test("one divided by three has 155 digits, as many as 512 bits allow", () => {
    const third = formatNum(divide(1, 3)!);
    expect(third).toMatch(/^0\.3{154}5$/);
  });

  test("sums, products and comparisons of whole numbers are exact for any size", () => {
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const [x, y] = [parseNum(`${a}`)!, parseNum(`${b}`)!];
        expect(toBigInt(add(x, y)!)).toBe(a + b);
        expect(toBigInt(multiply(x, y)!)).toBe(a * b);
        expect(compareNum(x, y)).toBe(Number(a > b) - Number(a < b));
      }),
      options,
    );
  });

  test("a number is unchanged after formatNum and parseNum", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        const read = parseNum(text)!;
        expect(compareNum(parseNum(formatNum(read))!, read)).toBe(0);
      }),
      options,
    );
  });

  test("toDouble of a parsed text returns the same JavaScript number as Number() of this text", () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(toDouble(parseNum(text)!) + 0).toBe(Number(text) + 0);
      }),
      options,
    );
  });

  test("a whole number is unchanged after a multiplication and a division by the same number", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 1000 }), (a, b) => {
        const product = multiply(divide(multiply(parseNum(`${a}`)!, b)!, b)!, 1)!;
        expect(toBigInt(product)).toBe(a);
      }),
      options,
    );
  });

  test("0/0, Infinity - Infinity and 0 * Infinity have no result", () => {
    expect(divide(1, 0)).toBe(Infinity);
    expect(divide(0, 0)).toBeUndefined();
    expect(add(Infinity, negate(Infinity))).toBeUndefined();
    expect(multiply(0, Infinity)).toBeUndefined();
    expect(formatNum(-Infinity)).toBe("-Inf");
  });

  test("truncate returns -2 for -2.9 and 2 for 2.9", () => {
    expect(truncate(parseNum("-2.9")!)).toBe(-2n);
    expect(truncate(parseNum("2.9")!)).toBe(2n);
  });

  test("formatNumAs prints numbers in the formats f, e and g of the C language", () => {
    const value = parseNum("1234.5678")!;
    expect(formatNumAs(value, "f", 2)).toBe("1234.57");
    expect(formatNumAs(value, "e", 3)).toBe("1.235e+03");
    expect(formatNumAs(value, "g", 6)).toBe("1234.57");
    expect(formatNumAs(1_000_000, "g")).toBe("1e+06");
  });
});
