import { z } from "zod";
import { LEVEL, notExpired } from "../access/roles";
import { TEMPLATE_WORDS } from "../compat/differences";
import type { AccessRule } from "../endpoint/authorization";
import { type Declared, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, notFound } from "../http/errors";
import type { ByMode } from "../settings/settings";
import type { Database } from "../store/database";
import { loadInOrder } from "../store/selection";

const section = "CI/CD YAML templates";

/** The highest role of a user in any group or project, except the personal namespace. */
const highestRole = (database: Database, userId: number): number =>
  database.one<{ level: number | null }>(
    `SELECT max(m.access_level) AS level FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND (n.kind IS NULL OR n.kind = 'group') AND ${notExpired("m")}`,
    userId,
  )?.level ?? LEVEL.none;

/** Everyone except users whose highest role is Guest (Authentication 6). */
const notGuests: AccessRule<undefined> = {
  anonymous: true,
  refusals: [401, 403],
  who: "Everyone, with or without a token, except users whose highest role is Guest.",
  authorize({ database, caller }) {
    if (caller.user === undefined || caller.user.isAdmin) return undefined;
    const role = highestRole(database, caller.user.id);
    if (role > LEVEL.none && role <= LEVEL.guest) throw forbidden();
    return undefined;
  },
};

interface TemplateRow {
  readonly key: string;
  readonly name: string;
}

const listTemplates = (word: string, served: ByMode<boolean>): Declared =>
  listEndpoint({
    method: "GET",
    path: `/templates/${word}`,
    summary: "CI/CD YAML templates",
    served,
    access: notGuests,
    entry: z.object({ key: z.string(), name: z.string() }).meta({ id: "TemplateEntry" }),
    handle: ({ database }) => ({
      key: "key",
      from: "templates",
      where: [],
      order: [],
      load: loadInOrder<TemplateRow>(database, "SELECT key, name FROM templates", "key"),
    }),
  });

const getTemplate = (word: string, served: ByMode<boolean>): Declared =>
  endpoint({
    method: "GET",
    path: `/templates/${word}/:key`,
    summary: "One CI/CD YAML template",
    served,
    access: notGuests,
    input: { key: z.string() },
    answer: z.object({ name: z.string(), content: z.string() }).meta({ id: "Template" }),
    handle: ({ database, input }) => {
      const row = database.one<{ name: string; content: string }>(
        "SELECT name, content FROM templates WHERE key = ?",
        input.key,
      );
      if (row === undefined) throw notFound("Template");
      return row;
    },
  });

export const templateEndpoints = inSection(
  section,
  Object.entries(TEMPLATE_WORDS).flatMap(([word, served]) => [
    listTemplates(word, served),
    getTemplate(word, served),
  ]),
);
