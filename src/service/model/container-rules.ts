import { refused } from "../http/errors";
import { type Bindable, type Database, refuseDuplicates } from "../store/database";

export const RULE_LEVELS = ["maintainer", "owner", "admin"] as const;
type RuleLevel = (typeof RULE_LEVELS)[number];

export interface ContainerRule {
  readonly id: number;
  readonly project_id: number;
  readonly repository_path_pattern: string;
  readonly minimum_access_level_for_push: RuleLevel | null;
  readonly minimum_access_level_for_delete: RuleLevel | null;
}

const RULES =
  "SELECT id, project_id, repository_path_pattern, minimum_access_level_for_push, minimum_access_level_for_delete " +
  "FROM container_rules";

/** The rules of a project, oldest first. */
export const rulesOf = (database: Database, projectId: number): ContainerRule[] =>
  database.bulk<ContainerRule>(`${RULES} WHERE project_id = ? ORDER BY id`, projectId);

export const findRule = (database: Database, projectId: number, id: number): ContainerRule | undefined =>
  database.one<ContainerRule>(`${RULES} WHERE project_id = ? AND id = ?`, projectId, id);

const patternTaken = () => refused(422, { repository_path_pattern: ["has already been taken"] });

const columnsOf = (rule: Omit<ContainerRule, "id" | "project_id">): Bindable[] => [
  rule.repository_path_pattern,
  rule.minimum_access_level_for_push,
  rule.minimum_access_level_for_delete,
];

/** @throws HttpError 422 where the pattern is taken in this project. */
export function addRule(
  database: Database,
  projectId: number,
  rule: Omit<ContainerRule, "id" | "project_id"> & { readonly id?: number | undefined },
): ContainerRule {
  const { id } = refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO container_rules (id, project_id, repository_path_pattern, minimum_access_level_for_push, " +
          "minimum_access_level_for_delete) VALUES (?, ?, ?, ?, ?)",
        rule.id ?? null,
        projectId,
        ...columnsOf(rule),
      ),
    patternTaken,
  );
  return findRule(database, projectId, id)!;
}

/** @throws HttpError 422 where the pattern is taken, or where no level would be left. */
export function replaceRule(database: Database, rule: ContainerRule): ContainerRule {
  if (rule.minimum_access_level_for_push === null && rule.minimum_access_level_for_delete === null) {
    throw refused(422, { base: ["A rule must have at least one minimum access role for push or delete."] });
  }
  refuseDuplicates(
    () =>
      database.run(
        "UPDATE container_rules SET repository_path_pattern = ?, minimum_access_level_for_push = ?, " +
          "minimum_access_level_for_delete = ? WHERE id = ?",
        ...columnsOf(rule),
        rule.id,
      ),
    patternTaken,
  );
  return rule;
}

export const removeRule = (database: Database, id: number): void => {
  database.run("DELETE FROM container_rules WHERE id = ?", id);
};
