import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { notFound } from "../http/errors";
import { id } from "../http/parameters";
import { addEnvironment, environmentAccess, environmentLoader, TIERS } from "../model/environments";
import { userById } from "../model/users";
import { containing, where, whereGiven } from "../store/selection";

const section = "settled: Around the specification";

const environmentRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    external_url: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    tier: z.enum(TIERS),
    state: z.literal("available"),
  })
  .meta({ id: "Environment" });

const listEnvironments = listEndpoint({
  method: "GET",
  path: "/projects/:id/environments",
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
      ...whereGiven(input.search, (text) => where("e.name LIKE ? ESCAPE '\\'", containing(text))),
    ],
    order: ["e.name"],
    load: environmentLoader(database),
  }),
});

const newEnvironment = endpoint({
  method: "POST",
  path: "/projects/:id/environments",
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
  handle: ({ database, target, input }) => {
    const environmentId = addEnvironment(database, target.id, input);
    return environmentLoader(database)([environmentId])[0]!;
  },
});

const getAccess = endpoint({
  method: "GET",
  path: "/_steward/projects/:id/environments/:name/access",
  summary: "Whether a user may deploy to an environment and approve deployments",
  section: "settled: who can deploy and approve",
  access: ofProject(LEVEL.maintainer),
  input: { name: z.string(), user_id: id() },
  answer: z.object({ can_deploy: z.boolean(), can_approve: z.boolean() }).meta({ id: "EnvironmentAccess" }),
  handle: ({ database, target, input }) => {
    const user = userById(database, input.user_id);
    if (user === undefined) throw notFound("User");
    return environmentAccess(database, target, input.name, user);
  },
});

export const environmentEndpoints = inSection(section, [listEnvironments, newEnvironment, getAccess]);
