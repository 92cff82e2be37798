import { addressOf, domainOf } from "../compat/differences";
import { refused } from "../http/errors";
import { type Database, insert, now, refuseDuplicates } from "../store/database";

export interface PagesSettings {
  readonly unique_domain_enabled: number;
  readonly https_only: number;
  readonly primary_domain: string | null;
}

const DEFAULTS: PagesSettings = { unique_domain_enabled: 0, https_only: 1, primary_domain: null };

export const pagesSettings = (database: Database, projectId: number): PagesSettings =>
  database.one<PagesSettings>("SELECT * FROM pages_settings WHERE project_id = ?", projectId) ?? DEFAULTS;

/**
 * Changes the given settings. An empty primary domain clears it. `isSchemeOptional` accepts a domain without a scheme.
 *
 * @throws HttpError 400 for a primary domain that is not assigned to the project.
 */
export function changePages(
  database: Database,
  projectId: number,
  change: {
    readonly unique_domain_enabled?: boolean | undefined;
    readonly https_only?: boolean | undefined;
    readonly primary_domain?: string | undefined;
  },
  isSchemeOptional = true,
): void {
  const before = pagesSettings(database, projectId);
  const row = {
    project_id: projectId,
    unique_domain_enabled: change.unique_domain_enabled ?? before.unique_domain_enabled,
    https_only: change.https_only ?? before.https_only,
    primary_domain:
      change.primary_domain === undefined
        ? before.primary_domain
        : assignedDomain(database, projectId, isSchemeOptional, change.primary_domain),
  };
  insert(database, "pages_settings", row, "OR REPLACE ");
}

/** Keeps the form that was given: a host name or an `https://` URL. */
function assignedDomain(
  database: Database,
  projectId: number,
  isSchemeOptional: boolean,
  given: string,
): string | null {
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

/** @throws HttpError 400 if another project has the domain. */
export function addDomain(database: Database, projectId: number, domain: string): void {
  refuseDuplicates(
    () => insert(database, "pages_domains", { domain, project_id: projectId, created_at: now() }),
    () => refused(400, { domain: ["has already been taken"] }),
  );
}

export interface Deployment {
  readonly created_at: string;
  /** Empty for the main deployment. */
  readonly path_prefix: string;
  readonly root_directory: string | null;
}

export const deploymentsOf = (database: Database, projectId: number): Deployment[] =>
  database.all<Deployment>(
    "SELECT * FROM pages_deployments WHERE project_id = ? ORDER BY path_prefix",
    projectId,
  );

/** Deletes the deployments and keeps the settings. */
export const unpublish = (database: Database, projectId: number): void => {
  database.run("DELETE FROM pages_deployments WHERE project_id = ?", projectId);
};
