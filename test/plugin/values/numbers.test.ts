import fc from "fast-check";
import { DiagnosticError } from "../../../src/diagnostics";
import { readNumber, writeNumber } from "../../../src/plugin/values/wire-value";

/**
 * Encodes a number like Terraform's msgpack: as an integer of 64 bits, an exact float, or otherwise a text with all
 * digits.
 */
function asTerraformWrites(text: string): number | bigint | string {
  if (/^-?\d+$/.test(text)) {
    const value = BigInt(text);
    if (BigInt.asIntN(64, value) === value) return Number.isSafeInteger(Number(text)) ? Number(text) : value;
  }
  return text;
}

test("if a number with at most 15 digits is read and written, its value stays the same", () => {
  const decimals = fc
    .tuple(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer({ min: -20, max: 20 }),
    )
    .map(([digits, exponent]) => `${digits}e${exponent}`);
  fc.assert(
    fc.property(decimals, (text) => {
      const value = readNumber(asTerraformWrites(text), []);
      expect(value).toBe(Number(text));
      const written = writeNumber(value);
      expect(Number(written)).toBe(value);
      expect(readNumber(written, [])).toBe(value);
    }),
  );
});

test.each([
  [0, 0],
  [-7, -7],
  [0.5, 0.5],
  [1e300, undefined],
  ["0.1", 0.1],
  ["-2.50", -2.5],
  ["1000000000000000000000000000000", 1e30],
  [9007199254740992n, 9007199254740992],
  [9007199254740993n, undefined],
  [2 ** 70, undefined],
  [`1${"0".repeat(400)}`, undefined],
  ["0.1234567890123456789", undefined],
  ["123456789012345678901234567890", undefined],
])("the number %p is decoded as %p", (raw, expected) => {
  if (expected !== undefined) {
    expect(readNumber(raw, ["count"])).toBe(expected);
    return;
  }
  expect(() => readNumber(raw, ["count"])).toThrow(DiagnosticError);
});

test("the error about an inexact number contains all digits and the nearest exact number", () => {
  expect(() => readNumber(9007199254740993n, ["rules", 0, "required_approvals"])).toThrow(
    "The number 9007199254740993 has too many digits " + "and would become 9007199254740992.",
  );
});

test("the provider sends every number as a text, because Terraform reads integers with another precision", () => {
  expect(writeNumber(0.1)).toBe("0.1");
  expect(writeNumber(30)).toBe("30");
  expect(writeNumber(-0)).toBe("0");
  expect(writeNumber(1e30)).toBe("1e+30");
});
