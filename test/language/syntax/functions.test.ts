import { Fn } from "cdktf";
import {
  findFunction,
  functionNames,
  UNSUPPORTED_FUNCTIONS,
} from "../../../src/language/syntax/function-registry";
import { readCases } from "./cases";

/** The functions that have a different name in cdktf, because their own name is a reserved word. */
const RENAMED: Readonly<Record<string, string>> = { lengthOf: "length" };

/** The helpers of cdktf that are not functions of Terraform. */
const HELPERS: ReadonlySet<string> = new Set(["conditional", "lookupNested", "rawString"]);

/** The functions that have no case in the table of the console, each with the reason. */
const WITHOUT_CASE: ReadonlyMap<string, string> = new Map([
  ["rsadecrypt", "takes a private key, and none stands in a table of cases"],
]);

const emitted = Object.getOwnPropertyNames(Object.getPrototypeOf(Fn))
  .concat(Object.getOwnPropertyNames(Fn))
  .filter((name) => typeof (Fn as unknown as Record<string, unknown>)[name] === "function")
  .filter((name) => !HELPERS.has(name))
  .map((name) => RENAMED[name.replace(/^_/, "")] ?? name.replace(/^_/, ""));

describe("Functions", () => {
  const known = [...functionNames()];

  test("the engine supports each function that cdktf can write, or lists the function as unsupported", () => {
    const missing = [...new Set(emitted)].filter(
      (name) => !known.includes(name) && !UNSUPPORTED_FUNCTIONS.has(name),
    );
    expect(missing).toEqual([]);
    expect(emitted.length).toBeGreaterThan(100);
  });

  test.each(known)("the engine finds the function %s by its name", (name) => {
    expect(findFunction(name)).toBeDefined();
  });

  test("all functions outside a fixed list of exceptions have a case in the table of console results", () => {
    const text = JSON.stringify(readCases());
    expect(known.filter((name) => !new RegExp(`\\b${name}\\(`).test(text))).toEqual([...WITHOUT_CASE.keys()]);
  });
});
