import type { Habit } from "../settings/settings";

/** A habit of the live platform that this service does not imitate. Only the client supports it. */
type NotServed = Omit<Habit, "name" | "on" | "since"> & {
  /** The reason why the service does not imitate the habit. */
  readonly why: string;
};

/** The habits of the live platform that this service does not imitate. Only the client handles these habits. */
export const NOT_SERVED: readonly NotServed[] = [
  {
    does: "a custom role may hold more than its base role",
    client: "a role that seems too low is a warning, and the service decides",
    why: "custom roles of the service have only a base role",
    sources: ["[Custom permissions](https://docs.gitlab.com/user/custom_roles/abilities/)"],
  },
  {
    does: "a fine-grained token has neither `api` nor `read_api`, but separate permissions",
    client: "rejects a write before it is sent only if every scope is known to be read-only",
    why: "its tokens have scopes",
    sources: [
      "[Fine-grained permissions for personal access tokens](https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens/). We found no public source for the word `granular` in `scopes`",
    ],
  },
  {
    does: "some releases show `primary_domain` as `pages_primary_domain`",
    client: "reads either field",
    why: "it has the field of the specification",
    sources: [
      "`lib/api/entities/pages/project_settings.rb` in [gitlab-org/gitlab](https://gitlab.com/gitlab-org/gitlab), as of release 17.8",
    ],
  },
  {
    does: "protecting a protected environment is 409 with different texts",
    client: '`already_exists`, whatever text follows "already"',
    why: "it has one text",
    sources: [
      '`ee/spec/requests/api/protected_environments_spec.rb` in [gitlab-org/gitlab](https://gitlab.com/gitlab-org/gitlab). For the words "is already protected" we found no public source',
    ],
  },
  {
    does: "a dot may begin a format in a path: the Go client writes `.` as `%2E`",
    client: "writes every dot of a name as `%2E`",
    why: "it accepts both",
    sources: ["`PathEscape` in [client-go](https://gitlab.com/gitlab-org/api/client-go)"],
  },
  {
    does: "a request for a disabled feature returns 403",
    client: "reports that the feature is off if the message says so",
    why: "it has no such switch",
    sources: [
      "[Repository related API v4 endpoints return a 403 when the repository is disabled](https://gitlab.com/gitlab-org/gitlab/-/issues/29576). That response has no message; other messages differ by feature",
    ],
  },
];
