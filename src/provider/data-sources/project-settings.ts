import { type Attribute, computed, optional, required } from "../../schema";
import { type ContainerKind, defineDataSource } from "../define";
import { rules } from "../resources/container-protection-rule";
import { outboundEnabled } from "../resources/job-token-scope";
import { INVITATION_LISTS, operationsOn } from "../resources/parts/invitation-status";
import { allowedGroups, allowedProjects } from "../resources/parts/job-token-allowlists";
import { NotThere, projectArgument, readOrFail, recordOf, sharedRecords } from "./records";

/** The container protection rules of a project (specification, "Container repository protection rule"). */
export const containerProtectionRules = defineDataSource({
  type: "container_protection_rules",
  description:
    "The rules that protect a project's container repositories, with the lowest roles that may push and delete images. " +
    "The token's user needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    rules: computed.listOf(
      {
        id: computed.number("The numeric id of the rule."),
        project_id: computed.number("The numeric id of the project."),
        repository_path_pattern: computed.string(
          "The pattern of the protected container repositories' paths; `*` matches any text.",
        ),
        minimum_access_level_for_push: computed.string(
          "The lowest role that may push images: `maintainer`, `owner` or `admin`. Null if the rule has none.",
        ),
        minimum_access_level_for_delete: computed.string(
          "The lowest role that may delete images: `maintainer`, `owner` or `admin`. Null if the rule has none.",
        ),
      },
      "The rules.",
    ),
  },

  async read(scope, config) {
    return { ...config, rules: await sharedRecords(scope, "project", config, rules) };
  },
});

/** The Pages of a project, including its deployments (specification, "Pages settings"). */
export const pages = defineDataSource({
  type: "pages",
  description:
    "The Pages settings of a project and its active deployments. The token's user needs the Maintainer role. The " +
    "service responds 404 if " +
    "Pages is disabled on the instance.",
  attributes: {
    project: projectArgument,
    url: computed.string("The URL of the project's Pages."),
    is_unique_domain_enabled: computed.bool("Whether the Pages have their own host name."),
    force_https: computed.bool("Whether plain HTTP is redirected to HTTPS."),
    deployments: computed.listOf(
      {
        created_at: computed.string("The time when the deployment was created."),
        url: computed.string("The URL of this deployment."),
        path_prefix: computed.string(
          "The path prefix of the deployment's URL; empty for the main deployment, and set for a parallel deployment.",
        ),
        root_directory: computed.string(
          "The directory that is served; null if the service does not return it.",
        ),
      },
      "The active deployments; empty if nothing is published. Pipelines add and remove deployments independently of " +
        "plans.",
    ),
    primary_domain: computed.string(
      "The domain to which the service redirects all requests; null if there is none, or on a service before release " +
        "17.8.",
    ),
  },

  async read({ api, idOf }, config) {
    const { project = null } = config;
    const missing = new NotThere(
      `The project "${project}" exists, but the service returns 404 for its Pages, because Pages is disabled on the instance. ` +
        "An administrator can enable it.",
      ["project"],
    );
    return {
      ...config,
      ...(await recordOf(api, project, api.pages.get(await idOf("project", project)), missing)),
    };
  },
});

const { string: text } = computed;

const namespace = {
  id: computed.number("The numeric id."),
  name: text("The name."),
  path: text("The last part of the full path."),
  kind: text("`group` or `user`."),
  full_path: text("The full path."),
  parent_id: computed.number("The numeric id of the parent group; null for a top-level namespace."),
  avatar_url: text("The URL of the avatar; null if there is none."),
  web_url: text("The URL of the page."),
};

const limitedProject = {
  id: computed.number("The numeric id."),
  description: text("The description; null if there is none."),
  name: text("The name."),
  name_with_namespace: text("The name, preceded by the names of the parent groups."),
  path: text("The last part of the full path."),
  path_with_namespace: text("The full path."),
  created_at: text("The time when the project was created."),
  default_branch: text("The default branch; null if the repository is empty."),
  tag_list: computed.listOfStrings("The topics of the project. This field has an earlier name of `topics`."),
  topics: computed.listOfStrings("The topics."),
  ssh_url_to_repo: text("The SSH URL of the repository."),
  http_url_to_repo: text("The HTTP URL of the repository."),
  web_url: text("The URL of the project's page."),
  avatar_url: text("The URL of the avatar; null if there is none."),
  star_count: computed.number("The number of stars."),
  last_activity_at: text("The time of the last activity."),
  namespace: computed.object(namespace, "The group or user that the project belongs to."),
};

/** The job token scope settings, with both allowlists (specification, "Job token scope (project)"). */
export const jobTokenScope = defineDataSource({
  type: "job_token_scope",
  description:
    "Whether a project limits the job tokens that may access the project, with the projects and groups on its " +
    "allowlist. " +
    "The token's user needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    inbound_enabled: computed.bool(
      "Whether access is limited to the allowlist. If `false`, every project has access.",
    ),
    outbound_enabled: outboundEnabled,
    projects: computed.listOf(
      limitedProject,
      "The projects on the allowlist. The list omits the project itself, which is always on the allowlist.",
    ),
    groups: computed.listOf(
      {
        id: computed.number("The numeric id."),
        web_url: text("The URL of the group's page, which ends with the full path."),
        name: text("The name."),
      },
      "The groups on the allowlist.",
    ),
  },

  shows: [allowedProjects],
  async read({ api, idOf, collection }, config) {
    const { project = null } = config;
    const id = await idOf("project", project);
    const reading = Promise.all([
      api.jobTokenScope.get(id),
      collection(id, allowedProjects).readWhole(),
      collection(id, allowedGroups).readWhole(),
    ]);
    const [settings, projects, groups] = await readOrFail("project", project, reading);
    return { ...config, ...settings, projects: [...projects.values()], groups: [...groups.values()] };
  },
});

/** The attributes that the data sources for invitations to a project and to a group have in common. */
const invitationList = {
  query: optional.string(
    "An e-mail address: the list contains only the invitation to this address. If omitted, the list contains all " +
      "invitations.",
  ),
  invitations: computed.listOf(
    {
      id: computed.number("The numeric id of the invitation."),
      invite_email: computed.string("The e-mail address that was invited."),
      created_at: computed.string("The time when the invitation was created."),
      access_level: computed.number("The access level of the person: 0, 5, 10, 15, 20, 25, 30, 40 or 50."),
      expires_at: computed.string(
        "The time at which the invitation expires, in UTC; null if it does not expire. For an expired invitation, " +
          "the time is in the past.",
      ),
      user_name: computed.string(
        "The name of the invited user, for example of a user who waits for an administrator's approval; null if the " +
          "person has no account.",
      ),
      created_by_name: computed.string("The name of the user who sent the invitation."),
    },
    "The pending invitations, without the invitations to parent groups.",
  ),
};

/**
 * Returns the data source for the pending invitations to a project or group (specification, "Pending invitation"). If
 * `query` contains an address, the data source sends a separate request instead of using the cached list.
 */
const invitationsTo = (kind: ContainerKind, argument: Attribute, description: string) =>
  defineDataSource({
    type: `${kind}_invitations`,
    description,
    attributes: { [kind]: argument, ...invitationList },

    async read(scope, config) {
      const { query = null, [kind]: name = null } = config;
      if (query === null)
        return {
          ...config,
          invitations: await sharedRecords(scope, kind, config, INVITATION_LISTS[kind].open),
        };
      const list = operationsOn(scope.api, kind).list(String(name), { query: String(query) });
      return { ...config, invitations: await readOrFail(kind, name, list.toArray()) };
    },
  });

export const groupInvitations = invitationsTo(
  "group",
  required.reference("group", "The group, by its numeric id or its full path."),
  "The pending invitations to a group. The token's user needs the Owner role.",
);

export const projectInvitations = invitationsTo(
  "project",
  projectArgument,
  "The pending invitations to a project. The token's user needs the Maintainer role.",
);
