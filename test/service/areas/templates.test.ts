import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company, tokenOf } from "../company";

describe("CI/CD YAML templates", () => {
  test.each(["platform_ci_ymls", "gitlab_ci_ymls"])(
    "%s: a list of keys, and each with its text",
    async (word) => {
      const service = await startService();
      const send = client(service);
      const list = await send("GET", `/templates/${word}`, { token: null });
      expect(list.status).toBe(200);
      const entries = list.body as { key: string; name: string }[];
      expect(entries.length).toBeGreaterThanOrEqual(5);
      for (const { key, name } of entries) {
        const one = await send("GET", `/templates/${word}/${encodeURIComponent(key)}`);
        expect(one).toMatchObject({
          status: 200,
          body: { name, content: expect.stringContaining("script:") },
        });
        expect(Object.keys(one.body as object)).toEqual(["name", "content"]);
      }
      expect((await send("GET", `/templates/${word}/Nothing`)).status).toBe(404);
      await service.close();
    },
  );

  test("come from the fixture where it brings some", async () => {
    const templates = [{ key: "House", content: "test: {script: [make]}" }];
    const service = await startService({ fixture: { templates } });
    expect((await client(service)("GET", "/templates/platform_ci_ymls")).body).toEqual([
      { key: "House", name: "House" },
    ]);
    await service.close();
  });

  test("Authentication 6: refused to those whose highest role is Guest", async () => {
    const service = await startService({ fixture: company() });
    const status = async (username: string) =>
      (await client(service)("GET", "/templates/platform_ci_ymls", { token: tokenOf(username) })).status;
    expect(await status("guest")).toBe(403);
    expect(await status("planner")).toBe(200);
    // Being Owner of one's own namespace makes nobody more than a Guest, and having no role at all is no Guest role.
    expect(await status("outsider")).toBe(200);
    await service.close();
  });
});
