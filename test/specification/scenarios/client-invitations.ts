import { ID } from "../company";
import type { Bench, Scenario } from "../laboratory";

type Kind = "project" | "group";

let groups = 0;

/** Creates a project or group that no other scenario uses. Returns its id. */
async function target(kind: Kind, { byHand, newProject }: Bench): Promise<number> {
  if (kind === "project") return newProject();
  const path = `scratch-group-${++groups}`;
  return (await byHand<{ id: number }>("POST", "/groups", { path, name: path, parent_id: ID.acme })).id;
}

/** Returns a scenario for each operation on invitations. Projects and groups have the same operations. */
const invitations = (kind: Kind): readonly Scenario[] => {
  const area = `${kind}Invitations` as const;
  const at = (id: number) => `/${kind}s/${id}/invitations`;
  const write = (what: string, run: (bench: Bench, id: number) => Promise<unknown>): Scenario => ({
    name: `client: ${area}.${what}`,
    run: async (bench) => run(bench, await target(kind, bench)),
  });
  return [
    write("create by e-mail", async ({ client, byHand, arrived }, id) => ({
      answer: await client[area].create(id, {
        email: "ada@acme.example",
        access_level: 30,
        expires_at: "2035-12-31",
        invite_source: "code",
        member_role_id: ID.reviewer,
      }),
      // The result contains the requests, because no response shows the source and the custom role of an invitation.
      sent: arrived().map(({ body }) => body),
      live: await byHand("GET", at(id)),
    })),
    write("create by user", async ({ client, byHand }, id) => ({
      answer: await client[area].create(id, { user_id: ID.devon, access_level: 30 }),
      members: (await byHand<{ username: string }[]>("GET", `/${kind}s/${id}/members`))
        .map(({ username }) => username)
        .sort(),
    })),
    write("create, refused", async ({ client, byHand }, id) => {
      await byHand("POST", at(id), { email: "ada@acme.example", access_level: 30 });
      return client[area].create(id, { email: "ada@acme.example", access_level: 30 });
    }),
    write("create, queued", async ({ client, byHand }, id) => {
      const queue = (on: boolean) =>
        byHand("PUT", "/application/settings", { enable_member_promotion_management: on });
      await queue(true);
      try {
        return await client[area].create(id, { user_id: ID.idle, access_level: 30 });
      } finally {
        await queue(false);
      }
    }),
    write("update", async ({ client, byHand }, id) => {
      await byHand("POST", at(id), { email: "ada@acme.example", access_level: 20 });
      return client[area].update(id, "ada@acme.example", { access_level: 40, expires_at: "2035-12-31" });
    }),
    write("delete", async ({ client, byHand }, id) => {
      await byHand("POST", at(id), { email: "ada@acme.example", access_level: 20 });
      await client[area].delete(id, "ada@acme.example");
      return byHand("GET", at(id));
    }),
  ];
};

export const CLIENT_INVITATIONS: readonly Scenario[] = [...invitations("project"), ...invitations("group")];
