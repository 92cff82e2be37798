import { meetsConstraints } from "../../../src/engine/config/version-constraint";

test.each([
  ["1.11.4", true],
  ["= 1.11.4", true],
  ["v1.11.4", true],
  ["!= 1.11.4", false],
  ["!= 1.11.3", true],
  [">= 1.5, < 2.0.0", true],
  [">= 1.5, < 1.11.4", false],
  ["> 1.11.3", true],
  ["<= 1.11.4", true],
  ["~> 1.11.0", true],
  ["~> 1.10.0", false],
  ["~> 1.5", true],
  ["~> 2.0", false],
  ["~> 1.12", false],
  [">= 1.11.4-rc1", true],
  ["1.11.4-rc1", false],
  ["", undefined],
  ["latest", undefined],
  [">= 1.5 < 2", undefined],
])("1.11.4 and the constraint %j: %s", (constraint, meets) => {
  expect(meetsConstraints("1.11.4", constraint)).toBe(meets);
});
