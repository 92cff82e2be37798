import { ApiError, type Client, type User } from "../api";
import {
  type DataSourceDefinition,
  type Provider,
  type ProviderDefinition,
  providerOf,
  type ReferencedObject,
  type ResourceDefinition,
} from "../framework";
import { reference } from "../schema";
import { SENSITIVE } from "../text";
import { describeAccess, readAccessAhead } from "./access";
import { describeRights } from "./access/rights";
import { connect, providerAttributes } from "./configuration";
import { containers, fromGroup, fromProject, fromSharedProject } from "./containers";
import { DATA_SOURCES } from "./data-sources";
import type { ContainerKind } from "./define";
import { failureOf } from "./failure-of";
import { FUNCTIONS } from "./functions";
import { MOVED_FROM, MOVES } from "./moves";
import { RESOURCES } from "./registry";
import { PROVIDER_NAME, PROVIDER_SOURCE } from "./source";
import { checkRights, neededRole } from "./token-permissions";

/** Creates the provider with all registered resources and data sources, for the program that runs the provider. */
export const createProvider = (
  resources: readonly ResourceDefinition[] = RESOURCES,
  dataSources: readonly DataSourceDefinition[] = DATA_SOURCES,
): Provider => providerOf({ ...steward, resources, dataSources });

/**
 * Matches one of these two path segments and the segment after it. The next segment can be an e-mail address, or a name
 * that a user chose.
 */
const NAMED = /\/(protected_environments|invitations)\/[^/]+/;

export const steward: Omit<
  ProviderDefinition<Client, ContainerKind | "user">,
  "resources" | "dataSources"
> = {
  name: PROVIDER_NAME,
  source: PROVIDER_SOURCE,
  description: "Project settings of a source-hosting and CI/CD platform.",
  attributes: providerAttributes,
  functions: FUNCTIONS,
  kinds: {
    project: {
      path: { pattern: /^[^/\s]+(\/[^/\s]+)+$/, hint: 'its full path, such as "acme/web-shop"' },
      find: async ({ projects }, name) => fromSharedProject(await projects.get(name)),
      below: ({ groups }, path, isNested) =>
        groups.projects(path, { include_subgroups: isNested, with_shared: false }).map(fromProject),
    },
    group: {
      path: { pattern: /^[^/\s]+(\/[^/\s]+)*$/, hint: 'its full path, such as "acme/platform"' },
      find: async ({ groups }, name) => fromGroup(await groups.get(name)),
    },
    user: {
      path: { pattern: /^[^/\s@]+$/, hint: 'a username, such as "ada"' },
      async find({ users }, name) {
        const user = await (typeof name === "number" ? users.get(name) : users.byUsername(name));
        return user && fromUser(user);
      },
    },
  },
  containers,
  connect,
  failureOf,
  isAdministrator: ownsInstance,
  neededRole,
  currentUser: async ({ users }) => (await users.current()).username,
  webUrl: (address, kind, path) => {
    const root = address.replace(/\/api\/v4$/, "");
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    return `${root}/${kind === "group" ? "groups/" : ""}${encoded}`;
  },
  whyDropped:
    "The service drops users and groups that have no access to the project. Give them access, or remove the " +
    "entry.",
  redactPath: (path) => path.replace(NAMED, `/$1/${SENSITIVE}`),
  checkRights,
  describeAccess,
  readAccessAhead,
  describeRights,
  moves: { from: MOVED_FROM, of: MOVES },
};

/**
 * Returns whether the token has an administrator's rights. The field `is_admin` is not enough, because it describes
 * the user, not the token. With Admin Mode on, a token without the scope `admin_mode` has only the rights of an
 * ordinary member (https://docs.gitlab.com/administration/settings/sign_in_restrictions/#admin-mode).
 */
async function ownsInstance({ users, applicationSettings }: Client): Promise<boolean | { why: string }> {
  const { is_admin, username } = await users.current();
  if (is_admin !== true) return false;
  try {
    await applicationSettings.get();
    return true;
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.code === "cancelled") throw problem;
    const status = problem.status === undefined ? problem.code : String(problem.status);
    return {
      why:
        `The user of the token, "${username}", is an administrator, but the token lacks the rights of an administrator ` +
        `(GET /application/settings failed with ${status}). If Admin Mode is on, give the token the scope admin_mode.`,
    };
  }
}

const fromUser = ({ id, username }: User): ReferencedObject => ({ ...reference(id), path: username });
