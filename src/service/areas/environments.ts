import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found } from "../http/errors";
import { id } from "../http/parameters";
import {
  addEnvironment,
  environmentAccess,
  environmentAccessRecord,
  environmentLoader,
  environmentRecord,
  TIERS,
} from "../model/environments";
import { userById } from "../model/users";
import { containing, where, whereGiven } from "../store/selection";

export const environmentEndpoints = inSection("settled: Around the specification", [
  listEndpoint({
    route: "GET /projects/:id/environments",
    summary: "Environments of a project",
    access: ofProject(LEVEL.none),
    input: { name: z.string().optional(), search: z.string().optional() },
    entry: environmentRecord,
    handle: ({ database, target, input }) => ({
      key: "e.id",
      from: "environments e",
      where: [
        where("e.project_id = ?", target.id),
        ...whereGiven(input.name, (name) => where("e.name = ?", name)),
        ...whereGiven(input.search, (text) => containing(text, "e.name")),
      ],
      order: ["e.name"],
      load: environmentLoader(database),
    }),
  }),
  endpoint({
    route: "POST /projects/:id/environments",
    summary: "Add an environment",
    access: ofProject(LEVEL.developer),
    status: 201,
    input: {
      name: z.string().min(1).max(255),
      external_url: z.string().optional(),
      description: z.string().optional(),
      tier: z.enum(TIERS).default("other"),
    },
    answer: environmentRecord,
    handle: ({ database, target, input }) =>
      environmentLoader(database)([addEnvironment(database, target.id, input)])[0]!,
  }),
  endpoint({
    route: "GET /_steward/projects/:id/environments/:name/access",
    summary: "Whether a user may deploy to an environment and approve deployments",
    section: "settled: who can deploy and approve",
    access: ofProject(LEVEL.maintainer),
    input: { name: z.string(), user_id: id() },
    answer: environmentAccessRecord,
    handle: ({ database, target, input }) =>
      environmentAccess(database, target, input.name, found(userById(database, input.user_id), "User")),
  }),
]);
