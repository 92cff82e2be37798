import { ApiError, type Client } from "../api";
import { type Diagnostic, error, warning } from "../diagnostics";
import { identityOf, type PlannedChange, type ResourceDefinition } from "../framework";
import type { ContainerKind } from "./define";
import { orNothing } from "./failure-of";
import { ADMINISTRATOR, neededLevel, neededRole } from "./roles";

/** Scopes that are known to allow no change by this API. What is not among them may allow more, as fine-grained tokens do. */
const READ_ONLY: ReadonlySet<string> = new Set([
  "read_api",
  "read_user",
  "openid",
  "profile",
  "email",
  "read_repository",
  "read_registry",
  "read_virtual_registry",
  "read_observability",
  "read_service_ping",
]);

/**
 * What the token can't do of planned changes: an error where the service itself says so, by scopes that are all known
 * to read alone; a warning where its user's role seems too low, as custom roles may hold more than their base and
 * releases differ. What the service does not say, or not to this token, is left to the write itself. Nothing is changed.
 *
 * Asks for the token once, and for each project or group once; for the user where the role there is not enough.
 */
export async function checkRights(
  api: Client,
  changes: readonly DefinedChange[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const token = new TokenPermissions(api);
  return Promise.all(changes.map((change) => missing(token, change)));
}

type DefinedChange = PlannedChange & { readonly definition: ResourceDefinition };

async function missing(
  token: TokenPermissions,
  { definition, prior, planned }: DefinedChange,
): Promise<readonly Diagnostic[]> {
  const kind = definition.container as ContainerKind;
  const isLeft =
    definition.delete === undefined || (prior && definition.leftOnDestroy?.(prior.attributes)) === true;
  if (planned === undefined && isLeft) return [];
  const scopes = await token.scopes();
  if (scopes !== undefined && scopes.length > 0 && scopes.every((scope) => READ_ONLY.has(scope))) {
    return [scopeMissing(scopes)];
  }
  const name = prior === undefined ? planned?.attributes[kind] : identityOf(prior).container;
  if (typeof name !== "string" && typeof name !== "number") return [];
  const needed = neededLevel(definition);
  const level = await token.level(kind, name, needed);
  return level === undefined || level >= needed ? [] : [roleDoubted(definition, name)];
}

/** What a token may do, each thing asked for once. */
class TokenPermissions {
  readonly #api: Client;
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(api: Client) {
    this.#api = api;
  }

  /** The token's scopes; nothing where the service does not tell them. */
  scopes(): Promise<readonly string[] | undefined> {
    return this.#once("token", async () => (await this.#api.users.token()).scopes);
  }

  /** The role of the token's user, as a number; where the nearest answer is not enough, by way of all groups. */
  async level(kind: ContainerKind, name: string | number, needed: number): Promise<number | undefined> {
    const within = kind === "project" ? await this.#once(`project ${name}`, () => this.#near(name)) : 0;
    if (within === undefined || within >= needed) return within;
    const user = await this.#once("user", () => this.#api.users.current());
    if (user === undefined) return undefined;
    if (user.is_admin === true) return ADMINISTRATOR;
    if (needed === ADMINISTRATOR) return within;
    const { members } = this.#api;
    return this.#once(`member of ${kind} ${name}`, async () => {
      const found = await orNothing(
        kind === "project" ? members.inProject(name, user.id) : members.inGroup(name, user.id),
      );
      return Math.max(within, found?.access_level ?? 0);
    });
  }

  async #near(project: string | number): Promise<number> {
    const { project_access_level, group_access_level } = await this.#api.projects.permissions(project);
    return Math.max(project_access_level ?? 0, group_access_level ?? 0);
  }

  /** What the service refuses to tell is not known. */
  #once<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    const known = this.#asked.get(what) as Promise<T | undefined> | undefined;
    if (known !== undefined) return known;
    const requested = ask().catch((problem: unknown) => {
      if (problem instanceof ApiError) return undefined;
      throw problem;
    });
    this.#asked.set(what, requested);
    return requested;
  }
}

const scopeMissing = (scopes: readonly string[]): Diagnostic =>
  error({
    code: "insufficient_scope",
    summary: "The token's scopes don't allow this change",
    detail:
      `The token has the scopes ${scopes.join(", ")}, and a change takes api: the service would refuse it (403). ` +
      "Nothing was sent for this object. Apply with a token that has the scope api.",
  });

const roleDoubted = (definition: ResourceDefinition, name: string | number): Diagnostic =>
  warning({
    code: "insufficient_role",
    summary: "The token's role may not allow this change",
    detail:
      `To change this in the ${definition.container} ${name} takes the role ${neededRole(definition)} by the specification, and the token's user ` +
      "seems to have a lower one. It is sent all the same, as a custom role may allow more, and the service decides. " +
      "Where it refuses (403), give the user that role, or apply with another user's token.",
    cause: String(neededLevel(definition)),
  });
