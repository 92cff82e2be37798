import { ApiError, type Client } from "../api";
import { type Diagnostic, error, warning } from "../diagnostics";
import {
  type DefinedChange,
  identityOf,
  isLeftOnDestroy,
  type ResourceDefinition,
  type RightsScope,
} from "../framework";
import { once } from "../schema";
import type { ContainerKind } from "./define";
import { orNothing } from "./failure-of";

/** The level of an administrator of the instance, above all roles. */
export const ADMINISTRATOR = 60;

const ROLES: Readonly<Record<number, string>> = {
  10: "Guest",
  40: "Maintainer",
  50: "Owner",
  [ADMINISTRATOR]: "administrator of the instance",
};

/** Returns the level of the role that is needed to change objects of a resource, according to the specification. */
export const neededLevel = ({ container, writers }: ResourceDefinition): number =>
  writers?.role ?? (container === "group" ? 50 : 40);

/** Returns the name of a role. */
export const roleName = (level: number): string => ROLES[level] ?? `level ${level}`;

/** Returns the name of the role that changes of a resource need. */
export const neededRole = (definition: ResourceDefinition): string => ROLES[neededLevel(definition)]!;

/**
 * The scopes that are known to allow no change through this API. Scopes outside this set, such as fine-grained scopes,
 * may allow changes.
 */
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

/** Returns whether all scopes of a token are known to allow no change. */
export const isReadOnly = (scopes: readonly string[]): boolean =>
  scopes.length > 0 && scopes.every((scope) => READ_ONLY.has(scope));

/** Reads the permissions of a token. The class sends each request only once. */
export class TokenPermissions {
  /**
   * @param known responses to earlier requests, which the class does not send again; the class adds new responses
   * @param levelIn returns the level of the token's user in a project or group, if a record contains this level
   */
  constructor(
    private readonly api: Client,
    private readonly known = new Map<string, unknown>(),
    private readonly levelIn: RightsScope["levelIn"] = () => undefined,
  ) {}

  /** Returns the token's scopes; undefined if the service does not return them. */
  scopes(): Promise<readonly string[] | undefined> {
    return this.#deduplicated("token", async () => (await this.api.users.token()).scopes);
  }

  /**
   * Returns the level of the token's user in a project or group; undefined if the service does not show this level.
   * The method reads inherited memberships only if the level in the record of the project or group is too low.
   */
  async level(kind: ContainerKind, name: string | number, needed: number): Promise<number | undefined> {
    const { members, projects, users } = this.api;
    const own = async () => {
      const { project_access_level, group_access_level } = await projects.permissions(name);
      return Math.max(project_access_level ?? 0, group_access_level ?? 0);
    };
    const shown = () => this.levelIn(kind, name) ?? own();
    const within = kind === "project" ? await this.#deduplicated(`project ${name}`, async () => shown()) : 0;
    if (within === undefined || within >= needed) return within;
    const user = await this.#deduplicated("user", () => users.current());
    if (user === undefined) return undefined;
    if (user.is_admin === true) return ADMINISTRATOR;
    if (needed === ADMINISTRATOR) return within;
    return this.#deduplicated(`member of ${kind} ${name}`, async () => {
      const found = await orNothing(
        kind === "project" ? members.inProject(name, user.id) : members.inGroup(name, user.id),
      );
      return Math.max(within, found?.access_level ?? 0);
    });
  }

  /** Sends at most one request for each key `what`. Returns undefined if the request fails. */
  #deduplicated<T>(what: string, ask: () => Promise<T>): Promise<T | undefined> {
    return once(this.known, what, () =>
      ask().catch((problem: unknown) => {
        if (problem instanceof ApiError) return undefined;
        throw problem;
      }),
    ) as Promise<T | undefined>;
  }
}

/**
 * Returns a diagnostic for each planned change that the token may not be allowed to make. If all scopes of the token
 * are read-only, the diagnostic is an error. If the role of the user seems too low, the diagnostic is only a warning.
 * Custom roles may allow more than their base role, and releases of the platform differ. If the service does not show
 * the role, there is no diagnostic, and the service may refuse the write. The check changes nothing.
 *
 * The check sends one request for the token. The check requests each project once, unless the run has read the
 * project's record. The check requests the user only if the role in the project is too low.
 */
export async function checkRights(
  { api, known, levelIn }: RightsScope<Client>,
  changes: readonly DefinedChange[],
): Promise<readonly (readonly Diagnostic[])[]> {
  const token = new TokenPermissions(api, known, levelIn);
  return Promise.all(changes.map((change) => missing(token, change)));
}

async function missing(token: TokenPermissions, { definition, prior, planned }: DefinedChange) {
  const kind = definition.container as ContainerKind;
  if (planned === undefined && prior !== undefined && isLeftOnDestroy(definition, prior.attributes))
    return [];
  const name = prior === undefined ? planned?.attributes[kind] : identityOf(prior).container;
  const isNamed = typeof name === "string" || typeof name === "number";
  const needed = neededLevel(definition);
  const [scopes, level] = await Promise.all([
    token.scopes(),
    isNamed ? token.level(kind, name, needed) : undefined,
  ]);
  if (scopes !== undefined && isReadOnly(scopes)) return [scopeMissing(scopes)];
  if (!isNamed) return [];
  return level === undefined || level >= needed ? [] : [roleDoubted(definition, name)];
}

const scopeMissing = (scopes: readonly string[]): Diagnostic =>
  error({
    code: "insufficient_scope",
    summary: "Token lacks a scope",
    detail: `The token has only the ${scopes.length === 1 ? "scope" : "scopes"} ${scopes.join(", ")}, but a change needs the scope api. Nothing was sent for this object. Apply with a token that has the scope api.`,
  });

const roleDoubted = (definition: ResourceDefinition, name: string | number): Diagnostic =>
  warning({
    code: "insufficient_role",
    summary: "Role of the token's user may be too low",
    detail: `This change in the ${definition.container} ${name} needs ${neededLevel(definition) === ADMINISTRATOR ? "an administrator of the instance" : `the role ${neededRole(definition)}`}, but the token's user seems to have a lower role. Steward still sends the request, because a custom role may allow it. If the service refuses the request (403), give the user this role, or use another user's token.`,
    cause: String(neededLevel(definition)),
  });
