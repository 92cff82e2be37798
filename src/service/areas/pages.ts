import { createHash } from "node:crypto";
import { z } from "zod";
import { LEVEL } from "../access/roles";
import { PAGES_CHANGED_FROM, PRIMARY_DOMAINS } from "../compat/differences";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { notFound } from "../http/errors";
import { addDomain, changePages, deploymentsOf, pagesSettings, unpublish } from "../model/pages";
import { fullPathOf, type Project } from "../model/projects";
import { inMode } from "../settings/settings";
import { where } from "../store/selection";

const pagesRecord = z
  .object({
    url: z.string(),
    is_unique_domain_enabled: z.boolean(),
    force_https: z.boolean(),
    deployments: z.array(
      z.object({
        created_at: z.iso.datetime(),
        url: z.string(),
        path_prefix: z.string(),
        root_directory: z.string().nullable(),
      }),
    ),
    primary_domain: z.string().nullable(),
  })
  .meta({ id: "PagesSettings" });

/** `http://acme.<host>/platform/docs`, or a host of its own if unique domains are on. */
function pagesAddress(project: Project, host: string, isUnique: boolean): string {
  const [root, ...rest] = fullPathOf(project).split("/");
  if (!isUnique) return `http://${root!.toLowerCase()}.${host}/${rest.join("/")}`;
  const mark = createHash("sha256").update(String(project.id)).digest("hex").slice(0, 6);
  return `http://${project.path.toLowerCase().replace(/[^a-z0-9-]/g, "-")}-${mark}.${host}`;
}

type PagesCall = Pick<Call<Project, unknown>, "database" | "settings" | "target">;

function toRecord({ database, settings, target }: PagesCall): z.output<typeof pagesRecord> {
  const { unique_domain_enabled, https_only, primary_domain } = pagesSettings(database, target.id);
  const isUnique = unique_domain_enabled === 1;
  const url = pagesAddress(target, settings.pagesHost, isUnique);
  return {
    url,
    is_unique_domain_enabled: isUnique,
    force_https: https_only === 1,
    deployments: deploymentsOf(database, target.id).map(({ created_at, path_prefix, root_directory }) => ({
      created_at,
      url: path_prefix === "" ? url : `${url}/${path_prefix}`,
      path_prefix,
      root_directory,
    })),
    primary_domain: primary_domain && inMode(settings, PRIMARY_DOMAINS).show(primary_domain),
  };
}

/** The Pages feature must be enabled on the instance. */
function requirePages({ settings }: PagesCall): void {
  if (!settings.pagesEnabled) throw notFound("Pages");
}

const domainRecord = z
  .object({ domain: z.string(), url: z.string(), project_id: z.int() })
  .meta({ id: "PagesDomain" });

const toDomain = (domain: string, { id }: Project): z.output<typeof domainRecord> => ({
  domain,
  url: `http://${domain}`,
  project_id: id,
});

export const pagesEndpoints = inSection("Pages", [
  endpoint({
    route: "GET /projects/:id/pages",
    summary: "Pages settings and current deployments",
    access: ofProject(LEVEL.maintainer),
    answer: pagesRecord,
    handle: (call) => {
      requirePages(call);
      return toRecord(call);
    },
  }),
  endpoint({
    route: "PATCH /projects/:id/pages",
    summary: "Change Pages settings",
    access: ofProject(PAGES_CHANGED_FROM),
    input: {
      pages_unique_domain_enabled: z.boolean().optional(),
      pages_https_only: z.boolean().optional(),
      pages_primary_domain: z.string().optional(),
    },
    answer: pagesRecord,
    handle: (call) => {
      requirePages(call);
      const { database, settings, target, input } = call;
      const change = {
        unique_domain_enabled: input.pages_unique_domain_enabled,
        https_only: input.pages_https_only,
        primary_domain: input.pages_primary_domain,
      };
      changePages(database, target.id, change, inMode(settings, PRIMARY_DOMAINS).isSchemeOptional);
      return toRecord(call);
    },
  }),
  endpoint({
    route: "DELETE /projects/:id/pages",
    summary: "Unpublish Pages: delete the deployments and keep the settings",
    access: ofProject(PAGES_CHANGED_FROM),
    handle: (call) => {
      requirePages(call);
      unpublish(call.database, call.target.id);
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/pages/domains",
    summary: "Domains assigned to a project's Pages",
    section: "settled: Around the specification",
    access: ofProject(LEVEL.maintainer),
    entry: domainRecord,
    handle: (call) => {
      requirePages(call);
      const { target } = call;
      return {
        key: "domain",
        from: "pages_domains",
        where: [where("project_id = ?", target.id)],
        order: [],
        load: (domains) => domains.map((domain) => toDomain(String(domain), target)),
      };
    },
  }),
  endpoint({
    route: "POST /projects/:id/pages/domains",
    summary: "Assign a domain to a project's Pages",
    section: "settled: Around the specification",
    access: ofProject(LEVEL.maintainer),
    status: 201,
    input: { domain: z.hostname().max(255) },
    answer: domainRecord,
    handle: (call) => {
      requirePages(call);
      const { database, target, input } = call;
      addDomain(database, target.id, input.domain);
      return toDomain(input.domain, target);
    },
  }),
]);
