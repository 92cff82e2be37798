import { Fn, Op } from "cdktf";
import { FUNCTIONS, LEFT_OUT, OPERATORS } from "./support/cdktf-app";

/** Returns the public static methods of a class, including inherited ones. */
function methodsOf(type: object): string[] {
  const names = new Set<string>();
  for (let each = type; each !== Function.prototype; each = Object.getPrototypeOf(each) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === "function" && !name.startsWith("_")) names.add(name);
  }
  return [...names].sort();
}

test("the sample app of this test calls every deterministic function and operator of cdktf", () => {
  expect([...Object.keys(FUNCTIONS), ...LEFT_OUT.keys()].sort()).toEqual(methodsOf(Fn));
  expect(Object.keys(OPERATORS).sort()).toEqual(methodsOf(Op));
});
