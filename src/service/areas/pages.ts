import { createHash } from "node:crypto";
import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { PAGES_CHANGED_FROM } from "../habits/maintainers-change-pages";
import { addressOf, domainOf, PRIMARY_DOMAINS } from "../habits/primary-domain-urls";
import { notFound, refused } from "../http/errors";
import { fullPathOf, type Project } from "../model/projects";
import { chosen } from "../settings/settings";
import { type Database, insert, type NewRow, now, refuseDuplicates, update } from "../store/database";
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
        /** The path prefix of the deployment's URL; empty for the main deployment. */
        path_prefix: z.string(),
        root_directory: z.string().nullable(),
      }),
    ),
    primary_domain: z.string().nullable(),
  })
  .meta({ id: "PagesSettings" });

interface PagesSettings {
  readonly unique_domain_enabled: number;
  readonly https_only: number;
  readonly primary_domain: string | null;
}

const DEFAULTS: PagesSettings = { unique_domain_enabled: 0, https_only: 1, primary_domain: null };

const pagesSettings = (database: Database, projectId: number): PagesSettings =>
  database.one<PagesSettings>("SELECT * FROM pages_settings WHERE project_id = ?", projectId) ?? DEFAULTS;

/**
 * Changes the given settings of Pages. An empty primary domain removes the primary domain. If `isSchemeOptional` is
 * true, the domain can be a host name without `https://`.
 *
 * @throws HttpError 400 for a primary domain that is not assigned to the project.
 */
export function changePages(
  database: Database,
  projectId: number,
  { primary_domain: given, ...change }: NewRow<PagesSettings>,
  isSchemeOptional = true,
): void {
  const primary_domain = given == null ? given : assignedDomain(database, projectId, isSchemeOptional, given);
  insert(database, "pages_settings", { project_id: projectId }, "OR IGNORE ");
  update(database, "pages_settings", projectId, { ...change, primary_domain }, "project_id");
}

/**
 * Returns the domain that a request sets as the primary domain. The result has the form of the text in the request:
 * a host name or an `https://` URL. For an empty text, the result is null.
 */
function assignedDomain(database: Database, projectId: number, isSchemeOptional: boolean, given: string) {
  if (given === "") return null;
  const domain = domainOf(given);
  const assigned = database.one<{ domain: string }>(
    "SELECT domain FROM pages_domains WHERE project_id = ? AND domain = ?",
    projectId,
    domain,
  );
  const isName = domain === given;
  if (assigned !== undefined && (isSchemeOptional || !isName)) {
    return isName ? assigned.domain : addressOf(assigned.domain);
  }
  throw refused(400, { pages_primary_domain: ["must be one of the domains assigned to the project"] });
}

/** Assigns a domain to a project. @throws HttpError 400 if another project has the domain */
export function addDomain(database: Database, projectId: number, domain: string): void {
  refuseDuplicates(
    () => insert(database, "pages_domains", { domain, project_id: projectId, created_at: now() }),
    () => refused(400, { domain: ["has already been taken"] }),
  );
}

/**
 * Returns the URL of a project's Pages, such as `http://acme.<host>/platform/docs`. With unique domains, each project has a
 * separate host name.
 */
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
    deployments: database.all(
      `SELECT created_at, CASE path_prefix WHEN '' THEN ?1 ELSE ?1 || '/' || path_prefix END AS url,
           path_prefix, root_directory
         FROM pages_deployments WHERE project_id = ?2 ORDER BY path_prefix`,
      url,
      target.id,
    ),
    primary_domain: primary_domain && chosen(settings, PRIMARY_DOMAINS).show(primary_domain),
  };
}

/** Requires that the Pages feature is enabled on the instance. */
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
      changePages(database, target.id, change, chosen(settings, PRIMARY_DOMAINS).isSchemeOptional);
      return toRecord(call);
    },
  }),
  endpoint({
    route: "DELETE /projects/:id/pages",
    summary: "Unpublish Pages: delete the deployments and keep the settings",
    access: ofProject(PAGES_CHANGED_FROM),
    handle: (call) => {
      requirePages(call);
      call.database.run("DELETE FROM pages_deployments WHERE project_id = ?", call.target.id);
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
        load: (domains) => domains.map((domain) => toDomain(String(domain), target)),
      };
    },
  }),
  endpoint({
    route: "POST /projects/:id/pages/domains",
    summary: "Assign a domain to a project's Pages",
    section: "settled: Around the specification",
    access: ofProject(LEVEL.maintainer),
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
