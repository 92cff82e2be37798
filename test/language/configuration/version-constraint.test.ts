import { isAllowedVersion } from "../../../src/language/configuration/load-terraform";

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
])("version 1.11.4 satisfies the constraint %j: %s", (constraint, meets) => {
  expect(isAllowedVersion("1.11.4", constraint)).toBe(meets);
});

const PRERELEASES: readonly (readonly [version: string, constraint: string, meets: boolean])[] = [
  ["1.0.0-rc.1", "= 1.0.0-rc.1", true],
  ["1.0.0-rc.1", "1.0.0-rc.1", true],
  ["1.0.0-rc.1", "v1.0.0-rc.1+linux", true],
  ["1.0.0-rc.1", ">= 0.9, = 1.0.0-rc.1", true],
  ["1.0.0-rc.1", "> 1.0.0-rc.1, = 1.0.0-rc.1", false],
  ["1.0.0-rc.1", "= 1.0.0-rc.2", false],
  ["1.0.0-rc.1", "= 1.0.0", false],
  ["1.0.0-rc.1", ">= 1.0.0-rc.1", false],
  ["1.0.0-rc.1", ">= 0.9", false],
  ["1.0.0-rc.1", "~> 1.0.0-rc.1", false],
  ["1.0.0-rc.1", "!= 1.0.0-rc.2", false],
  ["1.0.0", "> 1.0.0-rc.1", true],
  ["1.0.0", "<= 1.0.0-rc.1", false],
  ["1.0.0", "!= 1.0.0-rc.1", true],
  ["1.0.0+build.5", "= 1.0.0", true],
];
test.each(PRERELEASES)(
  "version %s satisfies the constraint %j by the rules for pre-releases: %s",
  (version, constraint, meets) => {
    expect(isAllowedVersion(version, constraint)).toBe(meets);
  },
);

test("pre-releases are ordered as in semantic versioning", () => {
  const order = ["alpha", "alpha.1", "alpha.beta", "beta", "beta.2", "beta.11", "rc.1"].map(
    (prerelease) => `1.0.0-${prerelease}`,
  );
  for (const [at, one] of order.entries()) {
    for (const [place, other] of order.entries()) {
      const below = isAllowedVersion(one, `= ${one}, < ${other}`);
      expect([one, other, below]).toEqual([one, other, at < place]);
    }
  }
});
