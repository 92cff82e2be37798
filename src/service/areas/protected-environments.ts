import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/levels";
import { ofProject } from "../endpoint/authorization";
import { type Endpoint, endpoint, listEndpoint } from "../endpoint/endpoint";
import { notFound, refused } from "../http/errors";
import type { Project } from "../model/projects";
import { applyElements, approvalElement, deployElement, hasRule, rulesOf } from "../model/protection-rules";
import { type Database, refuseDuplicates } from "../store/database";
import { loadInOrder, where } from "../store/selection";

const section = "Protected environments";
const access = ofProject(LEVEL.maintainer);

const deployAccessLevel = z
  .object({
    id: z.int(),
    access_level: z.int().nullable(),
    access_level_description: z.string(),
    user_id: z.int().nullable(),
    group_id: z.int().nullable(),
    group_inheritance_type: z.int(),
  })
  .meta({ id: "DeployAccessLevel" });

const approvalRule = deployAccessLevel.extend({ required_approvals: z.int() }).meta({ id: "ApprovalRule" });

const protectedEnvironment = z
  .object({
    name: z.string(),
    deploy_access_levels: z.array(deployAccessLevel),
    required_approval_count: z.int(),
    approval_rules: z.array(approvalRule),
  })
  .meta({ id: "ProtectedEnvironment" });

interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly requiredApprovalCount: number;
}

const ROWS = "SELECT id, name, required_approval_count AS requiredApprovalCount FROM protected_environments";

function toRecord(
  database: Database,
  caller: Caller,
  row: EnvironmentRow,
): z.output<typeof protectedEnvironment> {
  const levels = rulesOf(database, caller, row.id, "deploy_access_levels");
  return {
    name: row.name,
    deploy_access_levels: levels.map(({ required_approvals: _, ...level }) => level),
    required_approval_count: row.requiredApprovalCount,
    approval_rules: rulesOf(database, caller, row.id, "approval_rules"),
  };
}

function findRow(database: Database, project: Project, name: string): EnvironmentRow {
  const row = database.one<EnvironmentRow>(`${ROWS} WHERE project_id = ? AND name = ?`, project.id, name);
  if (row === undefined) throw notFound("ProtectedEnvironment");
  return row;
}

const listProtected = listEndpoint({
  method: "GET",
  path: "/projects/:id/protected_environments",
  summary: "Protected environments of a project",
  section,
  access,
  entry: protectedEnvironment,
  handle: ({ database, caller, target }) => ({
    key: "id",
    from: "protected_environments",
    where: [where("project_id = ?", target.id)],
    order: ["name"],
    load: loadInOrder<EnvironmentRow, z.output<typeof protectedEnvironment>>(
      database,
      `${ROWS} WHERE id IN (SELECT value FROM json_each(?))`,
      (row) => row.id,
      (row) => toRecord(database, caller, row),
    ),
  }),
});

const getProtected = endpoint({
  method: "GET",
  path: "/projects/:id/protected_environments/:name",
  summary: "One protected environment",
  section,
  access,
  input: { name: z.string() },
  answer: protectedEnvironment,
  handle: ({ database, caller, target, input }) =>
    toRecord(database, caller, findRow(database, target, input.name)),
});

export interface NewProtection {
  readonly name: string;
  readonly deploy_access_levels: readonly z.output<typeof deployElement>[];
  readonly approval_rules?: readonly z.output<typeof approvalElement>[] | undefined;
  readonly required_approval_count?: number | undefined;
}

/** @throws HttpError 409 where it is protected already, 422 for elements that break the rules. */
export function protect(database: Database, project: Project, protection: NewProtection): EnvironmentRow {
  const id = insertProtected(database, project, protection);
  applyElements(database, project, id, "deploy_access_levels", protection.deploy_access_levels);
  applyElements(database, project, id, "approval_rules", protection.approval_rules ?? []);
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

function requireDeployLevel(database: Database, environmentId: number): void {
  if (!hasRule(database, environmentId, "deploy_access_levels")) {
    throw refused(422, { deploy_access_levels: ["must hold at least one deploy access level"] });
  }
}

const newProtected = endpoint({
  method: "POST",
  path: "/projects/:id/protected_environments",
  summary: "Protect an environment",
  section,
  access,
  status: 201,
  input: {
    name: z.string().min(1).max(255),
    deploy_access_levels: z.array(deployElement),
    approval_rules: z.array(approvalElement).optional(),
    required_approval_count: z.int().min(0).optional(),
  },
  answer: protectedEnvironment,
  handle: ({ database, caller, target, input }) =>
    toRecord(database, caller, protect(database, target, input)),
});

const changeProtected = endpoint({
  method: "PUT",
  path: "/projects/:id/protected_environments/:name",
  summary: "Change who may deploy to an environment or approve deployments",
  section,
  access,
  input: {
    name: z.string(),
    deploy_access_levels: z.array(deployElement).optional(),
    approval_rules: z.array(approvalElement).optional(),
  },
  answer: protectedEnvironment,
  handle: ({ database, caller, target, input }) => {
    const row = findRow(database, target, input.name);
    applyElements(database, target, row.id, "deploy_access_levels", input.deploy_access_levels ?? []);
    applyElements(database, target, row.id, "approval_rules", input.approval_rules ?? []);
    requireDeployLevel(database, row.id);
    return toRecord(database, caller, row);
  },
});

const unprotect = endpoint({
  method: "DELETE",
  path: "/projects/:id/protected_environments/:name",
  summary: "Unprotect an environment",
  section,
  access,
  input: { name: z.string() },
  handle: ({ database, target, input }) => {
    database.run("DELETE FROM protected_environments WHERE id = ?", findRow(database, target, input.name).id);
    return undefined;
  },
});

export const protectedEnvironmentEndpoints: readonly Endpoint[] = [
  listProtected,
  getProtected,
  newProtected,
  changeProtected,
  unprotect,
];
