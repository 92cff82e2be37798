import { refused } from "../http/errors";
import { type Database, refuseDuplicates } from "../store/database";
import { loadInOrder } from "../store/selection";

export const TIERS = ["production", "staging", "testing", "development", "other"] as const;
type Tier = (typeof TIERS)[number];

interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly external_url: string | null;
  readonly tier: Tier;
  readonly created_at: string;
}

/** @throws HttpError 400 where the name is taken. */
export function addEnvironment(
  database: Database,
  projectId: number,
  environment: {
    readonly name: string;
    readonly external_url?: string | undefined;
    readonly description?: string | undefined;
    readonly tier: Tier;
  },
): number {
  return refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO environments (project_id, name, external_url, description, tier, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        projectId,
        environment.name,
        environment.external_url ?? null,
        environment.description ?? null,
        environment.tier,
        new Date().toISOString(),
      ).id,
    () => refused(400, { name: ["has already been taken"] }),
  );
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 24);

export const environmentLoader = (database: Database) =>
  loadInOrder(
    database,
    "SELECT id, name, description, external_url, tier, created_at FROM environments WHERE id IN (SELECT value FROM json_each(?))",
    (row: EnvironmentRow) => row.id,
    (row: EnvironmentRow) => ({
      ...row,
      slug: slugOf(row.name),
      updated_at: row.created_at,
      state: "available" as const,
    }),
  );
