import { startService } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { company } from "../company";
import { useCompany } from "../use-company";

const { send } = useCompany();

const rules = "/projects/1/registry/protection/repository/rules";
const create = (json: object) =>
  send("POST", rules, { json: { repository_path_pattern: "acme/web*", ...json } });
const created = async (json: object): Promise<number> => ((await create(json)).body as { id: number }).id;

describe("Container repository protection rules", () => {
  test("POST answers 201 with every field", async () => {
    expect(await create({ minimum_access_level_for_push: "maintainer" })).toMatchObject({
      status: 201,
      body: {
        id: expect.any(Number),
        project_id: 1,
        repository_path_pattern: "acme/web*",
        minimum_access_level_for_push: "maintainer",
        minimum_access_level_for_delete: null,
      },
    });
  });

  test("GET lists the rules of the project alone", async () => {
    const { body } = await create({ minimum_access_level_for_delete: "owner" });
    expect(await send("GET", rules)).toMatchObject({ status: 200, body: [body] });
    expect((await send("GET", rules.replace("/1/", "/2/"))).body).toEqual([]);
  });

  test("the list has no pages and ignores page and per_page", async () => {
    const fixture = company();
    const [web, ...others] = fixture.projects!;
    const container_rules = Array.from({ length: 250 }, (_, index) => ({
      repository_path_pattern: `acme/web/${index}`,
      minimum_access_level_for_push: "owner" as const,
    }));
    const crowded = await startService({
      fixture: { ...fixture, projects: [{ ...web!, container_rules }, ...others] },
    });
    try {
      const ask = client(crowded);
      const whole = (await ask("GET", rules)).body as { id: number }[];
      expect(whole.map(({ id }) => id)).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
      for (const query of ["per_page=10&page=2", "page=none", "pagination=keyset&order_by=name"]) {
        const { status, body, headers } = await ask("GET", `${rules}?${query}`);
        expect({ status, body }).toEqual({ status: 200, body: whole });
        expect([...headers.keys()].filter((name) => /^(link|x-.*(page|total).*)$/.test(name))).toEqual([]);
      }
    } finally {
      await crowded.close();
    }
  });

  test.each(["maintainer", "owner", "admin"])("Values named: %s", async (level) => {
    const json = { minimum_access_level_for_push: level, minimum_access_level_for_delete: level };
    expect((await create(json)).body).toMatchObject(json);
  });

  test.each([
    ["neither level", {}],
    ["two empty levels", { minimum_access_level_for_push: "", minimum_access_level_for_delete: "" }],
    ["a level that is none", { minimum_access_level_for_push: "developer" }],
    ["an empty pattern", { repository_path_pattern: "", minimum_access_level_for_push: "owner" }],
    ["a pattern with a space", { repository_path_pattern: "a b", minimum_access_level_for_push: "owner" }],
    ["no pattern", { repository_path_pattern: null, minimum_access_level_for_push: "owner" }],
  ])("400 for a create with %s", async (_, json) => {
    expect((await create(json)).status).toBe(400);
  });

  test("422 for a pattern that is taken, in this project alone", async () => {
    const json = { minimum_access_level_for_push: "owner" };
    await create(json);
    expect(await create(json)).toMatchObject({
      status: 422,
      body: { message: { repository_path_pattern: ["has already been taken"] } },
    });
    const elsewhere = { repository_path_pattern: "acme/web*", ...json };
    expect((await send("POST", rules.replace("/1/", "/2/"), { json: elsewhere })).status).toBe(201);
  });

  test("PATCH changes what is given", async () => {
    const id = await created({ minimum_access_level_for_push: "owner" });
    expect(
      await send("PATCH", `${rules}/${id}`, { json: { repository_path_pattern: "acme/*" } }),
    ).toMatchObject({
      status: 200,
      body: { id, repository_path_pattern: "acme/*", minimum_access_level_for_push: "owner" },
    });
  });

  test("an empty text unsets a level", async () => {
    const id = await created({
      minimum_access_level_for_push: "owner",
      minimum_access_level_for_delete: "admin",
    });
    const answer = await send("PATCH", `${rules}/${id}`, { form: "minimum_access_level_for_push=" });
    expect(answer.body).toMatchObject({
      minimum_access_level_for_push: null,
      minimum_access_level_for_delete: "admin",
    });
  });

  test("settled: 422 for an update that would leave no level", async () => {
    const id = await created({ minimum_access_level_for_push: "owner" });
    const json = { minimum_access_level_for_push: "" };
    expect((await send("PATCH", `${rules}/${id}`, { json })).status).toBe(422);
    expect((await send("GET", rules)).body).toMatchObject([{ minimum_access_level_for_push: "owner" }]);
  });

  test("422 for an update to a pattern that is taken", async () => {
    await create({ minimum_access_level_for_push: "owner" });
    const id = await created({ repository_path_pattern: "other", minimum_access_level_for_push: "owner" });
    const json = { repository_path_pattern: "acme/web*" };
    expect((await send("PATCH", `${rules}/${id}`, { json })).status).toBe(422);
  });

  test("DELETE answers 204, then 404", async () => {
    const id = await created({ minimum_access_level_for_push: "owner" });
    expect(await send("DELETE", `${rules}/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await send("DELETE", `${rules}/${id}`)).status).toBe(404);
  });

  test("Errors: 400 for an id that is none, 404 for a rule of another project, 401 for a bad token", async () => {
    const id = await created({ minimum_access_level_for_push: "owner" });
    expect((await send("DELETE", `${rules}/first`)).status).toBe(400);
    expect((await send("PATCH", `${rules}/0`, { json: {} })).status).toBe(400);
    expect((await send("DELETE", `${rules.replace("/1/", "/2/")}/${id}`)).status).toBe(404);
    expect((await send("GET", rules, { token: "unknown" })).status).toBe(401);
  });

  test("only one of concurrent creates of one pattern succeeds", async () => {
    const json = { minimum_access_level_for_push: "owner" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(json)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(422)]);
  });
});
