import type { z } from "zod";
import { notFound, refused } from "../http/errors";
import { type Database, refuseDuplicates } from "../store/database";
import type { Project } from "./projects";
import {
  applyEntries,
  type approvalElement,
  type deployElement,
  type EntryChecks,
  hasRule,
} from "./protection-rules";

export interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly requiredApprovalCount: number;
}

export const ROWS =
  "SELECT id, name, required_approval_count AS requiredApprovalCount FROM protected_environments";

export function findRow(database: Database, project: Project, name: string): EnvironmentRow {
  const row = database.one<EnvironmentRow>(`${ROWS} WHERE project_id = ? AND name = ?`, project.id, name);
  if (row === undefined) throw notFound("ProtectedEnvironment");
  return row;
}

interface NewProtection {
  readonly name: string;
  readonly deploy_access_levels: readonly z.output<typeof deployElement>[];
  readonly approval_rules?: readonly z.output<typeof approvalElement>[] | undefined;
  readonly required_approval_count?: number | undefined;
}

/** @throws HttpError 409 where it is protected already, 422 for elements that break the rules. */
export function protect(
  database: Database,
  project: Project,
  protection: NewProtection,
  checks?: EntryChecks,
): EnvironmentRow {
  const id = insertProtected(database, project, protection);
  applyEntries(database, project, id, "deploy_access_levels", protection.deploy_access_levels, checks);
  applyEntries(database, project, id, "approval_rules", protection.approval_rules ?? [], checks);
  requireDeployLevel(database, id);
  return findRow(database, project, protection.name);
}

function insertProtected(database: Database, project: Project, protection: NewProtection): number {
  return refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO protected_environments (project_id, name, required_approval_count) VALUES (?, ?, ?)",
        project.id,
        protection.name,
        protection.required_approval_count ?? 0,
      ).id,
    () => refused(409, `Protected environment '${protection.name}' already exists`),
  );
}

export function requireDeployLevel(database: Database, environmentId: number): void {
  if (!hasRule(database, environmentId, "deploy_access_levels")) {
    throw refused(422, { deploy_access_levels: ["must hold at least one deploy access level"] });
  }
}
