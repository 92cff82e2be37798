import * as z from "zod/mini";
import { bodies, type JsonObject, labelled, malformed, refuseUnknownArguments } from "./blocks";
import type { Backend, FleetDeclaration } from "./model";

/** The release of Terraform whose behavior is followed; new states and locks name it. */
export const FOLLOWED_TERRAFORM_VERSION = "1.11.4";

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
export function isAllowedVersion(version: string, constraints: string): boolean | undefined {
  const all = parseConstraints(constraints);
  const actual = parseConstraint(version)?.version;
  if (all === undefined || actual === undefined) return undefined;
  const isAllowed =
    actual.prerelease.length === 0 ||
    all.some((one) => one.operator === "=" && compare(actual, one.version) === 0);
  return isAllowed && all.every((one) => isMet(actual, one));
}

/** Whether a constraint contains a pre-release. */
const hasPrerelease = (constraints: string): boolean =>
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

function isMet(actual: Version, { operator, version, precision }: Constraint): boolean {
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

/** Settings of the `terraform` blocks. */
interface Settings {
  readonly requiredProviders: Map<string, string>;
  readonly providerVersions: Map<string, string>;
  backend: Backend | undefined;
}

const KNOWN = ["required_version", "required_providers", "backend", "cloud"];

/** Loads the `terraform` blocks of one file. */
export function loadTerraform(settings: Settings, json: JsonObject): void {
  for (const body of bodies(json["terraform"], "terraform")) {
    refuseUnknownArguments(body, KNOWN, "terraform", "terraform");
    if (body["required_version"] !== undefined) checkVersion(body["required_version"]);
    for (const required of bodies(body["required_providers"], "required_providers")) {
      for (const [name, value] of Object.entries(required)) {
        if (name === "//") continue;
        if (settings.requiredProviders.has(name))
          malformed("required_providers", `"${name}" is declared twice`);
        settings.requiredProviders.set(name, sourceOf(name, value));
        const version = versionOf(name, value);
        if (version !== undefined) settings.providerVersions.set(name, version);
      }
    }
    for (const { labels, body: config } of labelled(body["backend"], "backend", 1))
      setBackend(settings, { type: labels[0]!, config });
    // Equivalent to a backend.
    for (const config of bodies(body["cloud"], "cloud")) setBackend(settings, { type: "cloud", config });
  }
}

function sourceOf(name: string, value: unknown): string {
  const source = typeof value === "object" && value !== null ? (value as JsonObject)["source"] : undefined;
  return typeof source === "string" ? source : `hashicorp/${name}`;
}

/** The version constraint of a provider; the oldest syntax is a plain text. */
function versionOf(name: string, value: unknown): string | undefined {
  const version =
    typeof value === "object" && value !== null ? (value as JsonObject)["version"] : (value ?? undefined);
  if (version === undefined) return undefined;
  if (typeof version === "string" && isAllowedVersion("0.0.0", version) !== undefined) return version;
  return invalidConstraint(`required_providers.${name}`, version);
}

const invalidConstraint = (what: string, value: unknown): never =>
  malformed(what, `${JSON.stringify(value)} is not a version constraint such as ">= 1.5, < 2.0"`);

function setBackend(settings: Settings, backend: Backend): void {
  if (settings.backend !== undefined)
    malformed("terraform.backend", `there are two backends, ${settings.backend.type} and ${backend.type}`);
  settings.backend = backend;
}

function checkVersion(constraints: unknown): void {
  const isMet =
    typeof constraints === "string" ? isAllowedVersion(FOLLOWED_TERRAFORM_VERSION, constraints) : undefined;
  if (isMet === undefined) invalidConstraint("terraform.required_version", constraints);
  if (hasPrerelease(String(constraints))) {
    malformed(
      "terraform.required_version",
      `${JSON.stringify(constraints)} names a pre-release, which Terraform refuses here. Remove ` +
        "the part after the hyphen",
    );
  }
  if (!isMet) {
    malformed(
      "terraform.required_version",
      `it requires ${constraints}, and the embedded engine is compatible with Terraform ${FOLLOWED_TERRAFORM_VERSION}; run the Terraform that it requires: \`steward exec -- terraform plan\``,
    );
  }
}

const text = z.optional(z.string());
const texts = z.array(z.string());

const fleet = z.object({
  path: z.string(),
  members: z.string(),
  onLeave: z.enum(["keep", "reset"]),
  selection: z.optional(
    z.object({
      ...{ kind: z.string(), within: z.object({ kind: z.string(), name: z.string() }) },
      ...{ nested: z.boolean(), labels: texts, except: texts },
    }),
  ),
  layers: z.array(
    z.object({
      ...{ where: z.string(), position: text, reason: text, owner: text, until: text },
      settings: z.array(
        z.object({
          ...{ type: z.string(), key: text, attribute: text, position: text },
          dropped: z.optional(z.literal(true)),
        }),
      ),
    }),
  ),
});

/** Loads the fleets that constructs note in cdktf's metadata of the stack. */
export function loadFleets(
  { fleets }: { readonly fleets: Map<string, FleetDeclaration> },
  json: JsonObject,
): void {
  const comment = json["//"] as { metadata?: { fleets?: object } } | undefined;
  for (const [name, noted] of Object.entries(comment?.metadata?.fleets ?? {})) {
    const { data } = fleet.safeParse(noted);
    if (data === undefined) malformed(`The fleet ${name}`, "its metadata is damaged; run synth again");
    fleets.set(name, data);
  }
}

/** The fleet of a block, as its construct notes it. */
export function fleetOf(body: JsonObject): string | undefined {
  const name = (body["//"] as { fleet?: unknown } | undefined)?.fleet;
  return typeof name === "string" ? name : undefined;
}
