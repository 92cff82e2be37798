import { z } from "zod";
import { LEVEL } from "../access/levels";
import { ofProject } from "../endpoint/authorization";
import { type Endpoint, endpoint, listEndpoint } from "../endpoint/endpoint";
import { addEnvironment, environmentLoader, TIERS } from "../model/environments";
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
  section,
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
  section,
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
    const id = addEnvironment(database, target.id, input);
    return environmentLoader(database)([id])[0]!;
  },
});

export const environmentEndpoints: readonly Endpoint[] = [listEnvironments, newEnvironment];
