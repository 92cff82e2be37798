import { compareNatural } from "../../text";
import { bodies, type JsonObject, loadLabelled, malformed, refuseUnknownArguments } from "./blocks";
import type { Backend, Loading } from "./model";

/** The release of Terraform whose behavior Steward follows, as new states and locks record it. */
export const FOLLOWED_TERRAFORM_VERSION = "1.11.4";

/** A version constraint: an operator and a semantic version. Build metadata is ignored. */
interface Constraint {
  readonly operator: string;
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** The pre-release, such as `rc.1`; empty for a release. */
  readonly prerelease: string;
  /** The number of version parts in the constraint, such as 2 for `~> 1.5`. */
  readonly precision: number;
}

const CONSTRAINT =
  /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Returns whether a version meets constraints such as `>= 1.5, < 2.0` or `~> 1.11.0`; undefined if the version or the constraints
 * are invalid. As in Terraform, a pre-release meets only an exact constraint (`= 1.0.0-rc.1`).
 */
export function isAllowedVersion(version: string, constraints: string): boolean | undefined {
  const all = parseConstraints(constraints);
  const [actual] = parseConstraints(version) ?? [];
  if (all === undefined || actual === undefined) return undefined;
  const isAllowed =
    actual.prerelease === "" || all.some((one) => one.operator === "=" && compare(actual, one) === 0);
  return isAllowed && all.every((one) => isMet(actual, one));
}

function parseConstraints(text: string): readonly Constraint[] | undefined {
  const all = text.split(",").map((one) => parseConstraint(one.trim()));
  return all.every((one) => one !== undefined) ? all : undefined;
}

function parseConstraint(text: string): Constraint | undefined {
  const match = CONSTRAINT.exec(text);
  if (match === null) return undefined;
  const [, operator = "=", major, minor, patch, prerelease = ""] = match;
  return {
    operator,
    numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)],
    prerelease,
    precision: [major, minor, patch].filter((part) => part !== undefined).length,
  };
}

/**
 * The tests for the operators of constraints. The argument is negative if the version is lower than the constraint, 0 if they are
 * equal, and positive if the version is higher.
 */
const MEETS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
  "~>": (order) => order >= 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
};

function isMet(actual: Constraint, wanted: Constraint): boolean {
  const fixed = wanted.operator === "~>" ? actual.numbers.slice(0, wanted.precision === 3 ? 2 : 1) : [];
  return (
    MEETS[wanted.operator]!(compare(actual, wanted)) &&
    fixed.every((part, index) => part === wanted.numbers[index])
  );
}

/** Compares two versions. The result is negative if the first version is lower, and positive if it is higher. */
function compare(one: Constraint, other: Constraint): number {
  for (const [index, part] of one.numbers.entries())
    if (part !== other.numbers[index]) return part - other.numbers[index]!;
  const isRelease = one.prerelease === "" || other.prerelease === "";
  if (isRelease) return other.prerelease.length - one.prerelease.length;
  return compareNatural(one.prerelease, other.prerelease);
}

const KNOWN = ["required_version", "required_providers", "backend", "cloud"];

/** Loads the `terraform` blocks of one file. */
export function loadTerraform(configuration: Loading, block: unknown): void {
  let hasRequired = false;
  for (const body of bodies(block, "terraform")) {
    refuseUnknownArguments(body, KNOWN, "terraform", "terraform");
    if (body["required_version"] !== undefined) checkVersion(body["required_version"]);
    for (const required of bodies(body["required_providers"], "required_providers")) {
      if (hasRequired || configuration.requiredProviders.size > 0)
        malformed("terraform", "it has two required_providers blocks; join them in one");
      hasRequired = true;
      for (const [name, value] of Object.entries(required)) {
        if (name === "//") continue;
        if (configuration.requiredProviders.has(name))
          malformed("required_providers", `"${name}" is declared twice`);
        configuration.requiredProviders.set(name, sourceOf(name, value));
        const version = versionOf(name, value);
        if (version !== undefined) configuration.providerVersions.set(name, version);
      }
    }
    loadLabelled(body["backend"], "backend", 1, ([type = ""], config) =>
      setBackend(configuration, { type, config }),
    );
    // A `cloud` block is loaded like a backend of the type `cloud`.
    for (const config of bodies(body["cloud"], "cloud")) setBackend(configuration, { type: "cloud", config });
  }
}

function sourceOf(name: string, value: unknown): string {
  const source = typeof value === "object" && value !== null ? (value as JsonObject)["source"] : undefined;
  return typeof source === "string" ? source : `hashicorp/${name}`;
}

/**
 * Returns the version constraint of a provider; undefined if there is none. In the oldest syntax, the constraint is the plain
 * text itself.
 */
function versionOf(name: string, value: unknown): string | undefined {
  const version =
    typeof value === "object" && value !== null ? (value as JsonObject)["version"] : (value ?? undefined);
  if (version === undefined) return undefined;
  if (typeof version === "string" && isAllowedVersion("0.0.0", version) !== undefined) return version;
  return invalidConstraint(`required_providers.${name}`, version);
}

const invalidConstraint = (what: string, value: unknown): never =>
  malformed(what, `${JSON.stringify(value)} is not a version constraint such as ">= 1.5, < 2.0"`);

function setBackend(configuration: Loading, backend: Backend): void {
  if (configuration.backend !== undefined)
    malformed(
      "terraform.backend",
      `there are two backends, ${configuration.backend.type} and ${backend.type}`,
    );
  configuration.backend = backend;
}

function checkVersion(constraints: unknown): void {
  const isMet =
    typeof constraints === "string" ? isAllowedVersion(FOLLOWED_TERRAFORM_VERSION, constraints) : undefined;
  if (isMet === undefined) invalidConstraint("terraform.required_version", constraints);
  if (parseConstraints(String(constraints))?.some(({ prerelease }) => prerelease !== "")) {
    malformed(
      "terraform.required_version",
      `${JSON.stringify(constraints)} names a pre-release, which Terraform refuses here. Remove ` +
        "the part after the hyphen",
    );
  }
  if (!isMet) {
    malformed(
      "terraform.required_version",
      `it requires ${constraints}, and the embedded engine is compatible with Terraform ${FOLLOWED_TERRAFORM_VERSION}; run the Terraform that it requires`,
      { kind: "other", program: "terraform plan" },
    );
  }
}
