import { isDeeperThan } from "../../src/json";

test("the depth of a text is that of its brackets outside of quotes", () => {
  expect(isDeeperThan('[{"a":[1]}]', 3)).toBe(false);
  expect(isDeeperThan('[{"a":[1]}]', 2)).toBe(true);
  expect(isDeeperThan('{"\\"[[[[":"\\\\","b":"]["}', 1)).toBe(false);
  expect(isDeeperThan("[][][][]", 1)).toBe(false);
});
