import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import {
  applyEntries,
  approvalElement,
  approvalRule,
  deployAccessLevel,
  deployElement,
  type EnvironmentRow,
  findRow,
  protect,
  requireDeployLevel,
  rulesOf,
} from "../model/protection-rules";
import { removeRow } from "../store/database";
import { loadInOrder, where } from "../store/selection";

const access = ofProject(LEVEL.maintainer);
const PATH = "/projects/:id/protected_environments";

const protectedEnvironment = z
  .object({
    name: z.string(),
    deploy_access_levels: z.array(deployAccessLevel),
    required_approval_count: z.int(),
    approval_rules: z.array(approvalRule),
  })
  .meta({ id: "ProtectedEnvironment" });

function toRecord(
  { database, caller }: Pick<Call<unknown, unknown>, "database" | "caller">,
  { id, name, required_approval_count }: EnvironmentRow,
): z.output<typeof protectedEnvironment> {
  const levels = rulesOf(database, caller, id, "deploy_access_levels");
  return {
    name,
    deploy_access_levels: levels.map(({ required_approvals: _, ...level }) => level),
    required_approval_count,
    approval_rules: rulesOf(database, caller, id, "approval_rules"),
  };
}

export const protectedEnvironmentEndpoints = inSection("Protected environments", [
  listEndpoint({
    route: `GET ${PATH}`,
    summary: "Protected environments of a project",
    access,
    entry: protectedEnvironment,
    handle: (call) => ({
      key: "id",
      from: "protected_environments",
      where: [where("project_id = ?", call.target.id)],
      order: ["name"],
      load: loadInOrder(call.database, "SELECT * FROM protected_environments", "id", (row: EnvironmentRow) =>
        toRecord(call, row),
      ),
    }),
  }),
  endpoint({
    route: `GET ${PATH}/:name`,
    summary: "One protected environment",
    access,
    input: { name: z.string() },
    answer: protectedEnvironment,
    handle: (call) => toRecord(call, findRow(call.database, call.target, call.input.name)),
  }),
  endpoint({
    route: `POST ${PATH}`,
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
    handle: (call) => toRecord(call, protect(call.database, call.target, call.input)),
  }),
  endpoint({
    route: `PUT ${PATH}/:name`,
    summary: "Change who may deploy to an environment or approve deployments",
    access,
    input: {
      name: z.string(),
      deploy_access_levels: z.array(deployElement).optional(),
      approval_rules: z.array(approvalElement).optional(),
    },
    answer: protectedEnvironment,
    handle: (call) => {
      const { database, target, input } = call;
      const row = findRow(database, target, input.name);
      applyEntries(database, target, row.id, "deploy_access_levels", input.deploy_access_levels ?? []);
      applyEntries(database, target, row.id, "approval_rules", input.approval_rules ?? []);
      requireDeployLevel(database, row.id);
      return toRecord(call, row);
    },
  }),
  endpoint({
    route: `DELETE ${PATH}/:name`,
    summary: "Unprotect an environment",
    access,
    input: { name: z.string() },
    handle: ({ database, target, input }) =>
      removeRow(database, "protected_environments", findRow(database, target, input.name).id),
  }),
]);
