import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { flagOrNull, listOf, text, textOrNull } from "../fields";

const section = "Pages";

const deployment = z.object({
  created_at: textOrNull,
  url: textOrNull,
  path_prefix: textOrNull,
  root_directory: textOrNull,
});

const settings = z.pipe(
  z.object({
    url: textOrNull,
    is_unique_domain_enabled: flagOrNull,
    force_https: flagOrNull,
    deployments: listOf(deployment),
    primary_domain: textOrNull,
    // Some releases use the name of the parameter.
    pages_primary_domain: textOrNull,
  }),
  z.transform(({ pages_primary_domain, ...record }) => ({
    ...record,
    primary_domain: record.primary_domain ?? pages_primary_domain,
  })),
);

/** A deployment of a project's Pages; an empty `path_prefix` marks the main one. */
export type PagesDeployment = z.output<typeof deployment>;
/** Pages settings of a project (section "Pages settings"). */
export type PagesSettings = z.output<typeof settings>;

const domain = z.object({ domain: text });

/** A domain that is assigned to a project's Pages. */
export type PagesDomain = z.output<typeof domain>;

const update = z.strictObject({
  pages_unique_domain_enabled: z.optional(z.boolean()),
  pages_https_only: z.optional(z.boolean()),
  pages_primary_domain: z.optional(z.string()),
});

/** Parameters of an update; an empty `pages_primary_domain` clears it. */
export type PagesUpdate = z.input<typeof update>;

const operations = operationsOf("pages", section, {
  get: operation({
    summary: "Reads a project's Pages settings and deployments.",
    method: "GET",
    path: "/projects/:project/pages",
    answer: settings,
  }),
  update: operation({
    summary:
      "Updates Pages settings; needs an instance administrator or the Maintainer role, depending " +
      "on the release.",
    method: "PATCH",
    path: "/projects/:project/pages",
    parameters: update,
    answer: settings,
  }),
  domains: listOperation({
    summary: "Lists the domains that are assigned to a project's Pages.",
    method: "GET",
    path: "/projects/:project/pages/domains",
    answer: domain,
    pagination: "offset",
    key: (each) => each.domain,
  }),
  unpublish: operation({
    summary:
      "Unpublishes a project's Pages; needs an instance administrator or the Maintainer role, " +
      "depending on the release.",
    method: "DELETE",
    path: "/projects/:project/pages",
  }),
});

/**
 * Pages settings (section "Pages"): reading needs the Maintainer role, changing and unpublishing an instance
 * administrator or the same role, depending on the release.
 */
function methods(sender: OperationSender) {
  const all = operations;
  return {
    /**
     * Reads settings and deployments. `not_found` if Pages is disabled on the instance, `forbidden` below the
     * Maintainer role.
     */
    get: (project: Reference, options?: CallOptions) => sender.call(all.get, { path: { project } }, options),
    /** Updates the given settings. `forbidden` if the role is too low. */
    update: (project: Reference, parameters: PagesUpdate, options?: CallOptions) =>
      sender.call(all.update, { path: { project }, parameters }, options),
    /** The domains assigned to a project's Pages. `not_found` and `forbidden` as for `get`. */
    domains: (project: Reference, options?: CallOptions) =>
      list(sender, all.domains, { path: { project } }, options),
    /** Removes all deployments; the settings stay. `forbidden` if the role is too low. */
    unpublish: (project: Reference, options?: CallOptions) =>
      sender.call(all.unpublish, { path: { project } }, options),
  };
}

export const pages = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ pages: methods(sender) }),
});
