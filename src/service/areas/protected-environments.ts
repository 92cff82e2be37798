import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import {
  applyEntries,
  approvalElement,
  deployElement,
  type EnvironmentRow,
  findRow,
  protect,
  ROWS,
  requireDeployLevel,
  rulesOf,
} from "../model/protection-rules";
import type { Database } from "../store/database";
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

const listProtected = listEndpoint({
  method: "GET",
  path: "/projects/:id/protected_environments",
  summary: "Protected environments of a project",
  access,
  entry: protectedEnvironment,
  handle: ({ database, caller, target }) => ({
    key: "id",
    from: "protected_environments",
    where: [where("project_id = ?", target.id)],
    order: ["name"],
    load: loadInOrder<EnvironmentRow, z.output<typeof protectedEnvironment>>(database, ROWS, "id", (row) =>
      toRecord(database, caller, row),
    ),
  }),
});

const getProtected = endpoint({
  method: "GET",
  path: "/projects/:id/protected_environments/:name",
  summary: "One protected environment",
  access,
  input: { name: z.string() },
  answer: protectedEnvironment,
  handle: ({ database, caller, target, input }) =>
    toRecord(database, caller, findRow(database, target, input.name)),
});

const newProtected = endpoint({
  method: "POST",
  path: "/projects/:id/protected_environments",
  summary: "Protect an environment",
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
  access,
  input: {
    name: z.string(),
    deploy_access_levels: z.array(deployElement).optional(),
    approval_rules: z.array(approvalElement).optional(),
  },
  answer: protectedEnvironment,
  handle: ({ database, caller, target, input }) => {
    const row = findRow(database, target, input.name);
    applyEntries(database, target, row.id, "deploy_access_levels", input.deploy_access_levels ?? []);
    applyEntries(database, target, row.id, "approval_rules", input.approval_rules ?? []);
    requireDeployLevel(database, row.id);
    return toRecord(database, caller, row);
  },
});

const unprotect = endpoint({
  method: "DELETE",
  path: "/projects/:id/protected_environments/:name",
  summary: "Unprotect an environment",
  access,
  input: { name: z.string() },
  handle: ({ database, target, input }) => {
    database.run("DELETE FROM protected_environments WHERE id = ?", findRow(database, target, input.name).id);
    return undefined;
  },
});

export const protectedEnvironmentEndpoints = inSection(section, [
  listProtected,
  getProtected,
  newProtected,
  changeProtected,
  unprotect,
]);
