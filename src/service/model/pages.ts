import { addressOf, domainOf } from "../compat/differences";
import { refused } from "../http/errors";
import { type Database, refuseDuplicates } from "../store/database";

export interface PagesSettings {
  readonly uniqueDomainEnabled: boolean;
  readonly httpsOnly: boolean;
  readonly primaryDomain: string | null;
}

const DEFAULTS: PagesSettings = { uniqueDomainEnabled: false, httpsOnly: true, primaryDomain: null };

export function pagesSettings(database: Database, projectId: number): PagesSettings {
  const row = database.one<{ unique_domain: number; https_only: number; primary_domain: string | null }>(
    "SELECT unique_domain_enabled AS unique_domain, https_only, primary_domain FROM pages_settings WHERE project_id = ?",
    projectId,
  );
  if (row === undefined) return DEFAULTS;
  return {
    uniqueDomainEnabled: row.unique_domain === 1,
    httpsOnly: row.https_only === 1,
    primaryDomain: row.primary_domain,
  };
}

/**
 * Changes the given settings. An empty primary domain clears it. `takesNames` accepts a domain without a scheme.
 *
 * @throws HttpError 400 for a primary domain that is not assigned to the project.
 */
export function changePages(
  database: Database,
  projectId: number,
  change: {
    readonly uniqueDomainEnabled?: boolean | undefined;
    readonly httpsOnly?: boolean | undefined;
    readonly primaryDomain?: string | undefined;
  },
  takesNames = true,
): void {
  const before = pagesSettings(database, projectId);
  database.run(
    "INSERT OR REPLACE INTO pages_settings (project_id, unique_domain_enabled, https_only, primary_domain) VALUES (?, ?, ?, ?)",
    projectId,
    change.uniqueDomainEnabled ?? before.uniqueDomainEnabled,
    change.httpsOnly ?? before.httpsOnly,
    change.primaryDomain === undefined
      ? before.primaryDomain
      : assignedDomain(database, projectId, takesNames, change.primaryDomain),
  );
}

/** Keeps the form that was given: a host name or an `https://` URL. */
function assignedDomain(
  database: Database,
  projectId: number,
  takesNames: boolean,
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
  if (assigned !== undefined && (takesNames || !isName)) {
    return isName ? assigned.domain : addressOf(assigned.domain);
  }
  throw refused(400, { pages_primary_domain: ["must be one of the domains assigned to the project"] });
}

/** @throws HttpError 400 if another project has the domain. */
export function addDomain(database: Database, projectId: number, domain: string): void {
  refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO pages_domains (domain, project_id, created_at) VALUES (?, ?, ?)",
        domain,
        projectId,
        new Date().toISOString(),
      ),
    () => refused(400, { domain: ["has already been taken"] }),
  );
}

export interface Deployment {
  readonly createdAt: string;
  /** Empty for the main deployment. */
  readonly pathPrefix: string;
  readonly rootDirectory: string | null;
}

export const deploymentsOf = (database: Database, projectId: number): Deployment[] =>
  database.all<Deployment>(
    "SELECT created_at AS createdAt, path_prefix AS pathPrefix, root_directory AS rootDirectory " +
      "FROM pages_deployments WHERE project_id = ? ORDER BY path_prefix",
    projectId,
  );

export function addDeployment(database: Database, projectId: number, deployment: Deployment): void {
  database.run(
    "INSERT INTO pages_deployments (project_id, created_at, path_prefix, root_directory) VALUES (?, ?, ?, ?)",
    projectId,
    deployment.createdAt,
    deployment.pathPrefix,
    deployment.rootDirectory,
  );
}

/** Deletes the deployments and keeps the settings. */
export const unpublish = (database: Database, projectId: number): void => {
  database.run("DELETE FROM pages_deployments WHERE project_id = ?", projectId);
};
