import { createHash } from "node:crypto";
import type { FixtureData } from "./fixture-data";
import type { Note } from "./notes";

// Invented names come from a hash of the original name, so that equal names stay equal without a table. Readers can't
// see the original names, but readers can test a guess by computing its hash.

const FIRST = (
  "amber ashen azure birch brave brisk calm cedar clear cobalt coral crisp dapper dusky eager early fabled fern fleet " +
  "frosty gentle gilded golden granite happy hazel hidden humble indigo ivory jade jolly keen lively lunar maple mellow " +
  "mossy noble olive opal patient pearl plain polar proud quiet rapid rosy rustic sandy scarlet silent silver solar " +
  "steady sunny swift tidy velvet violet wild"
).split(" ");
const SECOND = (
  "badger beacon beaver bison breeze brook canyon cliff comet condor coyote crane creek delta dune eagle falcon finch " +
  "forest fox garden glacier grove harbor hawk heron island jaguar kestrel lagoon lake lark lynx marten meadow moose " +
  "mountain ocelot orchard osprey otter owl panda pebble pine plover prairie quail raven reef ridge river robin salmon " +
  "sparrow spring summit swallow thicket tundra valley walnut willow wren"
).split(" ");

const hashOf = (kind: string, text: string): Buffer =>
  createHash("sha256").update(`${kind}\0${text}`).digest();

/** Returns two words and 32 bits of a hash. Two names of one snapshot become equal with a chance of about one in a million. */
function invented(kind: string, text: string) {
  const hash = hashOf(kind, text);
  const [first, second] = [FIRST[hash[0]! % FIRST.length]!, SECOND[hash[1]! % SECOND.length]!];
  return { first, second, mark: hash.subarray(2, 6).toString("hex") };
}

/**
 * Invents a segment of a path, or a username, since both are names of namespaces. The service ignores the case of these
 * names, and this function ignores the case too.
 *
 * @example "amber-heron-1f3c9a2e"
 */
export function inventSlug(text: string): string {
  const { first, second, mark } = invented("slug", text.toLowerCase());
  return `${first}-${second}-${mark}`;
}

export const inventPath = (path: string): string => path.split("/").map(inventSlug).join("/");

/** Invents a display name, such as "Amber Heron 1f3c9a2e". The name never equals an invented path or username. */
export function inventName(text: string): string {
  const { first, second, mark } = invented("name", text);
  return `${capitalized(first)} ${capitalized(second)} ${mark}`;
}

export function inventText(text: string): string {
  const { first, second, mark } = invented("text", text);
  return `About the ${first} ${second}, ${mark}`;
}

/** The domain that the embedded service gives to users without an address. */
const USUAL_DOMAIN = "example.com";

/**
 * Returns an address at an invented domain. The local part is invented like a username, because most addresses
 * contain the username.
 */
export function inventEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  return `${inventSlug(email.slice(0, at))}@${domain === USUAL_DOMAIN ? domain : inventDomain(domain)}`;
}

export const inventDomain = (domain: string): string => `${inventSlug(domain)}.example`;

/** Returns the pattern of a container rule with invented segments, as in a path. Each `*` stays. */
export const inventPattern = (pattern: string): string =>
  pattern
    .split("/")
    .map((segment) =>
      segment
        .split("*")
        .map((text) => (text === "" ? "" : inventCased(text)))
        .join("*"),
    )
    .join("/");

/** Invents a segment of a pattern. Segments that differ only in case become different segments. */
const inventCased = (text: string): string =>
  text === text.toLowerCase()
    ? inventSlug(text)
    : `${inventSlug(text)}-${hashOf("case", text).subarray(0, 2).toString("hex")}`;

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** The names of branches that are not replaced, because many projects have these branches. */
const USUAL_BRANCHES: ReadonlySet<string> = new Set(["main", "master", "develop", "trunk"]);
const USUAL_FOLDERS: ReadonlySet<string> = new Set(["public"]);

const inventUnless =
  (usual: ReadonlySet<string>): Invent =>
  (text) =>
    usual.has(text) ? text : inventSlug(text);

/** Invents a domain in the form of the original: a host stays a host, and a URL stays a URL. */
function inPrimaryForm(domain: string): string {
  const host = domain.replace(/^https:\/\//i, "");
  return `${host === domain ? "" : "https://"}${inventDomain(host)}`;
}

type Invent = (text: string) => string;

const OF_CONTAINERS: Readonly<Record<string, Invent>> = {
  path: inventPath,
  name: inventName,
  description: inventText,
  "members.user": inventSlug,
  "shared_with.group": inventPath,
  "invitations.email": inventEmail,
  "invitations.created_by": inventSlug,
  "invitations.queued_user": inventSlug,
};

/**
 * The functions that invent texts, by the names of the fields that lead to these texts. Texts in all other fields stay
 * unchanged.
 */
const INVENTED: Readonly<Record<string, Invent>> = {
  "instance.pages_host": inventDomain,
  "users.username": inventSlug,
  "users.name": inventName,
  "users.email": inventEmail,
  ...below("groups", OF_CONTAINERS),
  "groups.member_roles.name": inventName,
  ...below("projects", {
    ...OF_CONTAINERS,
    default_branch: inventUnless(USUAL_BRANCHES),
    topics: inventSlug,
    "environments.external_url": (url) => `https://${inventDomain(url)}`,
    "environments.description": inventText,
    "job_token_scope.projects": inventPath,
    "job_token_scope.groups": inventPath,
    "protected_environments.deploy_access_levels.user": inventSlug,
    "protected_environments.deploy_access_levels.group": inventPath,
    "protected_environments.approval_rules.user": inventSlug,
    "protected_environments.approval_rules.group": inventPath,
    "pages.primary_domain": inPrimaryForm,
    "pages.domains": inventDomain,
    "pages.deployments.path_prefix": inventSlug,
    "pages.deployments.root_directory": inventUnless(USUAL_FOLDERS),
    "container_rules.repository_path_pattern": inventPattern,
  }),
};

function below(field: string, invented: Readonly<Record<string, Invent>>): Record<string, Invent> {
  return Object.fromEntries(Object.entries(invented).map(([name, invent]) => [`${field}.${name}`, invent]));
}

/**
 * Replaces names of people, customers or projects by invented names. A name becomes the same invented name in every
 * snapshot, so that references still match. Numeric ids, levels, dates and names of environments are not replaced.
 */
export const anonymized = (
  data: FixtureData,
  notes: readonly Note[],
): readonly [data: FixtureData, notes: readonly Note[]] => [
  inventedIn(data, []) as FixtureData,
  notes.map((note) => ({ ...note, container: inventPath(note.container) })),
];

/**
 * Returns a value with invented texts.
 *
 * @param fields the names of the fields that lead to the value
 */
function inventedIn(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => inventedIn(element, fields));
  if (typeof value === "string") return value && (INVENTED[fields.join(".")]?.(value) ?? value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, inventedIn(one, [...fields, name])]),
  );
}
