import { z } from "zod";
import { LEVEL, notExpired } from "../access/roles";
import { TEMPLATE_WORDS } from "../compat/differences";
import type { AccessRule } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, found } from "../http/errors";
import type { Database } from "../store/database";
import { loadInOrder } from "../store/selection";

/** The highest role of a user in any group or project, except the personal namespace. */
const highestRole = (database: Database, userId: number): number =>
  database.one<{ level: number | null }>(
    `SELECT max(m.access_level) AS level FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND (n.kind IS NULL OR n.kind = 'group') AND ${notExpired("m")}`,
    userId,
  )?.level ?? LEVEL.none;

/** Everyone except users whose highest role is Guest (Authentication 6). */
const notGuests: AccessRule<void> = {
  isAnonymous: true,
  refusals: [401, 403],
  who: "Everyone, with or without a token, except users whose highest role is Guest.",
  authorize({ database, caller }) {
    if (caller.user === undefined || caller.user.isAdmin) return;
    const role = highestRole(database, caller.user.id);
    if (role > LEVEL.none && role <= LEVEL.guest) throw forbidden();
  },
};

export const templateEndpoints = inSection(
  "CI/CD YAML templates",
  Object.entries(TEMPLATE_WORDS).flatMap(([word, served]) => [
    listEndpoint({
      route: `GET /templates/${word}`,
      summary: "CI/CD YAML templates",
      served,
      access: notGuests,
      entry: z.object({ key: z.string(), name: z.string() }).meta({ id: "TemplateEntry" }),
      handle: ({ database }) => ({
        key: "key",
        from: "templates",
        where: [],
        order: [],
        load: loadInOrder<{ key: string; name: string }>(database, "SELECT key, name FROM templates", "key"),
      }),
    }),
    endpoint({
      route: `GET /templates/${word}/:key`,
      summary: "One CI/CD YAML template",
      served,
      access: notGuests,
      input: { key: z.string() },
      answer: z.object({ name: z.string(), content: z.string() }).meta({ id: "Template" }),
      handle: ({ database, input }) => {
        const sql = "SELECT name, content FROM templates WHERE key = ?";
        return found(database.one<{ name: string; content: string }>(sql, input.key), "Template");
      },
    }),
  ]),
);
