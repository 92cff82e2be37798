import fc from "fast-check";
import {
  parseAssignment,
  parseCount,
  parseDuration,
  parsePlatforms,
  parsePort,
} from "../../../src/cli/arguments/values";
import { seed } from "../../support/capabilities";

describe("a duration", () => {
  test.each([
    ["0", 0],
    ["10s", 10_000],
    ["1m30s", 90_000],
    ["1.5h", 5_400_000],
    ["500ms", 500],
  ])("the duration %s is %d milliseconds", (text, milliseconds) =>
    expect(parseDuration(text)).toBe(milliseconds),
  );

  test.each(["", "10", "s", "10 s", "-1s", "1d", "1s2", "1e3s"])("Steward refuses %j as a duration", (text) =>
    expect(() => parseDuration(text)).toThrow("such as 10s"),
  );

  test("a duration such as 1h2m3s4ms is the sum of its parts", () => {
    const parts = fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.nat(999));
    fc.assert(
      fc.property(parts, ([h, m, s, ms]) => {
        expect(parseDuration(`${h}h${m}m${s}s${ms}ms`)).toBe(((h * 60 + m) * 60 + s) * 1000 + ms);
      }),
      { seed },
    );
  });
});

test("in an argument NAME=VALUE, the value begins after the first equals sign", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z_]+$/), fc.string(), (name, value) => {
      expect(parseAssignment(`${name}=${value}`)).toEqual({ name, value });
    }),
    { seed },
  );
  expect(() => parseAssignment("name")).toThrow("NAME=VALUE");
  expect(() => parseAssignment("=value")).toThrow("NAME=VALUE");
});

test("Steward refuses a count that is not a whole number above 0", () => {
  expect(parseCount("50")).toBe(50);
  for (const text of ["0", "-1", "1.5", "x", ""]) expect(() => parseCount(text)).toThrow("above 0");
  expect(parsePort("0")).toBe(0);
  expect(parsePort("65535")).toBe(65_535);
  for (const text of ["65536", "-1", "http"]) expect(() => parsePort(text)).toThrow("between 0 and 65535");
});

test("if the platform option is repeated, Steward collects each platform once", () => {
  const both = parsePlatforms("darwin_arm64", parsePlatforms("linux_amd64"));
  expect(parsePlatforms("linux_amd64", both)).toEqual(["linux_amd64", "darwin_arm64"]);
  for (const text of ["linux", "linux/amd64", "../x_y", "Linux_x64", ""]) {
    expect(() => parsePlatforms(text)).toThrow("such as linux_amd64");
  }
});
