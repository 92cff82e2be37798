import { type Service, startService } from "cdktf-provider-steward/testing";
import { type Client, createClient } from "../../../src/api";
import { pushersOf } from "../../../src/cli/ci/pushers";

const NAMES = ["ada", "ben", "mallory"] as const;
type Name = (typeof NAMES)[number];
const tokenOf = (name: Name): string => `token-of-${name}`;
const shaOf = (letter: string): string => letter.repeat(40);

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService({
    fixture: {
      users: NAMES.map((username, at) => ({ username, id: at + 10, token: tokenOf(username) })),
      groups: [{ path: "acme", members: NAMES.map((user) => ({ user, role: "developer" as const })) }],
      projects: [],
    },
  });
  client = createClient({ env: {}, baseUrl: service.url, token: tokenOf("ada"), allowPlainHttp: true });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

async function send<T>(who: Name | "root", method: string, path: string, body: object): Promise<T> {
  const token = who === "root" ? service.adminToken : tokenOf(who);
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/**
 * Plays a story. `ada opens a` opens a request with the head aaaa…, and `ben pushes b` pushes a new head. `ben sends b`
 * pushes to the branch without a change of the merge request. `ben removes` deletes the branch, and `ben bulk` pushes many
 * branches at once.
 */
async function play(story: string): Promise<string[] | string> {
  const { id } = await send<{ id: number }>("root", "POST", "/api/v4/projects", {
    path: `p${Math.random().toString(36).slice(2)}`,
    namespace_id: (await client.groups.get("acme")).id,
  });
  const requests = `/_steward/projects/${id}/merge_requests`;
  const pushes = `/_steward/projects/${id}/pushes`;
  for (const [who, verb, letter = ""] of story.split(", ").map((step) => step.split(" "))) {
    const name = who as Name;
    const sha = shaOf(letter);
    if (verb === "opens") await send(name, "POST", requests, { title: "T", source_branch: "fix", sha });
    if (verb === "pushes") await send(name, "PUT", `${requests}/1`, { sha });
    if (verb === "sends") await send(name, "POST", pushes, { ref: "fix", sha });
    if (verb === "elsewhere") await send(name, "POST", pushes, { ref: "other", sha });
    if (verb === "removes") await send(name, "POST", pushes, { ref: "fix" });
    if (verb === "bulk") await send(name, "POST", pushes, {});
  }
  const heads = await client.mergeRequests.versions(id, 1).toArray();
  const head = heads[0]!.head_commit_sha;
  const request = { sha: head, source_branch: "fix", source_project_id: id };
  try {
    const found = await pushersOf({ client }, request as Parameters<typeof pushersOf>[1], heads);
    return NAMES.filter((_, at) => found.has(at + 10));
  } catch (problem) {
    return (problem as Error).message;
  }
}

describe("the pushers of a merge request", () => {
  it.each<[string, readonly string[]]>([
    ["ada opens a", ["ada"]],
    ["ada opens a, ben pushes b", ["ada", "ben"]],
    // mallory is a pusher, because the last push may still contain the changes of the earlier push.
    ["ada opens a, mallory pushes b, ada pushes c", ["ada", "mallory"]],
    ["mallory sends b, ada opens a", ["ada", "mallory"]],
    ["ada opens a, mallory elsewhere b", ["ada"]],
    // mallory is a pusher, because the push of many branches may include this branch.
    ["ben sends b, mallory bulk, ada opens a", ["ada", "ben", "mallory"]],
    // mallory is not a pusher. A push after the head is not part of this merge request. A push to an earlier branch with
    // the same name is not part of it either.
    ["ada opens a, mallory sends b", ["ada"]],
    ["mallory sends b, mallory removes, ada opens a", ["ada"]],
    // mallory is a pusher, although the branch was then removed and created again with the same name.
    ["ada opens a, mallory pushes b, ada removes, ada sends b", ["ada", "mallory"]],
  ])('in the case "%s", the pushers of the merge request are %j', async (story, expected) => {
    expect(await play(story)).toEqual(expected);
  });

  it("if the fork that contained the branch is deleted, Steward can't find the pushers and fails", async () => {
    const request = { sha: shaOf("a"), source_branch: "fix", source_project_id: null };
    await expect(pushersOf({ client }, request as Parameters<typeof pushersOf>[1], [])).rejects.toThrow(
      "the fork that the branch belongs to is gone",
    );
  });

  it("if the service has no record of the push of the newest commit, Steward can't find the pushers and fails", async () => {
    const [project] = await client.groups.projects("acme").toArray();
    const request = { sha: shaOf("e"), source_branch: "fix", source_project_id: project!.id };
    await expect(pushersOf({ client }, request as Parameters<typeof pushersOf>[1], [])).rejects.toThrow(
      `no record of the push of ${shaOf("e")} to fix`,
    );
  });
});
