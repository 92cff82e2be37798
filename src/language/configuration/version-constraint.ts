/** A semantic version. Build metadata is ignored. */
interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** The identifiers of a pre-release, such as `["rc", "1"]`; empty for a release. */
  readonly prerelease: readonly string[];
}

interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** How many of the three numbers the constraint specifies. */
  readonly precision: number;
}

const VERSION = String.raw`v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?`;
const CONSTRAINT = new RegExp(String.raw`^(=|!=|>=|<=|>|<|~>)?\s*${VERSION}$`);

/**
 * Whether a version meets constraints such as `>= 1.5, < 2.0` or `~> 1.11.0`; undefined if they are invalid.
 * As in Terraform, a pre-release only meets an exact constraint (`= 1.0.0-rc.1`).
 */
export function meetsConstraints(version: string, constraints: string): boolean | undefined {
  const all = parseConstraints(constraints);
  const actual = parseConstraint(version)?.version;
  if (all === undefined || actual === undefined) return undefined;
  const isAllowed =
    actual.prerelease.length === 0 ||
    all.some((one) => one.operator === "=" && compare(actual, one.version) === 0);
  return isAllowed && all.every((one) => meets(actual, one));
}

/** Whether a constraint contains a pre-release. */
export const namesPrerelease = (constraints: string): boolean =>
  parseConstraints(constraints)?.some(({ version }) => version.prerelease.length > 0) === true;

function parseConstraints(text: string): readonly Constraint[] | undefined {
  const all = text.split(",").map((one) => parseConstraint(one.trim()));
  return all.every((one) => one !== undefined) ? all : undefined;
}

function parseConstraint(text: string): Constraint | undefined {
  const match = CONSTRAINT.exec(text);
  if (match === null) return undefined;
  const [, operator = "=", major, minor, patch, prerelease] = match;
  return {
    operator,
    version: {
      numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)],
      prerelease: prerelease?.split(".") ?? [],
    },
    precision: [major, minor, patch].filter((part) => part !== undefined).length,
  };
}

function meets(actual: Version, { operator, version, precision }: Constraint): boolean {
  const order = compare(actual, version);
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    default: {
      const fixed = actual.numbers.slice(0, precision === 3 ? 2 : 1);
      return order >= 0 && fixed.every((part, at) => part === version.numbers[at]);
    }
  }
}

/** Negative if the first version precedes the second, in semantic versioning. */
function compare(one: Version, other: Version): number {
  for (const [at, part] of one.numbers.entries()) {
    if (part !== other.numbers[at]) return part - other.numbers[at]!;
  }
  const [left, right] = [one.prerelease, other.prerelease];
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [at, part] of left.entries()) {
    const against = right[at];
    if (against === undefined) return 1;
    if (part !== against) return compareIdentifiers(part, against);
  }
  return left.length - right.length;
}

/** Numbers numerically and before texts; texts in ASCII order. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : 1;
}
