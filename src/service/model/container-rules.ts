import { z } from "zod";
import { refused } from "../http/errors";
import { type Database, insert, refuseDuplicates, update } from "../store/database";

export const RULE_LEVELS = ["maintainer", "owner", "admin"] as const;
type RuleLevel = (typeof RULE_LEVELS)[number];

/** A rule, as its table and the API have it. */
export const containerRule = z
  .object({
    id: z.int(),
    project_id: z.int(),
    repository_path_pattern: z.string(),
    minimum_access_level_for_push: z.enum(RULE_LEVELS).nullable(),
    minimum_access_level_for_delete: z.enum(RULE_LEVELS).nullable(),
  })
  .meta({ id: "ContainerProtectionRule" });

type ContainerRule = z.output<typeof containerRule>;

/** The rules of a project, oldest first. */
export const rulesOf = (database: Database, projectId: number): ContainerRule[] =>
  database.bulk<ContainerRule>("SELECT * FROM container_rules WHERE project_id = ? ORDER BY id", projectId);

export const findRule = (database: Database, projectId: number, id: number): ContainerRule | undefined =>
  database.one<ContainerRule>("SELECT * FROM container_rules WHERE project_id = ? AND id = ?", projectId, id);

const patternTaken = () => refused(422, { repository_path_pattern: ["has already been taken"] });

export interface NewContainerRule {
  readonly id?: number | undefined;
  readonly repository_path_pattern: string;
  readonly minimum_access_level_for_push?: RuleLevel | null | undefined;
  readonly minimum_access_level_for_delete?: RuleLevel | null | undefined;
}

/** @throws HttpError 422 where the pattern is taken in this project. */
export function addRule(database: Database, projectId: number, rule: NewContainerRule): ContainerRule {
  const id = refuseDuplicates(
    () => insert(database, "container_rules", { project_id: projectId, ...rule }),
    patternTaken,
  );
  return findRule(database, projectId, id)!;
}

/** @throws HttpError 422 where the pattern is taken, or where no level would be left. */
export function replaceRule(database: Database, { id, ...rule }: ContainerRule): ContainerRule {
  if (rule.minimum_access_level_for_push === null && rule.minimum_access_level_for_delete === null) {
    throw refused(422, { base: ["A rule must have at least one minimum access role for push or delete."] });
  }
  refuseDuplicates(() => update(database, "container_rules", id, rule), patternTaken);
  return { id, ...rule };
}
