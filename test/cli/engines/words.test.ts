import { planLine } from "../../../src/cli/arguments/plan";
import type { EngineStack } from "../../../src/cli/engines/stacks";
import { Words } from "../../../src/cli/engines/words";

const stack = { declarations: { variables: new Set<string>() } } as unknown as EngineStack;
const wordsOf = (options: object) =>
  new Words(planLine.read(options, []), "/work", true, [stack]).plan("normal", stack);

test("a plan without a lock or a refresh is one in the program's words", () => {
  expect(wordsOf({ lock: false, refresh: false })).toEqual(["-input=false", "-refresh=false", "-lock=false"]);
  expect(wordsOf({ lock: true, refresh: true })).toEqual(["-input=false"]);
});
