import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation, operation } from "../calls/operation";
import { flagOrNull, listOf, text, textOrNull } from "../fields";

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
    // Some releases return the primary domain in this field, which has the name of the request's parameter.
    pages_primary_domain: textOrNull,
  }),
  z.transform(({ pages_primary_domain, ...record }) => ({
    ...record,
    primary_domain: record.primary_domain ?? pages_primary_domain,
  })),
);

/** A deployment of a project's Pages; the main deployment has an empty `path_prefix`. */
export type PagesDeployment = z.output<typeof deployment>;
/** Pages settings of a project (specification, "Pages settings"). */
export type PagesSettings = z.output<typeof settings>;

const domain = z.object({ domain: text });

/** A domain that is assigned to a project's Pages. */
export type PagesDomain = z.output<typeof domain>;

const update = z.strictObject({
  pages_unique_domain_enabled: z.optional(z.boolean()),
  pages_https_only: z.optional(z.boolean()),
  pages_primary_domain: z.optional(z.string()),
});

/** Parameters of an update of Pages settings. An empty `pages_primary_domain` removes the primary domain. */
export type PagesUpdate = z.input<typeof update>;

/**
 * Pages settings (specification, "Pages"). Reading needs the Maintainer role. Changing and unpublishing need the
 * Maintainer role or, in some releases of the platform, an administrator of the instance.
 */
export const pages = defineArea("pages", "Pages", {
  /**
   * Reads settings and deployments. Fails with `not_found` if Pages is disabled on the instance, and with
   * `forbidden` without the Maintainer role.
   */
  get: operation("GET /projects/:project/pages", {
    summary: "Reads a project's Pages settings and deployments.",
    answer: settings,
  }),
  /** Updates the given settings. Fails with `forbidden` if the role is too low. */
  update: operation("PATCH /projects/:project/pages", {
    summary:
      "Updates Pages settings; needs an instance administrator or the Maintainer role, depending " +
      "on the release.",
    parameters: update,
    answer: settings,
  }),
  /** Lists the domains that are assigned to a project's Pages. The errors are the same as for `get`. */
  domains: listOperation("/projects/:project/pages/domains", {
    summary: "Lists the domains that are assigned to a project's Pages.",
    answer: domain,
    key: (each) => each.domain,
  }),
  /** Removes all deployments, and keeps the settings. Fails with `forbidden` if the role is too low. */
  unpublish: operation("DELETE /projects/:project/pages", {
    summary:
      "Unpublishes a project's Pages; needs an instance administrator or the Maintainer role, " +
      "depending on the release.",
  }),
});
