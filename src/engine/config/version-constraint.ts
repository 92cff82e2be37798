type Version = readonly [major: number, minor: number, patch: number];

const CONSTRAINT = /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z.-]+)?$/;

/** Whether a version meets constraints such as `>= 1.5, < 2.0` or `~> 1.11.0`; undefined where they are none. */
export function meetsConstraints(version: string, constraints: string): boolean | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const all = constraints.split(",").map((one) => meets([major, minor, patch], one.trim()));
  return all.includes(undefined) ? undefined : all.every((one) => one === true);
}

function meets(version: Version, constraint: string): boolean | undefined {
  const [match, operator = "=", major, minor, patch, prerelease] = CONSTRAINT.exec(constraint) ?? [];
  if (match === undefined) return undefined;
  const wanted: Version = [Number(major), Number(minor ?? 0), Number(patch ?? 0)];
  const order = compare(version, wanted);
  // A prerelease comes before its release, and is none of the versions that are compared with it.
  if (prerelease !== undefined && order === 0)
    return operator === "!=" || operator === ">" || operator === ">=";
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
    default:
      return (
        order >= 0 && version.slice(0, patch === undefined ? 1 : 2).every((part, at) => part === wanted[at])
      );
  }
}

const compare = (one: Version, other: Version): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
